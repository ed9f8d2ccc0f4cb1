"""Alpha-beta to a fixed depth with a table, each use of the table by itself: to see what it brings.

Without either use it visits what `kernels.lookahead` visits, node for node. The table answers only for the
same depth, so that a position is always worth what it is worth to minimax.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.deepening import from_here, from_root
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
from fourcast.kernels.effort import BEST, CUTOFFS, HITS, LEAVES, count, is_stopped, visit
from fourcast.kernels.lookahead import WEIGHTS, WIN, line_of, prolong
from fourcast.kernels.memory import store
from fourcast.kernels.points import evaluate
from fourcast.kernels.ranking import table_of
from fourcast.kernels.tricks import Stones, has_line, playable_cells, position_key, read

BEYOND = WIN + 1


@kernel
def look_back(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    order: npt.NDArray[np.int64],
    answers: bool,
    suggests: bool,
) -> int:
    """What a position is worth, looking so many plies ahead, with the help of the table.

    A value of at most alpha is an upper bound, one of at least beta a lower bound, and any other is exact.

    Args:
        board: The geometry.
        state: The search's state, as `kernels.ranking` has it.
        mine: The stones of the side to move.
        theirs: The other side's.
        depth: Plies to look ahead.
        ply: Plies below the root.
        alpha: Values up to this one are of no interest.
        beta: Nor are values from this one on.
        order: int64 of shape (columns,): the columns in the order in which they are tried.
        answers: Whether a position that was looked at to the same depth is not looked at again.
        suggests: Whether the move that was best in a position is tried first when it comes again.
    """
    if not visit(state, ply):
        return 0
    store(line_of(board, state, ply), 0, np.uint64(0))
    if has_line(board, theirs):
        return ply - WIN
    occupied = mine | theirs
    if occupied == board.full:
        return 0
    if depth == 0:
        count(state, LEAVES)
        return evaluate(board, state + np.uint64(8 * WEIGHTS), mine, theirs)
    key, table = position_key(board, mine, occupied), table_of(board, state)
    first = NO_MOVE
    if answers or suggests:
        draft = find_draft(board, table, key)
        if draft:
            if suggests:
                first = move_of(draft)
            if answers and ply and depth_of(draft) == depth:
                known, bound = from_root(value_of(draft), ply), bound_of(draft)
                if (
                    bound == EXACT
                    or (bound == AT_LEAST and known >= beta)
                    or (bound == AT_MOST and known <= alpha)
                ):
                    count(state, HITS)
                    return known
    playable = playable_cells(board, occupied)
    best, best_column = -BEYOND, NO_MOVE
    for index in range(-1, board.columns):
        column = first
        if index >= 0:
            column = order[index]
            if column == first:
                continue
        elif first == NO_MOVE:
            continue
        cell = playable & (board.lane << (column * board.height))
        if not cell:
            continue
        floor = max(alpha, best)
        value = -look_back(
            board, state, theirs, mine | cell, depth - 1, ply + 1, -beta, -floor, order, answers, suggests
        )
        if is_stopped(state):
            return 0
        if value > best:
            best = value
            if value > alpha:
                best_column = column
                prolong(board, state, ply, column)
            if best >= beta:
                count(state, CUTOFFS)
                break
    if answers or suggests:
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        keep_draft(board, table, key, from_here(best, ply), depth, bound, best_column)
    if not ply:
        store(state, BEST, np.uint64(best_column + 1))
    return best


@kernel
def look_back_from(
    board: Board,
    state: np.uint64,
    stones: Stones,
    depth: int,
    order: npt.NDArray[np.int64],
    answers: bool,
    suggests: bool,
) -> int:
    """What a position is worth whose game goes on; see `look_back`. `BEST` holds 1 + the best column."""
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    return look_back(
        board,
        state,
        mine,
        theirs,
        np.int64(depth),  # type: ignore[arg-type]  # literals would make the recursive function another type
        np.int64(0),  # type: ignore[arg-type]
        np.int64(-BEYOND),  # type: ignore[arg-type]
        np.int64(BEYOND),  # type: ignore[arg-type]
        order,
        answers,
        suggests,
    )
