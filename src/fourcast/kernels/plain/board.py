"""Kernels as Python functions, one for each geometry: the twin of `kernels.board`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from inspect import signature
from types import FunctionType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from fourcast.game import bitboard
from fourcast.game.geometry import Geometry
from fourcast.kernels.plain.source import specialised

Board = bitboard.Board  # only for annotations
KERNELS: list[Any] = []
MOST_COMPACT = 51


def board_of(geometry: Geometry) -> Geometry:
    """The geometry: it is what kernels are made for."""
    return geometry


def halves_of(geometry: Geometry) -> int:
    """How many uint64 a word of this geometry takes."""
    return 1 if geometry.bits <= 64 else 2


class BoardNumbers:
    """What kernels ask of their board, as numbers.

    Attributes:
        numbers: By name, sizes and words alike.
    """

    def __init__(self, geometry: Geometry) -> None:
        halves = halves_of(geometry)
        names = ("rows", "columns", "connect", "height", "cells", "bits", "bottom", "top", "full", "lane")
        self.numbers = {name: int(getattr(geometry, name)) for name in names} | {
            "halves": halves,
            "entry": 1 if geometry.bits <= MOST_COMPACT else halves + 1,
            "draws": 32 if geometry.columns == 1 else int(32 / math.log2(geometry.columns)),
            "left_out": 0,
            "zero": 0,
            "one": 1,
        }


@cache
def board_type(geometry: Geometry) -> BoardNumbers:
    """The numbers of a geometry."""
    return BoardNumbers(geometry)


def join(board: Geometry, lower: int, upper: int) -> int:
    """The board's word made of its lower and its upper half; the upper is ignored where one is enough."""
    return int(lower) if halves_of(board) == 1 else int(lower) | int(upper) << 64


class Numbers:
    """An array whose entries are Python's integers: NumPy's would overflow, and are slow."""

    __slots__ = ("array",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array.tolist())

    def __getitem__(self, index: Any) -> Any:
        entry = self.array[index]
        return Numbers(entry) if isinstance(entry, np.ndarray) else entry.item()

    def __setitem__(self, index: Any, number: Any) -> None:
        self.array[index] = number


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return Numbers(value)
    return value.item() if isinstance(value, np.generic) else value


class PlainKernel:
    """A kernel; made into a Python function for each board that it meets."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self._has_board = next(iter(signature(function).parameters), "") == "board"
        self._made: dict[Geometry | None, Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run it on NumPy's arrays and numbers, which it sees as Python's."""
        geometry = arguments[0] if self._has_board else None
        return self.made_for(geometry)(*map(_plain, arguments))

    def made_for(self, geometry: Geometry | None) -> Callable[..., Any]:
        """The function for one board, in which every kernel that it calls is one for that board too."""
        if geometry not in self._made:
            numbers = board_type(geometry).numbers if geometry else {}
            made, wanted = specialised(self.function, numbers)
            self._made[geometry] = made  # before those that it calls, which may call it
            for name in wanted:
                value = self.function.__globals__.get(name)
                if isinstance(value, PlainKernel):
                    made.__globals__[name] = value.made_for(geometry if value._has_board else None)
        return self._made[geometry]


def kernel(function: Callable[..., Any]) -> Any:
    """Make a kernel of a function."""
    made = PlainKernel(cast(FunctionType, function))
    KERNELS.append(made)
    return made
