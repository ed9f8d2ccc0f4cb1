"""What networks learn from: positions, how much each column is to be liked, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadData, BadOption
from fourcast.game.geometry import Geometry
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import legal_columns
from fourcast.kernels.tricks import Stones
from fourcast.learning.labelled import CLEAR, Flags, LabelledSet, Worths, best_of

Numbers = npt.NDArray[np.float32]

#: Of exact scores: how much less a column is liked for each disc that it is worse, as a logarithm, and for
#: how many discs it counts to give away a win or a draw.
SHARP, OUTCOME = 1.0, 4.0
#: Of an agent's values, which go from -1 to 1, likewise.
AGENT_SHARP = 12.0
#: A won or lost position is worth at least that; the rest goes by how soon the game ends.
SURE = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Positions of one board and what is to be learnt of them, seen from the side to move.

    Attributes:
        geometry: The board.
        stones: uint64 of shape (positions, 2, halves), as a `Batch` has them.
        policy: float32 of shape (positions, columns): how much each column should be liked, summing to 1.
        value: float32 of shape (positions,): what they are worth, in [-1, 1].
        legal: bool of shape (positions, columns): the columns that are open.
        good: bool of shape (positions, columns): those that keep the outcome (win, draw or loss).
        perfect: Likewise, those that are best.
    """

    geometry: Geometry
    stones: Stones
    policy: Numbers
    value: Numbers
    legal: Flags
    good: Flags
    perfect: Flags

    def __len__(self) -> int:
        return len(self.stones)

    @property
    def batch(self) -> Batch:
        """The positions, on the way into compiled code."""
        return Batch(self.geometry, self.stones)

    @property
    def plies(self) -> npt.NDArray[np.int64]:
        """How many discs are on each board: int64 of shape (positions,)."""
        plies: npt.NDArray[np.int64] = np.bitwise_count(self.stones).sum(axis=(1, 2), dtype=np.int64)
        return plies

    def only(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Lessons:
        """Some of them."""
        return Lessons(
            self.geometry,
            self.stones[rows],
            self.policy[rows],
            self.value[rows],
            self.legal[rows],
            self.good[rows],
            self.perfect[rows],
        )


def lessons_of(given: LabelledSet) -> Lessons:
    """What a network is to learn of a set.

    Of exact scores: a column is liked the less, the lower its score is, and far less if it gives the outcome
    away; a position is worth its outcome, and somewhat more the sooner that is there. Of an agent's values: a
    column is liked by its value; where only the column that it plays is told, that one alone.

    Raises:
        BadData: The set does not say which columns are best.
    """
    if given.best is None:
        raise BadData("the set does not say which columns are best: it was made with --no-moves")
    legal = legal_columns(given.batch)
    if given.scores is not None:
        value = worth_of(given.scores, given.geometry)
        if given.columns is None:  # a file from before scores of columns were kept
            policy = given.best / given.best.sum(axis=1, keepdims=True)
            return _lessons(given, policy, value, legal, given.best)
        worths = np.where(legal, given.columns, -np.inf)
        liking = SHARP * (worths + OUTCOME * np.sign(worths))
        good = legal & (np.sign(worths) == np.sign(given.scores)[:, np.newaxis])
        return _lessons(given, _shares(liking), value, legal, good)
    assert given.values is not None
    worths = _agents_worths(given, given.best)
    classes = np.where(np.abs(worths) > CLEAR, np.sign(worths), 0)
    highest = np.where(np.isnan(worths), -np.inf, classes).max(axis=1, keepdims=True)
    good = given.best | (~np.isnan(worths) & (classes == highest))
    policy = _shares(AGENT_SHARP * np.where(np.isnan(worths), -np.inf, worths))
    return _lessons(given, policy, given.values, legal, good)


def together(parts: Sequence[Lessons]) -> Lessons:
    """Several as one.

    Raises:
        BadOption: They are of different boards.
    """
    geometry = parts[0].geometry
    for each in parts:
        if each.geometry != geometry:
            raise BadOption(f"a set is of board {each.geometry}, and one before it of {geometry}")
    names = ("stones", "policy", "value", "legal", "good", "perfect")
    return Lessons(geometry, *(np.concatenate([getattr(each, name) for each in parts]) for name in names))


def worth_of(scores: npt.NDArray[np.integer], geometry: Geometry) -> npt.NDArray[np.float64]:
    """Exact scores as values: a win from `SURE` to 1, the sooner the more; a loss likewise, below 0."""
    most = (geometry.cells + 1) // 2
    worth: npt.NDArray[np.float64] = np.sign(scores) * (SURE + (1 - SURE) * np.abs(scores) / most)
    return worth


def _agents_worths(given: LabelledSet, best: Flags) -> Worths:
    """What an agent thinks columns worth; of the one that it plays at least as much as of any other."""
    if given.columns is None:
        return np.where(best, given.values[:, np.newaxis] if given.values is not None else 0.0, np.nan)
    highest = np.where(best_of(given.columns), given.columns, -np.inf).max(axis=1, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0.0)  # where it tells nothing of any column
    return np.where(best, highest, given.columns)


def _shares(liking: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Shares by logarithms; minus infinity is none."""
    shares: npt.NDArray[np.float64] = np.exp(liking - liking.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _lessons(
    given: LabelledSet,
    policy: npt.NDArray[np.float64],
    value: npt.NDArray[np.float64],
    legal: Flags,
    good: Flags,
) -> Lessons:
    assert given.best is not None
    numbers = (policy.astype(np.float32), value.astype(np.float32))
    return Lessons(given.geometry, given.stones, *numbers, legal, good, given.best)
