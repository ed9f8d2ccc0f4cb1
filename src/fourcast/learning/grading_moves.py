"""How good the moves of a network are that searches nothing, on positions that it has never learnt from.

Which positions those are goes by a hash (`examples.held_out`), so it is known of every position, also of one
that is drawn today. The solver says what each column is worth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadModel, FourcastError
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit, check_count, check_seed
from fourcast.kernels.batch import Batch
from fourcast.kernels.tricks import Stones
from fourcast.learning.examples import held_out
from fourcast.learning.labelling import SOLVER_LIMIT, exact_labels
from fourcast.learning.part import Part
from fourcast.learning.sampling import Sampling
from fourcast.models.card import Card

Advance = Callable[[str, int, int], None]

_SIGMAS = 3.5  # a difference beyond so many standard errors is no chance


class Priors(Protocol):
    """What is graded: `NetworkEvaluator` has it."""

    def priors(self, batch: Batch) -> npt.NDArray[np.float64]:
        """How likely each column is to be played: shape (positions, columns)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SolvedMoves:
    """Positions, and what every column of them is worth.

    Attributes:
        geometry: The board.
        stones: uint64 of shape (positions, 2, halves), as a `Batch` has them.
        scores: float64 of shape (positions, columns): exact scores, seen by the side to move; not a number
            where a column is full.
    """

    geometry: Geometry
    stones: Stones
    scores: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def batch(self) -> Batch:
        """The positions, on the way into compiled code."""
        return Batch(self.geometry, self.stones)


@dataclass(frozen=True, slots=True)
class MoveGrades:
    """How good moves are.

    Attributes:
        positions: How many moves were graded, one of each position.
        good: The share that keeps the game's value: won, drawn or lost.
        perfect: The share that keeps the exact score.
    """

    positions: int
    good: float
    perfect: float

    def to_json(self) -> dict[str, Any]:
        """The figures by name, as a card has them under `fresh`."""
        return asdict(self)

    def agrees(self, claimed: dict[str, float]) -> bool:
        """Whether both shares are as close to others as two samples of their sizes should be."""
        counts = 1 / self.positions + 1 / max(1.0, claimed["positions"])
        for share, other in ((self.good, claimed["good"]), (self.perfect, claimed["perfect"])):
            rate = (share + min(max(other, 0.0), 1.0)) / 2
            # Where all moves are good, one in the next sample may still not be.
            error = math.sqrt(max(rate * (1 - rate), 1 / self.positions) * counts)
            if abs(share - other) > _SIGMAS * error:
                return False
        return True


def fresh_moves(
    card: Card,
    count: int,
    seed: int,
    advance: Advance,
    limit: Limit = SOLVER_LIMIT,
    *,
    plies: tuple[int, int] | None = None,
) -> SolvedMoves:
    """Positions that a network has never learnt from, solved.

    Args:
        card: The network's card; its `data` have `plies`, `share_held_out` and `seed`.
        count: About how many; a small board may have fewer.
        seed: Which ones are drawn.
        advance: Told what is being done, how much of it is done and how much there is.
        limit: What a position may take to be solved, its moves included.
        plies: The fewest and the most discs on the board; None for those of what it has learnt from.

    Raises:
        BadModel: The card does not say what it learnt from, or there is no such position.
        BadLimit: They take the solver too long.
    """
    check_count("count", count)
    try:
        share, split = float(card.data["share_held_out"]), check_seed(card.data["seed"])
        first, last = plies or card.data["plies"]
        sampling = Sampling(card.geometry, math.ceil(count / share), (first, last), seed=seed)
        _, stones = sampling.draw(Part(None, {}), advance, fewer=True)
        stones = stones[held_out(Batch(card.geometry, stones), share, split)]
    except (KeyError, TypeError, ValueError, ArithmeticError, FourcastError):
        raise BadModel(f"model {card.path}: its card does not say what it was trained on") from None
    if not len(stones):
        raise BadModel(f"model {card.path}: no position was found to measure it on")
    scores: list[npt.NDArray[np.float64]] = []
    done = 0
    for some in exact_labels(Batch(card.geometry, stones), moves=True, threads=1, limit=limit):
        if some.columns is not None:
            scores.append(some.columns)
        done += len(some.labels)
        advance("solving fresh positions", done, len(stones))
    return SolvedMoves(card.geometry, stones, np.concatenate(scores))


def grade_moves(evaluator: Priors, solved: SolvedMoves) -> MoveGrades:
    """How good the likeliest open column is, by what the solver says; without search or guard."""
    priors = np.where(np.isnan(solved.scores), -np.inf, evaluator.priors(solved.batch))
    return grade_columns(priors.argmax(axis=1), solved)


def grade_columns(columns: npt.NDArray[np.int64], solved: SolvedMoves) -> MoveGrades:
    """How good columns are, one of each position.

    Args:
        columns: int64 of shape (positions,), each open.
        solved: The positions.
    """
    got = solved.scores[np.arange(len(solved)), columns]
    best = np.nanmax(solved.scores, axis=1)
    return MoveGrades(len(solved), float((np.sign(got) == np.sign(best)).mean()), float((got == best).mean()))
