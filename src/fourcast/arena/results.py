"""Results of single games, and how often each came up between every two agents of a field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourcast.game.errors import BadResult, UnknownPlayer, shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended.

    Attributes:
        first: The agent that moved first.
        second: The other agent.
        points: What the first one took: 1 for a win, 0.5 for a draw, 0 for a loss.
    """

    first: str
    second: str
    points: float

    def __post_init__(self) -> None:
        if self.points not in (0, 0.5, 1):
            raise BadResult(f"a game cannot bring {shown(self.points)} points")
        if self.first == self.second:
            raise BadResult(f"{shown(self.first)} cannot play against itself")


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The results of a field, whatever the order of its games.

    Attributes:
        names: The n agents.
        counts: int64 of shape (n, n, 3): how often agent i, moving first against agent j, lost, drew and won.
    """

    names: tuple[str, ...]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, results: Iterable[Result], names: Sequence[str] | None = None) -> Tally:
        """Counts the results.

        Args:
            results: The games, in any order.
            names: The agents in the order that is wanted, with those that have not played yet; by default
                those that played, sorted.

        Raises:
            UnknownPlayer: A game was played by an agent that is not among the names.
            BadResult: A name stands twice among the names.
        """
        import numpy as np

        seen: dict[tuple[str, str, float], int] = {}
        for result in results:
            key = (result.first, result.second, result.points)
            seen[key] = seen.get(key, 0) + 1
        if names is None:
            names = sorted({name for first, second, _ in seen for name in (first, second)})
        places = {name: place for place, name in enumerate(names)}
        if len(places) < len(names):
            twice = next(name for place, name in enumerate(names) if places[name] != place)
            raise BadResult(f"{shown(twice)} stands twice in the field")
        counts = np.zeros((len(names), len(names), 3), dtype=np.int64)
        for (first, second, points), count in seen.items():
            for name in (first, second):
                if name not in places:
                    raise UnknownPlayer(f"{shown(name)} played, but is not in the field")
            counts[places[first], places[second], int(2 * points)] += count
        return cls(tuple(names), counts)

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """What agent i took from agent j, either colour: float64 of shape (n, n)."""
        lost, drawn, won = (self.counts[..., each] for each in range(3))
        points: npt.NDArray[np.float64] = won + lost.T + 0.5 * (drawn + drawn.T)
        return points

    @property
    def games(self) -> npt.NDArray[np.int64]:
        """How often agents i and j met, either colour: int64 of shape (n, n), symmetric."""
        as_first: npt.NDArray[np.int64] = self.counts.sum(axis=2)
        return as_first + as_first.T
