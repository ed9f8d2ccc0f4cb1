"""How many positions a second networks look at, beside what the solver takes to be sure of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from fourcast.bench.report import median_seconds, medians, short_number, short_time
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.learning.part import Part
from fourcast.learning.sampling import Sampling
from fourcast.solver import Solver

BATCHES = (1, 8, 64, 512)
BEGINNING, MIDDLE, LATE = (2, 8), (10, 16), (28, 38)  # plies of the standard board

_SOLVING = 30.0  # seconds that the solver gets for a set, one by one
_LONG = 1.0  # seconds: a run that takes more is not repeated

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class NetworkSpeed:
    """How fast a network is, with all that is done before and after it, in seconds by the clock.

    Attributes:
        name: The network.
        board: Its board.
        size: Of its file, in bytes.
        rates: Positions a second, by how many are asked about together.
        asked: How many were asked about one by one.
        median: What half of these did not take longer than.
        p99: What 99 of 100 did not.
    """

    name: str
    board: str
    size: int
    rates: dict[int, float]
    asked: int
    median: float
    p99: float

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SolverSpeed:
    """How fast the solver finds exact scores, each with an empty table and no book, on one thread.

    Attributes:
        board: The board.
        plies: The fewest and the most discs on it.
        positions: How many there are.
        solved: How many of them were solved before its time was up.
        rate: Positions a second, all of them in one call; if not all were solved, of those that were in all
            the time that it had.
        median: What half of them, one by one, did not take longer than: score, best column and line. None if
            not all were solved: the hard ones would be missing.
        p99: What 99 of 100 did not; likewise.
    """

    board: str
    plies: tuple[int, int]
    positions: int
    solved: int
    rate: float
    median: float | None = None
    p99: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def scaled(plies: tuple[int, int], geometry: Geometry) -> tuple[int, int]:
    """Plies of the standard board as so much of another board's game."""
    first, last = (round(ply * geometry.cells / STANDARD.cells) for ply in plies)
    return first, max(first, min(last, geometry.cells - 1))


def network_speed(evaluator: NetworkEvaluator, count: int, repeat: int, advance: Advance) -> NetworkSpeed:
    """Measure a network on random positions of its board.

    Args:
        evaluator: The network.
        count: How many positions it is asked about one by one.
        repeat: Runs of each size of batch, in turn; the median counts.
        advance: Told what is being done, how much of it is done and how much there is.
    """
    card = evaluator.card
    what = f"{card.name}, positions a second"
    advance(what, 0, 1)
    drawn = _drawn(card.geometry, scaled(MIDDLE, card.geometry), max(BATCHES))
    rows = np.resize(np.arange(len(drawn)), max(BATCHES))  # a small board has fewer: they come again
    every = Batch(card.geometry, drawn.stones[rows])
    ask = evaluator.judge if evaluator.has_value else evaluator.priors

    def ask_all(size: int) -> None:
        for first in range(0, len(every), size):
            ask(Batch(every.geometry, every.stones[first : first + size]))

    seconds = medians([partial(ask_all, size) for size in BATCHES], repeat)
    rates = {size: len(every) / each for size, each in zip(BATCHES, seconds, strict=True)}
    positions = list(drawn)
    times = []
    for index in range(count):
        advance(f"{card.name}, one by one", index, count)
        start = time.perf_counter()
        ask(Batch.of(positions[index % len(positions)]))
        times.append(time.perf_counter() - start)
    return NetworkSpeed(card.name, str(card.geometry), card.size, rates, count, *_spread(times))


def solver_speed(
    geometry: Geometry, plies: tuple[int, int], count: int, repeat: int, advance: Advance
) -> SolverSpeed | None:
    """Measure the solver on random positions; None where no game comes to these plies.

    Args:
        geometry: The board.
        plies: The fewest and the most discs on it.
        count: How many positions, if it has the time.
        repeat: Runs of all of them together; the median counts.
        advance: Told what is being done, how much of it is done and how much there is.
    """
    what = f"the solver, {geometry}, {plies[0]}-{plies[1]} plies"
    advance(what, 0, count)
    drawn = _drawn(geometry, plies, count, empty=False)
    if not len(drawn):
        return None
    solver = Solver(geometry, book=False)
    solver.prepare()
    begun = time.perf_counter()
    times: list[float] = []
    for index, position in enumerate(drawn):
        advance(what, index, len(drawn))
        left = begun + _SOLVING - time.perf_counter()
        solver.clear()
        start = time.perf_counter()
        if left <= 0 or not solver.solve(position, limit=Limit(seconds=left)).exact:
            rate = index / (time.perf_counter() - begun)
            return SolverSpeed(str(geometry), plies, len(drawn), index, rate)
        times.append(time.perf_counter() - start)

    def solve_all() -> None:
        solver.solve_many(drawn, fresh=True)

    advance(f"{what}, together", 0, 1)
    start = time.perf_counter()
    solve_all()
    seconds = time.perf_counter() - start
    if seconds < _LONG:
        seconds = median_seconds(solve_all, repeat)
    return SolverSpeed(str(geometry), plies, len(drawn), len(drawn), len(drawn) / seconds, *_spread(times))


def speed_lines(networks: Sequence[NetworkSpeed], solvers: Sequence[SolverSpeed]) -> list[str]:
    """Two tables of at most 80 columns."""
    sizes = "".join(f"{f'by {size}':>8}" for size in BATCHES)
    lines = ["", f"{'positions a second':<24}{'board':<8}{sizes}{'median':>8}{'p99':>8}"]
    for network in networks:
        rates = "".join(f"{short_number(network.rates[size]):>8}" for size in BATCHES)
        lines.append(
            f"{network.name[:23]:<24}{network.board:<8}{rates}"
            f"{short_time(network.median):>8}{short_time(network.p99):>8}"
        )
    if solvers:
        lines += ["", f"{'the solver':<24}{'board':<8}{'solved':>16}{'together':>16}{'median':>8}{'p99':>8}"]
    for each in solvers:
        first, last = each.plies
        solved = f"{each.solved:,}" + (f" of {each.positions:,}" if each.solved < each.positions else "")
        times = "".join(f"{short_time(took):>8}" for took in (each.median, each.p99) if took is not None)
        rate = f"{short_number(each.rate)}/s"
        lines.append(f"{f'{first}-{last} plies':<24}{each.board:<8}{solved:>16}{rate:>16}{times}")
    return lines


def _drawn(geometry: Geometry, plies: tuple[int, int], count: int, *, empty: bool = True) -> Batch:
    """Random positions, up to so many, always the same; if there are none, the empty board may do."""
    sampling = Sampling(geometry, count, plies, seed=1)
    _, stones = sampling.draw(Part(None, {}), lambda *_: None, fewer=True)
    if not len(stones) and empty:
        return Batch.of(Position(geometry))
    return Batch(geometry, stones)


def _spread(times: Sequence[float]) -> tuple[float, float]:
    """The median and what 99 of 100 do not pass."""
    median, p99 = np.quantile(times, (0.5, 0.99), method="inverted_cdf")
    return float(median), float(p99)
