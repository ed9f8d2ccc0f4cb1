"""A geometry as compiled code sees it: a type, so that every size and mask is a constant.

A kernel is an ordinary module-level function whose first argument is a `Geometry`. Numba compiles it once
for each geometry it meets, with `board.rows`, `board.full` and the like folded in as constants, keeps the
machine code on disk, and finds it there at the next start.

Numba's disk cache notices a change only in the file that holds the kernel itself, not in those that it
calls. So the type's name carries a digest of all the sources that end up in machine code: change one and
every kernel is compiled anew.
"""

from __future__ import annotations

import hashlib
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.imputils import lower_getattr
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from fourcast.game import bitboard, rules
from fourcast.game.geometry import Geometry
from fourcast.kernels.words import WordType

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

KERNELS: list[Any] = []  # every compiled function, for the test that a second start compiles nothing


def kernel(function: Kernel) -> Kernel:
    """Compile a function for each geometry that it is called with, without the GIL, cached on disk.

    One whose first parameter is not the board is compiled with those that call it, and kept within them only:
    by itself it would not notice a change in what it calls.
    """
    cached = next(iter(signature(function).parameters), "") == "board"
    try:
        compiled = njit(cache=cached, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # Numba found no folder that it may write to
        _warn_of_no_cache()
        compiled = njit(nogil=True, error_model="numpy")(function)
    KERNELS.append(compiled)
    return cast(Kernel, compiled)


@cache
def _warn_of_no_cache() -> None:
    warnings.warn(
        "compiled code cannot be kept, so every start compiles it anew; "
        "set NUMBA_CACHE_DIR to a folder that can be written to",
        stacklevel=2,
    )


def _digest_of_sources() -> str:
    sources = [*sorted(Path(__file__).parent.glob("*.py")), Path(bitboard.__file__), Path(rules.__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


DIGEST = _digest_of_sources()


class Board(bitboard.Board, Protocol):
    """What a kernel can ask of its first argument; all of it is constant in the compiled code."""

    cells: int
    bits: int
    halves: int  # uint64 that a word takes
    entry: int  # uint64 that an entry of the transposition table takes, see kernels.table
    draws: int  # columns that one random uint64 yields, see kernels.chance
    left_out: int  # ideas of the exact search that it does without, see kernels.ideas
    zero: int
    one: int


@dataclass(frozen=True, slots=True)
class LessBoard:
    """A geometry on which the exact search does without some of its ideas; see `kernels.ideas`."""

    geometry: Geometry
    left_out: int


def board_of(geometry: Geometry) -> Board:
    """The geometry, as the type checker wants to see it when it is handed to a kernel."""
    return cast(Board, geometry)


MOST_COMPACT = 51  # bits of a key that fits into one uint64 of the transposition table


def halves_of(geometry: Geometry) -> int:
    """How many uint64 a word of this geometry takes."""
    return 1 if geometry.bits <= 64 else 2


class BoardType(types.Type):
    """The Numba type of one geometry, whole, or without some ideas of the exact search."""

    def __init__(self, geometry: Geometry, digest: str, left_out: int = 0) -> None:
        self.geometry = geometry
        self.word = WordType(64 * halves_of(geometry))
        self.numbers = {
            "rows": geometry.rows,
            "columns": geometry.columns,
            "connect": geometry.connect,
            "height": geometry.height,
            "cells": geometry.cells,
            "bits": geometry.bits,
            "halves": halves_of(geometry),
            "entry": 1 if geometry.bits <= MOST_COMPACT else halves_of(geometry) + 1,
            "left_out": left_out,
            # With 32 bits of the random number left over, so that no column is favoured.
            "draws": 32 if geometry.columns == 1 else int(32 / math.log2(geometry.columns)),
        }
        self.words = {
            "zero": 0,
            "one": 1,
            "bottom": geometry.bottom,
            "top": geometry.top,
            "full": geometry.full,
            "lane": geometry.lane,
        }
        less = f", without {left_out}" if left_out else ""
        super().__init__(f"{__name__.partition('.')[0]}.Board({geometry}, {digest}{less})")


@typeof_impl.register(Geometry)
def _type_of_geometry(geometry: Geometry, _context: Any) -> BoardType:
    return board_type(geometry)


@typeof_impl.register(LessBoard)
def _type_of_less(board: LessBoard, _context: Any) -> BoardType:
    return board_type(board.geometry, board.left_out)


@cache
def board_type(geometry: Geometry, left_out: int = 0) -> BoardType:
    """The Numba type of a geometry, whole, or without some ideas of the exact search."""
    return BoardType(geometry, DIGEST, left_out)


register_model(BoardType)(models.OpaqueModel)


@unbox(BoardType)
def _unbox_board(_type: Any, _geometry: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _BoardAttributes(AttributeTemplate):
    key = BoardType

    def generic_resolve(self, board: BoardType, name: str) -> Any:  # type: ignore[override]
        if name in board.numbers:
            return types.int64
        return board.word if name in board.words else None


def _lower_attribute(name: str) -> None:
    @lower_getattr(BoardType, name)
    def _constant(context: Any, _builder: Any, board: BoardType, _value: Any) -> Any:
        if name in board.numbers:
            return context.get_constant(types.int64, board.numbers[name])
        return ir.Constant(ir.IntType(board.word.width), board.words[name])


_example = BoardType(Geometry(), "")
for _name in (*_example.numbers, *_example.words):
    _lower_attribute(_name)


def _type_join(_typing: Any, board: Any, lower: Any, upper: Any) -> Any:
    if not isinstance(board, BoardType) or lower != types.uint64 or upper != types.uint64:
        return None

    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        if board.word.width == 64:
            return args[1]
        wide = ir.IntType(128)
        return builder.or_(builder.zext(args[1], wide), builder.shl(builder.zext(args[2], wide), wide(64)))

    return board.word(board, types.uint64, types.uint64), emit


#: The board's word made of its lower and its upper half; the upper is ignored where 64 bits are enough.
join: Callable[[Board, np.uint64, np.uint64], int] = cast(Any, intrinsic(_type_join))
