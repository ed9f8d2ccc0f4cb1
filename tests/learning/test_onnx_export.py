"""Keras models as ONNX graphs: what comes out is what Keras says."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import BadModel, Geometry
from fourcast.learning.networks import Shape, cnn, keras, network
from fourcast.learning.onnx_export import onnx_of
from tests.learning.nets import needs_training

needs_training()

BOARDS = ("6x7x4", "5x5x3", "4x9x4", "3x8x4", "9x4x5")


def scattered(model: Any) -> Any:
    """The same model with weights of every kind, biases too, which are 0 at the start."""
    chance = np.random.default_rng(5)
    for variable in model.variables:
        spread = np.asarray(variable.value) + 0.1 * chance.normal(size=variable.shape)
        variable.assign(np.abs(spread) if "variance" in variable.path else spread)
    return model


def run(data: bytes, planes: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
    onnxruntime: Any = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    assert [each.name for each in session.get_inputs()] == ["planes"]
    assert session.get_inputs()[0].shape[1:] == list(planes.shape[1:])
    found: list[npt.NDArray[np.float32]] = session.run(None, {"planes": planes})
    return found


def compare(model: Any, names: tuple[str, ...], *, half: bool = False, within: float = 1e-5) -> None:
    _, rows, columns, count = model.input.shape
    planes = np.random.default_rng(1).random((7, count, rows, columns), dtype=np.float32)
    ours = run(onnx_of(model, names, half=half), planes)
    theirs = model(planes.transpose(0, 2, 3, 1))
    theirs = theirs if isinstance(theirs, list | tuple) else [theirs]
    assert ours[0].shape == (7, columns)
    for name, our, their in zip(names, ours, theirs, strict=True):
        wanted = np.asarray(their)[:, 0] if name == "value" else np.asarray(their)
        assert our.shape == wanted.shape
        assert np.allclose(our, wanted, atol=within), name
        assert np.ptp(wanted) > 0.01, "it says something"


@pytest.mark.parametrize("board", BOARDS)
def test_the_published_network_says_what_keras_says(board: str) -> None:
    compare(scattered(cnn(Geometry.parse(board), 1)), ("policy",))


@pytest.mark.parametrize("board", BOARDS)
def test_a_residual_network_says_what_keras_says(board: str) -> None:
    compare(scattered(network(Geometry.parse(board), Shape(6, 2), 1)), ("policy", "value"))


def test_batch_norms_disappear_into_their_convolutions() -> None:
    layers = keras().layers
    inputs = layers.Input((4, 5, 3))
    inner = layers.Conv2D(6, (2, 3), padding="same", use_bias=False)(inputs)
    inner = layers.ReLU()(layers.BatchNormalization()(inner))
    inner = layers.BatchNormalization(scale=False, center=False)(layers.Conv2D(4, 2)(inner))
    outputs = layers.Dense(5)(layers.Flatten()(layers.Activation("tanh")(inner)))
    model = scattered(keras().Model(inputs, outputs))
    compare(model, ("policy",))
    assert b"BatchNormalization" not in onnx_of(model, ("policy",))


def test_half_precision_takes_half_the_bytes_and_says_nearly_the_same() -> None:
    model = scattered(network(Geometry.parse("6x7x4"), Shape(16, 1), 1))
    compare(model, ("policy", "value"), half=True, within=0.02)
    names = ("policy", "value")
    assert len(onnx_of(model, names, half=True)) < 0.6 * len(onnx_of(model, names))


def test_the_same_weights_make_the_same_file() -> None:
    first, second, other = (onnx_of(cnn(Geometry.parse("4x5x4"), seed), ("policy",)) for seed in (1, 1, 2))
    assert first == second != other


def test_a_layer_that_cannot_be_written_is_named() -> None:
    layers = keras().layers
    inputs = layers.Input((4, 5, 3))
    for layer, words in (
        (layers.MaxPooling2D(2, name="pool"), "layer pool .MaxPooling2D. cannot be written"),
        (layers.Conv2D(2, 3, strides=2, name="wide"), "layer wide: only plain convolutions"),
        (layers.Conv2D(2, 3, activation="gelu", name="odd"), "layer odd: activation gelu cannot be written"),
        (layers.BatchNormalization(name="alone"), "layer alone .BatchNormalization. cannot be written"),
    ):
        model = keras().Model(inputs, layers.Dense(5)(layers.Flatten()(layer(inputs))))
        with pytest.raises(BadModel, match=words):
            onnx_of(model, ("policy",))
