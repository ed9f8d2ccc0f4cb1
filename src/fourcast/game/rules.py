"""The game on a board, with or without slip."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol

from fourcast.game.errors import BadShape, BadSlip, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.position import Position


class RandomSource(Protocol):
    """What chance is drawn from: `random.Random` and `numpy.random.Generator` both fit."""

    def random(self) -> float:
        """A number in [0, 1)."""
        ...


@dataclass(frozen=True, slots=True, init=False)
class Rules:
    """A board and its slip.

    Attributes:
        geometry: The board.
        slip: The chance that a disc lands in one of the other open columns, each equally likely, instead
            of the one it was aimed at. With one open column left, no disc slips.

    Raises:
        BadSlip: The slip is not a number in [0, 1).
    """

    geometry: Geometry
    slip: float

    def __init__(self, geometry: Geometry | str = STANDARD, slip: float = 0.0) -> None:
        object.__setattr__(self, "geometry", Geometry.of(geometry))
        object.__setattr__(self, "slip", check_slip(slip))

    def land(self, position: Position, column: int, rng: RandomSource) -> int:
        """Where a disc lands that the side to move aims at the column; one number is drawn if it may slip.

        Raises:
            IllegalMove: A disc cannot be aimed there.
            BadShape: The position is on another board.
        """
        column, others = self._aim(position, column)
        if not others:
            return column
        chance = rng.random()
        if chance >= self.slip:
            return column
        return others[min(int(chance / self.slip * len(others)), len(others) - 1)]

    def landings(self, position: Position, column: int) -> dict[int, float]:
        """The chance of each column in which a disc aimed at `column` may land; they sum to 1.

        Raises:
            IllegalMove: A disc cannot be aimed there.
        """
        column, others = self._aim(position, column)
        if not others:
            return {column: 1.0}
        return {column: 1.0 - self.slip} | dict.fromkeys(others, self.slip / len(others))

    def _aim(self, position: Position, column: int) -> tuple[int, list[int]]:
        """The column, and those that a disc aimed at it may slip into."""
        if position.geometry != self.geometry:
            raise BadShape(f"the position is on board {position.geometry}, the rules are for {self.geometry}")
        column = position.check_move(column)
        return column, [other for other in position.legal if other != column] if self.slip else []

    def __str__(self) -> str:
        return f"{self.geometry} with slip {self.slip:g}" if self.slip else str(self.geometry)


def aim_shares(slip: float, open_columns: int) -> tuple[float, float]:
    """What aiming at a column is worth, by what the landings are worth.

    With V(c) what a position is worth to its mover once the disc has landed in column c, aiming at c is worth
    own * V(c) + each * (the sum of all V).

    Returns:
        own and each. Where slip is very likely, own is negative, and the best aim is the worst landing.
    """
    if open_columns == 1:
        return 1.0, 0.0
    each = slip / (open_columns - 1)
    return 1.0 - slip - each, each


def check_slip(slip: float) -> float:
    """The slip as a float.

    Raises:
        BadSlip: It is not a number in [0, 1).
    """
    number: Any = slip  # whatever it was said to be
    if isinstance(number, bool) or not isinstance(number, Real) or not 0 <= slip < 1:
        raise BadSlip(f"slip {shown(slip)}: it must be a number in [0, 1)")
    return float(slip)
