"""Evaluations that weigh windows: the `connect` cells in line that only one side occupies."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import astuple, dataclass
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
class Terms:
    """What an evaluation counts, in points; `kernels.points` says how.

    Attributes:
        windows: Of a window that holds 0, 1, ... of one side's discs and none of the other's.
        centre: Of a disc in the centre column (in the two middle ones, where their number is even).
        timely: Of a threat that the other side will have to make room for.
        untimely: Of another threat.
        double: Of two threats on top of each other.
        tempo: Of having the move.
        danger: Of a cell where the other side, when its turn comes, can win at once.
        fork: Of each further one.
    """

    windows: tuple[float, ...]
    centre: float = 0.0
    timely: float = 0.0
    untimely: float = 0.0
    double: float = 0.0
    tempo: float = 0.0
    danger: float = 0.0
    fork: float = 0.0


@dataclass(frozen=True, slots=True)
class Heuristic:
    """An evaluation by windows and threats; it is an `Evaluator`.

    Attributes:
        name: What it is called.
        terms: What it counts, for a number of discs in line.
        scale: Points that are worth tanh(1), which docs/agents.md says how it was found.
    """

    name: str
    terms: Callable[[int], Terms]
    scale: float

    def weights(self, geometry: Geometry) -> Weights:
        """The terms as compiled code takes them: int64 of shape (connect + 8,), in thousandths."""
        import numpy as np

        windows, *others = astuple(self.terms(geometry.connect))
        return np.array([round(UNIT * weight) for weight in (*windows, *others)], dtype=np.int64)

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


def _windows(connect: int) -> Terms:
    return Terms((*[0.0] * (connect - 2), 2.0, 10.0, 1000.0), centre=3.0)


def _power(connect: int) -> Terms:
    return Terms(tuple(number**1.75 for number in range(connect + 1)), centre=3.0)


def _lines(connect: int) -> Terms:
    return Terms((*[0.0] * connect, 1000.0))


def _threats(connect: int) -> Terms:
    windows = (*[0.0] * (connect - 3), 0.9, 2.1, 0.0, 1000.0)
    return Terms(windows, timely=10.8, untimely=3.0, double=2.7, tempo=6.5)


def _slippery(connect: int) -> Terms:
    if connect == 3:
        return Terms((0.0, 0.72, 1.03, 1000.0), centre=1.97, tempo=4.23, danger=-5.32, fork=-8.52)
    if connect == 4:
        return Terms((0.0, 0.25, 0.86, 2.14, 1000.0), centre=0.57, tempo=1.37, danger=-1.49, fork=-8.78)
    windows = (*[0.0] * (connect - 4), 0.06, 0.25, 0.85, 2.43, 1000.0)
    return Terms(windows, centre=0.36, tempo=1.18, danger=-0.4, fork=-6.4)


_KNOWN = (
    Heuristic("windows", _windows, scale=30.0),
    Heuristic("power", _power, scale=35.0),
    Heuristic("lines", _lines, scale=1000.0),
    Heuristic("threats", _threats, scale=10.0),
    Heuristic("slippery", _slippery, scale=10.0),
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
