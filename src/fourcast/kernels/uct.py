"""Monte Carlo tree search: UCT with proofs, and with chance where discs slip.

One simulation goes down the tree, at each node to the child with the highest upper confidence bound, until it
comes to one that has no children; plays that position out; and counts the result in every node on its way. A
node gets children when it is reached again. Values are in [-1, 1]; a node's is seen by who moved into it.

Nodes that are proven (`kernels.proofs`) are played out no more, and without slip, moves that lose at once get
no node at all.
"""

from __future__ import annotations

import math

import numpy as np

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.effort import (
    BEST,
    DEADLINE,
    DEPTH,
    EFFORT,
    LEAVES,
    MOST_NODES,
    MOST_SIMULATIONS,
    NEVER,
    NODES,
    SIMULATIONS,
    STOP,
    is_late,
)
from fourcast.kernels.memory import load, load_real, load_signed, store, watch
from fourcast.kernels.nodes import (
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
    prove,
)
from fourcast.kernels.playouts import play_on
from fourcast.kernels.points import EXTRA_WEIGHTS, evaluate
from fourcast.kernels.proofs import (
    choose_aim,
    glance,
    land,
    prove_by_child,
    prove_by_glance,
    prove_by_landings,
)
from fourcast.kernels.sharp import play_sharply
from fourcast.kernels.tricks import Stones, completing_cells, playable_cells, read
from fourcast.kernels.words import popcount

LOOK_EVERY = 32  # games between looks at the clock: some hundredths of a millisecond

# After the words of `effort`: the weights of the evaluation, the order in which children are made, how often
# each column was aimed at in the root, and room for the addresses of the nodes on a way down.
WEIGHTS = EFFORT


def order_at(geometry: Geometry) -> int:
    """Where the order of the columns begins."""
    return WEIGHTS + geometry.connect + 1 + EXTRA_WEIGHTS


def aims_at(geometry: Geometry) -> int:
    """Where the counts of columns aimed at begin."""
    return order_at(geometry) + geometry.columns


def state_words(geometry: Geometry) -> int:
    """How many words a search's state takes."""
    return aims_at(geometry) + geometry.columns + geometry.cells + 2


@kernel
def order_of(board: Board, state: np.uint64) -> np.uint64:
    """The address of the order of the columns."""
    return state + np.uint64(8 * (WEIGHTS + board.connect + 1 + EXTRA_WEIGHTS))


@kernel
def aims_of(board: Board, state: np.uint64) -> np.uint64:
    """The address of the counts of columns aimed at."""
    return order_of(board, state) + np.uint64(8 * board.columns)


@kernel
def path_of(board: Board, state: np.uint64) -> np.uint64:
    """The address of the room for a way down."""
    return aims_of(board, state) + np.uint64(8 * board.columns)


@kernel
def simulate(
    board: Board,
    state: np.uint64,
    pool: np.uint64,
    stones: Stones,
    stream: np.uint64,
    explore: float,
    slip: float,
    sharp: bool,
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
        explore: How far off a value may be: this times sqrt(log(visits of the parent) / visits).
        slip: The chance that a disc lands in another column.
        sharp: Whether players of playouts see two discs ahead.
        cut: Plies of a playout; 0 plays to the end.
        scale: Points of the evaluation, in its thousandths, that make a value of tanh(1).
        batch: Playouts of each leaf.
    """
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    ply = popcount(mine | theirs)
    fraction, left = np.uint64(0), 0
    if load(state, NODES) == np.uint64(0):
        make_node(pool, 0)
        store(state, NODES, np.uint64(1))
        if slip == 0.0:
            prove_by_glance(board, pool, mine, theirs)
    games, most = load_signed(state, SIMULATIONS), load_signed(state, MOST_SIMULATIONS)
    look = games
    while games < most and not is_proven(pool):
        if games >= look:
            look = games + LOOK_EVERY
            store(state, SIMULATIONS, np.uint64(games))
            if is_time(state, pool):
                break
        depth, my_leaf, their_leaf, stream, news = descend(
            board, state, pool, mine, theirs, stream, explore, slip
        )
        leaf: np.uint64 = load(path_of(board, state), depth)
        played = 1
        if is_proven(leaf):
            value = load_real(leaf, TOTAL)
        else:
            played = min(batch, most - games)
            total = 0.0
            for _ in range(played):
                result, stream, fraction, left = play_leaf(
                    board,
                    state,
                    my_leaf,
                    their_leaf,
                    ply + depth,
                    slip,
                    sharp,
                    cut,
                    scale,
                    stream,
                    fraction,
                    left,
                )
                total += result
            value = total / played
            store(state, LEAVES, load(state, LEAVES) + np.uint64(1))
        back_up(board, state, pool, depth, value, played, news, slip)
        games += played
    store(state, SIMULATIONS, np.uint64(games))


@kernel
def is_time(state: np.uint64, pool: np.uint64) -> bool:
    """Whether to stop now; and tell who watches which column is ahead."""
    child, most = first_child(pool, pool), np.uint64(0)
    for _ in range(count_of(pool)):
        if load(child, VISITS) > most:
            most = load(child, VISITS)
            store(state, BEST, np.uint64(column_of(child) + 1))
        child += np.uint64(NODE_BYTES)
    if load(state, DEADLINE) != NEVER and is_late(state):
        store(state, STOP, np.uint64(1))
    return watch(state, STOP) != np.uint64(0)  # type: ignore[no-any-return]


@kernel
def descend(
    board: Board,
    state: np.uint64,
    pool: np.uint64,
    mine: int,
    theirs: int,
    stream: np.uint64,
    explore: float,
    slip: float,
) -> tuple[int, int, int, np.uint64, bool]:
    """Go down the tree to a node that is to be played out or is proven.

    Returns:
        How many plies down it lies (the way there is in the state), its stones, the stream's next state, and
        whether it was proven just now.
    """
    path = path_of(board, state)
    node, depth = pool, 0
    store(path, 0, node)
    news = False
    while not is_proven(node):
        if count_of(node) == 0:
            if depth > 0 and load(node, VISITS) == np.uint64(0):
                if slip == 0.0:
                    news = prove_by_glance(board, node, mine, theirs)
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
                aims, aimed = aims_of(board, state), column_of(node_at(first, index))
                store(aims, aimed, load(aims, aimed) + np.uint64(1))
            stream, index = land(stream, index, count, slip)
        node = node_at(first, index)
        depth += 1
        store(path, depth, node)
        cell = playable_cells(board, mine | theirs) & (board.lane << (column_of(node) * board.height))
        mine, theirs = theirs, mine | cell
    if np.uint64(depth) > load(state, DEPTH):
        store(state, DEPTH, np.uint64(depth))
    return depth, mine, theirs, stream, news


@kernel
def expand(
    board: Board, state: np.uint64, pool: np.uint64, node: np.uint64, mine: int, theirs: int, slip: float
) -> bool:
    """Give a node its children, if there is room: without slip, those that do not lose at once."""
    occupied = mine | theirs
    cells, wins = playable_cells(board, occupied), board.zero
    if slip == 0.0:
        _, cells = glance(board, mine, theirs)
    else:
        wins = completing_cells(board, mine)
    used, count = load_signed(state, NODES), popcount(cells)
    if used + count > load_signed(state, MOST_NODES):
        return False
    order = order_of(board, state)
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
def play_leaf(
    board: Board,
    state: np.uint64,
    mine: int,
    theirs: int,
    ply: int,
    slip: float,
    sharp: bool,
    cut: int,
    scale: float,
    stream: np.uint64,
    fraction: np.uint64,
    left: int,
) -> tuple[float, np.uint64, np.uint64, int]:
    """Play a position out once.

    Returns:
        What came of it for the side that is not to move, and the stream's state, fraction and columns left.
    """
    last = board.cells if cut == 0 else min(ply + cut, board.cells)
    if sharp:
        mover, waiter, end, won, stream, fraction, left = play_sharply(
            board, mine, theirs, ply, last, slip, stream, fraction, left
        )
    else:
        mover, waiter, end, won, stream, fraction, left = play_on(
            board, mine, theirs, ply, last, stream, fraction, left
        )
    result = 0.0  # to who moved last
    if won:
        result = 1.0
    elif end < board.cells:
        result = math.tanh(evaluate(board, state + np.uint64(8 * WEIGHTS), waiter, mover) / scale)
    return -result if (end - ply) & 1 else result, stream, fraction, left


@kernel
def back_up(
    board: Board,
    state: np.uint64,
    pool: np.uint64,
    depth: int,
    value: float,
    games: int,
    news: bool,
    slip: float,
) -> None:
    """Count what games were worth in all nodes on the way, and prove those that are by now.

    Args:
        board: The geometry.
        state: The search's state, the way in it.
        pool: Where the nodes are.
        depth: Plies from the root to the last node.
        value: What the games were worth on average to who moved into that.
        games: How many they were.
        news: Whether that node was proven just now.
        slip: The chance that a disc lands in another column.
    """
    path = path_of(board, state)
    node: np.uint64 = load(path, depth)
    add_games(node, value, games)
    for above in range(depth - 1, -1, -1):
        parent: np.uint64 = load(path, above)
        if news:
            news = (
                prove_by_child(pool, parent, node) if slip == 0.0 else prove_by_landings(pool, parent, slip)
            )
        value = load_real(parent, TOTAL) if news else -value
        node = parent
        add_games(node, value, games)
