"""The exact search: what a position is worth with best play on both sides.

Scores are the project's: from the side to move, n > 0 a win with n of the winner's discs left. `search` asks
one question, whether the score is more than alpha, and answers with a bound on the score that settles it.

It visits quiet positions only (`kernels.quiet`). Every move is followed to the next quiet position and looked
up before any is searched, so most moves never become a visit of their own.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, halves_of, join, kernel
from fourcast.kernels.memory import load, store, take
from fourcast.kernels.quiet import answered_bound, least_quiet, lost_next, most_quiet, settle
from fourcast.kernels.table import (
    FAR_PLY,
    TABLE_WORDS,
    facts_of,
    forget,
    lower_of,
    recall,
    remember,
    request,
    upper_of,
)
from fourcast.kernels.teams import begin, end, is_busy
from fourcast.kernels.tricks import (
    Stones,
    cells_above,
    completing_cells,
    folded_key,
    playable_cells,
    position_key,
    read,
)
from fourcast.kernels.words import high, low, lowest_bit, popcount

# The words of a search's state, of which every thread has one. The first two are those of a Control. LEAVE
# is how threads tell each other that a question is settled. LOOK is the number of nodes at which something
# is to be done: MOST_NODES are used up, which is as if it were asked to stop; PAUSE is reached, which is a
# reason to leave; or the far table is worth its while. TEAM is the address of what threads on one question
# share, or 0 (see kernels.teams). From TABLES on they are those of kernels.table,
# then one a cell (how many lines go through it), then room for the moves of each ply.
ASKED, NODES, LEAVE, LOOK, MOST_NODES, PAUSE, TEAM, TABLES = range(8)
WORTHS = TABLES + TABLE_WORDS

NEAR_NODES = 16384  # a search of fewer nodes keeps everything near
LATE = 14  # plies before the end from which on positions are always kept near
_EARLY = 22  # plies before the end up to which a move's cell counts in its order
_SHARED = 18  # plies before the end up to which threads share out the moves
_FOLDED = 12  # plies below which mirror images are looked for
_UNKNOWN = -128
_TURNED = np.uint64(1 << 16)


def state_words(geometry: Geometry) -> int:
    """How many words a search's state takes."""
    halves = halves_of(geometry)
    return WORTHS + geometry.bits + (geometry.cells + 1) * geometry.columns * (2 + 5 * halves)


def cell_worths(geometry: Geometry) -> npt.NDArray[np.uint64]:
    """How many lines go through each cell, by its bit."""
    worths = np.zeros(geometry.bits, dtype=np.uint64)
    reach = geometry.connect - 1
    for column, row in product(range(geometry.columns), range(geometry.rows)):
        for right, up in ((0, 1), (1, -1), (1, 0), (1, 1)):
            if column + right * reach < geometry.columns and 0 <= row + up * reach < geometry.rows:
                for step in range(geometry.connect):
                    worths[(column + right * step) * geometry.height + row + up * step] += 1
    return worths


@kernel
def table_key(board: Board, mine: int, occupied: int, ply: int) -> int:
    """The key under which a position is kept; early on, mirror images share one."""
    if ply < _FOLDED:
        return folded_key(board, mine, occupied)
    return position_key(board, mine, occupied)


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
    nodes = load(state, NODES) + np.uint64(1)
    store(state, NODES, nodes)
    if nodes >= load(state, LOOK):
        look_up(board, state, nodes)
    if is_stopped(state):
        return 0
    ranks = state + np.uint64(8 * (WORTHS + board.bits + ply * board.columns * (2 + 5 * board.halves)))
    best, count = open_moves(board, state, ranks, mine, theirs, my_wins, their_wins, alpha, ply)
    if best > alpha:
        return best
    best = max(best, lower)
    known, count = sort_moves(board, state, ranks, count, alpha)
    if known > alpha:
        return known
    best = max(best, known)
    team = load(state, TEAM) if ply < board.cells - _SHARED else np.uint64(0)
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
            if known != _UNKNOWN:
                best = max(best, known)
                if known > alpha:
                    break
                continue
        reached = get(board, record, 4)
        if team:
            last_shared = ply_of(load(record, 0)) >= board.cells - _SHARED
            if (index > 1 or last_shared) and not again and is_busy(team, reached):
                store(ranks, later, rank)
                later += 1
                continue
            begin(team, reached)
        numbers = load(record, 0)
        movers, others = get(board, record, 0), get(board, record, 1)
        movers_wins, others_wins = get(board, record, 2), get(board, record, 3)
        least, most, at = lower_of(numbers), upper_of(numbers), ply_of(numbers)
        asked = -alpha - 1 if numbers & _TURNED else alpha
        score = search(
            board, state, movers, others, movers_wins, others_wins, reached, asked, least, most, at
        )
        if team:
            end(team, reached)
        if is_stopped(state):
            return 0
        if numbers & _TURNED:
            score = -score
        best = max(best, score)
        if score > alpha:
            break
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
    return best


@kernel
def is_stopped(state: np.uint64) -> bool:
    """Whether to leave everything and return."""
    return (load(state, ASKED) | load(state, LEAVE)) != np.uint64(0)  # type: ignore[no-any-return]


@kernel
def look_up(board: Board, state: np.uint64, nodes: np.uint64) -> None:
    """Do what is due at this number of nodes."""
    if nodes >= load(state, MOST_NODES):
        store(state, ASKED, np.uint64(1))
    elif nodes >= load(state, PAUSE):
        store(state, LEAVE, np.uint64(1))
    store(state, TABLES + FAR_PLY, np.uint64(max(board.cells - LATE, 0)))
    store(state, LOOK, min(load(state, MOST_NODES), max(load(state, PAUSE), nodes + np.uint64(1))))


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
    barred = cells_above(board, their_wins & ~occupied) | occupied
    best, count = _UNKNOWN, 0
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
                rank = 64 + 16 * popcount(wins & ~cell & ~barred)
                if (cell << 1) & my_wins:
                    rank -= 20
                if ply < board.cells - _EARLY:
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
    best, left = _UNKNOWN, 0
    for index in range(count):
        rank = load(ranks, index)
        known = recall_move(board, state, record_at(board, ranks, rank & np.uint64(255)), alpha)
        if known != _UNKNOWN:
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
    """What the table says of a move if that settles it; otherwise _UNKNOWN, with its bounds narrowed."""
    numbers = load(record, 0)
    tables = state + np.uint64(8 * TABLES)
    facts = recall(board, tables, get(board, record, 4), ply_of(numbers))
    if not facts:
        return _UNKNOWN
    least = max(lower_of(facts), lower_of(numbers))
    most = min(upper_of(facts), upper_of(numbers))
    bottom, top = (-most, -least) if numbers & _TURNED else (least, most)
    if bottom > alpha:
        return bottom
    if top <= alpha:
        return top
    store(record, 0, numbers & ~np.uint64(0x3FFF) | facts_of(least, most, np.uint64(0)))
    return _UNKNOWN


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


@kernel
def ask(board: Board, state: np.uint64, mine: int, theirs: int, alpha: int, ply: int) -> int:
    """As `search`, for any position whose side to move cannot win at once."""
    my_wins, their_wins = completing_cells(board, mine), completing_cells(board, theirs)
    decided, score, mine, theirs, my_wins, their_wins, ply, side = settle(
        board, mine, theirs, my_wins, their_wins, ply
    )
    if decided:
        return score
    if side < 0:
        alpha = -alpha - 1
    key = table_key(board, mine, mine | theirs, ply)
    least, most = least_quiet(board, ply), most_quiet(board, ply)
    facts = recall(board, state + np.uint64(8 * TABLES), key, ply)
    if facts:
        least, most = max(least, lower_of(facts)), min(most, upper_of(facts))
    if most > alpha:
        most = min(most, answered_bound(board, mine, theirs, their_wins, alpha))
    if least > alpha:
        return side * least
    if most <= alpha:
        return side * most
    return side * search(board, state, mine, theirs, my_wins, their_wins, key, alpha, least, most, ply)


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
    while lower < upper:
        middle = next_question(lower, upper)
        score = ask(board, state, mine, theirs, middle, popcount(mine | theirs))
        if is_stopped(state):
            break
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
