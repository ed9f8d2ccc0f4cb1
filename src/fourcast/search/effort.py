"""What a search in compiled code may spend and has spent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fourcast.game.limit import MOST_COUNT, Limit
from fourcast.kernels import effort as words
from fourcast.kernels.background import run_watched
from fourcast.kernels.memory import address_of
from fourcast.search.progress import Progress

Result = TypeVar("Result")

MOST_RECORDS = 1 << 20  # nodes of a recorded tree
_IN_HAND = 0.15  # the most of a time limit that is kept in hand because of what was seen before


class Effort:
    """The state of a search, which compiled code and the threads that watch it share.

    Attributes:
        words: uint64: those of `kernels.effort`, and what the search needs besides.
        address: Where they begin.
    """

    def __init__(self, size: int) -> None:
        self.words: npt.NDArray[np.uint64] = np.zeros(size, dtype=np.uint64)
        self.address = np.uint64(address_of(self.words))
        self._records = np.zeros((0, words.RECORD_WORDS), dtype=np.uint64)
        self._start = time.monotonic_ns()

    def begin(self, limit: Limit, record_plies: int = 0) -> None:
        """Start counting anew, and the clock."""
        self._start = time.monotonic_ns()
        state = self.words
        longest = min(self.count(words.LONGEST), int((limit.seconds or 0) * _IN_HAND * 1e9))
        state[: words.EFFORT] = 0
        state[words.LOOKED] = self._start
        state[words.LONGEST] = longest
        state[words.MOST_NODES] = limit.nodes or MOST_COUNT
        state[words.MOST_SIMULATIONS] = limit.simulations or MOST_COUNT
        state[words.DEADLINE] = words.NEVER
        state[words.FRAME] = words.NEVER
        if limit.seconds:
            state[words.DEADLINE] = self._start + int(limit.seconds * 1e9)
        self.record(record_plies)

    def record(self, plies: int) -> None:
        """Record the tree anew, down to so many plies below the root."""
        if plies and not len(self._records):
            self._records = np.zeros((MOST_RECORDS, words.RECORD_WORDS), dtype=np.uint64)
        self.words[words.RECORD_PLIES] = plies
        self.words[words.RECORDS] = address_of(self._records)
        self.words[words.RECORDED] = 0
        self.words[words.MOST_RECORDS] = len(self._records)

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self.words[words.STOP] = 1

    def count(self, word: int) -> int:
        """One of the words of `kernels.effort`."""
        return int(self.words[word])

    @property
    def is_stopped(self) -> bool:
        """Whether nodes or time have run out, or somebody has stopped it."""
        return bool(self.words[words.STOP])

    @property
    def seconds(self) -> float:
        """Time since `begin`."""
        return (time.monotonic_ns() - self._start) / 1e9

    @property
    def progress(self) -> Progress:
        """How far it has come; another thread may ask."""
        column = self.count(words.BEST) - 1
        return Progress(
            self.count(words.DEPTH),
            self.count(words.NODES),
            None if column < 0 else column,
            self.seconds,
            self.count(words.SIMULATIONS),
        )

    @property
    def records(self) -> npt.NDArray[np.int64]:
        """The nodes that were recorded: int64 of shape (nodes, words), as `kernels.effort.record` says."""
        return self._records[: min(self.count(words.RECORDED), MOST_RECORDS)].view(np.int64)

    @property
    def memory(self) -> int:
        """Bytes of the state, the records, and the stack that the recursion took."""
        lowest = self.words[words.FRAME]
        stack = 0 if lowest == words.NEVER else max(self.count(words.ROOT_FRAME) - int(lowest), 0)
        return int(self.words.nbytes + self.records.nbytes + stack)


def run(work: Callable[[], Result], stop: Callable[[], None], *, long: bool) -> Result:
    """Do work that runs in compiled code; if it may be long, so that Ctrl-C is heard meanwhile.

    Args:
        work: What to do.
        stop: Ends it from another thread.
        long: Whether a person might wait for it.
    """
    if long and threading.current_thread() is threading.main_thread():
        return run_watched(lambda _: work(), stop=stop)
    return work()
