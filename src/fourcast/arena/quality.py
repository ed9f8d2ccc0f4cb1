"""How well agents play, graded by the solver."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fourcast.game.position import Position
from fourcast.solver import Solver

PLIES = (10, 16)  # of the positions that are graded, fewest and most

Advance = Callable[[str, int, int], None]
Chooser = Callable[[Position], int]


@dataclass(frozen=True, slots=True)
class Graded:
    """A position and the exact score of every column, None where it is full."""

    position: Position
    scores: tuple[int | None, ...]

    @property
    def best(self) -> int:
        """The score of the best column."""
        return max(score for score in self.scores if score is not None)


@dataclass(frozen=True, slots=True)
class Grade:
    """How well an agent has played.

    Attributes:
        agent: Who it was, and what it could spend.
        positions: How many it was asked about.
        good: The share of moves that keep the game's value: won, drawn or lost.
        perfect: The share that keep the exact score.
        seconds: Mean time of a move.
        slowest: The longest.
        bar: The share of good moves that it should reach.
    """

    agent: str
    positions: int
    good: float
    perfect: float
    seconds: float
    slowest: float
    bar: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the bar is reached; None without one."""
        return None if self.bar is None else self.good >= self.bar

    def to_json(self) -> dict[str, Any]:
        """The fields, and whether the bar is reached."""
        return asdict(self) | {"passed": self.passed}


def random_positions(count: int, seed: int, plies: tuple[int, int] = PLIES) -> Iterator[Position]:
    """Positions of the standard board after random games of so many plies that are not over."""
    chance = random.Random(seed)
    while count:
        wanted = chance.randint(*plies)
        position = Position()
        while not position.is_over and position.ply < wanted:
            position = position.play(chance.choice(position.legal))
        if not position.is_over:
            yield position
            count -= 1


def graded_positions(count: int, seed: int, advance: Advance) -> list[Graded]:
    """Random positions with the exact scores of their columns."""
    solver = Solver()
    graded = []
    for index, position in enumerate(random_positions(count, seed)):
        advance("solving the positions", index, count)
        graded.append(Graded(position, solver.analyze(position).scores or ()))
    return graded


def grade(
    agent: str, choose: Chooser, graded: Sequence[Graded], bar: float | None, advance: Advance
) -> Grade:
    """Ask about all positions.

    Args:
        agent: What to call it.
        choose: Asks it for a column.
        graded: The positions and what their columns are worth.
        bar: The share of good moves that it should reach.
        advance: Is told how far it is.
    """
    choose(Position())  # loads what is compiled
    good = perfect = 0
    times = []
    for index, each in enumerate(graded):
        advance(agent, index, len(graded))
        start = time.perf_counter()
        column = choose(each.position)
        times.append(time.perf_counter() - start)
        score = each.scores[column]
        if score is None:
            raise ValueError(f"{agent} has chosen the full column {column} of {each.position!r}")
        good += _sign(score) == _sign(each.best)
        perfect += score == each.best
    count = len(graded)
    return Grade(agent, count, good / count, perfect / count, sum(times) / count, max(times), bar)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
