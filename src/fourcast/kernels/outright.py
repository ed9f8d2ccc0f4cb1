"""Nodes of a Monte Carlo tree that the exact search proves outright, within a few nodes of its own.

It asks who wins, and no more: a null window for a win and one for a loss, the likelier first. A node that it
runs out of nodes with is left as it is; what was proven on the way stays in the tables, so that the same
question goes on from there when it is asked again.

A win that is proven so is known to come, but not how soon: the node's plies are the most that it can take.
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.exact import answer, calm, score_range
from fourcast.kernels.memory import load, load_real, store
from fourcast.kernels.nodes import NODE_BYTES, TOTAL, count_of, first_child, is_proven, prove
from fourcast.kernels.state import ASKED, LEAVE, LOOK, MOST_NODES, NODES, is_stopped
from fourcast.kernels.tricks import mirrored, position_key
from fourcast.kernels.words import popcount

MOST_EMPTY = 33  # cells: with more, one proof in thirty succeeds on the standard board


@kernel
def outcome_bounds(
    board: Board, exact: np.uint64, mine: int, theirs: int, nodes: int, losing: bool
) -> tuple[int, int]:
    """Bounds on the score of a position whose game goes on: it is decided if both have the same sign.

    Args:
        board: The geometry.
        exact: The state of the exact search (`kernels.state`), its tables with what was found before.
        mine: The stones of the side to move, which cannot win at once.
        theirs: Those of the other side.
        nodes: How many the search may visit.
        losing: Whether to ask first if the side to move loses.
    """
    store(exact, ASKED, np.uint64(0))
    store(exact, LEAVE, np.uint64(0))
    most = load(exact, NODES) + np.uint64(nodes)
    store(exact, MOST_NODES, most)
    store(exact, LOOK, most)
    lower, upper = score_range(board, mine, theirs)
    decided, score, mine, theirs, my_wins, their_wins, key, ply, side = calm(
        board, mine, theirs, popcount(mine | theirs)
    )
    if decided:
        return score, score
    for turn in range(2):
        asked = -1 if losing == (turn == 0) else 0
        if lower > asked or upper <= asked:
            continue
        alpha = asked if side > 0 else -asked - 1
        score = side * answer(board, exact, mine, theirs, my_wins, their_wins, key, alpha, ply)
        if is_stopped(exact):
            break
        if score > asked:
            lower = max(lower, score)
        else:
            upper = min(upper, score)
    return lower, upper


@kernel
def prove_outright(
    board: Board, exact: np.uint64, node: np.uint64, mine: int, theirs: int, nodes: int, losing: bool
) -> bool:
    """Prove a node if so many nodes of the exact search are enough; without slip. See `outcome_bounds`.

    It is not tried while so much of the board is empty that it would hardly ever succeed. Of a position and
    its mirror image always the same one is searched, so that both are proven or neither is.
    """
    left = board.cells - popcount(mine | theirs)
    if left > MOST_EMPTY:
        return False
    key = position_key(board, mine, mine | theirs)
    if mirrored(board, key) < key:
        mine, theirs = mirrored(board, mine), mirrored(board, theirs)
    lower, upper = outcome_bounds(board, exact, mine, theirs, nodes, losing)
    if lower > 0:
        prove(node, -1.0, longest_end(left, lower, 1))
    elif upper < 0:
        prove(node, 1.0, longest_end(left, -upper, 0))
    elif lower == upper:
        prove(node, 0.0, left)
    return is_proven(node)


@kernel
def longest_end(left: int, score: int, odd: int) -> int:
    """The most plies that a game can take which is won with so many discs left or more.

    Args:
        left: Empty cells.
        score: The winner's discs that are left, the winning one counted.
        odd: 1 if the side to move wins, 0 if the other does.
    """
    plies = left + 2 - 2 * score
    return plies if plies & 1 == odd else plies - 1


@kernel
def is_shown(pool: np.uint64, node: np.uint64) -> bool:
    """Whether the children of a proven node tell how: one of them wins, or all are proven."""
    won = load_real(node, TOTAL) < 0.0
    child, known = first_child(pool, node), count_of(node) > 0
    for _ in range(count_of(node)):
        if is_proven(child) and load_real(child, TOTAL) > 0.0:
            return True
        known = known and is_proven(child)
        child += np.uint64(NODE_BYTES)
    return known and not won
