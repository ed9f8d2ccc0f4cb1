"""Where games begin: a few random moves, so that no game is played twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from fourcast.game.errors import BadOption
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.solver import Solver

PLIES = (0, 8)
_TRIES = 400  # starts that are looked at for one that is open, before another will do
_PROBES = 3  # starts that have to be solved for a board to count as solvable
_PROBE = Limit(nodes=300_000)  # some tenths of a second


@dataclass(frozen=True, slots=True)
class Openings:
    """How games begin.

    Attributes:
        plies: The least and the most random moves.
        fair: Whether only starts serve that the solver finds drawn, where it can.
        count: How many different ones; None means one for each pair of games.
        seed: Where chance starts.
    """

    plies: tuple[int, int] = PLIES
    fair: bool = True
    count: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        least, most = self.plies
        if not 0 <= least <= most:
            raise BadOption(f"openings of {least} to {most} plies: the first cannot be more than the second")

    def starts(self, rules: Rules) -> Iterator[tuple[int, ...]]:
        """The columns of one opening after the other, without end; always the same ones.

        With slip, and on a board that the solver cannot master in time, openings are not filtered; nor where
        none that is drawn is found.
        """
        if self.plies[1] == 0:
            while True:
                yield ()
        fair = self.fair and is_solvable(rules)
        made: list[tuple[int, ...]] = []
        taken: set[int] = set()
        while self.count is None or len(made) < self.count:
            start = self._start(rules, random.Random(f"opening {self.seed} {len(made)}"), fair, taken)
            taken.add(start.canonical_key)
            made.append(start.columns_played)
            yield made[-1]
        while True:
            yield from made

    def _start(self, rules: Rules, chance: random.Random, fair: bool, taken: set[int]) -> Position:
        """A start unlike those that are taken, mirror images too, as far as there are enough."""
        spare: Position | None = None
        for _ in range(_TRIES):
            start = self._random_start(rules, chance)
            if fair and _solver(rules.geometry).solve(start, weak=True).value != 0:
                continue
            if start.canonical_key not in taken:
                return start
            spare = spare or start
        return spare or self._random_start(rules, chance)

    def _random_start(self, rules: Rules, chance: random.Random) -> Position:
        """Random moves after which nobody has won, nor can at once."""
        most = min(self.plies[1], rules.geometry.cells - 1)
        plies = chance.randint(min(self.plies[0], most), most)
        while True:
            for _ in range(_TRIES):
                position = Position(rules.geometry)
                while position.ply < plies and not position.is_over:
                    position = position.play(chance.choice(position.legal))
                if not position.is_over and not position.winning_columns(position.turn):
                    return position
            plies = max(plies - 1, 0)  # on some boards nobody can last so long


def is_solvable(rules: Rules) -> bool:
    """Whether openings of a board can be solved while one waits."""
    if rules.slip:
        return False
    chance = random.Random(0)
    openings = Openings(fair=False)
    solver = _solver(rules.geometry)
    starts = [openings._random_start(rules, chance) for _ in range(_PROBES)]
    return all(solver.solve(start, weak=True, limit=_PROBE).exact for start in starts)


@cache
def _solver(geometry: Geometry) -> Solver:
    from fourcast.solver import Solver

    return Solver(geometry)
