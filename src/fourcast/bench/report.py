"""A measurement and a table of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from fourcast.machine import machine


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure.

    Attributes:
        name: What was done.
        board: On which board; empty if it does not matter.
        seconds: The median time of a run.
        amount: How many units a run did.
        unit: What they are; "run" when the time itself is the figure.
        bar: What it should reach: units a second, or for "run" the seconds that it should not pass.
        peer: The program that did the same beside it.
        peer_rate: That program's units a second.
    """

    name: str
    board: str
    seconds: float
    amount: int
    unit: str
    bar: float | None = None
    peer: str | None = None
    peer_rate: float | None = None

    @property
    def rate(self) -> float:
        """Units a second."""
        return self.amount / self.seconds

    @property
    def ratio(self) -> float | None:
        """How many times faster than the peer."""
        return self.rate / self.peer_rate if self.peer_rate else None

    @property
    def passed(self) -> bool | None:
        """Whether the bar is reached; None without one."""
        if self.bar is None:
            return None
        return self.seconds <= self.bar if self.unit == "run" else self.rate >= self.bar

    def to_json(self) -> dict[str, Any]:
        """The fields, and what follows from them."""
        return asdict(self) | {"rate": self.rate, "ratio": self.ratio, "passed": self.passed}


@dataclass(slots=True)
class Report:
    """The measurements of one run, and the machine that they were made on.

    Attributes:
        measurements: What was measured.
        used: How much of the machine, in words.
    """

    measurements: list[Measurement] = field(default_factory=list)
    used: str = "one core"

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions and the measurements."""
        return machine() | {"measurements": [each.to_json() for each in self.measurements]}

    def to_text(self) -> str:
        """A table of at most 80 columns."""
        here = machine()
        lines = [
            f"Fourcast {here['fourcast']}, Python {here['python']}, Numba {here['numba']}, {self.used} of",
            here["processor"][:80],
            "",
            f"{'':<28}{'board':<8}{'figure':>17}{'bar':>10}  beside",
        ]
        for each in self.measurements:
            timed = each.unit == "run"
            figure = short_time(each.seconds) if timed else f"{short_number(each.rate)} {each.unit}/s"
            bar = "" if each.bar is None else (_bar(each.bar) if timed else f"{short_number(each.bar)}/s")
            mark = " !" if each.passed is False else "  "
            beside = f"{each.ratio:.0f}x {each.peer}" if each.ratio else ""
            lines.append(f"{each.name:<28}{each.board:<8}{figure:>17}{bar:>10}{mark}{beside}".rstrip())
        if any(each.passed is False for each in self.measurements):
            lines.append("! below its bar")
        return "\n".join(lines)


def median_seconds(work: Callable[[], object], repeat: int) -> float:
    """The median time of `repeat` runs, after one that does not count."""
    return medians([work], repeat)[0]


def medians(works: Sequence[Callable[[], object]], repeat: int) -> list[float]:
    """The median time of each of several works, run in turn so that they share the machine's moods."""
    times: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(repeat):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def _bar(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 0.01 else f"{1e6 * seconds:g} us"


def short_time(seconds: float) -> str:
    """A time in three digits and the unit that suits it."""
    if seconds >= 0.1:
        return f"{seconds:.3f} s"
    return f"{1000 * seconds:.3g} ms" if seconds >= 0.001 else f"{1e6 * seconds:.3g} us"


def short_number(number: float) -> str:
    """A number in three digits, with k, M or G."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g}"
