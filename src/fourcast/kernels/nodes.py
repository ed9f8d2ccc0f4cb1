"""The nodes of a Monte Carlo tree: a pool of them in one piece of memory.

A node is a position that a disc led to. It takes 32 bytes, and the children of a node lie one after the
other, always further on in the pool than it does. What a node is worth is seen by *who moved into it*, so
that the side to move compares its children by their numbers as they are.

In selecting, two numbers of each child are looked at: its value, and its width, which is 1 / sqrt(visits).
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.memory import load, load_real, load_signed, load_single, store, store_real, store_single

NODE_WORDS = 4
NODE_BYTES = 8 * NODE_WORDS

VALUE, WIDTH = 0, 1  # as float32: the first word
TOTAL = 1  # float64: the sum of what the games through it were worth; of a proven one, its exact value
VISITS = 2  # games that went through it
LINK = 3  # what the shifts below say

# A link: the index of the first child (32 bits; 0 if there are none), how many there are, the column that led
# here, the plies from here to the end as far as a proof tells, and whether the value is proven.
COUNT_AT, COLUMN_AT, PLIES_AT, PROVEN_AT = 32, 40, 48, 56
FIRST_MASK, BYTE = (1 << 32) - 1, 255

UNVISITED = np.float32(1e9)  # the width of a child that has to be looked at first


@kernel
def node_at(pool: np.uint64, index: int) -> np.uint64:
    """The address of a node."""
    return pool + np.uint64(NODE_BYTES) * np.uint64(index)


@kernel
def make_node(node: np.uint64, column: int) -> None:
    """A node that nobody has looked at."""
    store_single(node, VALUE, np.float32(0.0))
    store_single(node, WIDTH, UNVISITED)
    store_real(node, TOTAL, 0.0)
    store(node, VISITS, np.uint64(0))
    store(node, LINK, np.uint64(column) << np.uint64(COLUMN_AT))


@kernel
def first_child(pool: np.uint64, node: np.uint64) -> np.uint64:
    """The address of a node's first child; that of the pool if it has none."""
    return pool + np.uint64(NODE_BYTES) * (load(node, LINK) & np.uint64(FIRST_MASK))  # type: ignore[no-any-return]


@kernel
def count_of(node: np.uint64) -> int:
    """How many children a node has."""
    return np.int64((load(node, LINK) >> np.uint64(COUNT_AT)) & np.uint64(BYTE))  # type: ignore[return-value]


@kernel
def column_of(node: np.uint64) -> int:
    """The column that led to a node."""
    return np.int64((load(node, LINK) >> np.uint64(COLUMN_AT)) & np.uint64(BYTE))  # type: ignore[return-value]


@kernel
def plies_of(node: np.uint64) -> int:
    """Plies to the end of a proven node's game."""
    return np.int64((load(node, LINK) >> np.uint64(PLIES_AT)) & np.uint64(BYTE))  # type: ignore[return-value]


@kernel
def is_proven(node: np.uint64) -> bool:
    """Whether a node's value is exact."""
    return load(node, LINK) >= np.uint64(1 << PROVEN_AT)  # type: ignore[no-any-return]


@kernel
def give_children(node: np.uint64, first: int, count: int) -> None:
    """Say where a node's children are."""
    places = np.uint64(first) | (np.uint64(count) << np.uint64(COUNT_AT))
    store(node, LINK, load(node, LINK) | places)


@kernel
def prove(node: np.uint64, value: float, plies: int) -> None:
    """Settle a node: there is nothing left to find out about it."""
    known = np.uint64(1 << PROVEN_AT) | (np.uint64(plies) << np.uint64(PLIES_AT))
    store(node, LINK, load(node, LINK) | known)
    store_real(node, TOTAL, value)
    store_single(node, VALUE, np.float32(value))
    store_single(node, WIDTH, np.float32(0.0))


@kernel
def doubt(node: np.uint64) -> None:
    """Take a proof back: its value counts as that of the games that went through the node.

    Without children it is as if nobody had looked at it, since that is how it gets some.
    """
    value = load_real(node, TOTAL)
    store(node, LINK, load(node, LINK) & np.uint64((1 << PLIES_AT) - 1))
    if count_of(node) == 0:
        store(node, VISITS, np.uint64(0))
    store_real(node, TOTAL, value * np.float64(load(node, VISITS)))
    revalue(node)


@kernel
def add_games(node: np.uint64, value: float, games: int) -> None:
    """Count games that went through a node, and what they were worth on average."""
    visits: np.uint64 = load(node, VISITS) + np.uint64(games)
    store(node, VISITS, visits)
    if not is_proven(node):
        number = np.float64(visits)
        total = load_real(node, TOTAL) + value * games
        store_real(node, TOTAL, total)
        store_single(node, VALUE, np.float32(total / number))
        store_single(node, WIDTH, np.float32(1.0 / np.sqrt(number)))


@kernel
def choose(first: np.uint64, count: int, reach: float, sign: float) -> int:
    """The index of the child with the highest upper confidence bound, the first of equals.

    Args:
        first: The address of the first child.
        count: How many there are.
        reach: How many widths a value may be off.
        sign: 1, or -1 if the lowest values are wanted.
    """
    far, way = np.float32(reach), np.float32(sign)
    best, chosen = np.float32(-1e30), 0
    child = first
    for index in range(count):
        bound = way * load_single(child, VALUE) + far * load_single(child, WIDTH)
        if bound > best:
            best, chosen = bound, index
        child += np.uint64(NODE_BYTES)
    return chosen


@kernel
def keep_subtree(
    board: Board,  # noqa: ARG001  # for the cache
    pool: np.uint64,
    used: int,
    root: int,
    notes: np.uint64,
) -> int:
    """Move a node and all below it to the front of the pool, and forget the rest.

    Nodes keep their order, and none moves back, so this needs no other room than a mark in each.

    Args:
        board: The geometry.
        pool: Where the nodes are.
        used: How many there are.
        root: The index of the one that becomes the first.
        notes: The address of a word for each node that goes where it goes; 0 where there are none.

    Returns:
        How many there are now.
    """
    # What is kept gets its new index, plus one, in the place of its value, which visits and total tell again.
    for index in range(root, used):
        store(node_at(pool, index), 0, np.uint64(0))
    store(node_at(pool, root), 0, np.uint64(1))
    kept = 0
    for index in range(root, used):
        node = node_at(pool, index)
        if load(node, 0):
            kept += 1
            store(node, 0, np.uint64(kept))
            child = first_child(pool, node)
            for _ in range(count_of(node)):
                store(child, 0, np.uint64(1))
                child += np.uint64(NODE_BYTES)
    for index in range(root, used):
        node = node_at(pool, index)
        if load(node, 0):
            place = load_signed(node, 0) - 1
            goal = node_at(pool, place)
            link: np.uint64 = load(node, LINK)
            if count_of(node):
                link = (link & ~np.uint64(FIRST_MASK)) | (load(first_child(pool, node), 0) - np.uint64(1))
            total, visits = load_real(node, TOTAL), load(node, VISITS)
            store_real(goal, TOTAL, total)
            store(goal, VISITS, visits)
            store(goal, LINK, link)
            revalue(goal)
            if notes:
                store(notes, place, load(notes, index))
    return kept


@kernel
def revalue(node: np.uint64) -> None:
    """Make a node's value and width of its total and visits."""
    visits = np.float64(load(node, VISITS))
    total = load_real(node, TOTAL)
    if is_proven(node):
        store_single(node, VALUE, np.float32(total))
        store_single(node, WIDTH, np.float32(0.0))
    elif visits == 0.0:
        store_single(node, VALUE, np.float32(0.0))
        store_single(node, WIDTH, UNVISITED)
    else:
        store_single(node, VALUE, np.float32(total / visits))
        store_single(node, WIDTH, np.float32(1.0 / np.sqrt(visits)))
