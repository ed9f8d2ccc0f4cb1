"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

FIRST, SECOND = 0, 1
PLAYERS = ("first", "second")
DISCS = ("X", "O")


class Cell(NamedTuple):
    """A place on the board, both numbers from 0: `row` from the bottom, `column` from the left."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    Attributes:
        winner: 0 for the player who moved first, 1 for the other, None for a draw.
        plies: How many discs were on the board.
        line: The cells of the winning line, or of all of them if one disc completed several.
    """

    winner: int | None
    plies: int
    line: tuple[Cell, ...] = ()

    @property
    def is_draw(self) -> bool:
        """Whether the board filled up without a line."""
        return self.winner is None

    def __str__(self) -> str:
        if self.winner is None:
            return f"draw after {self.plies} moves"
        return f"{PLAYERS[self.winner]} player ({DISCS[self.winner]}) wins on move {self.plies}"
