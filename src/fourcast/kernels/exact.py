"""The exact search: what a position is worth with best play on both sides.

Scores are the project's: from the side to move, n > 0 a win with n of the winner's discs left. All functions
here hold this contract: `negamax(alpha, beta)` returns the score if it lies between, at most alpha where the
score is at most alpha (an upper bound), at least beta where it is at least beta (a lower bound).

What keeps the tree small: a null window; moves ordered by the winning cells that they make; forced moves
followed without counting as nodes; no move under an opponent's winning cell; both bounds kept in the table,
mirror images as one; the children's entries looked up before any is searched; and the follow-up bound.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.memory import load, store
from fourcast.kernels.table import facts_of, lower_of, recall, remember, request, upper_of
from fourcast.kernels.tricks import (
    Stones,
    completing_cells,
    has_line,
    mirrored,
    playable_cells,
    position_key,
    read,
)
from fourcast.kernels.words import popcount

# The words of a search's state; the first two are those of a Control.
STOPPED, NODES, MOST_NODES, TABLE, BUCKETS, SHIFT, SCRATCH = range(7)

_FOLDED = 12  # plies below which mirror images are looked for
_CHILDREN_FIRST = 26  # plies below which the children's entries are


@kernel
def table_key(board: Board, mine: int, occupied: int, ply: int) -> int:
    """The key under which a position is kept; early on, mirror images share one."""
    key = position_key(board, mine, occupied)
    if ply < _FOLDED:
        image = mirrored(board, key)
        if image < key:
            return image
    return key


@kernel
def can_follow_up(board: Board, mine: int, empty: int, playable: int) -> bool:
    """Whether the other side holds at least a draw by always answering in the same column.

    Where every column has an even number of empty cells, it can. The side to move then gets every other cell,
    `board.answered`, and can only win if those and its stones hold a line: any other cell that it needs is
    taken by the answer.
    """
    if playable & ~board.answered:
        return False
    return not has_line(board, mine | (empty & board.answered))


@kernel
def negamax(board: Board, state: np.uint64, mine: int, theirs: int, alpha: int, beta: int, ply: int) -> int:
    """The score, by the contract above, of a position whose side to move cannot win at once."""
    occupied = mine | theirs
    playable = playable_cells(board, occupied)
    empty = board.full & ~occupied
    threats = completing_cells(board, theirs) & empty
    lost = -((board.cells - ply) // 2)  # the other side wins with its next disc
    forced = playable & threats
    if forced:
        if forced & (forced - board.one) or (forced << 1) & threats:
            return lost
        if ply + 2 >= board.cells:
            return 0
        return -negamax(board, state, theirs, mine | forced, -beta, -alpha, ply + 1)
    moves = playable & ~(threats >> 1)
    if not moves:
        return lost
    if ply + 2 >= board.cells:
        return 0

    lower = -((board.cells - 2 - ply) // 2)
    upper = (board.cells - 1 - ply) // 2
    if upper > 0 and can_follow_up(board, mine, empty, playable):
        upper = 0
    table, buckets, shift = load(state, TABLE), load(state, BUCKETS), load(state, SHIFT)
    key = table_key(board, mine, occupied, ply)
    facts = recall(board, table, buckets, shift, key)
    if facts:
        upper = min(upper, upper_of(facts))
        lower = max(lower, lower_of(facts))
    if lower >= beta:
        return lower
    if upper <= alpha:
        return upper
    alpha, beta = max(alpha, lower), min(beta, upper)

    nodes = load(state, NODES) + np.uint64(1)
    store(state, NODES, nodes)
    if nodes >= load(state, MOST_NODES):
        store(state, STOPPED, np.uint64(1))
    if load(state, STOPPED):
        return 0

    first = state + np.uint64(8 * (SCRATCH + ply * board.columns))
    count = order_moves(board, first, table, buckets, mine, theirs, moves, ply)
    if ply < _CHILDREN_FIRST:
        for index in range(count):
            cell = move_at(board, first, index, moves)
            child = table_key(board, theirs, occupied | cell, ply + 1)
            known = recall(board, table, buckets, shift, child)
            if known and -upper_of(known) >= beta:
                return -upper_of(known)

    best = lower
    for index in range(count):
        cell = move_at(board, first, index, moves)
        score = -negamax(board, state, theirs, mine | cell, -beta, -alpha, ply + 1)
        if load(state, STOPPED):
            return 0
        best = max(best, score)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    if best >= beta:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    work = np.uint64(0)
    spent = load(state, NODES) - nodes
    while spent:
        work += np.uint64(1)
        spent >>= np.uint64(1)
    remember(board, table, buckets, shift, key, facts_of(lower, upper, work))
    return best


@kernel
def order_moves(
    board: Board,
    first: np.uint64,
    table: np.uint64,
    buckets: np.uint64,
    mine: int,
    theirs: int,
    moves: int,
    ply: int,
) -> int:
    """Write the columns of the moves to memory, best first, and ask for their entries; how many there are.

    A move that makes more winning cells comes first; among equals, the one nearer to the centre.
    """
    count = 0
    occupied = mine | theirs
    for index in range(board.columns):
        step = (index + 1) // 2
        column = (board.columns - 1) // 2 + (step if index & 1 else -step)
        cell = moves & (board.lane << (column * board.height))
        if cell:
            request(board, table, buckets, table_key(board, theirs, occupied | cell, ply + 1))
            made = completing_cells(board, mine | cell) & board.full & ~(occupied | cell)
            worth = np.uint64(popcount(made))
            at = count
            while at > 0 and load(first, at - 1) >> np.uint64(8) < worth:
                store(first, at, load(first, at - 1))
                at -= 1
            store(first, at, worth << np.uint64(8) | np.uint64(column))
            count += 1
    return count


@kernel
def move_at(board: Board, first: np.uint64, index: int, moves: int) -> int:
    """The cell of the move that `order_moves` wrote at an index."""
    column = load(first, index) & np.uint64(255)
    return moves & (board.lane << (column * np.uint64(board.height)))  # type: ignore[no-any-return]


@kernel
def bisect(
    board: Board, state: np.uint64, stones: Stones, lower: int, upper: int, bounds: npt.NDArray[np.int64]
) -> None:
    """Narrow down the score of a position whose game goes on, from `lower` and `upper`, into `bounds`, (2,).

    Stops when they meet or the state says so. The window is set nearer to 0 than to the middle: most games
    are decided late, and a question about an early win is quickly answered with no.
    """
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    ply = popcount(mine | theirs)
    if playable_cells(board, mine | theirs) & completing_cells(board, mine):
        lower = upper = max(lower, min(upper, (board.cells + 1 - ply) // 2))
    else:
        lower = max(lower, -((board.cells - ply) // 2))
        upper = min(upper, (board.cells - 1 - ply) // 2)
    while lower < upper:
        middle = lower + (upper - lower) // 2
        if middle <= 0 and lower // 2 < middle:
            middle = -((-lower) // 2)
        elif middle >= 0 and upper // 2 > middle:
            middle = upper // 2
        score = negamax(board, state, mine, theirs, middle, middle + 1, ply)
        if load(state, STOPPED):
            break
        if score <= middle:
            upper = max(score, lower)
        else:
            lower = min(score, upper)
    bounds[0], bounds[1] = lower, upper
