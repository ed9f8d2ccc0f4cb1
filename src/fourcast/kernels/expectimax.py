"""Expectimax: looking ahead where discs may slip.

With V(c) what a position is worth to its mover once the disc has landed in column c, n open columns, slip p
and q = p / (n - 1), aiming at c is worth (1 - p - q) V(c) + q * (the sum of all V). So a position needs the
values of its n landings, not of n times n: the best aim is the best landing as long as 1 - p - q is positive,
and the worst one where slip is so likely that it is negative.

Every landing has its share in the sum, so fewer can be left out than without slip. But all values lie between
-1 and 1, which bounds what the landings that are still open can change (Ballard's Star1): once that is not
enough to get back between alpha and beta, the rest is left out.

Values are float64, seen from the side to move. The table keeps them in units of 10^-9.
"""

from __future__ import annotations

import math
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
from fourcast.kernels.lookahead import WEIGHTS
from fourcast.kernels.memory import load, store
from fourcast.kernels.points import evaluate
from fourcast.kernels.ranking import next_move, praise, rank_moves, table_of
from fourcast.kernels.tricks import (
    Stones,
    aim_shares,
    completing_cells,
    has_line,
    playable_cells,
    position_key,
    read,
)
from fourcast.kernels.words import popcount

UNIT = 1_000_000_000.0  # of values in the table
RECORD_UNIT = 1_000_000.0  # of values in records, where more would pass for a game that is decided
_NARROW = 1e-7  # the width of a window that only asks whether a value is higher


@kernel
def in_units(value: float, unit: float) -> int:
    """A value as a whole number of units."""
    return np.int64(round(value * unit))  # type: ignore[return-value]


@kernel
def expect(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    depth: int,
    ply: int,
    alpha: float,
    beta: float,
    slip: float,
    scale: float,
) -> float:
    """What a position is worth, looking so many plies ahead.

    A value of at most alpha is an upper bound, one of at least beta a lower bound, and any other is exact.

    Args:
        board: The geometry.
        state: The search's state, laid out as that of `kernels.deepening`.
        mine: The stones of the side to move.
        theirs: The other side's, who have no line.
        depth: Plies to look ahead.
        ply: Plies below the root.
        alpha: Values up to this one are of no interest.
        beta: Nor are values from this one on.
        slip: The chance that a disc lands elsewhere.
        scale: Thousandths of a point that make a value of tanh(1).
    """
    if not visit(state, ply):
        return 0.0
    occupied = mine | theirs
    if occupied == board.full:
        return 0.0
    playable = playable_cells(board, occupied)
    winning = completing_cells(board, mine) & playable
    left = popcount(playable)
    more, each = aim_shares(slip, left)
    total = 1.0 * popcount(winning)
    left -= popcount(winning)
    if depth == 0:
        count(state, LEAVES)
        value = math.tanh(evaluate(board, state + np.uint64(8 * WEIGHTS), mine, theirs) / scale)
        if winning and more >= 0.0:  # as if the other landings were worth what the position is
            return more + each * (total + left * value)
        return value
    key = position_key(board, mine, occupied)
    table = table_of(board, state)
    draft = find_draft(board, table, key)
    first = NO_MOVE
    if draft:
        first = move_of(draft)
        if depth_of(draft) >= depth:
            known, bound = value_of(draft) / UNIT, bound_of(draft)
            if (
                bound == EXACT
                or (bound == AT_LEAST and known >= beta)
                or (bound == AT_MOST and known <= alpha)
            ):
                count(state, HITS)
                return known
    best = 1.0 if winning else -1.0
    worst = 1.0
    moves = playable & ~winning
    side = popcount(occupied) & 1
    rank_moves(board, state, moves, mine, board.full & ~occupied, side, ply, first)
    best_column = NO_MOVE
    bound = EXACT
    result = 0.0
    while left and bound == EXACT:
        low, high = -1.0, 1.0
        if more >= 0.0:
            lowest, highest = more * best + each * (total - left), more + each * (total + left)
            if lowest >= beta:
                bound, result = AT_LEAST, lowest
                break
            if highest <= alpha:
                bound, result = AT_MOST, highest
                break
            low, high = window_of(more, each, best, total, left - 1, alpha, beta)
        column = next_move(board, state, ply)
        cell = moves & (board.lane << (column * board.height))
        before: np.uint64 = load(state, NODES)
        value = -expect(board, state, theirs, mine | cell, depth - 1, ply + 1, -high, -low, slip, scale)
        if is_stopped(state):
            return 0.0
        if np.uint64(ply) < load(state, RECORD_PLIES):
            note(state, ply + 1, column, -high, -low, -value, load(state, NODES) - before)
        left -= 1
        total += value
        worst = min(worst, value)
        if value > best or best_column == NO_MOVE:
            best_column = column
        best = max(best, value)
        if low > -1.0 and value <= low:  # whatever the others are worth
            bound, result = AT_MOST, min(alpha, (more if left else more * best) + each * (total + left))
        elif high < 1.0 and value >= high:
            bound, result = AT_LEAST, max(beta, more * best + each * (total - left))
            praise(board, state, cell, column, side, ply, depth)
    if bound == EXACT:
        result = more * (best if more >= 0.0 else worst) + each * total
    else:
        count(state, CUTOFFS)
    keep_draft(board, table, key, in_units(result, UNIT), depth, bound, best_column)
    return result


@kernel
def window_of(
    more: float, each: float, best: float, total: float, rest: int, alpha: float, beta: float
) -> tuple[float, float]:
    """The values of the next landing between which it does not decide alone.

    Args:
        more: How much the best landing counts more than the others.
        each: How much each of them counts.
        best: The highest value of a landing so far.
        total: The sum of the values so far.
        rest: How many landings come after the next.
        alpha: The window of the position itself.
        beta: The same.
    """
    if each == 0.0:
        return max(alpha, -1.0), min(beta, 1.0)
    high = (beta - each * (total - rest)) / (more + each)  # if it becomes the best
    if high < best:
        high = (beta - more * best - each * (total - rest)) / each
    if rest:
        low = (alpha - more) / each - total - rest
    else:
        low = (alpha - each * total) / (more + each)
        if low < best:
            low = (alpha - more * best - each * total) / each
    return max(low, -1.0), min(high, 1.0)


@kernel
def note(
    state: np.uint64, ply: int, column: int, alpha: float, beta: float, value: float, nodes: np.uint64
) -> None:
    """Write down a node that was left, its values in `RECORD_UNIT`."""
    record(
        state,
        ply,
        column,
        in_units(alpha, RECORD_UNIT),
        in_units(beta, RECORD_UNIT),
        in_units(value, RECORD_UNIT),
        nodes,
    )


@kernel
def expect_from(
    board: Board,
    state: np.uint64,
    stones: Stones,
    depth: int,
    order: npt.NDArray[np.int64],
    whole: bool,
    slip: float,
    scale: float,
    landings: npt.NDArray[np.float64],
) -> bool:
    """Find what each landing is worth in a position whose game goes on; False if the search was stopped.

    Args:
        board: The geometry.
        state: The search's state.
        stones: The stones of the side to move and of the other side.
        depth: Plies to look ahead, 1 or more.
        order: The legal columns in the order in which they are tried.
        whole: Whether every landing gets its exact value; otherwise only the best does, and of the others it
            is only found out that they are worth no more than is written down.
        slip: The chance that a disc lands elsewhere.
        scale: Thousandths of a point that make a value of tanh(1).
        landings: float64 of shape (columns,): what a disc is worth that lands there, written in this order.
    """
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    if not visit(state, 0):
        return False
    playable = playable_cells(board, mine | theirs)
    below: Any = np.int64(1)  # literals would make the recursive function another type
    best = -2.0
    for column in order:
        cell = playable & (board.lane << (column * board.height))
        before: np.uint64 = load(state, NODES)
        low, high = -1.0, 1.0
        if has_line(board, mine | cell):
            value = 1.0
        else:
            if best > -1.0 and best + _NARROW < 1.0 and not whole:
                low, high = best, best + _NARROW
            value = -expect(board, state, theirs, mine | cell, depth - 1, below, -high, -low, slip, scale)
            if high < 1.0 and value > low and not is_stopped(state):
                high = 1.0
                value = -expect(board, state, theirs, mine | cell, depth - 1, below, -high, -low, slip, scale)
        if is_stopped(state):
            return False
        if load(state, RECORD_PLIES):
            note(state, 1, column, -high, -low, -value, load(state, NODES) - before)
        landings[column] = value
        if value > best:
            best = value
            store(state, BEST, np.uint64(column + 1))
    return True
