"""The way back from an ONNX file to the Keras model that it was made of: to go on learning from there.

`onnx_export` writes the weights layer by layer, the kernel and then the bias of each, so they are taken in
that order here. A file of another shape does not fit, and is refused before any weight has changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadModel

Weights = npt.NDArray[np.float32]


def take_weights(model: Any, graph: bytes) -> None:
    """Give a Keras model the weights of an ONNX file that `onnx_of` has made of one of its shape.

    Args:
        model: Convolutions and dense layers with biases; no norms, whose numbers an ONNX file no longer has.
        graph: The file, of which it is known that it is sound.

    Raises:
        BadModel: The file is of a network of another shape.
        MissingExtra: The package onnx is not installed.
    """
    onnx: Any = require("onnx", "train")
    numbers = [onnx.numpy_helper.to_array(each) for each in onnx.load_from_string(graph).graph.initializer]
    floats = [np.asarray(each, np.float32) for each in numbers if each.dtype in (np.float16, np.float32)]
    layers = [layer for layer in model.layers if layer.weights]
    if len(floats) != 2 * len(layers):
        raise BadModel(f"it has {len(floats)} tensors of weights, and this network {2 * len(layers)}")
    flat = {id(layer.output): layer.input.shape[1:] for layer in model.layers if _is(layer, "Flatten")}
    taken: list[Weights] = []
    for layer, kernel, bias in zip(layers, floats[::2], floats[1::2], strict=True):
        taken += [_turned_back(layer, kernel, flat.get(id(layer.input))), bias]
    wanted = [variable for layer in layers for variable in (layer.kernel, layer.bias)]
    for variable, array in zip(wanted, taken, strict=True):
        if tuple(variable.shape) != array.shape:
            raise BadModel(
                f"it has weights of shape {array.shape} where this network has {tuple(variable.shape)}"
            )
    for variable, array in zip(wanted, taken, strict=True):
        variable.assign(array)


def _is(layer: Any, kind: str) -> bool:
    return type(layer).__name__ == kind


def _turned_back(layer: Any, kernel: Weights, shape: tuple[int, ...] | None) -> Weights:
    """A kernel, planes last again; `shape` is that of a dense layer's inputs before they were flattened."""
    if _is(layer, "Conv2D"):
        return kernel.transpose(2, 3, 1, 0) if kernel.ndim == 4 else kernel
    if shape is None or len(shape) != 3 or len(kernel) != np.prod(shape):
        return kernel
    rows, columns, planes = shape
    order = np.arange(len(kernel)).reshape(planes, rows, columns).transpose(1, 2, 0).ravel()
    return kernel[order]
