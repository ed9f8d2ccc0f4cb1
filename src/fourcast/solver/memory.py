"""The memory of a solver: the tables, and a state for each thread."""

from __future__ import annotations

import numpy as np

from fourcast.game.errors import BadLimit
from fourcast.game.geometry import Geometry
from fourcast.game.limit import MOST_COUNT
from fourcast.kernels.board import board_of
from fourcast.kernels.memory import address_of
from fourcast.kernels.state import (
    ASKED,
    LATE,
    LEAVE,
    LOOK,
    MOST_NODES,
    NEAR_NODES,
    NODES,
    PAUSE,
    TABLES,
    WORTHS,
    cell_worths,
    state_words,
)
from fourcast.kernels.table import EPOCH, FAR, FAR_PLY, LEAST_BUCKETS, NEAR, bucket_shift, entry_words, forget


class Memory:
    """Tables of a given size, and the states of the threads that search with them.

    Attributes:
        states: uint64 of shape (threads, words), laid out as `kernels.state` says.
        addresses: uint64: where each thread's state begins.

    Raises:
        BadLimit: The tables would be too small to be of use, or too large to be had.
    """

    def __init__(self, geometry: Geometry, table_mb: int, threads: int) -> None:
        self.geometry = geometry
        self._most = MOST_COUNT
        words = 2 * entry_words(geometry)  # of a bucket
        near = LEAST_BUCKETS // entry_words(geometry)
        far = (table_mb << 20) // (8 * words) - near * threads
        if far < LEAST_BUCKETS:
            least = -(-(LEAST_BUCKETS + near * threads) * 8 * words >> 20)
            whose = f"on board {geometry}" + (f" with {threads} threads" if threads > 1 else "")
            raise BadLimit(f"table_mb {table_mb}: {whose} it must be {least} or more")
        try:
            self._table = np.zeros(words * (near * threads + far), dtype=np.uint64)
            self.states = np.zeros((threads, state_words(geometry)), dtype=np.uint64)
        except (MemoryError, ValueError):  # NumPy's word for sizes beyond all bounds
            raise BadLimit(f"table_mb {table_mb}: there is not that much memory") from None
        self.states[:, WORTHS : WORTHS + geometry.bits] = cell_worths(geometry)
        self.addresses = np.array([address_of(state) for state in self.states], dtype=np.uint64)
        start = address_of(self._table)
        for thread, tables in enumerate(self.states[:, TABLES:WORTHS]):
            for table, bucket, buckets in ((NEAR, near * thread, near), (FAR, near * threads, far)):
                tables[table] = start + 8 * words * bucket
                tables[table + 1] = buckets
                tables[table + 2] = bucket_shift(geometry, buckets)
            tables[EPOCH] = 1

    def clear(self) -> None:
        """Forget everything that was proven."""
        forget(board_of(self.geometry), self.addresses[0] + np.uint64(8 * TABLES))
        self._follow_the_first()

    def begin(self, nodes: int | None) -> None:
        """Make the states ready for a new question that may visit so many nodes."""
        self._most = most = nodes or MOST_COUNT
        self.states[:, [ASKED, NODES, LEAVE]] = 0
        self.states[:, MOST_NODES] = most
        self.states[:, PAUSE] = MOST_COUNT
        self._look_in_time()

    def pause_after(self, nodes: int) -> None:
        """Let the first thread visit so many nodes more, if as many are left, and then leave its work."""
        state = self.states[0]
        visited = int(state[NODES])
        if self._most < MOST_COUNT:
            state[MOST_NODES] = visited + max(self._most - self.nodes, 0)
        state[PAUSE] = min(visited + nodes, MOST_COUNT)
        state[LOOK] = min(state[LOOK], state[PAUSE], state[MOST_NODES])

    def share_out(self) -> None:
        """Make all threads ready to work from here on, each with its share of the nodes that are left."""
        self.states[:, LEAVE] = 0
        self.states[:, PAUSE] = MOST_COUNT
        if self._most < MOST_COUNT:
            share = max(self._most - self.nodes, 0) // len(self.states)
            self.states[:, MOST_NODES] = self.states[:, NODES] + np.uint64(share)
        self._look_in_time()

    def use_far(self) -> None:
        """Keep positions in the far table from now on: for many short questions, which together are long."""
        self.states[:, TABLES + FAR_PLY] = max(self.geometry.cells - LATE, 0)

    def stop(self) -> None:
        """End what is being asked, from another thread."""
        self.states[:, ASKED] = 1

    @property
    def stopped(self) -> bool:
        """Whether the question was stopped, or has used up its nodes."""
        return bool(self.states[0, ASKED])

    @property
    def nbytes(self) -> int:
        """What the tables and the states take."""
        return self._table.nbytes + self.states.nbytes

    @property
    def nodes(self) -> int:
        """Positions visited since `begin`, by all threads."""
        return int(self.states[:, NODES].sum())

    def _look_in_time(self) -> None:
        """Have every thread look up when its nodes are used up, or the far table is worth its while."""
        self._follow_the_first()
        self.states[:, LOOK] = self.states[:, MOST_NODES]
        if not self.states[0, TABLES + FAR_PLY]:
            soon = self.states[:, NODES] + np.uint64(NEAR_NODES)
            self.states[:, LOOK] = np.minimum(self.states[:, LOOK], soon)

    def _follow_the_first(self) -> None:
        for word in (EPOCH, FAR_PLY):
            self.states[1:, TABLES + word] = self.states[0, TABLES + word]
