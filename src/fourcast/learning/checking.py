"""Measuring a model again on positions that it has never learnt from.

Which positions those are goes by a hash (`examples.held_out`), so it is known of every position, also of one
that is drawn today. A model of UCI's set is measured on the part of it that was held out; one of other sets
on positions that are drawn afresh and labelled by the solver. Of trees it is measured how well they foresee
the result, of networks how good their moves are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.errors import BadLimit, BadModel, FourcastError
from fourcast.game.limit import check_count, check_seed
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import WINS, fates_of
from fourcast.learning.examples import UCI, Examples, held_out, load_examples
from fourcast.learning.grading_moves import fresh_moves, grade_moves
from fourcast.learning.labelled import classes_of
from fourcast.learning.labelling import SOLVER_LIMIT, exact_labels
from fourcast.learning.metrics import Report, report_of
from fourcast.learning.part import Part
from fourcast.learning.sampling import Sampling
from fourcast.models.card import NETWORKS, Card

Advance = Callable[[str, int, int], None]

_SIGMAS = 3.5  # a difference beyond so many standard errors is no chance


@dataclass(frozen=True, slots=True)
class Checked:
    """A model measured again.

    Attributes:
        card: Its card.
        measured: What was measured now: `positions`, and of trees `accuracy` and `log_loss`, of networks the
            shares of `good` and `perfect` moves; empty where nothing could be.
        claimed: What the card says was measured in the same way.
        same: Whether both agree, as far as chance lets them.
        note: What was not measured, and why.
    """

    card: Card
    measured: dict[str, float]
    claimed: dict[str, float]
    same: bool
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The figures by name; null where there are none."""
        return {
            "name": self.card.name,
            "board": str(self.card.geometry),
            "measured": self.measured or None,
            "claimed": self.claimed or None,
            "same": self.same,
            "note": self.note,
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
    if card.kind in NETWORKS:
        return _check_network(card, count, seed, advance)
    claimed = _claimed(card, ("positions", "accuracy", "log_loss"), "fresh", "natural")
    if not claimed:
        raise _no_figures(card)
    report = measure(card, count, seed, advance)
    same = _is_same(report, claimed) if _is_of_uci(card) else _agree(report, claimed)
    measured = {"positions": report.positions, "accuracy": report.accuracy, "log_loss": report.log_loss}
    return Checked(card, measured, claimed, same)


def _check_network(card: Card, count: int, seed: int, advance: Advance) -> Checked:
    """The same of a network; only its file, where its card has no figures or its board cannot be solved."""
    evaluator = NetworkEvaluator(card, card.geometry)
    evaluator.load()
    claimed = _claimed(card, ("positions", "good", "perfect"), "fresh")
    if not claimed:  # which is as it should be where nobody can tell good moves
        note = "its card tells no figures of fresh positions: only its file was checked"
        return Checked(card, {}, claimed, True, note)
    try:
        grades = grade_moves(evaluator, fresh_moves(card, count, seed, advance))
    except BadLimit:
        note = f"positions of board {card.geometry} take the solver too long: only its file was checked"
        return Checked(card, {}, claimed, True, note)
    return Checked(card, grades.to_json(), claimed, grades.agrees(claimed))


def _claimed(card: Card, names: tuple[str, ...], *groups: str) -> dict[str, float]:
    """The figures on a card to compare with, of the first of these groups that it has, if they are there."""
    found = next((card.metrics[group] for group in groups if group in card.metrics), None)
    if not isinstance(found, dict) or not all(isinstance(found.get(name), int | float) for name in names):
        return {}
    return dict(found)


def _no_figures(card: Card) -> BadModel:
    return BadModel(f"model {card.path}: its card has no figures to compare with")


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
