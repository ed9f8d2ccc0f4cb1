"""The table of a field, as contests print it: points, results by colour, percentiles, crosstable."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fourcast.arena.results import Result, Tally

#: Where in the field the points are told, in percent from the lowest.
PERCENTILES = (10, 25, 50, 75, 90)


@dataclass(frozen=True, slots=True)
class WinsDrawsLosses:
    """Games of an agent with one colour, or with both."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, 0.5 for a draw."""
        return self.wins + 0.5 * self.draws

    def __add__(self, other: WinsDrawsLosses) -> WinsDrawsLosses:
        return WinsDrawsLosses(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def to_json(self) -> dict[str, int]:
        """The three counts by name."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one agent stands.

    Attributes:
        name: The agent.
        rank: 1 for the most points; those with equal points share the best of their ranks.
        as_first: Its games as player 1.
        as_second: Its games as player 2.
        percentile: The share of the other agents with fewer points, in percent, equal ones counted half.
    """

    name: str
    rank: int
    as_first: WinsDrawsLosses
    as_second: WinsDrawsLosses
    percentile: float

    @property
    def games(self) -> int:
        """Games played."""
        return self.as_first.games + self.as_second.games

    @property
    def points(self) -> float:
        """Points taken."""
        return self.as_first.points + self.as_second.points

    @property
    def share(self) -> float | None:
        """The share of the points of its games, 0 to 1; None before its first."""
        return self.points / self.games if self.games else None

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        return {
            "name": self.name,
            "rank": self.rank,
            "points": self.points,
            "games": self.games,
            "share": self.share,
            "first": self.as_first.to_json(),
            "second": self.as_second.to_json(),
            "percentile": self.percentile,
        }


@dataclass(frozen=True, slots=True)
class FieldPoints:
    """How points are spread over a field; all but `agents` are None, or empty, where there are no agents.

    Attributes:
        agents: How many there are.
        mean: Their mean.
        sd: Their standard deviation, as of the whole field (divided by the number of agents).
        lowest: The fewest.
        highest: The most.
        percentiles: The points at 10, 25, 50, 75 and 90 percent of the field from the lowest, interpolated.
    """

    agents: int = 0
    mean: float | None = None
    sd: float | None = None
    lowest: float | None = None
    highest: float | None = None
    percentiles: tuple[tuple[int, float], ...] = ()

    @classmethod
    def of(cls, points: Sequence[float]) -> FieldPoints:
        """Summarises the points of each agent."""
        import numpy as np

        if not points:
            return cls()
        array = np.asarray(points, dtype=np.float64)
        at = np.percentile(array, PERCENTILES).tolist()
        return cls(
            agents=len(points),
            mean=float(array.mean()),
            sd=float(array.std()),
            lowest=float(array.min()),
            highest=float(array.max()),
            percentiles=tuple(zip(PERCENTILES, at, strict=True)),
        )

    def to_json(self) -> dict[str, Any]:
        """The fields by name; percentiles as an object with keys "10" to "90"."""
        return {
            "agents": self.agents,
            "mean": self.mean,
            "sd": self.sd,
            "lowest": self.lowest,
            "highest": self.highest,
            "percentiles": {str(percent): points for percent, points in self.percentiles},
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a field.

    Attributes:
        agents: From the most points to the fewest, by name where they are equal.
        field: How the points are spread.
        crosstable: What each agent took from each other, rows and columns in the order of `agents`; None
            where two never met.
    """

    agents: tuple[Standing, ...]
    field: FieldPoints
    crosstable: tuple[tuple[float | None, ...], ...]

    @classmethod
    def of(cls, results: Iterable[Result] | Tally, names: Sequence[str] | None = None) -> Standings:
        """Sums up results in any order.

        Args:
            results: The games, or their tally.
            names: The field, with those that have not played yet; by default those that played.
        """
        tally = results if isinstance(results, Tally) else Tally.of(results, names)
        firsts = tally.counts.sum(axis=1).tolist()
        seconds = tally.counts.sum(axis=0).tolist()
        lines = []
        for name, (lost, drawn, won), (other_lost, drawn_too, other_won) in zip(
            tally.names, firsts, seconds, strict=True
        ):
            as_second = WinsDrawsLosses(other_lost, drawn_too, other_won)
            lines.append((name, WinsDrawsLosses(won, drawn, lost), as_second))
        points = [as_first.points + as_second.points for _, as_first, as_second in lines]
        order = sorted(range(len(lines)), key=lambda place: (-points[place], tally.names[place]))
        ranks, percentiles = _places(points)
        agents = tuple(
            Standing(name, ranks[place], as_first, as_second, percentiles[place])
            for place in order
            for name, as_first, as_second in [lines[place]]
        )
        taken, met = tally.points.tolist(), tally.games.tolist()
        crosstable = tuple(tuple(taken[i][j] if met[i][j] else None for j in order) for i in order)
        return cls(agents, FieldPoints.of(points), crosstable)

    def to_json(self) -> dict[str, Any]:
        """The table as JSON knows it."""
        return {
            "agents": [agent.to_json() for agent in self.agents],
            "field": self.field.to_json(),
            "crosstable": [list(row) for row in self.crosstable],
        }


def _places(points: Sequence[float]) -> tuple[list[int], list[float]]:
    """Each agent's rank and percentile; an agent alone has beaten everybody there is, 100."""
    ascending = sorted(points)
    ranks, percentiles = [], []
    for own in points:
        below, not_above = bisect_left(ascending, own), bisect_right(ascending, own)
        ranks.append(len(points) - not_above + 1)
        others = len(points) - 1
        beaten = below + (not_above - below - 1) / 2
        percentiles.append(100 * beaten / others if others else 100.0)
    return ranks, percentiles
