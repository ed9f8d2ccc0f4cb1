"""Keras models as ONNX graphs, built piece by piece from their weights.

Keras keeps planes last, (positions, rows, columns, planes); the graph has them first, (positions, planes,
rows, columns), as its readers hand them in. So kernels are turned round, and the dense layer after a
flattening takes its inputs in another order. A batch norm after a convolution disappears into it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadModel

INPUT = "planes"
OPSET, IR_VERSION = 17, 8  # old enough for every reader that there is

Weights = npt.NDArray[np.float32]


def onnx_of(model: Any, names: tuple[str, ...], *, half: bool = False) -> bytes:
    """A Keras model as the bytes of an ONNX file.

    Args:
        model: Its layers may be convolutions of stride 1, batch norms right after one, ReLU, tanh, additions,
            flattening and dense layers. Its input is float32 of shape (N, rows, columns, planes).
        names: What to call its outputs, in order. One that is called `value` loses its last axis, which is
            of length 1.
        half: Whether weights are stored as float16, in half the bytes; reckoning is in float32 anyway.

    Returns:
        A graph with one input, `planes`, float32 of shape (N, planes, rows, columns).

    Raises:
        BadModel: There is a layer that cannot be written.
        MissingExtra: The package onnx is not installed.
    """
    graph = _Graph(half)
    _, rows, columns, planes = model.input.shape
    known = {id(model.input): INPUT}
    followers = {id(layer.input): layer for layer in model.layers if _kind(layer) == "BatchNormalization"}
    flat: dict[str, tuple[int, ...]] = {}  # flattened tensors and their shapes before, planes last
    for layer in model.layers:
        kind = _kind(layer)
        if kind == "InputLayer" or (kind == "BatchNormalization" and id(layer.output) in known):
            continue  # a norm has gone into its convolution
        given = layer.input if isinstance(layer.input, list) else [layer.input]
        inputs = [known[id(each)] for each in given]
        output, made = layer.output, ""
        if kind == "Conv2D":
            norm = followers.get(id(output))
            made = graph.conv(inputs[0], layer, norm)
            output = output if norm is None else norm.output
        elif kind == "ReLU":
            made = graph.add("Relu", inputs)
        elif kind == "Activation" and layer.activation.__name__ in _ACTIVATIONS:
            made = graph.activated(inputs[0], layer)
        elif kind == "Add" and len(inputs) == 2:
            made = graph.add("Add", inputs)
        elif kind == "Flatten":
            made = graph.add("Flatten", inputs, axis=1)
            flat[made] = tuple(given[0].shape[1:])
        elif kind == "Dense":
            made = graph.dense(inputs[0], layer, flat.get(inputs[0]))
        else:
            raise BadModel(f"layer {layer.name} ({kind}) cannot be written as ONNX")
        known[id(output)] = made
    outputs = []
    for name, tensor in zip(names, model.outputs, strict=True):
        outputs.append(graph.output(known[id(tensor)], name, tensor.shape[1]))
    return graph.encode((planes, rows, columns), outputs)


def _kind(layer: Any) -> str:
    return type(layer).__name__


_ACTIVATIONS = {"linear": None, "relu": "Relu", "tanh": "Tanh"}


class _Graph:
    """An ONNX graph in the making; tensors go by their names."""

    def __init__(self, half: bool) -> None:
        self._onnx: Any = require("onnx", "train")
        self._half = half
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def add(self, operation: str, inputs: list[str], name: str = "", **attributes: Any) -> str:
        """One more node; the name of what it gives."""
        output = name or f"{operation.lower()}_{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(operation, inputs, [output], **attributes))
        return output

    def weight(self, array: npt.NDArray[Any], dtype: Any = np.float32) -> str:
        """An array that belongs to the model."""
        half = self._half and dtype is np.float32
        name = f"weight_{len(self._weights)}"
        stored = np.ascontiguousarray(array, dtype=np.float16 if half else dtype)
        self._weights.append(self._onnx.numpy_helper.from_array(stored, name))
        return self.add("Cast", [name], to=self._onnx.TensorProto.FLOAT) if half else name

    def activated(self, tensor: str, layer: Any) -> str:
        """What a layer's activation makes of a tensor."""
        name = layer.activation.__name__
        if name not in _ACTIVATIONS:
            raise BadModel(f"layer {layer.name}: activation {name} cannot be written as ONNX")
        operation = _ACTIVATIONS[name]
        return tensor if operation is None else self.add(operation, [tensor])

    def conv(self, tensor: str, layer: Any, norm: Any = None) -> str:
        """A convolution, with the batch norm after it."""
        if layer.data_format != "channels_last" or {*layer.strides, *layer.dilation_rate} != {1}:
            raise BadModel(f"layer {layer.name}: only plain convolutions can be written as ONNX")
        kernel = np.asarray(layer.kernel, dtype=np.float64)
        bias = np.asarray(layer.bias, dtype=np.float64) if layer.use_bias else np.zeros(kernel.shape[-1])
        if norm is not None:
            if layer.activation.__name__ != "linear":
                raise BadModel(f"layer {norm.name}: it does not come right after a convolution")
            kernel, bias = folded(kernel, bias, norm)
        pads = [0, 0, 0, 0]
        if layer.padding == "same":
            before = [(size - 1) // 2 for size in layer.kernel_size]
            pads = [*before, *(size - 1 - each for size, each in zip(layer.kernel_size, before, strict=True))]
        weights = [self.weight(kernel.transpose(3, 2, 0, 1)), self.weight(bias)]
        return self.activated(self.add("Conv", [tensor, *weights], pads=pads), layer)

    def dense(self, tensor: str, layer: Any, shape: tuple[int, ...] | None) -> str:
        """A dense layer; `shape` is that of its inputs before they were flattened, planes last."""
        kernel = np.asarray(layer.kernel)
        if shape is not None and len(shape) == 3:
            order = np.arange(len(kernel)).reshape(shape).transpose(2, 0, 1).ravel()
            kernel = kernel[order]
        bias = np.asarray(layer.bias) if layer.use_bias else np.zeros(kernel.shape[1])
        made = self.add("Gemm", [tensor, self.weight(kernel), self.weight(bias)])
        return self.activated(made, layer)

    def output(self, tensor: str, name: str, length: int) -> Any:
        """Make a tensor an output."""
        shape: list[int | str] = ["N", length]
        if name == "value":
            self.add("Squeeze", [tensor, self.weight(np.array([1]), np.int64)], name)
            shape = ["N"]
        else:
            self.add("Identity", [tensor], name)
        return self._onnx.helper.make_tensor_value_info(name, self._onnx.TensorProto.FLOAT, shape)

    def encode(self, shape: tuple[int, int, int], outputs: list[Any]) -> bytes:
        """The whole graph, checked."""
        helper = self._onnx.helper
        planes = helper.make_tensor_value_info(INPUT, self._onnx.TensorProto.FLOAT, ["N", *shape])
        graph = helper.make_graph(self._nodes, "fourcast", [planes], outputs, self._weights)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="fourcast"
        )
        model.ir_version = IR_VERSION
        self._onnx.checker.check_model(model)
        encoded: bytes = model.SerializeToString(deterministic=True)
        return encoded


def folded(
    kernel: npt.NDArray[np.float64], bias: npt.NDArray[np.float64], norm: Any
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A convolution's kernel, planes last, and its bias, with the batch norm after it worked in."""
    mean, variance = (np.asarray(each, np.float64) for each in (norm.moving_mean, norm.moving_variance))
    scale = 1 / np.sqrt(variance + norm.epsilon)
    if norm.scale:
        scale = scale * np.asarray(norm.gamma, np.float64)
    shift = np.asarray(norm.beta, np.float64) if norm.center else np.zeros_like(mean)
    return kernel * scale, (bias - mean) * scale + shift
