"""Negamax with a table, for iterative deepening: alpha-beta that sees threats and learns good moves.

The values are those of `kernels.lookahead`. A position is visited only if its side to move can neither win at
once nor has lost already: a win in one, two threats at a time and a forced move are seen without looking
further, and a forced move costs no depth. `kernels.ranking` has the order in which moves are tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.drafts import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    bound_of,
    depth_of,
    find_draft,
    keep_draft,
    move_of,
    value_of,
)
from fourcast.kernels.effort import (
    BEST,
    CUTOFFS,
    HITS,
    LEAVES,
    NODES,
    RECORD_PLIES,
    count,
    is_stopped,
    record,
    visit,
)
from fourcast.kernels.lookahead import DECIDED, UNKNOWN, WEIGHTS, WIN, line_of, prolong
from fourcast.kernels.memory import load, store
from fourcast.kernels.points import evaluate
from fourcast.kernels.quiet import answered_bound
from fourcast.kernels.ranking import next_move, praise, rank_moves, table_of
from fourcast.kernels.tricks import Stones, completing_cells, has_line, playable_cells, position_key, read
from fourcast.kernels.words import lowest_bit, popcount

_BEYOND = WIN + 1


@kernel
def from_here(value: int, ply: int) -> int:
    """A value as the table keeps it: a win counted from the position, not from the root."""
    if value >= DECIDED:
        return value + ply
    return value - ply if value <= -DECIDED else value


@kernel
def from_root(value: int, ply: int) -> int:
    """The opposite of `from_here`."""
    if value >= DECIDED:
        return value - ply
    return value + ply if value <= -DECIDED else value


@kernel
def end_line(board: Board, state: np.uint64, ply: int, column: int) -> None:
    """The best line from here is this column, and the game is over."""
    line = line_of(board, state, ply)
    store(line, 0, np.uint64(1))
    store(line, 1, np.uint64(column))


@kernel
def column_of(board: Board, cell: int) -> int:
    """The column of a cell."""
    return lowest_bit(cell) // board.height


@kernel
def deepen(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
) -> int:
    """What a position is worth, looking at least so many plies ahead.

    A value of at most alpha is an upper bound, one of at least beta a lower bound, and any other is exact.
    The game must not be over.
    """
    if not visit(state, ply):
        return 0
    store(line_of(board, state, ply), 0, np.uint64(0))
    occupied = mine | theirs
    playable = playable_cells(board, occupied)
    winning = completing_cells(board, mine) & playable
    if winning:
        end_line(board, state, ply, column_of(board, winning))
        return WIN - (ply + 1)
    threats = completing_cells(board, theirs) & board.full & ~occupied
    forced = threats & playable
    moves = (forced if forced else playable) & ~(threats >> 1)
    if not moves or forced & (forced - board.one):
        return (ply + 2) - WIN
    draw: Any = np.int64(0)
    discs = popcount(occupied)
    if discs + 1 == board.cells:
        end_line(board, state, ply, column_of(board, moves))
        return 0
    # Nobody can win sooner than this from here.
    floor = max(alpha, (ply + 4) - WIN)
    ceiling = min(beta, WIN - (ply + 3))
    if floor >= ceiling:
        return floor if floor > alpha else ceiling
    hopeless = False
    if forced == board.zero and discs + 2 < board.cells:
        hopeless = answered_bound(board, mine, theirs, threats, draw) <= 0
    if hopeless and floor >= 0:
        return 0
    if depth <= 0 and not forced:
        count(state, LEAVES)
        points = evaluate(board, state + np.uint64(8 * WEIGHTS), mine, theirs)
        return min(points, 0) if hopeless else points
    key = position_key(board, mine, occupied)
    table = table_of(board, state)
    draft = find_draft(board, table, key)
    first = NO_MOVE
    if draft:
        first = move_of(draft)
        if depth_of(draft) >= depth:
            value = from_root(value_of(draft), ply)
            bound = bound_of(draft)
            if (
                bound == EXACT
                or (bound == AT_LEAST and value >= ceiling)
                or (bound == AT_MOST and value <= floor)
            ):
                count(state, HITS)
                if first != NO_MOVE:
                    end_line(board, state, ply, first)
                return value
    side = discs & 1
    rank_moves(board, state, moves, mine, board.full & ~occupied, side, ply, first)
    best, best_column = -_BEYOND, NO_MOVE
    lowest = floor
    while True:
        column = next_move(board, state, ply)
        if column < 0:
            break
        cell = moves & (board.lane << (column * board.height))
        before: np.uint64 = load(state, NODES)
        below = depth if forced else depth - 1
        low = max(lowest, best)
        high = ceiling if best == -_BEYOND else low + 1
        value = -deepen(board, state, theirs, mine | cell, below, ply + 1, -high, -low)
        if high < ceiling and low < value < ceiling and not is_stopped(state):
            high = ceiling
            value = -deepen(board, state, theirs, mine | cell, below, ply + 1, -high, -low)
        if is_stopped(state):
            return 0
        if np.uint64(ply) < load(state, RECORD_PLIES):
            record(state, ply + 1, column, -high, -low, -value, load(state, NODES) - before)
        if value > best:
            best = value
            if value > lowest:
                best_column = column
                prolong(board, state, ply, column)
            if best >= ceiling:
                count(state, CUTOFFS)
                praise(board, state, cell, column, side, ply, max(depth, 0))
                break
    bound = AT_LEAST if best >= ceiling else EXACT if best > lowest else AT_MOST
    keep_draft(board, table, key, from_here(best, ply), max(depth, 0), bound, best_column)
    return best


@kernel
def deepen_from(
    board: Board,
    state: np.uint64,
    stones: Stones,
    depth: int,
    order: npt.NDArray[np.int64],
    whole: bool,
    values: npt.NDArray[np.int64],
) -> int:
    """Search a position whose game goes on, and keep the value of every column.

    Args:
        board: The geometry.
        state: The search's state.
        stones: The stones of the side to move and of the other side.
        depth: Plies to look ahead, 1 or more.
        order: The legal columns in the order in which they are tried.
        whole: Whether every column gets its exact value, also those that are not the best.
        values: int64 of shape (columns,): the values, UNKNOWN where a column is full, was not reached, or is
            only known to be no better than the best; but a loss is written down in any case.

    Returns:
        The value of the best column that was reached, UNKNOWN if there is none. `BEST` holds the column.
    """
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    values[:] = UNKNOWN
    best = UNKNOWN
    if not visit(state, 0):
        return best
    playable = playable_cells(board, mine | theirs)
    below: Any = np.int64(1)  # literals would make the recursive function another type
    for column in order:
        cell = playable & (board.lane << (column * board.height))
        before: np.uint64 = load(state, NODES)
        low = max(best, -_BEYOND) if not whole else -_BEYOND
        high = _BEYOND
        store(line_of(board, state, below), 0, np.uint64(0))
        if has_line(board, mine | cell):
            value = WIN - 1
        elif (mine | theirs | cell) == board.full:
            value = 0
        else:
            if best != UNKNOWN and not whole:
                high = low + 1
            value = -deepen(board, state, theirs, mine | cell, depth - 1, below, -high, -low)
            if high < _BEYOND and value > low and not is_stopped(state):
                high = _BEYOND
                value = -deepen(board, state, theirs, mine | cell, depth - 1, below, -high, -low)
        if is_stopped(state):
            break
        if load(state, RECORD_PLIES):
            record(state, 1, column, -high, -low, -value, load(state, NODES) - before)
        if value > low or value <= -DECIDED:
            values[column] = value
        if value > best:
            best = value
            prolong(board, state, 0, column)
            store(state, BEST, np.uint64(column + 1))
    return best
