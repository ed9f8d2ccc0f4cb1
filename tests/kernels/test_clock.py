"""The clock of compiled code."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import kernel
from fourcast.kernels.clock import now


@kernel
def read_clock(times: npt.NDArray[np.uint64]) -> None:
    for index in range(len(times)):
        times[index] = now()


def test_it_is_the_clock_that_python_reads() -> None:
    times = np.zeros(1, dtype=np.uint64)
    read_clock(times)  # compiled
    for _ in range(100):
        before = time.monotonic_ns()
        read_clock(times)
        assert before <= int(times[0]) <= time.monotonic_ns()


def test_it_never_runs_backwards() -> None:
    times = np.zeros(100_000, dtype=np.uint64)
    read_clock(times)
    assert (np.diff(times.astype(np.int64)) >= 0).all()
    assert times[-1] > times[0], "and it does run"
