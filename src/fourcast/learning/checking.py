"""Measuring a model again on positions that it has never learnt from.

Which positions those are goes by a hash (`examples.held_out`), so it is known of every position, also of one
that is drawn today. A model of UCI's set is measured on the part of it that was held out; one of other sets
on positions that are drawn afresh and labelled by the solver.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.game.errors import BadModel, FourcastError
from fourcast.game.limit import check_count, check_seed
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import WINS, fates_of
from fourcast.learning.examples import UCI, Examples, held_out, load_examples
from fourcast.learning.labelled import classes_of
from fourcast.learning.labelling import SOLVER_LIMIT, exact_labels
from fourcast.learning.metrics import Report, report_of
from fourcast.learning.part import Part
from fourcast.learning.sampling import Sampling
from fourcast.models.card import Card

Advance = Callable[[str, int, int], None]

_SIGMAS = 3.5  # a difference beyond so many standard errors is no chance


@dataclass(frozen=True, slots=True)
class Checked:
    """A model measured again.

    Attributes:
        card: Its card.
        report: What was measured now.
        claimed: What the card says was measured in the same way: accuracy and log-loss, and of how many.
        same: Whether both agree, as far as chance lets them.
    """

    card: Card
    report: Report
    claimed: dict[str, float]
    same: bool

    def to_json(self) -> dict[str, Any]:
        """The figures by name."""
        return {
            "name": self.card.name,
            "board": str(self.card.geometry),
            "measured": {
                "positions": self.report.positions,
                "accuracy": self.report.accuracy,
                "log_loss": self.report.log_loss,
            },
            "claimed": self.claimed,
            "same": self.same,
        }


def fresh_examples(card: Card, count: int, seed: int, advance: Advance) -> Examples:
    """Positions that the model has never learnt from, like those that it has.

    Args:
        card: The model's card.
        count: About how many; a small board may have fewer.
        seed: Which ones are drawn.
        advance: Told what is being done, how much of it is done and how much there is.

    Raises:
        BadModel: The card does not say what it learnt from, or there is no such position.
        BadLimit: They take the solver too long.
    """
    check_count("count", count)
    data = card.data
    try:
        share, split = float(data["share_held_out"]), check_seed(data["seed"])
        first, last = data["plies"]
        list(data["sources"])
        sampling = Sampling(card.geometry, math.ceil(count / share), (first, last), seed=seed)
    except (KeyError, TypeError, ValueError, ArithmeticError, FourcastError):
        raise BadModel(f"model {card.path}: its card does not say what it was trained on") from None
    if _is_of_uci(card):
        advance("making UCI's set", 0, 1)
        known = load_examples([UCI])
        return known.only(held_out(known.batch, share, split))
    _, stones = sampling.draw(Part(None, {}), advance, fewer=True)
    stones = stones[held_out(Batch(card.geometry, stones), share, split)]
    if data.get("quiet"):
        stones = stones[fates_of(card.geometry, stones) != WINS]
    if not len(stones):
        raise BadModel(f"model {card.path}: no position was found to measure it on")
    scores: list[npt.NDArray[np.float64]] = []
    done = 0
    for some in exact_labels(Batch(card.geometry, stones), moves=False, threads=1, limit=SOLVER_LIMIT):
        scores.append(some.labels)
        done += len(some.labels)
        advance("solving fresh positions", done, len(stones))
    return Examples(card.geometry, stones, classes_of(np.concatenate(scores)), ("fresh",))


def check_model(card: Card, count: int, seed: int, advance: Advance) -> Checked:
    """Measure a model again, and compare with what its card says.

    Raises:
        BadModel: The model cannot be read, or its card does not say what there is to compare with.
    """
    claimed = card.metrics.get("fresh", card.metrics.get("natural"))
    names = ("positions", "accuracy", "log_loss")
    if not isinstance(claimed, dict) or not all(isinstance(claimed.get(name), int | float) for name in names):
        raise BadModel(f"model {card.path}: its card has no figures to compare with")
    report = measure(card, count, seed, advance)
    same = _is_same(report, claimed) if _is_of_uci(card) else _agree(report, claimed)
    return Checked(card, report, dict(claimed), same)


def measure(card: Card, count: int, seed: int, advance: Advance) -> Report:
    """How good a model is on positions that it has never learnt from."""
    evaluator = BoostedEvaluator(card, card.geometry)
    examples = fresh_examples(card, count, seed, advance)
    return report_of(examples.classes, evaluator.probabilities(examples.batch))


def _is_of_uci(card: Card) -> bool:
    """Whether it learnt from UCI's set alone, so that the very same positions are measured again."""
    return bool(card.data.get("sources") == [UCI])


def _is_same(report: Report, claimed: dict[str, float]) -> bool:
    """Whether the figures are the same, but for rounding: another machine may add up in another order."""
    return (
        report.positions == claimed["positions"]
        and abs(report.accuracy - claimed["accuracy"]) < 2 / report.positions
        and abs(report.log_loss - claimed["log_loss"]) < 1e-4
    )


def _agree(report: Report, claimed: dict[str, float]) -> bool:
    """Whether both figures are as close as two samples of their sizes should be."""
    counts = 1 / report.positions + 1 / max(1.0, claimed["positions"])
    rate = (report.accuracy + min(max(claimed["accuracy"], 0.0), 1.0)) / 2
    error = math.sqrt(max(rate * (1 - rate), 1e-6) * counts)
    # The log-loss of a position varies about as much as it is: an exponential spread.
    spread = max(report.log_loss, claimed["log_loss"], 1e-3) * 1.5 * math.sqrt(counts)
    return (
        abs(report.accuracy - claimed["accuracy"]) <= _SIGMAS * error
        and abs(report.log_loss - claimed["log_loss"]) <= _SIGMAS * spread
    )
