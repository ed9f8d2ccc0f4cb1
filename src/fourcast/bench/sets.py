"""What was measured on sets of positions, as a table and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from fourcast.machine import machine

#: The ratio to the peer's CPU time that a set should reach, by its name.
BARS = {
    "Test_L3_R1": 0.11,
    "Test_L2_R1": 0.18,
    "Test_L2_R2": 0.36,
    "Test_L1_R1": 0.04,
    "Test_L1_R2": 0.53,
    "beginning, hard": 0.30,
    "empty board": 0.11,
}

WORTHWHILE = 1e-3  # seconds by the clock: the table shows what two threads gain on sets that take more

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_NUMBERS = ((1e6, "M"), (1e3, "k"))


@dataclass(frozen=True, slots=True)
class SetFigures:
    """What was measured on one set of positions.

    Attributes:
        name: What the set is called.
        positions: How many there are.
        asked: "single", one position a crossing into compiled code; or "many", as many as can be.
        seconds: The mean CPU time of a position, in one thread.
        p99: The CPU time that 99 of 100 positions do not pass, each asked in a crossing of its own.
        nodes: The mean of the nodes.
        wrong: How many scores are not those of the set; None if it has none.
        peer: The program that was asked the same.
        peer_seconds: Its mean CPU time.
        peer_nodes: The mean of its nodes, by its own count.
        disagree: How many of its scores are not ours.
        one_thread: The mean time by the clock, in one thread; None if two were not tried.
        two_threads: The same in two threads.
    """

    name: str
    positions: int
    asked: str
    seconds: float
    p99: float
    nodes: float
    wrong: int | None
    peer: str | None = None
    peer_seconds: float | None = None
    peer_nodes: float | None = None
    disagree: int | None = None
    one_thread: float | None = None
    two_threads: float | None = None

    @property
    def nodes_per_second(self) -> float:
        """Nodes a second of CPU time, in one thread."""
        return self.nodes / self.seconds

    @property
    def ratio(self) -> float | None:
        """Our CPU time over the peer's: smaller is better."""
        return self.seconds / self.peer_seconds if self.peer_seconds else None

    @property
    def speedup(self) -> float | None:
        """How many times faster two threads are, by the clock."""
        return self.one_thread / self.two_threads if self.one_thread and self.two_threads else None

    @property
    def bar(self) -> float | None:
        """The ratio to reach; None if the set is not known by its name."""
        return BARS.get(self.name)

    @property
    def passed(self) -> bool | None:
        """Whether the bar is reached; None without one or without a peer."""
        return None if self.bar is None or self.ratio is None else self.ratio <= self.bar

    def to_json(self) -> dict[str, Any]:
        """The fields, and what follows from them."""
        fields = asdict(self)
        return (
            {"set": fields.pop("name")}
            | fields
            | {
                "nodes_per_second": self.nodes_per_second,
                "ratio": self.ratio,
                "speedup": self.speedup,
                "bar": self.bar,
                "passed": self.passed,
            }
        )


@dataclass(slots=True)
class SetsReport:
    """The figures of one run, and the machine that they were made on.

    Attributes:
        sets: The figures of each set.
        complete: Whether all sets are in it.
    """

    sets: list[SetFigures] = field(default_factory=list)
    complete: bool = False

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions and the figures."""
        document = machine() | {"sets": [each.to_json() for each in self.sets]}
        return document if self.complete else document | {"complete": False}

    def to_text(self) -> str:
        """A table of at most 80 columns."""
        here = machine()
        peer = next((each.peer for each in self.sets if each.peer), "")
        lines = [
            f"Fourcast {here['fourcast']}, Python {here['python']}, Numba {here['numba']}, no book, on",
            here["processor"][:80],
            "",
            f"{'set':<17}{'size':>5}{'mean':>8} {'99%':>8}{'nodes':>7}{'wrong':>6}{peer:>9}{'ratio':>6}"
            f"{'bar':>5}{'threads':>8}",
        ]
        lines += [_row(each) for each in self.sets]
        if any(each.asked == "many" for each in self.sets):
            lines.append("* many at once")
        if any(_gain(each) for each in self.sets):
            lines.append("threads: how many times faster two are, by the clock")
        if any(each.passed is False for each in self.sets):
            lines.append("! above its bar")
        lines += [
            f"{each.peer} disagrees with {each.disagree} scores of {each.name}"
            for each in self.sets
            if each.disagree
        ]
        return "\n".join(lines)


def _row(each: SetFigures) -> str:
    name = each.name if len(each.name) <= 17 else f"{each.name[:14]}..."
    wrong = "" if each.wrong is None else str(each.wrong)
    theirs = "" if each.peer_seconds is None else _short(each.peer_seconds, _TIMES)
    ratio = "" if each.ratio is None else f"{each.ratio:.3f}"
    bar = "" if each.bar is None else f"{each.bar:.2f}"
    mark = "!" if each.passed is False else ""
    gain = _gain(each)
    mean = _short(each.seconds, _TIMES) + ("*" if each.asked == "many" else " ")
    p99, nodes = _short(each.p99, _TIMES), _short(each.nodes, _NUMBERS)
    return (
        f"{name:<17}{each.positions:>5}{mean:>9}{p99:>8}{nodes:>7}"
        f"{wrong:>6}{theirs:>9}{ratio:>6}{bar:>5}{mark:<2}{gain:>6}"
    ).rstrip()


def _gain(each: SetFigures) -> str:
    """How many times faster two threads are, where it is worth a word."""
    worthwhile = each.one_thread and each.one_thread > WORTHWHILE
    return f"{each.speedup:.2f}x" if worthwhile and each.speedup else ""


def _short(number: float, units: tuple[tuple[float, str], ...]) -> str:
    """A number to three digits, in the largest unit that leaves something before the point."""
    for size, unit in units:
        if number >= size:
            digits = f"{number / size:.3g}" if number < 999 * size else f"{number / size:.0f}"
            return f"{digits} {unit}"
    return f"{number:.3g}"
