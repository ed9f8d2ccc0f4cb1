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


class Team:
    """What the threads of a memory have between them while they work on one position.

    Attributes:
        words: uint64, laid out as `kernels.teamwork` says.
        address: Where they begin.
        seats: uint64: where each thread's own words begin, laid out as `kernels.together` says.
    """

    def __init__(self, memory: Memory) -> None:
        self.words = np.zeros(TEAM_WORDS, dtype=np.uint64)
        self.address = np.uint64(address_of(self.words))
        self._work = np.zeros(PLACES, dtype=np.uint64)
        self._rows = np.zeros((len(memory.states), seat_words(memory.geometry.cells)), dtype=np.uint64)
        self._rows[:, WORK] = address_of(self._work)
        self.seats = np.array([address_of(row) for row in self._rows], dtype=np.uint64)


def prepare_team(memory: Memory, stones: Stones) -> None:
    """Load or compile what several threads need, by a question that is settled before it is asked."""
    board = board_of(memory.geometry)
    team = Team(memory)
    leader, helper = memory.addresses[:2]
    lead(board, memory.addresses, team.seats[0], team.address, stones, np.zeros(2, dtype=np.int64))
    help_out(board, helper, team.seats[1], leader, team.address, stones)


def bisect_together(memory: Memory, stones: Stones, bounds: npt.NDArray[np.int64]) -> None:
    """As `kernels.exact.bisect`, with all the threads of a memory if the position turns out to be hard."""
    board = board_of(memory.geometry)
    leader, *helpers = memory.addresses
    memory.pause_after(ALONE)
    bisect(board, leader, stones, bounds)
    if bounds[0] == bounds[1] or memory.stopped:
        return
    memory.share_out()
    team = Team(memory)
    with ThreadPoolExecutor(len(helpers)) as pool:
        helping = [
            pool.submit(help_out, board, helper, seat, leader, team.address, stones)
            for helper, seat in zip(helpers, team.seats[1:], strict=True)
        ]
        lead(board, memory.addresses, team.seats[0], team.address, stones, bounds)
        while wait(helping, timeout=0.001).not_done:  # in case that one has missed the word
            memory.states[1:, LEAVE] = 1
        for each in helping:
            each.result()
    memory.states[0, LEAVE] = 0  # a helper may have said so when the leader was done
