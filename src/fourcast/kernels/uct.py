"""Monte Carlo tree search: UCT with proofs, and with chance where discs slip.

One simulation goes down the tree, at each node to the child with the highest upper confidence bound, to one
that has no children yet; plays that position out by chance; and counts the result in every node on its way. A
node gets children when it is reached again. Values are in [-1, 1].

Without slip, what a position shows at a glance (a win at once, threats that cannot be met, forced blocks) is
looked at before any game is played: such nodes are proven, and moves that lose at once get no node at all. A
node whose child is won is proven, and so is one whose children all are. With slip, a child is where a disc
*lands*. Choosing a column is worth (1 - p - q) V + q S, where V is the value of landing there, S the sum over
all n open columns, p the slip and q = p / (n - 1); so the best column to aim at is the one with the best V, or
the worst if 1 - p - q is negative.
"""

from __future__ import annotations

import math

import numpy as np

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.chance import next_number
from fourcast.kernels.clock import now
from fourcast.kernels.effort import (
    DEADLINE,
    EFFORT,
    LEAVES,
    MOST_NODES,
    MOST_SIMULATIONS,
    NEVER,
    NODES,
    REACHED,
    SIMULATIONS,
    STOP,
)
from fourcast.kernels.memory import load, load_real, load_signed, store, watch
from fourcast.kernels.nodes import (
    LINK,
    NODE_BYTES,
    TOTAL,
    VISITS,
    add_games,
    choose,
    column_of,
    count_of,
    first_child,
    give_children,
    is_proven,
    make_node,
    node_at,
    plies_of,
    prove,
)
from fourcast.kernels.playouts import play_on
from fourcast.kernels.points import evaluate
from fourcast.kernels.tricks import Stones, completing_cells, playable_cells, read
from fourcast.kernels.words import popcount

LOOK_EVERY = 32  # games between looks at the clock: some hundredths of a millisecond
OPEN, WON, LOST, DRAWN = range(4)

# After the words of `effort`: the weights of the evaluation, the order in which children are made, how often
# each column was aimed at in the root, and room for the addresses of the nodes on a way down.
WEIGHTS = EFFORT


def order_at(geometry: Geometry) -> int:
    """Where the order of the columns begins."""
    return WEIGHTS + geometry.connect + 2


def aims_at(geometry: Geometry) -> int:
    """Where the counts of columns aimed at begin."""
    return order_at(geometry) + geometry.columns


def state_words(geometry: Geometry) -> int:
    """How many words a search's state takes."""
    return aims_at(geometry) + geometry.columns + geometry.cells + 2


@kernel
def simulate(
    board: Board,
    state: np.uint64,
    pool: np.uint64,
    stones: Stones,
    stream: np.uint64,
    explore: float,
    slip: float,
    cut: int,
    scale: float,
    batch: int,
) -> None:
    """Simulate games until the root is proven, or games or time are used up.

    Args:
        board: The geometry.
        state: The search's state. `NODES` says how many nodes the tree has already, 0 before the root.
        pool: The address of room for `MOST_NODES` nodes, the root first.
        stones: The stones of the side to move and of the other side; their game goes on.
        stream: Where the chance starts.
        explore: How many widths a value may be off, times sqrt(log(visits)).
        slip: The chance that a disc lands in another column.
        cut: Plies of a playout; 0 plays to the end.
        scale: Points of the evaluation, in its thousandths, that make a value of tanh(1).
        batch: Playouts of each leaf.
    """
    my_root, their_root = read(board, stones[0]), read(board, stones[1])
    root_ply = popcount(my_root | their_root)
    order = state + np.uint64(8 * (WEIGHTS + board.connect + 2))
    aims = order + np.uint64(8 * board.columns)
    path = aims + np.uint64(8 * board.columns)
    fraction, left = np.uint64(0), 0
    if load(state, NODES) == np.uint64(0):
        make_node(pool, 0)
        store(state, NODES, np.uint64(1))
        if slip == 0.0:
            see(board, pool, my_root, their_root)
    games, most = load_signed(state, SIMULATIONS), load_signed(state, MOST_SIMULATIONS)
    look = games
    while games < most and not is_proven(pool):
        if games >= look:
            look = games + LOOK_EVERY
            if load(state, DEADLINE) != NEVER and now() >= load(state, DEADLINE):
                store(state, STOP, np.uint64(1))
            if watch(state, STOP):
                break
        # Down the tree.
        mine, theirs = my_root, their_root
        node, depth = pool, 0
        store(path, 0, node)
        news = False  # whether the last node on the way was proven just now
        while not is_proven(node):
            if count_of(node) == 0:
                if depth > 0 and load(node, VISITS) == np.uint64(0):
                    if slip == 0.0:
                        see(board, node, mine, theirs)
                        news = is_proven(node)
                    break
                if not expand(board, state, pool, node, mine, theirs, slip):
                    break
                if slip > 0.0 and prove_by_landings(pool, node, slip):
                    news = True
                    break
            first, count = first_child(pool, node), count_of(node)
            reach = explore * math.sqrt(math.log(np.float64(load(node, VISITS) + np.uint64(1))))
            if slip == 0.0:
                index = choose(first, count, reach, 1.0)
            else:
                index = choose_aim(first, count, reach, slip)
                if depth == 0:
                    aimed = column_of(first + np.uint64(NODE_BYTES * index))
                    store(aims, aimed, load(aims, aimed) + np.uint64(1))
                stream, index = land(stream, index, count, slip)
            node = first + np.uint64(NODE_BYTES) * np.uint64(index)
            depth += 1
            store(path, depth, node)
            lane = board.lane << (column_of(node) * board.height)
            cell = playable_cells(board, mine | theirs) & lane
            mine, theirs = theirs, mine | cell
        if np.uint64(depth) > load(state, REACHED):
            store(state, REACHED, np.uint64(depth))
        # What the node is worth to who moved into it.
        played = 1
        if is_proven(node):
            value = load_real(node, TOTAL)
        else:
            played = min(batch, most - games)
            ply = root_ply + depth
            last = board.cells if cut == 0 else min(ply + cut, board.cells)
            total = 0.0
            for _ in range(played):
                mover, waiter, end, won, stream, fraction, left = play_on(
                    board, mine, theirs, ply, last, stream, fraction, left
                )
                result = 0.0  # to who moved last
                if won:
                    result = 1.0
                elif end < board.cells:
                    points = evaluate(board, state + np.uint64(8 * WEIGHTS), waiter, mover)
                    result = math.tanh(points / scale)
                total += -result if (end - ply) & 1 else result
            value = total / played
            store(state, LEAVES, load(state, LEAVES) + np.uint64(1))
        # And back to the root.
        add_games(node, value, played)
        for above in range(depth - 1, -1, -1):
            parent: np.uint64 = load(path, above)
            if news:
                news = prove_by_child(pool, parent, node) if slip == 0.0 else prove_by_landings(pool, parent, slip)
            value = load_real(parent, TOTAL) if news else -value
            node = parent
            add_games(node, value, played)
        games += played
        store(state, SIMULATIONS, np.uint64(games))


@kernel
def glance(board: Board, mine: int, theirs: int) -> tuple[int, int]:
    """What a position whose game goes on shows without search, and the cells that do not lose at once.

    It is won (at once), lost (at the next disc), drawn (no two discs are left, and neither wins), or open.
    """
    occupied = mine | theirs
    playable = playable_cells(board, occupied)
    if completing_cells(board, mine) & playable:
        return WON, playable
    threats = completing_cells(board, theirs) & ~occupied
    safe = playable & ~(threats >> 1)
    forced = playable & threats
    if forced:
        safe = safe & forced
        if forced & (forced - board.one):
            return LOST, safe
    if not safe:
        return LOST, safe
    if popcount(occupied) + 2 >= board.cells:
        return DRAWN, safe
    return OPEN, safe


@kernel
def see(board: Board, node: np.uint64, mine: int, theirs: int) -> None:
    """Prove a node if its position shows what becomes of it."""
    seen, _ = glance(board, mine, theirs)
    if seen == WON:
        prove(node, -1.0, 1)
    elif seen == LOST:
        prove(node, 1.0, 2)
    elif seen == DRAWN:
        prove(node, 0.0, board.cells - popcount(mine | theirs))


@kernel
def expand(
    board: Board, state: np.uint64, pool: np.uint64, node: np.uint64, mine: int, theirs: int, slip: float
) -> bool:
    """Give a node its children, if there is room: without slip, those that do not lose at once."""
    occupied = mine | theirs
    cells = playable_cells(board, occupied)
    wins = board.zero
    if slip == 0.0:
        _, cells = glance(board, mine, theirs)
    else:
        wins = completing_cells(board, mine)
    used, count = load_signed(state, NODES), popcount(cells)
    if used + count > load_signed(state, MOST_NODES):
        return False
    order = state + np.uint64(8 * (WEIGHTS + board.connect + 2))
    child = node_at(pool, used)
    for index in range(board.columns):
        column = load_signed(order, index)
        cell = cells & (board.lane << (column * board.height))
        if cell:
            make_node(child, column)
            if cell & wins:
                prove(child, 1.0, 0)
            elif (occupied | cell) == board.full:
                prove(child, 0.0, 0)
            child += np.uint64(NODE_BYTES)
    give_children(node, used, count)
    store(state, NODES, np.uint64(used + count))
    return True


@kernel
def prove_by_child(pool: np.uint64, node: np.uint64, child: np.uint64) -> bool:
    """Prove a node, if it can be, one of whose children was proven just now; without slip."""
    if load_real(child, TOTAL) > 0.0:
        prove(node, -1.0, plies_of(child) + 1)
        return True
    best, plies = -1.0, 0
    sibling = first_child(pool, node)
    for _ in range(count_of(node)):
        if not is_proven(sibling):
            return False
        best = max(best, load_real(sibling, TOTAL))
        plies = max(plies, plies_of(sibling) + 1)
        sibling += np.uint64(NODE_BYTES)
    prove(node, 0.0 - best, plies)
    return True


@kernel
def aim_weights(count: int, slip: float) -> tuple[float, float]:
    """What choosing a column is worth: the first times its landing's value, plus the second times all's sum."""
    if count == 1:
        return 1.0, 0.0
    each = slip / (count - 1)
    return 1.0 - slip - each, each


@kernel
def prove_by_landings(pool: np.uint64, node: np.uint64, slip: float) -> bool:
    """Prove a node with slip, if all its landings are proven: its value is that of the best aim."""
    first, count = first_child(pool, node), count_of(node)
    own, each = aim_weights(count, slip)
    total, best = 0.0, -2.0
    for index in range(count):
        child = first + np.uint64(NODE_BYTES) * np.uint64(index)
        if not is_proven(child):
            return False
        value = load_real(child, TOTAL)
        total += value
        best = max(best, own * value)
    prove(node, 0.0 - (best + each * total), 0)
    return True


@kernel
def choose_aim(first: np.uint64, count: int, reach: float, slip: float) -> int:
    """The index of the column to aim at: one that nothing can better, or else that of the highest bound."""
    own, _ = aim_weights(count, slip)
    sign = 1.0 if own >= 0.0 else -1.0
    for index in range(count):
        child = first + np.uint64(NODE_BYTES) * np.uint64(index)
        if is_proven(child) and sign * load_real(child, TOTAL) >= 1.0:
            return index
    return choose(first, count, reach, sign)


@kernel
def land(stream: np.uint64, aim: int, count: int, slip: float) -> tuple[np.uint64, int]:
    """The stream's next state, and which of so many open columns a disc falls into."""
    if count == 1:
        return stream, aim
    stream, number = next_number(stream)
    chance = np.float64(number >> np.uint64(11)) * 2.0**-53
    if chance >= slip:
        return stream, aim
    other = min(int(chance / slip * (count - 1)), count - 2)
    return stream, other + 1 if other >= aim else other
