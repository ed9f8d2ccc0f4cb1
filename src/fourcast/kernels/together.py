"""The exact search in several threads.

Every thread runs the same search down to the last plies that are shared, and there goes on by itself. A move
that another thread is busy with is left for later; when it is come back to, the answer is often in the table.
(The idea is known as ABDADA; the small table of positions in work is Tom Kerrigan's.)

Which moves are left depends on what a position is thought to be. Where the answer will likely be no, all
moves have to be searched, and any of them may be left to another thread. Where it will likely be yes, the
first move is likely to say so, and to search another beside it would be in vain: threads join in that one.

What a thread is doing may become needless when another settles a position above it. So each looks at the
table now and then, for every position on its own path.
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import Board, join, kernel
from fourcast.kernels.choices import UNKNOWN, find_moves, read_move, recall_move, record_at
from fourcast.kernels.exact import calm, keep, known_bounds, search
from fourcast.kernels.memory import load, store
from fourcast.kernels.state import TABLES, is_stopped, moves_at, visit
from fourcast.kernels.table import lower_of, recall, upper_of
from fourcast.kernels.tricks import mixed
from fourcast.kernels.words import high, low

SHARED = 18  # plies before the end up to which threads share out the moves
PATIENCE = np.uint64(500)  # nodes after which a thread looks back

# What a thread in a team has beside its state: the address of the positions in work; the number of nodes at
# which to look back; the level to go back to (1 is the first), or 0, and the answer that was found there; and
# from PATH on, for every level, the key's halves, the question and the ply.
WORK, LOOK_BACK, BACK, FOUND, PATH = range(5)
_STEP = 4

# The positions in work, by their mixed keys; two may share a place, which only costs time.
PLACES = 1 << 12


def seat_words(cells: int) -> int:
    """How many words a thread has beside its state."""
    return PATH + _STEP * (cells + 1)


@kernel
def is_busy(work: np.uint64, key: int) -> bool:
    """Whether a thread is at this position."""
    mark = mixed(key)
    return load(work, mark >> np.uint64(52)) == mark  # type: ignore[no-any-return]


@kernel
def begin(work: np.uint64, key: int) -> None:
    """Say that this thread is at a position."""
    mark = mixed(key)
    store(work, mark >> np.uint64(52), mark)


@kernel
def end(work: np.uint64, key: int) -> None:
    """Say that it is done with it."""
    mark = mixed(key)
    if load(work, mark >> np.uint64(52)) == mark:
        store(work, mark >> np.uint64(52), np.uint64(0))


@kernel
def search_together(
    board: Board,
    state: np.uint64,
    seat: np.uint64,
    mine: int,
    theirs: int,
    my_wins: int,
    their_wins: int,
    key: int,
    alpha: int,
    lower: int,
    upper: int,
    ply: int,
    hopeful: bool,
    level: int,
) -> int:
    """As `exact.search`, for the plies that are shared.

    `hopeful` is whether the answer will likely be yes, more than alpha.
    """
    nodes = visit(board, state)
    if is_stopped(state):
        return 0
    ranks = moves_at(board, state, ply)
    best, count = find_moves(board, state, ranks, mine, theirs, my_wins, their_wins, alpha, lower, ply)
    if best > alpha:
        return best
    work = load(seat, WORK)
    step(board, seat, level, key, alpha, ply)
    if nodes >= load(seat, LOOK_BACK):
        store(seat, LOOK_BACK, nodes + PATIENCE)
        look_back(board, state, seat, level)
        if load(seat, BACK):
            return 0
    index = later = 0
    again = False
    while index < count or later > 0:
        if index == count:  # those that another thread was busy with
            index, count, later, again = 0, later, 0, True
        rank = load(ranks, index)
        record = record_at(board, ranks, rank & np.uint64(255))
        index += 1
        if index > 1 or again:  # what the moves before it, or other threads, have proven may be enough
            known = recall_move(board, state, record, alpha)
            if known != UNKNOWN:
                best = max(best, known)
                if known > alpha:
                    break
                continue
        movers, others, movers_wins, others_wins, reached, least, most, at, turned = read_move(board, record)
        if not hopeful and not again and is_busy(work, reached):
            store(ranks, later, rank)
            later += 1
            continue
        asked = -alpha - 1 if turned else alpha
        begin(work, reached)
        if at < board.cells - SHARED:
            score = search_together(
                board,
                state,
                seat,
                movers,
                others,
                movers_wins,
                others_wins,
                reached,
                asked,
                least,
                most,
                at,
                hopeful != turned,
                level + 1,
            )
        else:
            score = search(
                board, state, movers, others, movers_wins, others_wins, reached, asked, least, most, at
            )
        end(work, reached)
        if is_stopped(state):
            return 0
        back = load(seat, BACK)
        if back:
            if back == np.uint64(level + 1):
                store(seat, BACK, np.uint64(0))
                return np.int64(load(seat, FOUND)) - 128  # type: ignore[return-value]
            return 0
        if turned:
            score = -score
        best = max(best, score)
        if score > alpha:
            break
        hopeful = False
    keep(board, state, key, ply, alpha, best, lower, upper, nodes)
    return best


@kernel
def step(board: Board, seat: np.uint64, level: int, key: int, alpha: int, ply: int) -> None:
    """Write down a position of this thread's path."""
    at = PATH + _STEP * level
    store(seat, at, low(key))
    if board.halves == 2:
        store(seat, at + 1, high(key))
    store(seat, at + 2, np.uint64(alpha + 128))
    store(seat, at + 3, np.uint64(ply))


@kernel
def look_back(board: Board, state: np.uint64, seat: np.uint64, level: int) -> None:
    """See whether another thread has settled a position of this one's path, and then go back there."""
    for above in range(level):
        at = PATH + _STEP * above
        key = join(board, load(seat, at), load(seat, at + board.halves - 1))
        alpha, ply = np.int64(load(seat, at + 2)) - 128, np.int64(load(seat, at + 3))
        facts = recall(board, state + np.uint64(8 * TABLES), key, ply)  # type: ignore[arg-type]
        if facts and (lower_of(facts) > alpha or upper_of(facts) <= alpha):
            found = lower_of(facts) if lower_of(facts) > alpha else upper_of(facts)
            store(seat, FOUND, np.uint64(found + 128))
            store(seat, BACK, np.uint64(above + 1))
            break


@kernel
def ask_together(
    board: Board, state: np.uint64, seat: np.uint64, mine: int, theirs: int, alpha: int, ply: int
) -> int:
    """As `search_together`, for any position whose side to move cannot win at once."""
    hopeful = alpha < 0
    decided, score, mine, theirs, my_wins, their_wins, key, ply, side = calm(board, mine, theirs, ply)
    if decided:
        return score
    if side < 0:
        alpha = -alpha - 1
    least, most = known_bounds(board, state, mine, theirs, their_wins, key, alpha, ply)
    if least > alpha or most <= alpha:
        return side * (least if least > alpha else most)
    store(seat, BACK, np.uint64(0))
    level = np.int64(0)  # a plain 0 would be a type of its own, and recursion in two types cannot be cached
    return side * search_together(
        board,
        state,
        seat,
        mine,
        theirs,
        my_wins,
        their_wins,
        key,
        alpha,
        least,
        most,
        ply,
        hopeful == (side > 0),
        level,  # type: ignore[arg-type]
    )
