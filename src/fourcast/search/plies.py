"""What can come of a position, ply by ply, and what that makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fourcast.game.analysis import score_at_end
from fourcast.game.geometry import Geometry
from fourcast.game.guess import centre_first, guess
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import (
    DECIDED,
    LOSES,
    NOBODY,
    OPEN,
    WINS,
    Children,
    Fates,
    Values,
    back_up,
    fates_of,
    next_ply,
)
from fourcast.kernels.tricks import Stones

_DULL = 1e-9  # values that differ by less are alike
_MOST = 1 - 1e-9  # of what is only evaluated; 1 is for games that are seen decided


@dataclass(frozen=True, slots=True)
class Ply:
    """All different positions that are so many plies away.

    Attributes:
        stones: The positions, as a Batch has them.
        fates: What is known of each at a glance.
        children: Which of the next ply's positions each column leads to; None as long as there is no next.
    """

    stones: Stones
    fates: Fates
    children: Children | None = None

    @property
    def leaves(self) -> npt.NDArray[np.int64]:
        """Which of the positions are open: only those have to be evaluated."""
        return np.flatnonzero(self.fates == OPEN)

    @property
    def memory(self) -> int:
        """Bytes that it takes."""
        children = 0 if self.children is None else self.children.nbytes
        return self.stones.nbytes + self.fates.nbytes + children


def first_ply(position: Position) -> Ply:
    """The position itself; if it is lost, it is looked into all the same, for a column to play."""
    stones = Batch.of(position).stones
    fates = fates_of(position.geometry, stones)
    return Ply(stones, np.where(fates == LOSES, OPEN, fates).astype(np.int8))


def add_ply(geometry: Geometry, plies: list[Ply], most: int) -> bool:
    """Look one ply further, if there is any and its positions are not more than `most`."""
    last = plies[-1]
    if most < 1 or not len(last.leaves):
        return False
    found = next_ply(geometry, last.stones, last.fates, most)
    if found is None:
        return False
    stones, fates, children = found
    plies[-1] = replace(last, children=children)
    plies.append(Ply(stones, fates))
    return True


def size_of(plies: Sequence[Ply]) -> int:
    """How many positions there are in all plies."""
    return sum(len(ply.stones) for ply in plies)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a position is worth, by what can come of it.

    Attributes:
        position: The position.
        plies: What can come of it, itself first.
        values: What every position of each ply is worth to its side to move; beyond `DECIDED` a game is
            decided, the more so the sooner it ends.
        judged: Whether the open positions of the last ply were evaluated, if there are any; else they are
            worth 0.
    """

    position: Position
    plies: tuple[Ply, ...]
    values: tuple[Values, ...]
    judged: bool

    @classmethod
    def of(cls, position: Position, plies: Sequence[Ply], found: Values | None = None) -> Outlook:
        """Carry values back from the last ply to the position.

        Args:
            position: Where the plies begin.
            plies: What can come of it.
            found: What the open positions of the last ply are worth; None if nobody was asked.
        """
        last = plies[-1]
        worth = _at_a_glance(position, len(plies) - 1, last)
        if found is not None:
            worth[last.leaves] = np.clip(found, -_MOST, _MOST)
        values = [worth]
        for away in range(len(plies) - 2, -1, -1):
            ply = plies[away]
            worth = _at_a_glance(position, away, ply)
            assert ply.children is not None
            back_up(ply.children, ply.fates, values[-1], worth)
            values.append(worth)
        judged = found is not None or not len(last.leaves)
        return cls(position, tuple(plies), tuple(values[::-1]), judged)

    @property
    def value(self) -> float:
        """What the position is worth."""
        return float(self.values[0][0])

    @property
    def is_decided(self) -> bool:
        """Whether somebody can force a win."""
        return abs(self.value) >= DECIDED

    @property
    def score(self) -> int | None:
        """The exact score; None if it is not known."""
        if self.is_decided:
            ends = round(self.position.geometry.cells + 1 + DECIDED - abs(self.value)) - self.position.ply
            return score_at_end(self.position, ends, won=self.value > 0)
        return None if len(self.plies[-1].leaves) else 0

    @property
    def columns(self) -> dict[int, float]:
        """What the columns are worth that were looked at; beyond `DECIDED` they decide the game."""
        root = self.plies[0]
        if root.fates[0] == WINS:
            return dict.fromkeys(self.position.winning_columns(self.position.turn), self.value)
        if len(self.plies) == 1 or root.children is None:
            return {}
        children = enumerate(root.children[0].tolist())
        return {column: -float(self.values[1][child]) for column, child in children if child != NOBODY}

    @property
    def column(self) -> int:
        """The best column; of equals, the one nearest to the centre."""
        worth = self.columns
        if not worth:
            return guess(self.position)
        least = max(worth.values()) - _DULL
        return next(each for each in centre_first(self.position) if worth.get(each, -np.inf) > least)

    @property
    def known_values(self) -> tuple[float | None, ...]:
        """The value of each column, in [-1, 1]; None where nothing is known.

        Columns that do not stop the other side from winning at once are lost.
        """
        worth = {
            column: value for column, value in self.columns.items() if self.judged or abs(value) >= DECIDED
        }
        if threats := self.position.winning_columns(1 - self.position.turn):
            others = set(self.position.legal) - set(threats)
            worth = dict.fromkeys(others - set(self.columns), -1.0) | worth
        return tuple(
            min(max(worth[column], -1.0), 1.0) if column in worth else None
            for column in range(self.position.geometry.columns)
        )

    @property
    def line(self) -> tuple[int, ...]:
        """The line of play that leads to the value, up to a win that is seen."""
        line: list[int] = []
        position = self.position
        index = 0
        for ply, after in zip(self.plies[:-1], self.values[1:], strict=True):
            if ply.children is None or ply.fates[index] != OPEN:
                break
            children = ply.children[index]
            played = [each for each in centre_first(position) if children[each] != NOBODY]
            column = self.column if not line else min(played, key=lambda each: after[children[each]])
            line.append(column)
            position = position.play(column)
            index = int(children[column])
        fate = self.plies[len(line)].fates[index]
        if line and fate == LOSES:
            line.append(position.winning_columns(1 - position.turn)[0])
            position = position.play(line[-1])
            line.append(position.winning_columns(position.turn)[0])
        if fate == WINS:
            line.append(self.column if not line else position.winning_columns(position.turn)[0])
        return tuple(line) or (self.column,)


def _at_a_glance(position: Position, away: int, ply: Ply) -> Values:
    """The values of games that the next disc ends, or the one after it; those of others are 0 as yet."""
    soon = DECIDED + position.geometry.cells - position.ply - away
    return np.select([ply.fates == WINS, ply.fates == LOSES], [soon, 1 - soon], 0.0)
