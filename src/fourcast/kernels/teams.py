"""Several threads on one question: they share the far table, and tell each other what they are busy with.

Every thread runs the same search. Before it searches a move other than the first (at the last ply that is
shared, any move), it looks whether another thread is at that very position, and then tries its other moves
first; when it comes back, the answer is often in the table. (The idea is known as ABDADA; the small table of
positions in work is Tom Kerrigan's.)

Questions come in rounds. The leader sets a question; whoever settles it first ends the round for all.
"""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import kernel
from fourcast.kernels.memory import load, store
from fourcast.kernels.tricks import mixed

# What a team shares. ANSWER is what a helper has found, with the round and the question in the same word;
# from BUSY on, a table of the positions that some thread is at, by their mixed keys; two may share one, which
# only costs time.
ROUND, QUESTION, ANSWER, DONE, BUSY = range(5)
BUSY_PLACES = 1 << 12
TEAM_WORDS = BUSY + BUSY_PLACES


@kernel
def is_busy(team: np.uint64, key: int) -> bool:
    """Whether a thread is at this position."""
    mark = mixed(key)
    return load(team, np.uint64(BUSY) + (mark >> np.uint64(52))) == mark  # type: ignore[no-any-return]


@kernel
def begin(team: np.uint64, key: int) -> None:
    """Say that this thread is at a position."""
    mark = mixed(key)
    store(team, np.uint64(BUSY) + (mark >> np.uint64(52)), mark)


@kernel
def end(team: np.uint64, key: int) -> None:
    """Say that it is done with it."""
    mark = mixed(key)
    place = np.uint64(BUSY) + (mark >> np.uint64(52))
    if load(team, place) == mark:
        store(team, place, np.uint64(0))
