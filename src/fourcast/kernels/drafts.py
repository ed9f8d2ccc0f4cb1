"""A bounded table of what a search to a limited depth has found: a *draft* for each position.

A bucket holds two entries; the first keeps what was searched deeper, the second always gives way. An entry is
the position's key, verified whole, and one word:

    63          48 47    42 41   40 39    32 31           0
    [ generation ] [ move ] [ bound ] [ depth ] [ value, 2^31 ]

Entries of another generation than the present one count as empty, so that a table is emptied by counting on.
"""

from __future__ import annotations

import numpy as np

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, halves_of, kernel
from fourcast.kernels.memory import load, store
from fourcast.kernels.tricks import mixed
from fourcast.kernels.words import high, low, multiply_wide

# The words that describe a table.
ADDRESS, BUCKETS, GENERATION, DRAFT_WORDS = range(4)
GENERATIONS = 1 << 16  # 0 is that of memory never written to

AT_MOST, AT_LEAST, EXACT = 1, 2, 3  # what a value is: an upper bound, a lower bound, or the value itself
NO_MOVE = 63

_DEPTH, _BOUND, _MOVE, _GENERATION = np.uint64(32), np.uint64(40), np.uint64(42), np.uint64(48)
_LOWEST = -(1 << 31)


def bucket_words(geometry: Geometry) -> int:
    """How many uint64 a bucket takes."""
    return 2 * (halves_of(geometry) + 1)


@kernel
def find_draft(board: Board, table: np.uint64, key: int) -> np.uint64:
    """What the table has of a key; 0 for nothing."""
    bucket = _bucket_of(board, table, key)
    for slot in range(2):
        at = slot * (board.halves + 1)
        draft: np.uint64 = load(bucket, at + board.halves)
        same = load(bucket, at) == low(key)
        if board.halves == 2:
            same = same and load(bucket, at + 1) == high(key)
        if same and draft >> _GENERATION == load(table, GENERATION):
            return draft
    return np.uint64(0)


@kernel
def keep_draft(
    board: Board, table: np.uint64, key: int, value: int, depth: int, bound: int, move: int
) -> None:
    """Put what was found of a key into the table."""
    bucket = _bucket_of(board, table, key)
    generation: np.uint64 = load(table, GENERATION)
    kept: np.uint64 = load(bucket, board.halves)
    at = 0
    if kept >> _GENERATION == generation and depth_of(kept) > depth:
        same = load(bucket, 0) == low(key)
        if board.halves == 2:
            same = same and load(bucket, 1) == high(key)
        if not same:
            at = board.halves + 1
    store(bucket, at, low(key))
    if board.halves == 2:
        store(bucket, at + 1, high(key))
    draft = np.uint64(value - _LOWEST) | np.uint64(depth) << _DEPTH | np.uint64(bound) << _BOUND
    store(bucket, at + board.halves, draft | np.uint64(move) << _MOVE | generation << _GENERATION)


@kernel
def _bucket_of(board: Board, table: np.uint64, key: int) -> np.uint64:
    """The address of a key's bucket."""
    index, _ = multiply_wide(mixed(key), load(table, BUCKETS))
    return load(table, ADDRESS) + index * np.uint64(16 * (board.halves + 1))  # type: ignore[no-any-return]


@kernel
def value_of(draft: np.uint64) -> int:
    """The value that a draft holds."""
    return np.int64(draft & np.uint64((1 << 32) - 1)) + _LOWEST  # type: ignore[return-value]


@kernel
def depth_of(draft: np.uint64) -> int:
    """How many plies were looked ahead for it."""
    return np.int64(draft >> _DEPTH & np.uint64(255))  # type: ignore[return-value]


@kernel
def bound_of(draft: np.uint64) -> int:
    """What the value is: AT_MOST, AT_LEAST or EXACT."""
    return np.int64(draft >> _BOUND & np.uint64(3))  # type: ignore[return-value]


@kernel
def move_of(draft: np.uint64) -> int:
    """The column that was best, or NO_MOVE."""
    return np.int64(draft >> _MOVE & np.uint64(63))  # type: ignore[return-value]
