"""The boosted model under two protocols: as was published, and honestly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.learning.files import data_file
from fourcast.study.study import Desk, Found

if TYPE_CHECKING:
    from fourcast.learning.examples import Examples
    from fourcast.learning.metrics import Report

LEAKY, HONEST, OURS = "published", "honest", "shipped"
_SET = "uci.npz"
_SHARE = 0.2  # of the positions, held out by the honest protocol


def judge_published(arguments: dict[str, Any], desk: Desk) -> Found:
    """Train the published model by one of the protocols, and judge it by what was held out.

    Args:
        arguments: `protocol`; `every`: one in so many positions of UCI's set is taken; `rounds`, `seed` of
            the honest split, `threads`.
        desk: Has a folder in which the set is kept.
    """
    import numpy as np

    from fourcast.evaluators.features import Features
    from fourcast.learning.boosted import PublishedSettings, Table, train_published
    from fourcast.learning.examples import split_by_hash
    from fourcast.learning.metrics import report_of
    from fourcast.learning.splits import positions_of, published_split

    examples = _every(_uci(desk), arguments["every"])
    settings = PublishedSettings(max_iter=arguments["rounds"])
    if arguments["protocol"] == LEAKY:
        split = published_split(examples.classes, settings.random_state)[0]
    else:
        split = split_by_hash(examples, _SHARE, arguments["seed"])
    desk.advance("looking at positions", 1, 3)
    table = Table.of(Features.of(examples.geometry, ["cells"]), examples.batch, examples.classes)
    desk.advance("training", 2, 3)
    require("sklearn.ensemble", "learn")  # only what is loaded can be limited
    with require("threadpoolctl", "learn").threadpool_limits(arguments["threads"], user_api="openmp"):
        model, seconds = train_published(table.only(split.train), settings)
        chances = model.predict_proba(table.features[split.held])
    true = examples.classes[split.held]
    positions = positions_of(examples.batch)
    known = np.isin(positions[split.held], positions[split.train])
    right = chances.argmax(axis=1) == true
    return {
        "learnt_from": len(split.train),
        "leaked": int(known.sum()),
        "accuracy_known": float(right[known].mean()) if known.any() else None,
        "accuracy_new": float(right[~known].mean()) if not known.all() else None,
        "seconds": seconds,
        **_figures(report_of(true, chances)),
    }


def judge_shipped(arguments: dict[str, Any], desk: Desk) -> Found:
    """Ask the shipped model of UCI's set about the part of the set that it has never learnt from."""
    from fourcast.evaluators.boosted import BoostedEvaluator
    from fourcast.learning.examples import held_out
    from fourcast.learning.metrics import report_of
    from fourcast.models.shelf import find

    card = find(arguments["model"])
    examples = _uci(desk)
    held = examples.only(held_out(examples.batch, card.data["share_held_out"], card.data["seed"]))
    held = _every(held, arguments["every"])
    desk.advance("asking", 1, 2)
    report = report_of(held.classes, BoostedEvaluator(card, card.geometry).probabilities(held.batch))
    return {
        "learnt_from": card.data["learnt_from"],
        "leaked": 0,
        "accuracy_known": None,
        "accuracy_new": report.accuracy,
        "seconds": card.training["seconds"],
        **_figures(report),
    }


def _figures(report: Report) -> Found:
    return {
        "held_out": report.positions,
        "accuracy": report.accuracy,
        "balanced_accuracy": report.balanced_accuracy,
        "macro_f1": report.macro_f1,
        "log_loss": report.log_loss,
        "recalls": {each.name: each.recall for each in report.classes},
        "precisions": {each.name: each.precision for each in report.classes},
        "calibration_error": report.top.error,
    }


def _every(examples: Examples, step: int) -> Examples:
    """One in so many of them, evenly."""
    import numpy as np

    return examples if step == 1 else examples.only(np.arange(0, len(examples), step))


def _uci(desk: Desk) -> Examples:
    """UCI's set, made anew, and kept in the folder for the next who asks."""
    import numpy as np

    from fourcast.game.geometry import STANDARD
    from fourcast.learning.examples import UCI, Examples, load_examples

    path = desk.folder / _SET
    if path.exists():
        return Examples(STANDARD, *_kept(path), (UCI,))
    desk.advance("making UCI's set", 0, 3)
    examples = load_examples([UCI])
    with data_file(path) as fresh, fresh.open("wb") as file:
        np.savez(file, stones=examples.stones, classes=examples.classes)
    return examples


def _kept(path: Path) -> tuple[Any, Any]:
    import zipfile

    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as arrays:
            return arrays["stones"], arrays["classes"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadData(f"{path}: it is damaged; remove it") from None
