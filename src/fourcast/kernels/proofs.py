"""What is proven in a Monte Carlo tree: by a glance at a position, by one child, or by all of them.

Without slip, what a position shows at a glance (a win at once, threats that cannot be met, forced blocks) is
looked at before any game is played. A node with a won child is proven, and so is one whose children all are.

With slip, a child is where a disc *lands*. With V its value, S the sum over all n open columns, p the slip
and q = p / (n - 1), aiming at a column is worth (1 - p - q) V + q S. So the best column to aim at is the one
with the best V, or the worst where 1 - p - q is negative; and a node is proven when all its landings are.
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.chance import next_number
from fourcast.kernels.memory import load_real
from fourcast.kernels.nodes import (
    NODE_BYTES,
    TOTAL,
    choose,
    count_of,
    first_child,
    is_proven,
    plies_of,
    prove,
)
from fourcast.kernels.tricks import aim_shares, completing_cells, playable_cells
from fourcast.kernels.words import popcount

OPEN, WON, LOST, DRAWN = range(4)


@kernel
def glance(board: Board, mine: int, theirs: int) -> tuple[int, int]:
    """What a position whose game goes on shows without search, and the cells that do not lose at once.

    It is won (at once), lost (at the next disc), drawn (at most two discs are left, and neither wins), or
    open.
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
def prove_by_glance(board: Board, node: np.uint64, mine: int, theirs: int) -> bool:
    """Prove a node if its position shows what becomes of it; without slip."""
    seen, _ = glance(board, mine, theirs)
    if seen == WON:
        prove(node, -1.0, 1)
    elif seen == LOST:
        prove(node, 1.0, 2)
    elif seen == DRAWN:
        prove(node, 0.0, board.cells - popcount(mine | theirs))
    return seen != OPEN


@kernel
def prove_by_child(pool: np.uint64, node: np.uint64, child: np.uint64) -> bool:
    """Prove a node, if it can be, one of whose children was proven just now; without slip.

    The plies to the end are those within which the winner wins for sure; there may be a shorter way.
    """
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
def prove_by_landings(pool: np.uint64, node: np.uint64, slip: float) -> bool:
    """Prove a node with slip, if all its landings are proven: its value is that of the best aim."""
    first, count = first_child(pool, node), count_of(node)
    own, each = aim_shares(slip, count)
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
    own, _ = aim_shares(slip, count)
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
