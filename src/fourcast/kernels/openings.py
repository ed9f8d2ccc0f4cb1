"""All positions of the first plies in order, and scores carried from one ply to the one before it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadLimit
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position
from fourcast.kernels.board import Board, board_of, kernel
from fourcast.kernels.distinct import distinct_levels, occupied_of
from fourcast.kernels.tricks import (
    Stones,
    folded_key,
    has_line,
    playable_cells,
    read,
    write,
)
from fourcast.kernels.words import popcount

ScoreBytes = npt.NDArray[np.int8]
Starts = npt.NDArray[np.int64]

UNKNOWN = -128  # no score


def opening_levels(
    geometry: Geometry,
    plies: int,
    watch: Callable[[int, int, int], None] | None = None,
    most: int | None = None,
) -> list[Stones]:
    """The keys of all positions after 0, 1, ... `plies` moves, one of each mirror pair, in rising order.

    Args:
        geometry: The board.
        plies: The last ply.
        watch: Told of the progress, as `distinct_levels` tells it.
        most: The most positions that are wanted.

    Raises:
        BadLimit: There are more than that, or too many to hold in memory.
    """
    levels: list[Stones] = []
    for _, keys in distinct_levels(Position(geometry), plies, watch=watch):
        levels.append(keys[np.lexsort(keys.T)])
        if most is not None and sum(map(len, levels)) > most:
            raise BadLimit(f"there are more than {most} positions up to ply {len(levels) - 1}")
    return levels


def stones_of(geometry: Geometry, keys: Stones) -> Stones:
    """The stones of the positions that have these keys, as a Batch wants them."""
    stones = np.empty((len(keys), 2, keys.shape[1]), dtype=np.uint64)
    _stones_of(board_of(geometry), keys, stones)
    return stones


def final_scores(geometry: Geometry, keys: Stones) -> ScoreBytes:
    """The scores of those positions whose game is over, and UNKNOWN for the others."""
    scores = np.full(len(keys), UNKNOWN, dtype=np.int8)
    _final_scores(board_of(geometry), keys, scores)
    return scores


def scores_before(geometry: Geometry, keys: Stones, after: Stones, scores: ScoreBytes) -> ScoreBytes:
    """The scores of positions from those of all that can follow them.

    Args:
        geometry: The board.
        keys: The keys of the positions.
        after: The keys of the positions one ply later, in rising order, one of each mirror pair.
        scores: Their scores.
    """
    before = final_scores(geometry, keys)
    _scores_before(board_of(geometry), keys, after, scores, before)
    return before


def find_scores(
    geometry: Geometry, stones: Stones, keys: Stones, starts: Starts, scores: ScoreBytes
) -> ScoreBytes:
    """The scores of those positions that a list has, and UNKNOWN for the others.

    Args:
        geometry: The board.
        stones: The positions, as a Batch has them.
        keys: The keys of all positions of the first plies, ply after ply, as `opening_levels` has them.
        starts: Where each ply's keys begin, and at last where they end.
        scores: The score of each key.
    """
    found = np.full(len(stones), UNKNOWN, dtype=np.int8)
    _find_scores(board_of(geometry), stones, keys, starts, scores, found)
    return found


@kernel
def _stones_of(board: Board, keys: Stones, stones: Stones) -> None:
    for index in range(len(keys)):
        key = read(board, keys[index])
        occupied = occupied_of(board, key)
        write(board, stones[index, 0], key & occupied)
        write(board, stones[index, 1], occupied & ~key)


@kernel
def _final_scores(board: Board, keys: Stones, scores: ScoreBytes) -> None:
    for index in range(len(keys)):
        key = read(board, keys[index])
        occupied = occupied_of(board, key)
        if has_line(board, occupied & ~key):
            scores[index] = -((board.cells + 2 - popcount(occupied)) // 2)
        elif occupied == board.full:
            scores[index] = 0


@kernel
def _scores_before(board: Board, keys: Stones, after: Stones, scores: ScoreBytes, before: ScoreBytes) -> None:
    for index in range(len(keys)):
        if before[index] != UNKNOWN:
            continue
        key = read(board, keys[index])
        occupied = occupied_of(board, key)
        theirs = occupied & ~key
        playable = playable_cells(board, occupied)
        while playable:
            rest = playable & (playable - board.one)
            child = folded_key(board, theirs, occupied | (playable ^ rest))
            before[index] = max(before[index], -scores[_search(board, after, 0, len(after), child)])
            playable = rest


@kernel
def _find_scores(
    board: Board, stones: Stones, keys: Stones, starts: Starts, scores: ScoreBytes, found: ScoreBytes
) -> None:
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        ply = popcount(mine | theirs)
        if ply + 1 < len(starts):
            place = _search(board, keys, starts[ply], starts[ply + 1], folded_key(board, mine, mine | theirs))
            if place >= 0:
                found[index] = scores[place]


@kernel
def _search(board: Board, keys: Stones, first: int, end: int, key: int) -> int:
    """Where a key stands among keys[first:end], which are in rising order; -1 if it is not there."""
    last = end
    while first < end:
        middle = (first + end) // 2
        if read(board, keys[middle]) < key:
            first = middle + 1
        else:
            end = middle
    if first < last and read(board, keys[first]) == key:
        return first
    return -1
