"""What a search counts, and what makes it stop: the first words of every search's state.

A search that runs in compiled code is given the address of its state, an array of uint64. These words come
first in all of them; what a search needs besides follows from `EFFORT` on. Another thread may read any of
them at any time, and set `STOP`.
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import kernel
from fourcast.kernels.clock import now
from fourcast.kernels.memory import frame, load, store

(
    STOP,  # set: leave everything and return
    NODES,  # positions visited
    LEAVES,  # of these, how many were evaluated
    CUTOFFS,  # positions left early because a bound was passed
    HITS,  # positions answered by the table
    MOST_NODES,  # nodes at which to stop
    DEADLINE,  # nanoseconds of the clock at which to stop
    LOOKED,  # nanoseconds of the clock when it was looked at last
    LONGEST,  # nanoseconds between two looks, the most so far
    LOOK,  # nodes at which to look at the clock next
    DEPTH,  # plies that the search in work looks ahead
    BEST,  # 1 + the best column so far; 0 before there is one
    REACHED,  # most plies below the root that were visited
    ROOT_FRAME,  # where the stack was when the search began
    FRAME,  # the stack's lowest address that was seen
    RECORD_PLIES,  # plies below the root down to which the tree is recorded
    RECORDS,  # address of the records
    RECORDED,  # how many there are
    MOST_RECORDS,  # how many there is room for
    SIMULATIONS,  # games played out
    MOST_SIMULATIONS,  # games at which to stop
    EFFORT,
) = range(22)

LOOK_EVERY = 256  # nodes between looks at the clock: some hundredths of a millisecond
NEVER = np.uint64((1 << 64) - 1)

# The words of a record, see `record`.
RECORD_PLY, RECORD_COLUMN, RECORD_ALPHA, RECORD_BETA, RECORD_VALUE, RECORD_NODES, RECORD_WORDS = range(7)


@kernel
def visit(state: np.uint64, ply: int) -> bool:
    """Count a node that lies so many plies below the root; False if the search is to stop."""
    nodes: np.uint64 = load(state, NODES) + np.uint64(1)
    store(state, NODES, nodes)
    if ply == 0:
        store(state, ROOT_FRAME, frame())
    if np.uint64(ply) > load(state, REACHED):
        store(state, REACHED, np.uint64(ply))
        store(state, FRAME, min(load(state, FRAME), frame()))
    if nodes >= load(state, LOOK):
        look_up(state, nodes)
    return load(state, STOP) == np.uint64(0)  # type: ignore[no-any-return]


@kernel
def look_up(state: np.uint64, nodes: np.uint64) -> None:
    """See whether nodes or time are used up."""
    if nodes > load(state, MOST_NODES):
        store(state, NODES, nodes - np.uint64(1))  # this one is not visited any more
        store(state, STOP, np.uint64(1))
    elif load(state, DEADLINE) != NEVER and is_late(state):
        store(state, STOP, np.uint64(1))
    store(state, LOOK, min(nodes + np.uint64(LOOK_EVERY), load(state, MOST_NODES) + np.uint64(1)))


@kernel
def is_late(state: np.uint64) -> bool:
    """Whether the next look at the clock might come after the deadline.

    Looks are so close together that a long time between two of them means that the machine was busy with
    something else. It may be again, so as much time as the longest of these is kept in hand.
    """
    time = now()
    gap = time - load(state, LOOKED)
    store(state, LOOKED, time)
    store(state, LONGEST, max(load(state, LONGEST), gap))
    return time + load(state, LONGEST) >= load(state, DEADLINE)  # type: ignore[no-any-return]


@kernel
def is_stopped(state: np.uint64) -> bool:
    """Whether to leave everything and return."""
    return load(state, STOP) != np.uint64(0)  # type: ignore[no-any-return]


@kernel
def count(state: np.uint64, what: int) -> None:
    """Add one to one of the counts."""
    store(state, what, load(state, what) + np.uint64(1))


@kernel
def record(
    state: np.uint64, ply: int, column: int, alpha: int, beta: int, value: int, nodes: np.uint64
) -> None:
    """Write down a node that was left, if there is room; its children have been written down before it.

    The root is not written down: what is known of it, the search returns.

    Args:
        state: The search's state.
        ply: Plies below the root, 1 or more.
        column: The column that led to it.
        alpha: The window that it was searched with, seen by its side to move.
        beta: The same.
        value: What it was found to be worth to its side to move.
        nodes: Positions visited in it, itself included.
    """
    index = load(state, RECORDED)
    if index < load(state, MOST_RECORDS):
        at = load(state, RECORDS) + np.uint64(8 * RECORD_WORDS) * index
        store(at, RECORD_PLY, np.uint64(ply))
        store(at, RECORD_COLUMN, np.uint64(column))
        store(at, RECORD_ALPHA, np.uint64(alpha))
        store(at, RECORD_BETA, np.uint64(beta))
        store(at, RECORD_VALUE, np.uint64(value))
        store(at, RECORD_NODES, nodes)
    store(state, RECORDED, index + np.uint64(1))
