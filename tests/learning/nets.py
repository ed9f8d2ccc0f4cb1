"""What tests of training networks need: the extra `train`, and small sets of positions."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import pytest

from fourcast.learning.labelled import LabelledSet
from fourcast.learning.positions import make_positions

BOARD = "4x5x4"


def needs_training() -> None:
    """Skip the whole file where networks cannot be trained, saying why."""
    missing = [name for name in ("jax", "keras", "onnx", "onnxruntime") if find_spec(name) is None]
    if missing:
        pytest.skip(
            f"{', '.join(missing)} not installed: networks are trained with the extra train",
            allow_module_level=True,
        )


@cache
def solved(count: int = 500, seed: int = 3, board: str = BOARD) -> LabelledSet:
    """Positions with the exact scores of all columns."""
    return make_positions(board, count, (4, 15), seed=seed)
