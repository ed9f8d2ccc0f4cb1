"""The distinct positions of the first plies, all of a ply at a time: the twin of `kernels.distinct`.

The tricks of `game.bitboard` are sums, shifts and masks, so they serve NumPy's arrays as well. That is for
boards of up to 64 bits: only those have opening books.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.game import bitboard
from fourcast.game.errors import UnsupportedGeometry
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position


def occupied_of(board: Geometry, key: Any) -> Any:
    """The occupied cells of the position that has this key: all below each column's highest bit."""
    filled = key
    for _ in range(board.rows):
        filled = filled | ((filled >> 1) & board.full)
    return (filled >> 1) & board.full


def distinct_levels(
    position: Position, depth: int, *, watch: Callable[[int, int, int], None] | None = None
) -> Iterator[tuple[int, npt.NDArray[np.uint64]]]:
    """The keys of the different positions after 0, 1, ... `depth` moves from the empty board, as the twin's.

    How many there are counts one of each mirror pair.

    Raises:
        UnsupportedGeometry: The board has more than 64 bits.
    """
    board = position.geometry
    if board.bits > 64:
        raise UnsupportedGeometry(f"board {board}: without Numba, only boards of 64 bits can be listed")
    keys = np.array([position.key], dtype=np.uint64)
    for ply in range(depth + 1):
        if ply:
            keys = _after(board, keys)
        if watch:
            watch(ply, len(keys), len(keys))
        yield len(keys), keys[:, np.newaxis]


def _after(board: Geometry, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The keys of all positions one ply later, one of each mirror pair, in rising order."""
    tricks: Any = bitboard  # annotated for integers
    occupied = occupied_of(board, keys)
    theirs = occupied & ~keys
    goes_on = tricks.line_cells(board, theirs) == 0
    occupied, theirs = occupied[goes_on], theirs[goes_on]
    playable = tricks.playable_cells(board, occupied)
    children = []
    for column in range(board.columns):
        cell = playable & (board.lane << (column * board.height))
        is_open = cell != 0
        child = tricks.position_key(board, theirs[is_open], (occupied | cell)[is_open])
        children.append(np.minimum(child, tricks.mirrored(board, child)))
    return np.unique(np.concatenate(children))
