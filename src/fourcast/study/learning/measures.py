"""Models of each family: trained, asked, and set to play."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.agents import Agent, agent
from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.evaluators.features import Features
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.rules import Rules
from fourcast.learning.grading_moves import SolvedMoves, grade_columns
from fourcast.learning.splits import Split
from fourcast.models.card import Card
from fourcast.models.shelf import find
from fourcast.study.games import play_series
from fourcast.study.learning.sets import Sets, hard_ones, sets_of
from fourcast.study.study import Desk, Found

YARDSTICK = "alphabeta:depth=4"
_PLIES = (4, 4)  # random discs before a game, so that games differ
_BINS = 10
_CHANNELS, _BLOCKS = 32, 2  # of a residual network that learns within a minute


def train_boosted(arguments: dict[str, Any], desk: Desk) -> Found:
    """Train boosted trees, judge them, and let them play.

    Args:
        arguments: Those of the sets; `features`, the groups; `rounds`; `repeats` of each shuffle of a group
            of features; `games`.
        desk: Has the folder for the sets and the model.
    """
    from fourcast.learning.boosted import Settings
    from fourcast.learning.training import Training

    sets = sets_of(arguments, desk)
    examples, count = sets.examples
    features = Features.of(STANDARD, arguments["features"])
    few = len(features.names) < 50
    settings = Settings(
        rounds=arguments["rounds"], feature_share=1.0 if few else 0.15, l2=20.0, seed=arguments["seed"]
    )
    # One thread: several wait for each other in vain where a machine has other work.
    training = Training(examples, features, settings, threads=1, advance=desk.advance)
    rows = np.arange(len(examples))
    outcome = training.boosted(split=Split(rows[:count], rows[count:]), repeats=arguments["repeats"])
    report = outcome.natural
    found: Found = {
        "learnt_from": count,
        "seconds": outcome.seconds,
        "accuracy": report.accuracy,
        "log_loss": report.log_loss,
        "features": len(features.names),
        "importance": [each.to_json() for each in outcome.importances],
        "curve": [[each.rounds, each.train, each.held, each.seconds] for each in outcome.curve],
    }
    if arguments["games"]:
        path = desk.folder / _name("boosted", arguments["rounds"], len(features.groups))
        card = training.save(outcome, path, "a study", quiet=False, fresh=0)
        found |= _judged(card, sets, arguments, desk)
    return found


def train_network(arguments: dict[str, Any], desk: Desk) -> Found:
    """Train a network of a kind, judge it, and let it play.

    Args:
        arguments: Those of the sets; `kind`, `cnn` or `network`; `epochs`; `games`.
        desk: Has the folder for the sets and the model.
    """
    from fourcast.learning import distilling
    from fourcast.learning.course import Course
    from fourcast.learning.networks import Shape

    sets = sets_of(arguments, desk)
    train, held = sets.lessons
    kind, epochs = arguments["kind"], arguments["epochs"]
    rate = 1e-3 if kind == distilling.CNN else 2e-3
    course = Course(epochs, learning_rate=rate, seed=arguments["seed"])
    shape = Shape(_CHANNELS, _BLOCKS)
    trained = distilling.train_network(kind, train, held, course, shape, advance=desk.advance)
    card = find(trained.save(desk.folder / _name(kind, epochs), "a study", {"sources": ["study"]}))
    return {"learnt_from": trained.learnt, "seconds": trained.seconds} | _judged(card, sets, arguments, desk)


def ask_shipped(arguments: dict[str, Any], desk: Desk) -> Found:
    """Judge a shipped model by the same positions, and let it play."""
    card = find(arguments["model"])
    known = {"learnt_from": card.data["learnt_from"], "seconds": training_seconds(card)}
    return known | _judged(card, sets_of(arguments, desk), arguments, desk)


def training_seconds(card: Card) -> float:
    """How long training took, that of the networks which a network has gone on from among it."""
    seconds: float = card.training["seconds"]
    start = card.data.get("start")
    while start is not None:
        seconds += start["seconds"]
        start = start["data"].get("start")
    return seconds


def _name(kind: str, *numbers: int) -> str:
    return "-".join((kind, *map(str, numbers)))


def _judged(card: Card, sets: Sets, arguments: dict[str, Any], desk: Desk) -> Found:
    """What a model makes of the positions held out, how good its moves are there, and its games."""
    player = _player(card)
    hard = hard_ones(sets.held)
    columns = [player.analyze(each, Limit()).column for each in hard.batch]
    grades = grade_columns(np.array(columns, dtype=np.int64), hard)
    found: Found = {"good": grades.good, "perfect": grades.perfect, "bytes": card.size}
    values = _values(card, sets.held)
    if values is not None:
        found |= _calibration(values, sets.held)
    games = play_series(
        (card.name, YARDSTICK),
        Rules(),
        arguments["games"],
        arguments["seed"],
        plies=_PLIES,
        player=player,
        advance=desk.advance,
    )
    return found | {"games": games.to_json()}


def _player(card: Card) -> Agent:
    """A player that asks the model alone, one disc ahead; wins in one and blocks it sees by itself."""
    path = str(card.path)
    if card.kind == "boosted":
        return agent("hybrid", Rules(), seed=0, model=path, depth="1", early="128", late="128")
    return agent(card.kind, Rules(), seed=0, model=path, guard="2")


def _values(card: Card, solved: SolvedMoves) -> npt.NDArray[np.float64] | None:
    """What the model thinks of positions, in [-1, 1]; None if it only says where to play."""
    if card.kind == "boosted":
        return BoostedEvaluator(card, STANDARD).values(solved.batch)
    evaluator = NetworkEvaluator(card, STANDARD)
    return evaluator.values(solved.batch) if evaluator.has_value else None


def _calibration(values: npt.NDArray[np.float64], solved: SolvedMoves) -> Found:
    """Points that are foreseen beside those that perfect play brings, and who wins foreseen right.

    A value v foresees (v + 1) / 2 points; above 1/3 it foresees a win, below -1/3 a loss.
    """
    truth = np.sign(np.nanmax(solved.scores, axis=1))
    said, got = (values + 1) / 2, (truth + 1) / 2
    foreseen = np.where(np.abs(values) > 1 / 3, np.sign(values), 0)
    bin_of = np.minimum((said * _BINS).astype(np.int64), _BINS - 1)
    counts = np.bincount(bin_of, minlength=_BINS)
    sums, hits = (np.bincount(bin_of, weights=each, minlength=_BINS) for each in (said, got))
    return {
        "outcome_accuracy": float((foreseen == truth).mean()),
        "calibration_error": float(np.abs(sums - hits).sum() / len(said)),
        "bins": [
            [int(count), float(total / count), float(hit / count)]
            for count, total, hit in zip(counts, sums, hits, strict=True)
            if count
        ],
    }
