"""How fast agents think, how well they play, and how strictly they keep their time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from fourcast.agents import agent, agent_entries
from fourcast.agents.human import HUMAN
from fourcast.arena.quality import Grade, Graded, grade, graded_positions, random_positions
from fourcast.bench.contest import Contest, contest
from fourcast.bench.memory import MEGABYTE, Memory, memory_of
from fourcast.bench.report import Measurement, Report, median_seconds
from fourcast.bench.tree_peer import peer_chooser, peer_rate
from fourcast.extras import require
from fourcast.game.errors import CannotPlay
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.machine import machine

PARTS = ("speed", "quality", "clock", "memory", "robots", "slip")

ROBOTS = ("random", "horizontal", "vertical", "greedy")
PLAYERS = ("alphabeta:depth=6", "montecarlo", "mcts", "negamax")
SLIP_BOARDS = ("8x10x5", "6x7x4", "5x5x4", "6x7x3", "5x5x3")
SLIP = 0.2
SLIP_TIMES = 3  # as many games as of the other pairs: the difference is smaller

# Who is graded, what it may spend on a move, and the share of good moves that it should reach.
GRADED = (
    ("alphabeta:depth=8", Limit(), 0.93),
    ("negamax", Limit(seconds=0.1), 0.97),
    ("mcts", Limit(simulations=10_000), 0.92),
    ("montecarlo", Limit(), None),
    ("hybrid", Limit(), None),
    ("hybrid:preset=strong", Limit(), None),
    ("perfect", Limit(), 1.0),
)
ROBOT_LIMIT = Limit(seconds=0.05)  # of the players that would otherwise take as much as they are given

# Whom the hybrid plays besides, without a limit, and the share of games that it should win.
HYBRID_AGAINST = (("random", 1.0), ("montecarlo:simulations=1000", 0.9))
# Where it is timed, with nothing forced: once for the model alone, once for both, once for playouts alone.
HYBRID_PLACES = ("", "32461175", "47567112316426")
HYBRID_BAR = 0.03  # seconds

CLOCKED = ("negamax", "hybrid:preset=strong")
CLOCK_SECONDS, CLOCK_BAR, CLOCK_PLIES = 0.05, 0.06, (0, 24)

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Timekeeping:
    """How an agent kept a time, in seconds.

    Attributes:
        agent: Who it was.
        allowed: What it was given for a move.
        moves: How many it made.
        mean: What they took.
        p99: What 99 of 100 did not pass.
        slowest: The longest.
        bar: What none should pass.
        over: How many did.
    """

    agent: str
    allowed: float
    moves: int
    mean: float
    p99: float
    slowest: float
    bar: float
    over: int

    @property
    def passed(self) -> bool:
        """Whether none took longer than the bar."""
        return self.over == 0


@dataclass(slots=True)
class AgentsReport:
    """Everything that was measured; parts that were not asked for are empty."""

    speed: list[Measurement] = field(default_factory=list)
    quality: list[Grade] = field(default_factory=list)
    clock: list[Timekeeping] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    robots: list[Contest] = field(default_factory=list)
    slip: list[Contest] = field(default_factory=list)
    complete: bool = False

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions and the figures."""
        return machine() | {
            "complete": self.complete,
            "speed": [each.to_json() for each in self.speed],
            "quality": [each.to_json() for each in self.quality],
            "clock": [asdict(each) | {"passed": each.passed} for each in self.clock],
            "memory": [each.to_json() for each in self.memory],
            "robots": [each.to_json() for each in self.robots],
            "slip": [each.to_json() for each in self.slip],
        }

    def to_text(self) -> str:
        """Tables of at most 80 columns."""
        lines = Report(self.speed).to_text().splitlines()
        if not self.speed:
            lines = lines[:2]
        if self.quality:
            lines += [
                "",
                f"{'random positions, 10-16 plies':<38}{'good':>7}{'perfect':>9}{'bar':>7}{'a move':>12}",
            ]
            for grade in self.quality:
                bar = "" if grade.bar is None else f"{grade.bar:.0%}"
                mark = " !" if grade.passed is False else ""
                took = f"{1000 * grade.seconds:,.2f} ms"
                lines.append(
                    f"{grade.agent:<38}{grade.good:>7.1%}{grade.perfect:>9.1%}{bar:>7}{took:>12}{mark}"
                )
        if self.clock:
            lines += ["", f"{'time kept':<26}{'given':>9}{'mean':>9}{'p99':>9}{'slowest':>9}{'over':>12}"]
            for kept in self.clock:
                times = (kept.allowed, kept.mean, kept.p99, kept.slowest)
                cells = "".join(f"{each:>9.4f}" for each in times)
                over = f"{kept.over} of {kept.moves}"
                lines.append(f"{kept.agent:<26}{cells}{over:>12}{'' if kept.passed else ' !'}")
        if self.memory:
            lines += ["", f"{'memory':<38}{'an agent':>12}{'bar':>12}"]
            for taken in self.memory:
                cells = "".join(f"{size / MEGABYTE:>9.0f} MB" for size in (taken.resident, taken.bar))
                lines.append(f"{taken.agent:<38}{cells}{'' if taken.passed else ' !'}")
        for title, contests in (("games", self.robots), ("games with slip", self.slip)):
            if contests:
                lines += ["", f"{title:<44}{'won':>6}{'drawn':>7}{'lost':>6}{'a move':>14}"]
                lines += [_row(each) for each in contests]
        if any(each.passed is False for each in self._judged()):
            lines.append("! below its bar")
        if not self.complete:
            lines.append("stopped before everything was measured")
        return "\n".join(lines)

    def _judged(self) -> Iterator[Measurement | Grade | Timekeeping | Memory | Contest]:
        for part in (self.quality, self.clock, self.memory, self.robots, self.slip):
            yield from part


def _row(each: Contest) -> str:
    pair = f"{each.agent} - {each.against}" + (
        "" if " with " not in each.rules else f", {each.rules.split()[0]}"
    )
    mark = " !" if each.passed is False else ""
    took = f"{1000 * each.seconds:,.2f} ms"
    return f"{pair:<44}{each.wins:>6}{each.draws:>7}{each.losses:>6}{took:>14}{mark}"


def measure(
    report: AgentsReport,
    *,
    parts: Sequence[str],
    positions: int,
    games: int,
    peers: bool,
    repeat: int,
    advance: Advance,
) -> None:
    """Fill a report, part by part; what is done stays in it if the rest is stopped.

    Args:
        report: What to fill.
        parts: Which of `PARTS`.
        positions: How many are graded; as many moves are timed.
        games: How many of each pair of players; with slip `SLIP_TIMES` as many.
        peers: Whether to measure OpenSpiel's tree search beside ours.
        repeat: Runs of each measurement of speed; the median counts.
        advance: Told what is being done, how much of it is done, and how much there is.

    Raises:
        MissingExtra: The peer is not installed.
    """
    if peers:
        require("pyspiel", "bench")
    if "speed" in parts:
        steps = _speed(repeat, peers)
        for index, step in enumerate(steps):
            advance("measuring speed", index, len(steps))
            report.speed.append(step())
    if "quality" in parts:
        graded = graded_positions(positions, 1, advance)
        for spec, limit, bar in GRADED:
            report.quality.append(_grade(spec, limit, graded, bar, advance))
        if peers:
            report.quality.append(
                grade("OpenSpiel MCTS, 10,000", peer_chooser(10_000), graded, None, advance)
            )
    if "clock" in parts:
        report.clock += [_keep_time(spec, positions, advance) for spec in CLOCKED]
    if "memory" in parts:
        robots = [entry.name for entry in agent_entries() if entry.name != HUMAN and not entry.foreign]
        measured = [name for name in robots if _is_at_home(name)]
        for index, name in enumerate(measured):
            advance("measuring memory", index, len(measured))
            report.memory.append(memory_of(name, SLIP if name == "expectimax" else 0.0))
    if "robots" in parts:
        for spec in PLAYERS:
            for robot in ROBOTS:
                one = contest(spec, robot, Rules(), games, limit=ROBOT_LIMIT, advance=advance, bar=0.99)
                report.robots.append(one)
        for against, bar in HYBRID_AGAINST:
            one = contest("hybrid", against, Rules(), games, limit=Limit(), advance=advance, bar=bar)
            report.robots.append(one)
    if "slip" in parts:
        for board in SLIP_BOARDS:
            rules = Rules(board, SLIP)
            for against, bar in (("montecarlo", None), ("random", 0.97)):
                more = bar is None
                count = SLIP_TIMES * games
                one = contest(
                    "expectimax", against, rules, count, limit=Limit(), advance=advance, bar=bar, more=more
                )
                report.slip.append(one)
    report.complete = True


def _is_at_home(name: str) -> bool:
    """Whether an agent plays on the standard board; a network may not have learnt that one."""
    try:
        agent(name)
    except CannotPlay:
        return False
    return True


def _speed(repeat: int, peers: bool) -> list[Callable[[], Measurement]]:
    return [
        partial(_nodes, "minimax:depth=7", repeat, 5e6),
        partial(_nodes, "alphabeta:depth=10", repeat, 5e6),
        partial(_run, "alphabeta:depth=8", repeat, 0.15),
        partial(_run, "alphabeta:depth=10", repeat, 1.0),
        partial(_nodes, "negamax:depth=13", repeat, None),
        partial(_simulations, "mcts:200000,reuse=no", repeat, 400_000, peers),
        partial(_simulations, "montecarlo:100000", repeat, None, False),
        *(partial(_run, "hybrid", repeat, HYBRID_BAR, moves) for moves in HYBRID_PLACES),
        partial(_nodes, "expectimax:depth=6,solve=0", repeat, None, Rules(slip=SLIP)),
    ]


def _nodes(spec: str, repeat: int, bar: float | None, rules: Rules | None = None) -> Measurement:
    player = agent(spec, rules, seed=1)
    nodes = player.analyze(Position(), Limit()).nodes
    seconds = median_seconds(lambda: player.analyze(Position(), Limit()), repeat)
    return Measurement(spec, "6x7x4", seconds, nodes, "nodes", bar)


def _run(spec: str, repeat: int, bar: float, moves: str = "") -> Measurement:
    player = agent(spec, seed=1)
    position = Position.from_moves(moves)
    seconds = median_seconds(lambda: player.analyze(position, Limit()), repeat)
    name = f"{spec}, {position.ply} discs" if moves else spec
    return Measurement(name, "6x7x4", seconds, 1, "run", bar)


def _simulations(spec: str, repeat: int, bar: float | None, peers: bool) -> Measurement:
    player = agent(spec, seed=1)
    count = player.analyze(Position(), Limit()).simulations
    seconds = median_seconds(lambda: player.analyze(Position(), Limit()), repeat)
    beside = ("OpenSpiel", peer_rate(repeat)) if peers else (None, None)
    return Measurement(spec.partition(",")[0], "6x7x4", seconds, count, "sim", bar, *beside)


def _grade(spec: str, limit: Limit, graded: Sequence[Graded], bar: float | None, advance: Advance) -> Grade:
    player = agent(spec, seed=1)
    name = spec if limit.is_open else f"{spec}, {limit}"
    return grade(name, lambda position: player.analyze(position, limit).column, graded, bar, advance)


def _keep_time(spec: str, moves: int, advance: Advance) -> Timekeeping:
    player = agent(spec, seed=1)
    limit = Limit(seconds=CLOCK_SECONDS)
    player.analyze(Position(), limit)
    times = []
    for index, position in enumerate(random_positions(moves, 2, CLOCK_PLIES)):
        advance(f"{spec}, {limit}", index, moves)
        start = time.perf_counter()
        player.analyze(position, limit)
        times.append(time.perf_counter() - start)
    p99 = sorted(times)[max(-(-99 * len(times) // 100) - 1, 0)]
    over = sum(taken > CLOCK_BAR for taken in times)
    return Timekeeping(
        spec, CLOCK_SECONDS, len(times), statistics.fmean(times), p99, max(times), CLOCK_BAR, over
    )
