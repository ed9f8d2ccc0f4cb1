"""Monte Carlo tree search that asks a network instead of playing games out: PUCT, with proofs and slip.

A simulation goes down the tree, at each node to the child with the highest sum of what it is worth and of how
much the network likes it for as little as it was visited. It ends at a node without children, of which the
network is asked: it likes the children that the node now gets, and what it thinks the node worth is counted
on the way back. Networks are asked about several positions at a time, so `gather` goes down until it has a
handful, and `settle` (in `kernels.answers`) takes what was said of them. Until then every node on their ways
counts as visited and lost, so that the next simulation tries something else.

What was said is kept, since different columns often lead to the same position; of a position and its mirror
image one is asked about. What is decided at a glance is not asked about, nor what the exact search proves
within a few nodes (`kernels.outright`), nor is a position with a single column that does not lose: that
column is gone on from.
"""

from __future__ import annotations

import math

import numpy as np

from fourcast.kernels.answers import (
    AWAITED,
    EXACT,
    FULL,
    LENGTH,
    LIKED,
    NOTES,
    ORDER,
    POOL,
    PROOF,
    TURNED,
    WAY,
    Answers,
    Ways,
    await_answer,
    back_up,
    bear,
    give_back,
    note_of,
    slot_of,
    take_answer,
)
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.clock import now
from fourcast.kernels.effort import (
    DEADLINE,
    DEPTH,
    MOST_SIMULATIONS,
    NEVER,
    NODES,
    SIMULATIONS,
    STOP,
)
from fourcast.kernels.memory import load, load_real, load_signed, load_single, store, watch
from fourcast.kernels.nodes import (
    TOTAL,
    VISITS,
    column_of,
    count_of,
    doubt,
    first_child,
    is_proven,
    make_node,
    node_at,
)
from fourcast.kernels.outright import is_shown, prove_outright
from fourcast.kernels.proofs import OPEN, glance, land, prove_by_glance
from fourcast.kernels.tricks import (
    Stones,
    aim_shares,
    mirrored,
    playable_cells,
    position_key,
    read,
    write,
)
from fourcast.kernels.words import popcount

FPU = 0.25  # how much less than its parent a child seems worth that nobody looked at, where all others were
TRIES = 256  # simulations of one handful that need no answer, at most

# How a way down ends: at a node that is proven, that was never looked at, that an answer is awaited of, or
# that there is no room for children of.
_PROVEN, _FRESH, _TAKEN, _CROWDED = range(4)


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
    elif is_proven(pool) and glance(board, mine, theirs)[0] == OPEN and not is_shown(pool, pool):
        doubt(pool)  # it is known who wins, but not by which column
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
        if watch(state, STOP) or (load(state, DEADLINE) != NEVER and now() >= load(state, DEADLINE)):
            break  # proofs take time, too
    return found, stream


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
                elif depth > 0 and load(state, PROOF):
                    losing = load_real(way[WAY + depth - 1], TOTAL) < 0.0  # as far as it is known before
                    if prove_outright(
                        board, load(state, EXACT), node, mine, theirs, load_signed(state, PROOF), losing
                    ):
                        news, end = True, _PROVEN
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

    Without slip, what is proven is left alone, since there is nothing left to find out about it; but in the
    root draws are gone to, so that its visits tell which columns are good. With slip it is the column to aim
    at, which is the one with the worst landing where a disc is likelier to land elsewhere.
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
            if slip == 0.0 and (value < 0.0 or node != pool):
                continue
        elif times == 0.0:
            value = usual
        else:
            value = (load_real(child, TOTAL) - sign * awaited) / times
        bound = sign * value + reach * np.float64(load_single(note, LIKED)) / (1.0 + times)
        if bound > best:
            best, chosen = bound, index
    return chosen
