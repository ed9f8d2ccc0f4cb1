"""The networks that are trained here, as Keras models on JAX: the published one, and a small residual one.

Keras is the extra `train`. Its models take float32 of shape (N, rows, columns, planes), planes last, which is
the faster way on a processor.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from fourcast.extras import require
from fourcast.game.errors import BadOption, shown
from fourcast.game.geometry import Geometry
from fourcast.kernels.planes import PLANES

EXTRA = "train"
BACKEND = "jax"
CNN_PLANES = ("own", "other")
NETWORK_PLANES = PLANES
MOST_CHANNELS, MOST_BLOCKS = 512, 40
_SMALL = 0.2  # of the last kernel of a block: it begins as little more than nothing, so no norm is needed


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a residual network is.

    Attributes:
        channels: Of each convolution.
        blocks: Of two convolutions each, whose sum with what went in is what comes out.
    """

    channels: int = 64
    blocks: int = 3

    def __post_init__(self) -> None:
        for name, most in (("channels", MOST_CHANNELS), ("blocks", MOST_BLOCKS)):
            if not 1 <= getattr(self, name) <= most:
                raise BadOption(f"{name} {shown(getattr(self, name))}: it must be 1 to {most}")


def keras() -> Any:
    """Keras, on JAX.

    Raises:
        MissingExtra: Keras or JAX is not installed.
        BadOption: It was told to use something else.
    """
    asked = os.environ.setdefault("KERAS_BACKEND", BACKEND)
    if asked != BACKEND:
        raise BadOption(f"KERAS_BACKEND is {shown(asked)}: training needs {BACKEND}")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    require("jax", EXTRA)
    module: Any = require("keras", EXTRA)
    if module.backend.backend() != BACKEND:
        raise BadOption(f"Keras runs on {module.backend.backend()}: training needs {BACKEND}")
    return module


def check_extra() -> None:
    """Say at once what is missing, not when training would begin.

    Raises:
        MissingExtra: Something of the extra `train` is not installed.
    """
    keras()
    require("onnx", EXTRA)
    require("onnxruntime", EXTRA)  # what is written is asked, to grade its moves


def cnn(geometry: Geometry, seed: int) -> Any:
    """The published network: windows of the board, a dense layer, and a dense layer of columns.

    One convolution of as many channels as the board has cells, whose kernel is as wide and as high as a line
    is long (or the board, if that is less); a dense layer of as many; then a logit for each column.
    """
    layers = keras().layers
    start = _Seeds(seed)
    inputs = layers.Input((geometry.rows, geometry.columns, len(CNN_PLANES)), name="planes")
    window = (min(geometry.connect, geometry.rows), min(geometry.connect, geometry.columns))
    inner = layers.Conv2D(geometry.cells, window, activation="relu", kernel_initializer=start.he())(inputs)
    inner = layers.Flatten()(inner)
    inner = layers.Dense(geometry.cells, activation="relu", kernel_initializer=start.he())(inner)
    policy = layers.Dense(geometry.columns, kernel_initializer=start.he(0.1), name="policy")(inner)
    return keras().Model(inputs, [policy])


def network(geometry: Geometry, shape: Shape, seed: int) -> Any:
    """A residual network that tells which column to play, and what the position is worth.

    A convolution, blocks of two with a way past them, and two heads. The policy's head looks at each column
    with the same eyes: one dense layer from its cells to its logit. Both heads see every cell through the
    blocks, whose eyes reach further with each.
    """
    layers = keras().layers
    start = _Seeds(seed)
    inputs = layers.Input((geometry.rows, geometry.columns, len(NETWORK_PLANES)), name="planes")

    def conv(tensor: Any, channels: int, size: int, gain: float = 1.0, activation: str = "relu") -> Any:
        layer = layers.Conv2D(
            channels, size, padding="same", activation=activation, kernel_initializer=start.he(gain)
        )
        return layer(tensor)

    inner = conv(inputs, shape.channels, 3)
    for _ in range(shape.blocks):
        step = conv(conv(inner, shape.channels, 3), shape.channels, 3, _SMALL, "linear")
        inner = layers.ReLU()(layers.Add()([inner, step]))
    policy = layers.Flatten()(conv(inner, 16, 1))
    policy = layers.Dense(geometry.columns, kernel_initializer=start.he(0.1), name="policy")(policy)
    value = layers.Flatten()(conv(inner, 8, 1))
    value = layers.Dense(64, activation="relu", kernel_initializer=start.he())(value)
    value = layers.Dense(1, activation="tanh", kernel_initializer=start.he(0.1), name="value")(value)
    return keras().Model(inputs, [policy, value])


_HEADS = 5  # layers with weights in the two heads of a residual network


def grow(small: Any, large: Any) -> None:
    """Give a residual network all that one with fewer blocks has learnt; it says the same as that one.

    What the other one lacks are its last blocks, which begin as nothing: their second convolution is 0, so
    that what goes in comes out.

    Args:
        small: A network as `network` makes it.
        large: One of the same board and channels, with as many blocks or more; its weights are replaced.
    """
    known, wanted = ([layer for layer in each.layers if layer.weights] for each in (small, large))
    trunk = len(known) - _HEADS
    for layer in wanted[trunk + 1 : -_HEADS : 2]:
        for weight in layer.weights:
            weight.assign(0 * weight.value)
    for before, after in zip(known, wanted[:trunk] + wanted[-_HEADS:], strict=True):
        for old, new in zip(before.weights, after.weights, strict=True):
            new.assign(old.value)


class _Seeds:
    """Where the weights of a network start, each layer's by a seed of its own."""

    def __init__(self, seed: int) -> None:
        self._next = seed * 1000 % 2**31

    def he(self, gain: float = 1.0) -> Any:
        """Normal numbers as large as ReLU wants them, times the gain."""
        self._next += 1
        return keras().initializers.VarianceScaling(
            2.0 * gain * gain, mode="fan_in", distribution="untruncated_normal", seed=self._next
        )
