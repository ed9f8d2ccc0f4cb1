"""Monte Carlo tree search that asks a network instead of playing games out: PUCT, with proofs and slip.

A simulation goes down the tree, at each node to the child with the highest sum of what it is worth and of how
much the network likes it for as little as it was visited. It ends at a node without children, of which the
network is asked: it likes the children that the node now gets, and what it thinks the node worth is counted
on the way back. Networks are asked about several positions at a time, so `gather` goes down until it has a
handful, and `settle` takes what was said of them. Until then every node on their ways counts as visited and
lost, so that the next simulation tries something else.

Nodes are those of `kernels.nodes`; each has a note beside it, two float32: how much the network likes the
column that led there, and how many simulations on their way through it wait for an answer.

What was said is kept, since different columns often lead to the same position; of a position and its mirror
image one is asked about. What is decided at a glance is not asked about, nor is a position with a single
column that does not lose: that column is gone on from.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.effort import (
    BEST,
    DEPTH,
    EFFORT,
    LEAVES,
    MOST_NODES,
    MOST_SIMULATIONS,
    NODES,
    SIMULATIONS,
    count,
)
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
from fourcast.kernels.proofs import OPEN, glance, land, prove_by_child, prove_by_glance, prove_by_landings
from fourcast.kernels.tricks import (
    Stones,
    aim_shares,
    completing_cells,
    mirrored,
    mixed,
    playable_cells,
    position_key,
    read,
    write,
)
from fourcast.kernels.words import popcount

# After the words of `effort`: where the nodes and their notes are, whether there is no room left for more, in
# which order children are made, and how often each column was aimed at in the root.
POOL, NOTES, FULL, ORDER = range(EFFORT, EFFORT + 4)

LIKED, AWAITED = 0, 1  # the float32 of a note
NOTE_BYTES = 8

# A way down: how many plies it is long, whether the mirror image is asked about, and the addresses of nodes.
LENGTH, TURNED, WAY = range(3)

FPU = 0.25  # how much less than its parent a child seems worth that nobody looked at, where all others were
TRIES = 256  # simulations of one handful that need no answer, at most

# How a way down ends: at a node that is proven, that was never looked at, that an answer is awaited of, or
# that there is no room for children of.
_PROVEN, _FRESH, _TAKEN, _CROWDED = range(4)

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
def gather(
    board: Board,
    state: np.uint64,
    stones: Stones,
    pending: Stones,
    ways: Ways,
    keys: Stones,
    said: Answers,
    want: int,
    stream: np.uint64,
    explore: float,
    slip: float,
) -> tuple[int, np.uint64]:
    """Simulate until there are so many positions to ask the network about, or until there is no more to do.

    Args:
        board: The geometry.
        state: The search's state. `NODES` says how many nodes the tree has already, 0 before the root.
        stones: The stones of the side to move and of the other side in the root; their game goes on.
        pending: Filled with the positions to ask about, as a Batch has them: room for `want` at least.
        ways: Filled with the ways to them: uint64 of shape (`want` at least, `way_words`).
        keys: The positions that something was said of, uint64 of shape (a power of 2, halves).
        said: What that was: float32 of shape (as many, columns + 1), logits and the value.
        want: How many positions.
        stream: Where the chance starts, with slip.
        explore: How much a network's liking counts.
        slip: The chance that a disc lands in another column.

    Returns:
        How many positions there are, and the stream's next state.
    """
    pool, notes = load(state, POOL), load(state, NOTES)
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    if load(state, NODES) == np.uint64(0):
        make_node(pool, 0)
        store(notes, 0, np.uint64(0))
        store(state, NODES, np.uint64(1))
        if slip == 0.0:
            prove_by_glance(board, pool, mine, theirs)
    most = load_signed(state, MOST_SIMULATIONS)
    found, clashes = 0, 0
    for _ in range(TRIES):
        if found == want or load_signed(state, SIMULATIONS) + found >= most or is_proven(pool):
            break
        way = ways[found]
        end, my_leaf, their_leaf, stream, news = descend(
            board, state, mine, theirs, way, stream, explore, slip
        )
        leaf = way[WAY + way[LENGTH]]
        if end == _CROWDED:
            give_back(pool, notes, way)
            store(state, FULL, np.uint64(1))
            break
        if end == _TAKEN:
            give_back(pool, notes, way)
            clashes += 1
            if clashes >= want:
                break
        elif end == _PROVEN:
            back_up(state, way, load_real(leaf, TOTAL), news, slip)
        else:
            occupied = my_leaf | their_leaf
            key = position_key(board, my_leaf, occupied)
            image = mirrored(board, key)
            way[TURNED] = np.uint64(1) if image < key else np.uint64(0)
            if image < key:
                key = image
            slot = slot_of(keys, key)
            if read(board, keys[slot]) == key:
                take_answer(board, state, way, my_leaf, their_leaf, said[slot], slip)
            else:
                if way[TURNED]:
                    my_leaf, their_leaf = mirrored(board, my_leaf), mirrored(board, their_leaf)
                write(board, pending[found, 0], my_leaf)
                write(board, pending[found, 1], their_leaf)
                found += 1
    return found, stream


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
        keys: See `gather`.
        said: See `gather`.
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
def slot_of(keys: Stones, key: int) -> np.uint64:
    """Where what was said of a position is kept."""
    mix = mixed(key)
    return (mix ^ (mix >> np.uint64(32))) & np.uint64(len(keys) - 1)


@kernel
def note_of(pool: np.uint64, notes: np.uint64, node: np.uint64) -> np.uint64:
    """The address of a node's note: nodes are four times as large."""
    return notes + ((node - pool) >> np.uint64(2))


@kernel
def await_answer(pool: np.uint64, notes: np.uint64, node: np.uint64, more: float) -> None:
    """Count one simulation more, or less, that waits for an answer."""
    note = note_of(pool, notes, node)
    store_single(note, AWAITED, load_single(note, AWAITED) + np.float32(more))


@kernel
def descend(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    way: Ways,
    stream: np.uint64,
    explore: float,
    slip: float,
) -> tuple[int, int, int, np.uint64, bool]:
    """Go down the tree to a node that has no children, and count the way there as awaited.

    Returns:
        How it ended, the stones of the last node, the stream's next state, and whether that node was proven
        just now.
    """
    pool, notes = load(state, POOL), load(state, NOTES)
    node, depth, end, news = pool, 0, _PROVEN, False
    way[WAY] = node
    while not is_proven(node):
        if count_of(node) == 0:
            end = _FRESH
            if load(node, VISITS):
                end = _CROWDED
            elif load_single(note_of(pool, notes, node), AWAITED) > np.float32(0):
                end = _TAKEN
            elif slip == 0.0:
                seen, safe = glance(board, mine, theirs)
                if seen != OPEN:
                    news = prove_by_glance(board, node, mine, theirs)
                    end = _PROVEN
                elif popcount(safe) == 1:
                    end = _PROVEN if bear(board, state, node, mine, theirs, slip) else _CROWDED
            if end != _PROVEN or news:
                break
        await_answer(pool, notes, node, 1.0)
        first, children = first_child(pool, node), count_of(node)
        index = choose_liked(pool, notes, node, explore, slip)
        if slip > 0.0:
            if depth == 0:
                aimed = ORDER + board.columns + column_of(node_at(first, index))
                store(state, aimed, load(state, aimed) + np.uint64(1))
            stream, index = land(stream, index, children, slip)
        node = node_at(first, index)
        depth += 1
        way[WAY + depth] = node
        cell = playable_cells(board, mine | theirs) & (board.lane << (column_of(node) * board.height))
        mine, theirs = theirs, mine | cell
    await_answer(pool, notes, node, 1.0)
    way[LENGTH] = np.uint64(depth)
    if np.uint64(depth) > load(state, DEPTH):
        store(state, DEPTH, np.uint64(depth))
    return end, mine, theirs, stream, news


@kernel
def choose_liked(pool: np.uint64, notes: np.uint64, node: np.uint64, explore: float, slip: float) -> int:
    """The index of the child to go to: the first of those with the highest sum of worth and liking.

    Without slip, what is proven lost is left alone as long as there is something else. With slip it is the
    column to aim at, which is the one with the worst landing where a disc is likelier to land elsewhere.
    """
    first, children = first_child(pool, node), count_of(node)
    sign = 1.0
    if slip > 0.0:
        own, _ = aim_shares(slip, children)
        sign = 1.0 if own >= 0.0 else -1.0
    visits, seen = np.float64(load(node, VISITS)), 0.0
    for index in range(children):
        child = node_at(first, index)
        if load(child, VISITS):
            seen += np.float64(load_single(note_of(pool, notes, child), LIKED))
    usual = (0.0 if visits == 0.0 else -load_real(node, TOTAL) / visits) - sign * FPU * math.sqrt(seen)
    # The simulation in hand is counted as awaited already.
    reach = explore * math.sqrt(visits + np.float64(load_single(note_of(pool, notes, node), AWAITED)))
    best, chosen = -1e300, 0
    for index in range(children):
        child = node_at(first, index)
        note = note_of(pool, notes, child)
        awaited = np.float64(load_single(note, AWAITED))
        times = np.float64(load(child, VISITS)) + awaited
        if is_proven(child):
            value = load_real(child, TOTAL)
            if slip > 0.0 and sign * value >= 1.0:
                return index
            if slip == 0.0 and value < 0.0:
                continue
        elif times == 0.0:
            value = usual
        else:
            value = (load_real(child, TOTAL) - sign * awaited) / times
        bound = sign * value + reach * np.float64(load_single(note, LIKED)) / (1.0 + times)
        if bound > best:
            best, chosen = bound, index
    return chosen


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
def give_back(pool: np.uint64, notes: np.uint64, way: Ways) -> None:
    """Leave a way as if nobody had gone it."""
    for index in range(np.int64(way[LENGTH]) + 1):
        await_answer(pool, notes, way[WAY + index], -1.0)


@kernel
def back_up(state: np.uint64, way: Ways, value: float, news: bool, slip: float) -> None:
    """Count what a simulation was worth in all nodes on its way, and prove those that are by now.

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
        node = parent
        add_games(node, value, 1)
        await_answer(pool, notes, node, -1.0)
    count(state, SIMULATIONS)
