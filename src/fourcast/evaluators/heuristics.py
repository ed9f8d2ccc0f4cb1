"""Evaluations that weigh windows: the `connect` cells in line that only one side occupies."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fourcast.game.errors import UnknownEvaluation, shown
from fourcast.game.geometry import Geometry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fourcast.kernels.batch import Batch
    from fourcast.kernels.points import Weights

UNIT = 1000  # compiled code counts in thousandths of a point


@dataclass(frozen=True, slots=True)
class Heuristic:
    """An evaluation by windows and threats; it is an `Evaluator`.

    The last weights are those of `kernels.points`, which says what is counted.

    Attributes:
        name: What it is called.
        windows: For a number of discs in line, the points of a window that holds 0, 1, ... of one side's
            discs and none of the other's.
        scale: Points that are worth tanh(1), which docs/agents.md says how it was found.
        centre: Points of a disc in the centre column (in the two middle ones, where their number is even).
        timely: Points of a threat that the other side will have to make room for.
        untimely: Points of another threat.
        double: Points of two threats on top of each other.
        tempo: Points of having the move.
    """

    name: str
    windows: Callable[[int], list[float]]
    scale: float
    centre: float = 0.0
    timely: float = 0.0
    untimely: float = 0.0
    double: float = 0.0
    tempo: float = 0.0

    def weights(self, geometry: Geometry) -> Weights:
        """The weights as compiled code takes them: int64 of shape (connect + 6,), in thousandths."""
        import numpy as np

        extra = (self.centre, self.timely, self.untimely, self.double, self.tempo)
        points = [*self.windows(geometry.connect), *extra]
        return np.array([round(UNIT * weight) for weight in points], dtype=np.int64)

    def points(self, batch: Batch) -> npt.NDArray[np.float64]:
        """What each position is worth to its side to move, in points: shape (positions,)."""
        from fourcast.kernels.points import points

        found: npt.NDArray[np.float64] = points(batch, self.weights(batch.geometry)) / UNIT
        return found

    def values(self, batch: Batch) -> npt.NDArray[np.float64]:
        """What each position is worth to its side to move: shape (positions,), in [-1, 1]."""
        import numpy as np

        return np.tanh(self.points(batch) / self.scale)

    def value(self, points: float) -> float:
        """Points as a value."""
        return math.tanh(points / self.scale)


def _windows(connect: int) -> list[float]:
    return [*[0.0] * (connect - 2), 2.0, 10.0, 1000.0]


def _power(connect: int) -> list[float]:
    return [number**1.75 for number in range(connect + 1)]


def _lines(connect: int) -> list[float]:
    return [*[0.0] * connect, 1000.0]


def _promises(connect: int) -> list[float]:
    return [*[0.0] * (connect - 3), 0.9, 2.1, 0.0, 1000.0]


def _hopes(connect: int) -> list[float]:
    return [*[0.0] * (connect - 3), 0.15, 0.8, 2.5, 1000.0]


_KNOWN = (
    Heuristic("windows", _windows, scale=30.0, centre=3.0),
    Heuristic("power", _power, scale=35.0, centre=3.0),
    Heuristic("lines", _lines, scale=1000.0),
    Heuristic("threats", _promises, scale=10.0, timely=10.8, untimely=3.0, double=2.7, tempo=6.5),
    Heuristic("slippery", _hopes, scale=10.0, centre=0.45, tempo=1.0),
)
HEURISTICS = {heuristic.name: heuristic for heuristic in _KNOWN}


def heuristic(name: str) -> Heuristic:
    """The evaluation of that name.

    Raises:
        UnknownEvaluation: There is none.
    """
    if name not in HEURISTICS:
        raise UnknownEvaluation(f"there is no evaluation {shown(name)}; known: {', '.join(HEURISTICS)}")
    return HEURISTICS[name]
