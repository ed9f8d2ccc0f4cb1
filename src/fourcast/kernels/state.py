"""The state of a search: its counters, its tables and its room for moves, in one piece of memory.

Every thread has one, and hands it on by its address.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, halves_of, kernel
from fourcast.kernels.memory import load, store
from fourcast.kernels.table import FAR_PLY, TABLE_WORDS

# The words of a state. The first two are those of a Control. LEAVE is how threads tell each other that a
# question is settled. LOOK is the number of nodes at which something is to be done: MOST_NODES are used up,
# which is as if it were asked to stop; PAUSE is reached, which is a reason to leave; or the far table is
# worth its while. From TABLES on they are those of kernels.table, then one a cell (how many lines go through
# it), then room for the moves of each ply (see kernels.choices).
ASKED, NODES, LEAVE, LOOK, MOST_NODES, PAUSE, TABLES = range(7)
WORTHS = TABLES + TABLE_WORDS

NEAR_NODES = 16384  # a search of fewer nodes keeps everything near
LATE = 14  # plies before the end from which on positions are always kept near


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
def moves_at(board: Board, state: np.uint64, ply: int) -> np.uint64:
    """The address of the room for the moves of a ply."""
    return state + np.uint64(8 * (WORTHS + board.bits + ply * board.columns * (2 + 5 * board.halves)))


@kernel
def visit(board: Board, state: np.uint64) -> np.uint64:
    """Count a node, and do what is due at this number of nodes."""
    nodes: np.uint64 = load(state, NODES) + np.uint64(1)
    store(state, NODES, nodes)
    if nodes >= load(state, LOOK):
        look_up(board, state, nodes)
    return nodes


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
def is_stopped(state: np.uint64) -> bool:
    """Whether to leave everything and return."""
    return (load(state, ASKED) | load(state, LEAVE)) != np.uint64(0)  # type: ignore[no-any-return]
