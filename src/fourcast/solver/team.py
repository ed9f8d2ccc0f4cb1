"""Several threads on one position."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import board_of
from fourcast.kernels.exact import bisect
from fourcast.kernels.memory import address_of
from fourcast.kernels.state import LEAVE
from fourcast.kernels.teamwork import TEAM_WORDS, help_out, lead
from fourcast.kernels.together import PLACES, WORK, seat_words
from fourcast.kernels.tricks import Stones
from fourcast.solver.memory import Memory

ALONE = 20_000  # nodes that one thread visits before it calls for help; by then the far table is in use


def bisect_together(memory: Memory, stones: Stones, bounds: npt.NDArray[np.int64]) -> None:
    """As `kernels.exact.bisect`, with all the threads of a memory if the position turns out to be hard."""
    board = board_of(memory.geometry)
    leader, *helpers = memory.addresses
    memory.pause_after(ALONE)
    bisect(board, leader, stones, bounds)
    if bounds[0] == bounds[1] or memory.stopped:
        return
    memory.share_out()
    shared = np.zeros(TEAM_WORDS, dtype=np.uint64)
    work = np.zeros(PLACES, dtype=np.uint64)
    rows = np.zeros((len(memory.addresses), seat_words(memory.geometry.cells)), dtype=np.uint64)
    rows[:, WORK] = address_of(work)
    team = np.uint64(address_of(shared))
    seats = np.array([address_of(row) for row in rows], dtype=np.uint64)
    with ThreadPoolExecutor(len(helpers)) as pool:
        helping = [
            pool.submit(help_out, board, helper, seat, leader, team, stones)
            for helper, seat in zip(helpers, seats[1:], strict=True)
        ]
        lead(board, memory.addresses, seats[0], team, stones, bounds)
        while wait(helping, timeout=0.001).not_done:  # in case that one has missed the word
            memory.states[1:, LEAVE] = 1
        for each in helping:
            each.result()
