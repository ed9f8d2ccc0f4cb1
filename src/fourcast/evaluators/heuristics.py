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
CENTRE = 3.0


def _windows(connect: int) -> list[float]:
    weights = [0.0] * (connect + 1)
    weights[connect - 2 :] = [2.0, 10.0, 1000.0]
    return [*weights, CENTRE]


def _power(connect: int) -> list[float]:
    return [*(number**1.75 for number in range(connect + 1)), CENTRE]


def _lines(connect: int) -> list[float]:
    return [*([0.0] * connect), 1000.0, 0.0]


@dataclass(frozen=True, slots=True)
class Heuristic:
    """An evaluation by windows; it is an `Evaluator`.

    Attributes:
        name: What it is called.
        scale: Points that make a value of tanh(1); see docs/agents.md for how it was found.
        weights_for: The weights for a number of discs in line: points of a window with 0, 1, ... of one
            side's discs and none of the other's, and last the points of a disc in the centre column (of the
            two middle ones, where their number is even).
    """

    name: str
    scale: float
    weights_for: Callable[[int], list[float]]

    def weights(self, geometry: Geometry) -> Weights:
        """The weights as compiled code takes them: int64 of shape (connect + 2,), in thousandths."""
        import numpy as np

        return np.array(
            [round(UNIT * weight) for weight in self.weights_for(geometry.connect)], dtype=np.int64
        )

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


_KNOWN = (
    Heuristic("windows", 30.0, _windows),
    Heuristic("power", 30.0, _power),
    Heuristic("lines", 30.0, _lines),
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
