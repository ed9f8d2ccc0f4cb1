"""What the study `slip` measures, quick or in full."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence

from fourcast.study.study import Settings

SLIP = 0.2
TRAINERS = ("jax", "keras", "onnx")  # modules of the extra `train`
_BOARDS = ("8x10x5", "6x7x4", "5x5x4", "6x7x3", "5x5x3")


def boards(settings: Settings) -> Sequence[str]:
    """Where games against a random player are played."""
    return ("6x7x4", "5x5x4", "5x5x3") if settings.quick else _BOARDS


def growing_slips(settings: Settings) -> Sequence[float]:
    """By which slip grows, from none."""
    return (0.0, 0.2, 0.5) if settings.quick else (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


def turning_slips(settings: Settings) -> Sequence[float]:
    """Slips with which the best column is looked for."""
    return growing_slips(settings)[1:]


def small_boards(_settings: Settings) -> Mapping[str, tuple[int, int]]:
    """Boards whose exact values with slip can be had, and discs of the positions there."""
    return {"5x5x4": (7, 14), "5x5x3": (4, 9)}


def learning_boards(settings: Settings) -> Sequence[str]:
    """Boards whose published network is trained anew; none where the extra `train` is missing."""
    if not can_train():
        return ()
    return ("5x5x3",) if settings.quick else _BOARDS


def can_train() -> bool:
    """Whether networks can be trained here."""
    return all(importlib.util.find_spec(module) for module in TRAINERS)
