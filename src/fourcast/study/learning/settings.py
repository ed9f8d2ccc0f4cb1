"""What the study `learning` trains, quick or in full."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.study.study import Settings

TREES, CELLS, CNN, NETWORK = "boosted trees", "boosted trees, cells alone", "CNN", "residual network"
_SHIPPED = {TREES: "boosted-6x7x4", CNN: "cnn-6x7x4", NETWORK: "network-6x7x4"}
_TRAINERS = ("jax", "keras", "onnx")  # modules of the extra `train`


def families() -> Sequence[str]:
    """The families that can be trained here: networks need the extra `train`."""
    return (TREES, CELLS, CNN, NETWORK) if can_train() else (TREES, CELLS)


def can_train() -> bool:
    """Whether networks can be trained here."""
    return all(importlib.util.find_spec(module) for module in _TRAINERS)


def lengths(settings: Settings, family: str) -> Sequence[int]:
    """How long models of a family are trained: rounds of trees, epochs of networks."""
    quick, full = {
        TREES: ((10, 40), (25, 100, 400)),
        CELLS: ((10, 40), (25, 100, 400)),
        CNN: ((2, 6), (3, 10, 30)),
        NETWORK: ((1, 3), (1, 3, 9)),
    }[family]
    return quick if settings.quick else full


def courses(settings: Settings) -> Mapping[str, Mapping[str, Any]]:
    """What is trained, by the name of its task: the arguments beside those of the sets."""
    found: dict[str, Mapping[str, Any]] = {}
    for family in families():
        for length in lengths(settings, family):
            name = task_of(family, length)
            if family in (TREES, CELLS):
                chosen = list(groups()) if family == TREES else ["cells"]
                last = family == TREES and length == lengths(settings, family)[-1]
                found[name] = {"features": chosen, "rounds": length, "repeats": 3 if last else 0}
            else:
                found[name] = {"kind": "cnn" if family == CNN else "network", "epochs": length}
    return found


def task_of(family: str, length: int) -> str:
    """The task that trains a model of a family for so long."""
    return f"{family}, {length}"


def shipped() -> Mapping[str, str]:
    """The shipped models of the standard board, by family."""
    return _SHIPPED


def groups() -> Sequence[str]:
    """The groups of features."""
    from fourcast.evaluators.features import GROUP_NAMES

    return GROUP_NAMES
