"""Where games begin: a few random moves, so that no game is played twice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from fourcast.game.errors import BadOption
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.solver import Solver

PLIES = (0, 8)
_TRIES = 400  # random games for one start in which nobody has won, before a shorter one will do
_AT_ONCE = 32  # starts that are solved in one crossing
_FRUITLESS = 20  # such handfuls without a new start, after which there are thought to be no more
_PROBES = 3  # starts that have to be solved for a board to count as solvable
_PROBE = Limit(nodes=300_000)  # some tenths of a second
_EACH = Limit(nodes=20_000_000)  # for a handful; a start that is not solved by then is none


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

        No two are alike, nor mirror images, until there are `count`, or no others are found; then they come
        round again. With slip, and on a board that the solver cannot master in time, openings are not
        filtered; nor where none that is drawn is found.
        """
        if self.plies[1] == 0:
            while True:
                yield ()
        made: list[tuple[int, ...]] = []
        for start in islice(self._different(rules), self.count):
            made.append(start.columns_played)
            yield made[-1]
        while True:
            yield from made

    def _different(self, rules: Rules) -> Iterator[Position]:
        """Starts that are all different, as long as there are any."""
        chance = random.Random(f"opening {self.seed}")
        fair = self.fair and is_solvable(rules)
        taken: set[int] = set()
        fruitless = 0
        while fruitless < _FRUITLESS:
            some = [self._random_start(rules, chance) for _ in range(_AT_ONCE)]
            fruitless += 1
            for start in _drawn(some) if fair else some:
                if start.canonical_key not in taken:
                    taken.add(start.canonical_key)
                    fruitless = 0
                    yield start
            if fruitless == _FRUITLESS and not taken and fair:
                fair, fruitless = False, 0

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


def _drawn(starts: list[Position]) -> list[Position]:
    """Those that the solver finds drawn."""
    found = _solver(starts[0].geometry).solve_many(starts, weak=True, limit=_EACH)
    drawn = (found.exact & (found.scores == 0)).tolist()
    return [start for start, fits in zip(starts, drawn, strict=True) if fits]


@cache
def is_solvable(rules: Rules) -> bool:
    """Whether openings of a board can be solved while one waits."""
    if rules.slip:
        return False
    from fourcast.solver import Solver

    chance = random.Random(0)
    openings = Openings(fair=False)
    solver = Solver(rules.geometry)  # a fresh one, so that the answer is always the same
    starts = [openings._random_start(rules, chance) for _ in range(_PROBES)]
    return all(solver.solve(start, weak=True, limit=_PROBE).exact for start in starts)


@cache
def _solver(geometry: Geometry) -> Solver:
    from fourcast.solver import Solver

    return Solver(geometry)
