"""Long kernels can be watched and stopped."""

from __future__ import annotations

import time
from typing import NoReturn

import pytest

from fourcast import Position
from fourcast.kernels.background import STOP, Control, run_watched
from fourcast.kernels.distinct import distinct_counts
from fourcast.kernels.perft import perft


def interrupt(*_: int) -> NoReturn:
    raise KeyboardInterrupt


def test_what_ends_the_wait_stops_the_kernel() -> None:
    """A perft of 30 plies would take centuries."""
    perft(Position(), 4)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        perft(Position(), 30, watch=interrupt)
    assert time.monotonic() - start < 60


def test_counting_positions_can_be_stopped_too() -> None:
    counts = []
    with pytest.raises(KeyboardInterrupt):
        for count in distinct_counts(Position(), 30, watch=lambda ply, *_: interrupt() if ply == 9 else None):
            counts.append(count)  # noqa: PERF402  # those before the interruption are wanted
    assert len(counts) == 9


def test_progress_is_seen_and_ends_complete() -> None:
    seen: list[tuple[int, int]] = []
    perft(Position(), 6, watch=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (49, 49)


def test_an_error_in_the_work_reaches_the_caller() -> None:
    def work(_: Control) -> int:
        raise error

    for error in (ValueError("no"), TimeoutError("no")):
        with pytest.raises(type(error), match="no"):
            run_watched(work)


def test_the_work_is_told_to_stop() -> None:
    controls = []

    def work(control: Control) -> bool:
        controls.append(control)
        while not control.signals[STOP]:
            time.sleep(0.01)
        return True

    with pytest.raises(KeyboardInterrupt):
        run_watched(work, interrupt)
    assert controls[0].signals[STOP] == 1


def test_work_that_is_done_was_not_stopped() -> None:
    controls, stopped = [], []
    assert run_watched(lambda control: controls.append(control), stop=lambda: stopped.append(1)) is None
    assert (controls[0].signals[STOP], stopped) == (0, [])
    with pytest.raises(KeyboardInterrupt):
        run_watched(lambda _: None, interrupt, stop=lambda: stopped.append(1))
    assert stopped == [1]
