"""The exact search: what a position is worth with best play on both sides.

Scores are the project's: from the side to move, n > 0 a win with n of the winner's discs left. `search` asks
one question, whether the score is more than alpha, and answers with a bound on the score that settles it.

It visits quiet positions only (`kernels.quiet`). Every move is followed to the next quiet position and looked
up before any is searched (`kernels.choices`), so most moves never become a visit of their own.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.choices import UNKNOWN, find_moves, read_move, recall_move, record_at, table_key
from fourcast.kernels.ideas import LOOK_FIRST, NEAR_ZERO
from fourcast.kernels.memory import load, store, take
from fourcast.kernels.quiet import answered_bound, least_quiet, lost_next, most_quiet, settle
from fourcast.kernels.state import LOOK, MOST_NODES, NEAR_NODES, NODES, TABLES, is_stopped, moves_at, visit
from fourcast.kernels.table import facts_of, forget, lower_of, recall, remember, upper_of
from fourcast.kernels.tricks import Stones, completing_cells, playable_cells, read
from fourcast.kernels.words import popcount


@kernel
def search(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    my_wins: int,
    their_wins: int,
    key: int,
    alpha: int,
    lower: int,
    upper: int,
    ply: int,
) -> int:
    """A bound on the score of a quiet position that says whether it is more than alpha.

    `lower` (at most alpha) and `upper` (more) are what is known of the score. A result of at most alpha is an
    upper bound, one of more a lower bound.
    """
    nodes = visit(board, state)
    if is_stopped(state):
        return 0
    ranks = moves_at(board, state, ply)
    best, count = find_moves(board, state, ranks, mine, theirs, my_wins, their_wins, alpha, lower, ply)
    if best > alpha:
        return best
    for index in range(count):
        record = record_at(board, ranks, load(ranks, index) & np.uint64(255))
        if index or board.left_out & LOOK_FIRST:  # what the moves before it have proven may be enough
            known = recall_move(board, state, record, alpha)
            if known != UNKNOWN:
                best = max(best, known)
                if known > alpha:
                    break
                continue
        movers, others, movers_wins, others_wins, reached, least, most, at, turned = read_move(board, record)
        asked = -alpha - 1 if turned else alpha
        score = search(
            board, state, movers, others, movers_wins, others_wins, reached, asked, least, most, at
        )
        if is_stopped(state):
            return 0
        if turned:
            score = -score
        best = max(best, score)
        if score > alpha:
            break
    keep(board, state, key, ply, alpha, best, lower, upper, nodes)
    return best


@kernel
def keep(
    board: Board,
    state: np.uint64,
    key: int,
    ply: int,
    alpha: int,
    best: int,
    lower: int,
    upper: int,
    nodes: np.uint64,
) -> None:
    """Put into the table what a search has proven that began at this number of nodes."""
    if best > alpha:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    work = np.uint64(0)
    spent = load(state, NODES) - nodes
    while spent:
        work += np.uint64(1)
        spent >>= np.uint64(1)
    remember(board, state + np.uint64(8 * TABLES), key, ply, facts_of(lower, upper, work))


@kernel
def calm(
    board: Board, mine: int, theirs: int, ply: int
) -> tuple[bool, int, int, int, int, int, int, int, int]:
    """The quiet position that a position leads to whose side to move cannot win at once.

    Returns:
        Whether the game is decided on the way; its score if it is; both sides' stones and winning cells in
        the quiet position, its key and its ply; and 1 or -1, by which a score there is multiplied.
    """
    my_wins, their_wins = completing_cells(board, mine), completing_cells(board, theirs)
    decided, score, mine, theirs, my_wins, their_wins, ply, side = settle(
        board, mine, theirs, my_wins, their_wins, ply
    )
    key = table_key(board, mine, mine | theirs, ply)
    return decided, score, mine, theirs, my_wins, their_wins, key, ply, side


@kernel
def known_bounds(
    board: Board, state: np.uint64, mine: int, theirs: int, their_wins: int, key: int, alpha: int, ply: int
) -> tuple[int, int]:
    """What is known of the score of a quiet position before it is searched."""
    least, most = least_quiet(board, ply), most_quiet(board, ply)
    facts = recall(board, state + np.uint64(8 * TABLES), key, ply)
    if facts:
        least, most = max(least, lower_of(facts)), min(most, upper_of(facts))
    if most > alpha:
        most = min(most, answered_bound(board, mine, theirs, their_wins, alpha))
    return least, most


@kernel
def answer(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    my_wins: int,
    their_wins: int,
    key: int,
    alpha: int,
    ply: int,
) -> int:
    """As `search`, but searched only if what is known does not settle it; worth nothing once stopped."""
    least, most = known_bounds(board, state, mine, theirs, their_wins, key, alpha, ply)
    if least > alpha:
        return least
    if most <= alpha:
        return most
    return search(board, state, mine, theirs, my_wins, their_wins, key, alpha, least, most, ply)


@kernel
def score_range(board: Board, mine: int, theirs: int) -> tuple[int, int]:
    """The least and the most that the score of a position can be whose game goes on."""
    occupied = mine | theirs
    ply = popcount(occupied)
    if playable_cells(board, occupied) & completing_cells(board, mine):
        return (board.cells + 1 - ply) // 2, (board.cells + 1 - ply) // 2
    return lost_next(board, ply), most_quiet(board, ply)


@kernel
def next_question(lower: int, upper: int) -> int:
    """The alpha to ask about, where the score is known to lie between two bounds.

    It is nearer to 0 than to the middle: most games are decided late, and a question about an early win is
    quickly answered with no. A win is asked about before a loss, being more common for the side to move.
    """
    middle = lower + (upper - lower) // 2
    if middle >= -1 and middle < upper // 2 < upper:
        return upper // 2
    if middle <= 0 and lower // 2 < middle:
        return -((-lower) // 2)
    return middle


@kernel
def bisect(board: Board, state: np.uint64, stones: Stones, bounds: npt.NDArray[np.int64]) -> None:
    """Narrow down the bounds, (2,), of the score of a position whose game goes on.

    Stops when they meet or the state says so.
    """
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    least, most = score_range(board, mine, theirs)
    lower, upper = max(bounds[0], min(least, bounds[1])), min(bounds[1], max(most, bounds[0]))
    if lower < upper:
        decided, score, mine, theirs, my_wins, their_wins, key, ply, side = calm(
            board, mine, theirs, popcount(mine | theirs)
        )
        if decided:
            lower = upper = min(max(score, lower), upper)
        while lower < upper:
            middle = lower + (upper - lower) // 2
            if not board.left_out & NEAR_ZERO:
                middle = next_question(lower, upper)
            alpha = middle if side > 0 else -middle - 1
            score = answer(board, state, mine, theirs, my_wins, their_wins, key, alpha, ply)
            if is_stopped(state):
                break
            score *= side
            if score <= middle:
                upper = max(score, lower)
            else:
                lower = min(score, upper)
    bounds[0], bounds[1] = lower, upper


@kernel
def bisect_each(
    board: Board,
    state: np.uint64,
    stones: Stones,
    fresh: bool,
    bounds: npt.NDArray[np.int64],
    nodes: npt.NDArray[np.int64],
    taken: np.uint64,
) -> None:
    """As `bisect` for the positions of a batch that no other thread has taken, until the state says stop.

    With `fresh`, each of them finds the tables empty. `bounds` is of shape (positions, 2); `nodes` gets what
    each took; the word at `taken` counts the positions that some thread has taken.
    """
    while not is_stopped(state):
        index = np.int64(take(taken, 0))
        if index >= len(stones):
            break
        before = load(state, NODES)
        if fresh:
            forget(board, state + np.uint64(8 * TABLES))
            store(state, LOOK, min(load(state, MOST_NODES), before + np.uint64(NEAR_NODES)))
        bisect(board, state, stones[index], bounds[index])
        nodes[index] = np.int64(load(state, NODES) - before)
