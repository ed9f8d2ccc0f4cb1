"""The moves of a quiet position: each followed to the next quiet position, looked up, and put in order.

What is known of them is written down in the room that the search's state has for a ply: first a word a move,
its rank and its number, by which they are sorted; then a record a move.
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import Board, join, kernel
from fourcast.kernels.ideas import KEEP_THREATS, LINES_FIRST, LOOK_FIRST, MIRROR, REACHABLE, THREATS_FIRST
from fourcast.kernels.memory import load, store
from fourcast.kernels.quiet import answered_bound, least_quiet, most_quiet, settle
from fourcast.kernels.state import TABLES, WORTHS
from fourcast.kernels.table import facts_of, lower_of, recall, request, upper_of
from fourcast.kernels.tricks import cells_above, completing_cells, folded_key, playable_cells, position_key
from fourcast.kernels.words import high, low, lowest_bit, popcount

UNKNOWN = -128
_TURNED = np.uint64(1 << 16)

_EARLY = 22  # plies before the end up to which a move's cell counts in its order
_FOLDED = 12  # plies below which mirror images are looked for


@kernel
def table_key(board: Board, mine: int, occupied: int, ply: int) -> int:
    """The key under which a position is kept; early on, mirror images share one."""
    if ply < _FOLDED and not board.left_out & MIRROR:
        return folded_key(board, mine, occupied)
    return position_key(board, mine, occupied)


@kernel
def find_moves(
    board: Board,
    state: np.uint64,
    ranks: np.uint64,
    mine: int,
    theirs: int,
    my_wins: int,
    their_wins: int,
    alpha: int,
    lower: int,
    ply: int,
) -> tuple[int, int]:
    """Write down the moves that have to be searched, best first.

    Returns:
        The best that is proven without a search, `lower` included, more than alpha if that is enough; and how
        many moves were written down.
    """
    best, count = open_moves(board, state, ranks, mine, theirs, my_wins, their_wins, alpha, ply)
    if best > alpha:
        return best, 0
    known, count = sort_moves(board, state, ranks, count, alpha)
    return max(best, lower, known), count


@kernel
def open_moves(
    board: Board,
    state: np.uint64,
    ranks: np.uint64,
    mine: int,
    theirs: int,
    my_wins: int,
    their_wins: int,
    alpha: int,
    ply: int,
) -> tuple[int, int]:
    """Follow every move to the next quiet position, and write down those that settle nothing.

    A move that makes more winning cells comes first, if they can be reached: nobody fills a column up to one
    of the other side's. One that gives up a winning cell of its own comes last. Early in the game a cell
    that more lines go through comes first; among equals, the one nearer to the centre.

    Returns:
        The best that is proven without a search, more than alpha if that is enough, and how many moves were
        written down.
    """
    occupied = mine | theirs
    moves = playable_cells(board, occupied) & ~(their_wins >> 1)
    barred = occupied
    if not board.left_out & REACHABLE:
        barred = cells_above(board, their_wins & ~occupied) | occupied
    best, count = UNKNOWN, 0
    for index in range(board.columns):
        step = (index + 1) // 2
        column = board.columns // 2 + (-step if index & 1 else step)
        cell = moves & (board.lane << (column * board.height))
        if not cell:
            continue
        stones = mine | cell
        wins = completing_cells(board, stones)
        decided, score, movers, others, movers_wins, others_wins, at, side = settle(
            board, theirs, stones, their_wins, wins, ply + 1
        )
        score = -score
        if not decided:
            asked = -alpha - 1 if side > 0 else alpha
            least, most = least_quiet(board, at), most_quiet(board, at)
            if most > asked:
                most = min(most, answered_bound(board, movers, others, others_wins, asked))
            bottom, top = (-most, -least) if side > 0 else (least, most)
            if bottom <= alpha < top:
                key = table_key(board, movers, movers | others, at)
                request(board, state + np.uint64(8 * TABLES), key, at)
                record = record_at(board, ranks, np.uint64(count))
                turned = _TURNED if side > 0 else np.uint64(0)
                store(
                    record, 0, np.uint64(at) << np.uint64(17) | turned | facts_of(least, most, np.uint64(0))
                )
                put(board, record, 0, movers)
                put(board, record, 1, others)
                put(board, record, 2, movers_wins)
                put(board, record, 3, others_wins)
                put(board, record, 4, key)
                rank = 64
                if not board.left_out & THREATS_FIRST:
                    rank += 16 * popcount(wins & ~cell & ~barred)
                if not board.left_out & KEEP_THREATS and (cell << 1) & my_wins:
                    rank -= 20
                if not board.left_out & LINES_FIRST and ply < board.cells - _EARLY:
                    rank += np.int64(load(state, WORTHS + lowest_bit(cell)))  # type: ignore[assignment]
                store(ranks, count, np.uint64(rank) << np.uint64(8) | np.uint64(count))
                count += 1
                continue
            score = bottom if bottom > alpha else top
        best = max(best, score)
        if best > alpha:
            break
    return best, count


@kernel
def sort_moves(board: Board, state: np.uint64, ranks: np.uint64, count: int, alpha: int) -> tuple[int, int]:
    """Look up all moves that were written down, and sort those that the table does not settle, best first.

    Returns:
        The best that the table has proven, more than alpha if that is enough, and how many moves are left.
    """
    best, left = UNKNOWN, 0
    for index in range(count):
        rank = load(ranks, index)
        known = UNKNOWN
        if not board.left_out & LOOK_FIRST:
            known = recall_move(board, state, record_at(board, ranks, rank & np.uint64(255)), alpha)
        if known != UNKNOWN:
            best = max(best, known)
            if best > alpha:
                break
            continue
        at = left
        while at > 0 and load(ranks, at - 1) >> np.uint64(8) < rank >> np.uint64(8):
            store(ranks, at, load(ranks, at - 1))
            at -= 1
        store(ranks, at, rank)
        left += 1
    return best, left


@kernel
def recall_move(board: Board, state: np.uint64, record: np.uint64, alpha: int) -> int:
    """What the table says of a move if that settles it; otherwise UNKNOWN, with its bounds narrowed."""
    numbers = load(record, 0)
    tables = state + np.uint64(8 * TABLES)
    facts = recall(board, tables, get(board, record, 4), ply_of(numbers))
    if not facts:
        return UNKNOWN
    least = max(lower_of(facts), lower_of(numbers))
    most = min(upper_of(facts), upper_of(numbers))
    bottom, top = (-most, -least) if numbers & _TURNED else (least, most)
    if bottom > alpha:
        return bottom
    if top <= alpha:
        return top
    store(record, 0, numbers & ~np.uint64(0x3FFF) | facts_of(least, most, np.uint64(0)))
    return UNKNOWN


@kernel
def read_move(board: Board, record: np.uint64) -> tuple[int, int, int, int, int, int, int, int, bool]:
    """What `open_moves` has written down: the quiet position that a move leads to.

    Returns:
        Stones of its side to move and of the other, wins of both, its key, the bounds of its score, its ply,
        and whether the turn changes on the way there.
    """
    numbers = load(record, 0)
    movers, others = get(board, record, 0), get(board, record, 1)
    movers_wins, others_wins = get(board, record, 2), get(board, record, 3)
    least, most = lower_of(numbers), upper_of(numbers)
    turned = numbers & _TURNED != np.uint64(0)
    return (
        movers,
        others,
        movers_wins,
        others_wins,
        get(board, record, 4),
        least,
        most,
        ply_of(numbers),
        turned,
    )


@kernel
def record_at(board: Board, ranks: np.uint64, index: np.uint64) -> np.uint64:
    """The address of what is written down of a move.

    Its numbers are a word: the ply of the quiet position, whether the turn changes on the way there, and the
    bounds of its score for its side to move. Then five words of the board: that position's stones and wins of
    both sides, and its key.
    """
    return ranks + np.uint64(8) * (np.uint64(board.columns) + index * np.uint64(1 + 5 * board.halves))


@kernel
def ply_of(numbers: np.uint64) -> int:
    """The ply in a move's numbers."""
    return np.int64(numbers >> np.uint64(17))  # type: ignore[return-value]


@kernel
def put(board: Board, record: np.uint64, field: int, word: int) -> None:
    """Write a word of the board into a move's record."""
    store(record, 1 + field * board.halves, low(word))
    if board.halves == 2:
        store(record, 2 + field * board.halves, high(word))


@kernel
def get(board: Board, record: np.uint64, field: int) -> int:
    """Read a word of the board from a move's record."""
    at = 1 + field * board.halves
    return join(board, load(record, at), load(record, at + board.halves - 1))
