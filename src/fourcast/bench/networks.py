"""How fast networks are, how good their moves are, and whether they beat a player that knows nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fourcast.bench.contest import Contest, contest
from fourcast.bench.network_quality import SPANS, HeldGrade, HeldOut, grade_network, quality_lines
from fourcast.bench.network_speed import (
    LATE,
    MIDDLE,
    NetworkSpeed,
    SolverSpeed,
    network_speed,
    scaled,
    solver_speed,
    speed_lines,
)
from fourcast.bench.report import Report
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.errors import BadLimit, BadModel
from fourcast.game.limit import Limit
from fourcast.game.rules import Rules
from fourcast.machine import machine
from fourcast.models.card import NETWORKS
from fourcast.models.shelf import find, shipped

PARTS = ("speed", "quality", "random")

# With which slip a random player is met, and the share of games that should be won.
AGAINST_RANDOM = ((0.2, 0.97), (0.0, 0.995))
RANDOM = "random"

Advance = Callable[[str, int, int], None]


@dataclass(slots=True)
class NetworksReport:
    """Everything that was measured; parts that were not asked for are empty.

    Attributes:
        speed: How fast the networks are.
        solver: How fast the solver is on the same boards.
        quality: How good the networks' moves are.
        random: Their games against random players.
        notes: What was not measured, and why.
        complete: Whether all that was asked for is there.
    """

    speed: list[NetworkSpeed] = field(default_factory=list)
    solver: list[SolverSpeed] = field(default_factory=list)
    quality: list[HeldGrade] = field(default_factory=list)
    random: list[Contest] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    complete: bool = False

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions and the figures."""
        return machine() | {
            "complete": self.complete,
            "speed": [each.to_json() for each in self.speed],
            "solver": [each.to_json() for each in self.solver],
            "quality": [each.to_json() for each in self.quality],
            "random": [each.to_json() for each in self.random],
            "notes": self.notes,
        }

    def to_text(self) -> str:
        """Tables of at most 80 columns."""
        lines = Report().to_text().splitlines()[:2]
        if self.speed:
            lines += speed_lines(self.speed, self.solver)
        if self.quality:
            lines += quality_lines(self.quality)
            lines.append("hard: good moves where not every column is; then errors, by plies")
        if self.random:
            lines += ["", f"{'games against random':<29}{'won':>6}{'drawn':>7}{'lost':>6}{'share':>8}"]
            lines[-1] += f"{'95% interval':>15}{'bar':>7}"
            lines += [_row(each) for each in self.random]
        if self.notes:
            lines += ["", *(line for note in self.notes for line in textwrap.wrap(note, 80))]
        if any(each.passed is False for each in self._judged()):
            lines.append("! below its bar")
        if not self.complete:
            lines.append("stopped before everything was measured")
        return "\n".join(lines)

    def _judged(self) -> Iterator[HeldGrade | Contest]:
        yield from self.quality
        yield from self.random


def _row(each: Contest) -> str:
    slip = each.rules.partition(" with ")[2]
    name = each.agent[:17] + (f", {slip}" if slip else "")
    interval = "-".join(f"{100 * bound:.1f}" for bound in each.interval) + "%"
    bar = "" if each.bar is None else f"{each.bar:.1%}"
    mark = " !" if each.passed is False else ""
    share = f"{each.wins / each.games:.1%}"
    return f"{name:<29}{each.wins:>6}{each.draws:>7}{each.losses:>6}{share:>8}{interval:>15}{bar:>7}{mark}"


def find_networks(names: Sequence[str | Path]) -> list[NetworkEvaluator]:
    """Networks, read: one that is damaged is found before anything is measured.

    Args:
        names: Shipped ones by name, others by the path of their card; none for all that are shipped.

    Raises:
        BadModel: There is no such network, it cannot be read, or none is shipped.
        MissingExtra: onnxruntime is not installed.
    """
    cards = [find(name) for name in names] if names else [each for each in shipped() if each.kind in NETWORKS]
    if not cards:
        raise BadModel(
            "no network is shipped: train one by fourcast train network or cnn, and give the path of its card"
        )
    found = [NetworkEvaluator(card, card.geometry) for card in cards]
    for each in found:
        each.load()
    return found


def measure(
    report: NetworksReport,
    networks: Sequence[NetworkEvaluator],
    *,
    parts: Sequence[str],
    positions: int,
    games: int,
    repeat: int,
    advance: Advance,
) -> None:
    """Fill a report, part by part; what is done stays in it if the rest is stopped.

    Args:
        report: What to fill.
        networks: Which ones.
        parts: Which of `PARTS`.
        positions: About how many are graded in each span of plies; as many are timed one by one.
        games: How many each plays against random players, with slip and as many without.
        repeat: Runs of each size of batch; the median counts.
        advance: Told what is being done, how much of it is done, and how much there is.

    Raises:
        BadModel: A card does not say what its network has learnt from.
    """
    if "speed" in parts:
        for network in networks:
            report.speed.append(network_speed(network, positions, repeat, advance))
        for geometry in dict.fromkeys(each.card.geometry for each in networks):
            for plies in (MIDDLE, LATE):
                found = solver_speed(geometry, scaled(plies, geometry), positions, repeat, advance)
                report.solver += [] if found is None else [found]
    if "quality" in parts:
        held = HeldOut(positions)
        for network in networks:
            _grade(report, network, held, advance)
    if RANDOM in parts:
        for network in networks:
            card = network.card
            for slip, bar in AGAINST_RANDOM:
                met = contest(
                    card.kind,
                    RANDOM,
                    Rules(card.geometry, slip),
                    games,
                    limit=Limit(),
                    advance=advance,
                    bar=bar,
                    options={"model": str(card.path)},
                )
                report.random.append(replace(met, agent=card.name))
    report.complete = True


def _grade(report: NetworksReport, network: NetworkEvaluator, held: HeldOut, advance: Advance) -> None:
    card = network.card
    for plies in SPANS:
        try:
            solved = held.of(card, scaled(plies, card.geometry), advance)
        except BadLimit:
            first, last = scaled(plies, card.geometry)
            report.notes.append(f"{card.name}, {first}-{last} plies: not graded, too hard to solve")
            continue
        for grade in grade_network(card, plies, solved, advance):
            report.quality.append(grade)  # those are kept when the next is stopped
