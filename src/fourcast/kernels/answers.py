"""What a network said, and the tree that it goes into: for the search of `kernels.puct`.

Nodes are those of `kernels.nodes`; each has a note beside it, two float32: how much the network likes the
column that led there, and how many simulations on their way through it wait for an answer.

What was said is kept by position, until something else takes its place.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.effort import BEST, EFFORT, LEAVES, MOST_NODES, NODES, SIMULATIONS, count
from fourcast.kernels.memory import load, load_real, load_signed, load_single, store, store_single
from fourcast.kernels.nodes import (
    NODE_BYTES,
    TOTAL,
    VISITS,
    add_games,
    column_of,
    count_of,
    first_child,
    give_children,
    is_proven,
    make_node,
    node_at,
    prove,
)
from fourcast.kernels.proofs import glance, prove_by_child, prove_by_landings
from fourcast.kernels.tricks import (
    Stones,
    completing_cells,
    mirrored,
    mixed,
    playable_cells,
    position_key,
    read,
    write,
)
from fourcast.kernels.words import popcount

# After the words of `effort`: where the nodes and their notes are, whether there is no room left for more,
# where the state of the exact search is and how many nodes a proof may take (0: none is tried), in which
# order children are made, and how often each column was aimed at in the root.
POOL, NOTES, FULL, EXACT, PROOF, ORDER = range(EFFORT, EFFORT + 6)

LIKED, AWAITED = 0, 1  # the float32 of a note
NOTE_BYTES = 8

# A way down: how many plies it is long, whether the mirror image is asked about, and the addresses of nodes.
LENGTH, TURNED, WAY = range(3)

Ways = npt.NDArray[np.uint64]
Answers = npt.NDArray[np.float32]


def aims_at(geometry: Geometry) -> int:
    """Where the counts of columns aimed at begin."""
    return ORDER + geometry.columns


def state_words(geometry: Geometry) -> int:
    """How many words a search's state takes."""
    return aims_at(geometry) + geometry.columns


def way_words(geometry: Geometry) -> int:
    """How many words a way down takes."""
    return WAY + geometry.cells + 1


@kernel
def settle(
    board: Board,
    state: np.uint64,
    pending: Stones,
    ways: Ways,
    keys: Stones,
    said: Answers,
    logits: Answers,
    values: Answers,
    slip: float,
) -> None:
    """Take what the network says of the positions that were gathered: as many as there are values.

    Args:
        board: The geometry.
        state: The search's state.
        pending: The positions.
        ways: The ways to them.
        keys: See `kernels.puct.gather`.
        said: The same.
        logits: float32 of shape (positions, columns).
        values: float32 of shape (positions,), seen by the side to move.
        slip: The chance that a disc lands in another column.
    """
    last = board.columns - 1
    for index in range(len(values)):
        mine, theirs = read(board, pending[index, 0]), read(board, pending[index, 1])
        key = position_key(board, mine, mine | theirs)
        even = mirrored(board, key) == key
        slot = slot_of(keys, key)
        write(board, keys[slot], key)
        for column in range(board.columns):
            liked = logits[index, column]
            said[slot, column] = (liked + logits[index, last - column]) / np.float32(2) if even else liked
        said[slot, board.columns] = values[index]
        if ways[index, TURNED]:
            mine, theirs = mirrored(board, mine), mirrored(board, theirs)
        take_answer(board, state, ways[index], mine, theirs, said[slot], slip)
        count(state, LEAVES)
    pool = load(state, POOL)
    child, most = first_child(pool, pool), np.uint64(0)
    for _ in range(count_of(pool)):
        if load(child, VISITS) > most:
            most = load(child, VISITS)
            store(state, BEST, np.uint64(column_of(child) + 1))
        child += np.uint64(NODE_BYTES)


@kernel
def take_answer(
    board: Board, state: np.uint64, way: Ways, mine: int, theirs: int, answer: Answers, slip: float
) -> None:
    """Give the last node of a way its children, liked as the network says, and count what it is worth."""
    pool, notes = load(state, POOL), load(state, NOTES)
    node = way[WAY + way[LENGTH]]
    value, news = float(-answer[board.columns]), False
    if bear(board, state, node, mine, theirs, slip):
        first, children = first_child(pool, node), count_of(node)
        most, total = -np.inf, 0.0
        for index in range(children):
            most = max(most, np.float64(answer[_asked(board, way, node_at(first, index))]))
        for index in range(children):
            total += math.exp(np.float64(answer[_asked(board, way, node_at(first, index))]) - most)
        for index in range(children):
            child = node_at(first, index)
            liked = math.exp(np.float64(answer[_asked(board, way, child)]) - most) / total
            store_single(note_of(pool, notes, child), LIKED, np.float32(liked))
        if slip > 0.0 and prove_by_landings(pool, node, slip):
            value, news = load_real(node, TOTAL), True
    back_up(state, way, value, news, slip)


@kernel
def _asked(board: Board, way: Ways, child: np.uint64) -> int:
    """The column that the network was asked about for a child's."""
    column = column_of(child)
    return board.columns - 1 - column if way[TURNED] else column


@kernel
def bear(board: Board, state: np.uint64, node: np.uint64, mine: int, theirs: int, slip: float) -> bool:
    """Give a node its children, if there is room: without slip, those that do not lose at once.

    All of them are liked alike, with 1; those with slip that end the game are proven.
    """
    pool, notes = load(state, POOL), load(state, NOTES)
    occupied = mine | theirs
    cells, wins = playable_cells(board, occupied), board.zero
    if slip == 0.0:
        _, cells = glance(board, mine, theirs)
    else:
        wins = completing_cells(board, mine)
    used, children = load_signed(state, NODES), popcount(cells)
    if used + children > load_signed(state, MOST_NODES):
        return False
    child = node_at(pool, used)
    for index in range(board.columns):
        column = load_signed(state, ORDER + index)
        cell = cells & (board.lane << (column * board.height))
        if cell:
            make_node(child, column)
            note = note_of(pool, notes, child)
            store_single(note, LIKED, np.float32(1.0))
            store_single(note, AWAITED, np.float32(0.0))
            if cell & wins:
                prove(child, 1.0, 0)
            elif (occupied | cell) == board.full:
                prove(child, 0.0, 0)
            child += np.uint64(NODE_BYTES)
    give_children(node, used, children)
    store(state, NODES, np.uint64(used + children))
    return True


@kernel
def back_up(state: np.uint64, way: Ways, value: float, news: bool, slip: float) -> None:
    """Count what a simulation was worth in all nodes on its way, and prove those that are by now.

    Without slip, what looks worse than a proven draw counts as a draw: that would be played instead.

    Args:
        state: The search's state.
        way: The way down.
        value: What it was worth to who moved into the last node.
        news: Whether that node was proven just now.
        slip: The chance that a disc lands in another column.
    """
    pool, notes = load(state, POOL), load(state, NOTES)
    depth = np.int64(way[LENGTH])
    node = way[WAY + depth]
    add_games(node, value, 1)
    await_answer(pool, notes, node, -1.0)
    for above in range(depth - 1, -1, -1):
        parent = way[WAY + above]
        if news:
            news = (
                prove_by_child(pool, parent, node) if slip == 0.0 else prove_by_landings(pool, parent, slip)
            )
        value = load_real(parent, TOTAL) if news else -value
        if slip == 0.0 and value > 0.0 and has_draw(pool, parent):
            value = 0.0
        node = parent
        add_games(node, value, 1)
        await_answer(pool, notes, node, -1.0)
    count(state, SIMULATIONS)


@kernel
def has_draw(pool: np.uint64, node: np.uint64) -> bool:
    """Whether the side to move can have a draw for sure."""
    child = first_child(pool, node)
    for _ in range(count_of(node)):
        if is_proven(child) and load_real(child, TOTAL) == 0.0:
            return True
        child += np.uint64(NODE_BYTES)
    return False


@kernel
def give_back(pool: np.uint64, notes: np.uint64, way: Ways) -> None:
    """Leave a way as if nobody had gone it."""
    for index in range(np.int64(way[LENGTH]) + 1):
        await_answer(pool, notes, way[WAY + index], -1.0)


@kernel
def await_answer(pool: np.uint64, notes: np.uint64, node: np.uint64, more: float) -> None:
    """Count one simulation more, or less, that waits for an answer."""
    note = note_of(pool, notes, node)
    store_single(note, AWAITED, load_single(note, AWAITED) + np.float32(more))


@kernel
def note_of(pool: np.uint64, notes: np.uint64, node: np.uint64) -> np.uint64:
    """The address of a node's note: nodes are four times as large."""
    return notes + ((node - pool) >> np.uint64(2))


@kernel
def slot_of(keys: Stones, key: int) -> np.uint64:
    """Where what was said of a position is kept."""
    mix = mixed(key)
    return (mix ^ (mix >> np.uint64(32))) & np.uint64(len(keys) - 1)
