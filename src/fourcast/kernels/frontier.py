"""A search that goes down ply by ply, all positions of a ply together.

A position that several lines of play lead to is there once. One whose side to move can win with its next disc
is not looked into any further; where the other side could, the disc has to go there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, board_of, halves_of, kernel
from fourcast.kernels.tricks import Stones, completing_cells, mixed, playable_cells, position_key, read, write

# What is known of a position at a glance: nothing; its side to move wins at once; the board is full; the
# other side wins with its next disc, at one of two cells, or above the one that has to be filled.
OPEN, WINS, FULL, LOSES = range(4)
NOBODY = -1  # no child

Fates = npt.NDArray[np.int8]
Children = npt.NDArray[np.int32]
Values = npt.NDArray[np.float64]

# A value beyond this is a game that is decided: the more so, the sooner it ends.
DECIDED = 2.0


def fates_of(geometry: Geometry, stones: Stones) -> Fates:
    """What is known at a glance of positions whose games go on: int8 of shape (positions,)."""
    fates = np.zeros(len(stones), dtype=np.int8)
    _fates_of(board_of(geometry), stones, fates)
    return fates


def next_ply(
    geometry: Geometry, stones: Stones, fates: Fates, most: int
) -> tuple[Stones, Fates, Children] | None:
    """All positions one ply later, if they are not too many.

    Args:
        geometry: The board.
        stones: Positions, as a Batch has them.
        fates: What is known of them; only those that are open are gone on from.
        most: How many there may be one ply later.

    Returns:
        The stones of the positions one ply later, each once; their fates; and for every position and column
        which of them it leads to, int32 of shape (positions, columns), `NOBODY` for a column that is not
        played. None if there are more than `most`.
    """
    room = min(len(stones) * geometry.columns, most)
    after = np.empty((room, 2, halves_of(geometry)), dtype=np.uint64)
    later = np.zeros(room, dtype=np.int8)
    children = np.full((len(stones), geometry.columns), NOBODY, dtype=np.int32)
    slots = np.full(1 << (2 * room).bit_length(), NOBODY, dtype=np.int32)  # never more than half full
    count = _next_ply(board_of(geometry), stones, fates, after, later, children, slots)
    return None if count > room else (after[:count], later[:count], children)


def back_up(children: Children, fates: Fates, after: Values, values: Values) -> None:
    """Fill in what open positions are worth, by what those one ply later are worth to the other side.

    Args:
        children: What `next_ply` has found.
        fates: Of the positions.
        after: What the positions one ply later are worth, each to its own side to move.
        values: Of the positions; those of open ones that have children are written.
    """
    worth = np.where(children == NOBODY, -np.inf, -after[children]).max(axis=1)
    reached = (fates == OPEN) & (children != NOBODY).any(axis=1)
    values[reached] = worth[reached]


@kernel
def _fates_of(board: Board, stones: Stones, fates: Fates) -> None:
    for index in range(len(stones)):
        fates[index] = _fate(board, read(board, stones[index, 0]), read(board, stones[index, 1]))


@kernel
def _fate(board: Board, mine: int, theirs: int) -> int:
    if mine | theirs == board.full:
        return FULL
    if completing_cells(board, mine) & playable_cells(board, mine | theirs):
        return WINS
    threats = completing_cells(board, theirs)
    near = threats & playable_cells(board, mine | theirs)
    if near & (near - board.one) or near & (threats >> 1):
        return LOSES
    return OPEN


@kernel
def _next_ply(
    board: Board,
    stones: Stones,
    fates: Fates,
    after: Stones,
    later: Fates,
    children: Children,
    slots: npt.NDArray[np.int32],
) -> int:
    """Fill `after`, `later` and `children`; return how many positions there are, or one more than fit."""
    mask = np.uint64(len(slots) - 1)
    count = 0
    for index in range(len(stones)):
        if fates[index] != OPEN:
            continue
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        playable = playable_cells(board, mine | theirs)
        threats = completing_cells(board, theirs) & playable
        if threats:
            playable = threats
        for column in range(board.columns):
            cell = playable & (board.lane << (column * board.height))
            if not cell:
                continue
            mix = mixed(position_key(board, theirs, mine | theirs | cell))
            slot = (mix ^ (mix >> np.uint64(32))) & mask
            while slots[slot] >= 0 and not _same(board, after[slots[slot]], theirs, mine | cell):
                slot = (slot + np.uint64(1)) & mask
            if slots[slot] < 0:
                if count == len(after):
                    return count + 1
                slots[slot] = count
                write(board, after[count, 0], theirs)
                write(board, after[count, 1], mine | cell)
                later[count] = _fate(board, theirs, mine | cell)
                count += 1
            children[index, column] = slots[slot]
    return count


@kernel
def _same(board: Board, stones: Stones, mine: int, theirs: int) -> bool:
    return read(board, stones[0]) == mine and read(board, stones[1]) == theirs
