"""The nodes of a Monte Carlo tree: what is counted in them, and how a part of a tree is kept."""

from __future__ import annotations

import numpy as np

from fourcast import STANDARD
from fourcast.kernels.board import board_of
from fourcast.kernels.memory import address_of
from fourcast.kernels.nodes import (
    NODE_WORDS,
    add_games,
    choose,
    first_child,
    give_children,
    keep_subtree,
    make_node,
    node_at,
    prove,
)

EXPLOITING, EXPLORING = 0.0, 1e3


def test_a_subtree_moves_to_the_front_with_everything_that_is_known_of_it() -> None:
    words = np.zeros((20, NODE_WORDS), dtype=np.uint64)
    pool = np.uint64(address_of(words))
    nodes = [node_at(pool, index) for index in range(20)]
    for index in range(14):
        make_node(nodes[index], index)
    give_children(nodes[0], 1, 3)  # 1, 2, 3
    give_children(nodes[1], 4, 3)  # 4, 5, 6
    give_children(nodes[2], 7, 4)  # 7, 8, 9, 10
    give_children(nodes[9], 11, 3)  # 11, 12, 13
    for index, value, games in ((7, 0.1, 20), (8, 0.3, 100), (9, 0.2, 5), (11, -0.5, 3), (2, -0.25, 128)):
        add_games(nodes[index], value, games)
    prove(nodes[10], -1.0, 6)
    prove(nodes[12], 0.0, 4)
    before = words.copy()
    notes = np.arange(100, 120, dtype=np.uint64)

    assert keep_subtree(board_of(STANDARD), pool, 14, 2, np.uint64(address_of(notes))) == 8
    moved = {2: 0, 7: 1, 8: 2, 9: 3, 10: 4, 11: 5, 12: 6, 13: 7}
    links = {2: 1, 9: 5}
    for old, new in moved.items():
        wanted = before[old].copy()
        if old in links:
            wanted[3] = wanted[3] & ~np.uint64(0xFFFFFFFF) | np.uint64(links[old])
        assert words[new].tolist() == wanted.tolist()
        assert notes[new] == 100 + old
    first = first_child(pool, nodes[0])
    assert choose(first, 4, EXPLOITING, 1.0) == 1, "the best"
    assert choose(first, 4, EXPLORING, 1.0) == 2, "the one least known, but for what is proven"
    assert choose(first, 4, EXPLOITING, -1.0) == 3, "the worst"


def test_a_node_that_nobody_has_looked_at_comes_first_and_the_first_of_them() -> None:
    words = np.zeros((3, NODE_WORDS), dtype=np.uint64)
    pool = np.uint64(address_of(words))
    for index in range(3):
        make_node(node_at(pool, index), index)
    add_games(pool, 1.0, 1)
    assert choose(pool, 3, EXPLORING, 1.0) == 1
    assert choose(pool, 3, EXPLOITING, 1.0) == 0
