"""Results counted in pairs: the same opening played twice, colours swapped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fourcast.game.errors import BadResult, shown

#: What a pair of games and a single game can bring, in points.
PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
SINGLE_POINTS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How often each result came up between two agents, seen from the first named one.

    The two games of a pair share an opening, and openings favour a side: the games are not independent, the
    pairs are. So a pair is one observation with five possible results (pentanomial), not two with three. A
    game whose partner was not played is an observation of its own.

    Attributes:
        pairs: How many pairs brought 0, 0.5, 1, 1.5 and 2 points.
        singles: How many games without a partner brought 0, 0.5 and 1 point.
    """

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    singles: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        for counts, points in ((self.pairs, PAIR_POINTS), (self.singles, SINGLE_POINTS)):
            if len(counts) != len(points) or any(count < 0 for count in counts):
                raise BadResult(f"{shown(counts)} are not {len(points)} counts of 0 or more")

    @classmethod
    def of(cls, pairs: Iterable[float] = (), singles: Iterable[float] = ()) -> PairCounts:
        """Counts the points of pairs (0 to 2) and of games without a partner (0, 0.5 or 1).

        Raises:
            BadResult: A pair or a game cannot bring that many points.
        """
        pair_counts, single_counts = [0] * 5, [0] * 3
        for points in pairs:
            pair_counts[_place(points, 2, "a pair of games")] += 1
        for points in singles:
            single_counts[_place(points, 1, "a game")] += 1
        a, b, c, d, e = pair_counts
        f, g, h = single_counts
        return cls((a, b, c, d, e), (f, g, h))

    @property
    def units(self) -> tuple[tuple[float, int, int], ...]:
        """Each possible observation as (points, games, how often); only of the kinds that came up."""
        kinds = ((self.pairs, PAIR_POINTS, 2), (self.singles, SINGLE_POINTS, 1))
        return tuple(
            (points, games, count)
            for counts, values, games in kinds
            if any(counts)
            for points, count in zip(values, counts, strict=True)
        )

    @property
    def observations(self) -> int:
        """Pairs, and games without a partner."""
        return sum(self.pairs) + sum(self.singles)

    @property
    def games(self) -> int:
        """Games played."""
        return 2 * sum(self.pairs) + sum(self.singles)

    @property
    def points(self) -> float:
        """Points taken: 1 for a win, 0.5 for a draw."""
        return sum(points * count for points, _, count in self.units)

    @property
    def share(self) -> float | None:
        """The share of the points, 0 to 1; None before the first game."""
        return self.points / self.games if self.games else None

    def swapped(self) -> PairCounts:
        """The same results, seen from the other agent."""
        a, b, c, d, e = self.pairs
        f, g, h = self.singles
        return PairCounts((e, d, c, b, a), (h, g, f))

    def __add__(self, other: PairCounts) -> PairCounts:
        a, b, c, d, e = (x + y for x, y in zip(self.pairs, other.pairs, strict=True))
        f, g, h = (x + y for x, y in zip(self.singles, other.singles, strict=True))
        return PairCounts((a, b, c, d, e), (f, g, h))


def _place(points: float, most: int, what: str) -> int:
    """Where the count of these points stands."""
    halves = points * 2
    if halves not in range(2 * most + 1):
        raise BadResult(f"{what} cannot bring {shown(points)} points")
    return int(halves)
