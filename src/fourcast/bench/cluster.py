"""How work scales that is shared out: this process, two, a cluster of one and of two nodes on this machine.

Each piece of work is what a verb does from beginning to end, its own share in this process among it, with
`workers` that are there already and have compiled code loaded.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast.arena.match import MatchPlan, MatchTally, play_match
from fourcast.arena.openings import Openings
from fourcast.arena.referee import Conditions
from fourcast.arena.store import Store
from fourcast.bench.nodes import local_nodes
from fourcast.bench.report import short_number
from fourcast.extras import require
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.rules import Rules
from fourcast.learning.misplayed import Misplays, play_games
from fourcast.learning.positions import make_positions
from fourcast.machine import machine
from fourcast.solver.building import build_book
from fourcast.workers import HereWorkers, LocalWorkers, Workers
from fourcast.workers.processes import cores

HERE, PROCESSES, ONE_NODE, TWO_NODES = "this process", "two processes", "one node", "two nodes"
_BOOK_BOARD, _TABLE_MB = Geometry(5, 6, 4), 16

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Chore:
    """Something that can be shared out.

    Attributes:
        name: What is done, in pieces of what.
        amount: How many pieces; of a book, how many plies.
        warm: How many to begin with, that do not count.
        do: Does as much with these workers, in the round of that number; gives back how many pieces there
            were. No round finds in a solver's table what one before it has left.
    """

    name: str
    amount: int
    warm: int
    do: Callable[[Workers, int, int], int]


def chores(share: float) -> list[Chore]:
    """What is measured; `share` of what takes some four seconds on one core."""

    def of(whole: int) -> int:
        return max(int(whole * share), 2)

    return [
        Chore("positions of a book", 6 if share >= 1 else 3, 2, _book),
        Chore("labels of positions", of(600), 20, _labels),
        Chore("teachers' games", of(100), 6, _teachers),
        Chore("games", of(200), 12, _games("mcts:200", "negamax:nodes=5000")),
        Chore("quick games", of(8000), 400, _games("random", "greedy")),
    ]


def _book(workers: Workers, plies: int, number: int) -> int:
    """The last ply of a small book; by a table of another size each time, which is another table."""
    with tempfile.TemporaryDirectory() as folder:
        path, size = Path(folder) / "bench.book", _TABLE_MB + number
        book = build_book(_BOOK_BOARD, plies, path, workers=workers, table_mb=size)
    return int(book.starts[-1] - book.starts[-2])


def _labels(workers: Workers, count: int, number: int) -> int:
    return len(make_positions(STANDARD, count, (13, 16), seed=number, workers=workers))


def _teachers(workers: Workers, games: int, number: int) -> int:
    return len(play_games(Misplays(STANDARD, max(games, 4), seed=number), workers=workers))


def _games(*players: str) -> Callable[[Workers, int, int], int]:
    first, second = players

    def play(workers: Workers, games: int, number: int) -> int:
        openings = Openings(fair=False)
        plan = MatchPlan((first, second), Conditions(Rules()), games, openings, seed=number)
        tally = MatchTally(plan)
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
            play_match(tally, store, store.run("match", plan.settings, ""), workers)
        return len(tally.games)

    return play


@dataclass(slots=True)
class ClusterReport:
    """Pieces of work a second.

    Attributes:
        rates: By the name of a chore, and by who works.
        complete: Whether all was measured.
    """

    rates: dict[str, dict[str, float]] = field(default_factory=dict)
    complete: bool = False

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions, and the rates."""
        return machine("ray") | {"cores": cores(), "rates": self.rates, "complete": self.complete}

    def to_text(self) -> str:
        """A table of at most 80 columns: pieces a second, and how many times as many as this process does."""
        here = {"ray": "none"} | machine("ray")
        lines = [
            f"Fourcast {here['fourcast']}, Python {here['python']}, Ray {here['ray']}, {cores()} cores of",
            here["processor"][:80],
            "",
            f"{'a second':<20}" + "".join(f"{who:>15}" for who in (HERE, PROCESSES, ONE_NODE, TWO_NODES)),
        ]
        for name, rates in self.rates.items():
            cells = []
            for who in (HERE, PROCESSES, ONE_NODE, TWO_NODES):
                rate, alone = rates.get(who), rates.get(HERE)
                times = f" {rate / alone:.2f}x" if rate and alone and who != HERE else ""
                cells.append(f"{'' if rate is None else short_number(rate) + times:>15}")
            lines.append(f"{name:<20}" + "".join(cells))
        return "\n".join(lines)


def measure(report: ClusterReport, *, share: float = 1.0, repeat: int = 3, advance: Advance) -> None:
    """Measure all of it, and fill a report as it goes.

    Args:
        report: Filled.
        share: Of the work of a round.
        repeat: Rounds; the median counts.
        advance: Told what is being measured, how many measurements are done, and how many there are.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: A node does not start.
    """
    require("ray", "cluster")
    from fourcast.workers.cluster import ClusterWorkers

    works = chores(share)
    report.rates |= {chore.name: {} for chore in works}

    def take(who: str, place: int, workers: Workers) -> None:
        for index, chore in enumerate(works):
            advance(f"{who}: {chore.name}", place * len(works) + index, 4 * len(works))
            report.rates[chore.name][who] = _rate(chore, workers, repeat)

    take(HERE, 0, HereWorkers())
    with LocalWorkers(2) as processes:
        take(PROCESSES, 1, processes)
    for who, place, count in (
        (ONE_NODE, 2, 1),
        (TWO_NODES, 3, 2),
    ):  # each a cluster of its own, with empty tables
        advance(f"starting {who}", place * len(works), 4 * len(works))
        with local_nodes() as nodes:
            nodes.add()
            with ClusterWorkers(nodes.address) as there:
                for _ in range(1, count):
                    nodes.add()
                take(who, place, there)
    report.complete = True


def _rate(chore: Chore, workers: Workers, repeat: int) -> float:
    """Pieces a second, the median of some rounds."""
    chore.do(workers, chore.warm, 0)
    found = []
    for number in range(1, repeat + 1):
        begun = time.perf_counter()
        done = chore.do(workers, chore.amount, number)
        found.append(done / (time.perf_counter() - begun))
    return statistics.median(found)
