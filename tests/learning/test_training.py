"""Training a boosted model: held out first, judged honestly, and written whole or not at all."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast import BadData, BadModel, Limit, Position
from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.evaluators.features import Features
from fourcast.extras import require
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.learning import checking
from fourcast.learning.boosted import PublishedSettings, Settings
from fourcast.learning.examples import Examples, held_out, load_examples
from fourcast.learning.metrics import report_of
from fourcast.learning.training import PUBLISHED_ACCURACY, SHARE, Outcome, Training
from fourcast.models.files import load_card, read_model_bytes
from fourcast.models.forest import Forest
from tests.learning.sets import GROUPS, PLIES, QUICK, small_examples, small_training
from tests.learning.test_positions import room_for


@cache
def outcome() -> Outcome:
    return small_training().boosted()


def held_back() -> Examples:
    """What the default protocol holds out."""
    examples = small_examples()
    return examples.only(held_out(examples.batch, SHARE, QUICK.seed))


# --- the honest protocol ---


def test_honestly_nothing_that_is_judged_is_known() -> None:
    found = outcome()
    assert found.leaks.to_json() == {"held": len(held_back()), "same": 0, "mirrored": 0, "leaked": 0}
    assert found.rows + found.natural.positions == len(small_examples())


def test_the_report_is_of_what_was_held_out(tmp_path: Path) -> None:
    found, run, held = outcome(), small_training(), held_back()
    card = run.save(found, tmp_path / "tiny", "a test", quiet=False, fresh=0)
    chances = BoostedEvaluator(card, held.geometry).probabilities(held.batch)
    again = report_of(held.classes, chances)
    assert (again.positions, again.confusion) == (found.natural.positions, found.natural.confusion)
    assert again.log_loss == pytest.approx(found.natural.log_loss)
    support = {each.name: each.support for each in found.natural.classes}
    assert support == held.counts
    assert [each.support for each in found.balanced.classes] == [min(support.values())] * 3


def test_a_report_has_everything() -> None:
    found = outcome()
    document = found.to_json()
    assert json.loads(json.dumps(document, allow_nan=False)).keys() == document.keys()
    for side in ("natural", "balanced"):
        assert set(document[side]) >= {
            *("positions", "accuracy", "balanced_accuracy", "macro_f1", "log_loss"),
            *("classes", "confusion", "calibration", "calibration_error"),
        }
    assert [each["rounds"] for each in document["curve"]] == [20]
    assert {each["group"] for each in document["importance"]} == set(GROUPS)
    assert found.seconds > 0
    assert min(document["latency_us"].values()) > 0


class Clock:
    """A time that goes on by what is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def takes(self, seconds: float, do: Any) -> Any:
        """The same, and it takes so long for each row."""

        def timed(*given: Any) -> Any:
            self.now += seconds * len(given[-1])
            return do(*given)

        return timed


@pytest.mark.parametrize(
    ("kind", "mirror", "told"), [("boosted", True, 22), ("boosted", False, 11), ("hist", True, 11)]
)
def test_latency_is_that_of_what_a_user_gets_from_positions_on(
    kind: str, mirror: bool, told: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Features take 1 us a row here, and models 10."""
    clock = Clock()
    monkeypatch.setattr("fourcast.learning.training.time.perf_counter", lambda: clock.now)
    monkeypatch.setattr(Features, "matrix", clock.takes(1e-6, Features.matrix))
    monkeypatch.setattr(Forest, "probabilities", clock.takes(10e-6, Forest.probabilities))
    model = require("sklearn.ensemble", "learn").HistGradientBoostingClassifier
    monkeypatch.setattr(model, "predict_proba", clock.takes(10e-6, model.predict_proba))
    run = small_training(mirror=mirror)
    found = run.boosted(repeats=0) if kind == "boosted" else run.baseline(published=False)
    assert [found.latency.one, found.latency.batch] == pytest.approx([told, told])


def test_importance_may_be_left_out() -> None:
    assert small_training().boosted(repeats=0).importances == ()


def test_without_mirror_images_the_model_is_the_same_and_is_asked_once() -> None:
    plain = small_training(mirror=False).boosted(repeats=0)
    assert plain.text == outcome().text
    assert plain.natural.log_loss != outcome().natural.log_loss


def test_only_the_training_side_is_balanced() -> None:
    even = small_training(balanced=True).boosted(repeats=0)
    assert even.text != outcome().text
    assert [each.support for each in even.natural.classes] == [
        each.support for each in outcome().natural.classes
    ]
    assert even.leaks.leaked == 0
    rare = [
        next(each for each in found.natural.classes if each.name == "loss") for found in (even, outcome())
    ]
    assert rare[0].predicted > rare[1].predicted, "a rare class is thought of more often"


def test_too_few_positions_are_one_line() -> None:
    run = small_training()
    few = dataclasses.replace(run, examples=run.examples.only(np.arange(5)))
    for train in (few.boosted, lambda: few.baseline(published=False), lambda: few.search(1, Path("none"))):
        with pytest.raises(BadData, match="5 positions are too few"):
            train()


# --- the published protocol ---


def test_by_the_published_protocol_most_of_what_is_judged_is_known() -> None:
    run = small_training()
    split = run.published_split()
    found = run.boosted(split=split, repeats=0)
    assert found.leaks.leaked > found.leaks.held / 3
    assert found.leaks.held == found.natural.positions == len(split.held)
    support = [each.support for each in found.natural.classes]
    assert max(support) - min(support) <= 1, "balanced before it was split"


def test_scikit_learns_model_goes_by_either_protocol() -> None:
    run = small_training()
    honest, published = (run.baseline(published=each) for each in (False, True))
    assert (honest.leaks.leaked, honest.natural.positions) == (0, len(held_back()))
    assert published.leaks.leaked > 0
    assert published.natural.accuracy > honest.natural.accuracy, "what is known by heart is known better"
    assert honest.text is None
    assert honest.curve == ()
    even = small_training(balanced=True).baseline(published=False)
    assert even.natural.log_loss != honest.natural.log_loss


def test_scikit_learns_model_cannot_be_saved(tmp_path: Path) -> None:
    run = small_training()
    with pytest.raises(BadModel, match="scikit-learn's model cannot be kept"):
        run.save(dataclasses.replace(outcome(), text=None), tmp_path / "tiny", "a test", quiet=False, fresh=0)
    assert not list(tmp_path.iterdir())


def test_the_published_settings_are_those_that_were_published() -> None:
    assert PUBLISHED_ACCURACY == 0.8955
    assert dataclasses.asdict(PublishedSettings()) == {
        "learning_rate": 0.34,
        "max_iter": 490,
        "max_leaf_nodes": 58,
        "max_depth": 7,
        "min_samples_leaf": 42,
        "l2_regularization": 3.11,
        "random_state": 229,
        "early_stopping": False,
    }


@pytest.mark.slow
@pytest.mark.timeout(1200)  # scikit-learn is slow on a busy machine
def test_the_published_figure_is_found_again_with_its_leak() -> None:
    examples = load_examples(["uci"])
    run = Training(examples, Features.of(STANDARD, ["cells"]), Settings())
    found = run.baseline(published=True)
    assert (found.leaks.held, found.leaks.leaked) == (9981, 5624)
    assert found.natural.accuracy == pytest.approx(PUBLISHED_ACCURACY, abs=0.005)


# --- folds ---


def test_every_position_is_held_out_in_one_fold() -> None:
    run = small_training(dataclasses.replace(QUICK, rounds=5))
    told: list[str] = []
    figures = dataclasses.replace(run, advance=lambda what, *_: told.append(what)).cross_validate(3)
    assert set(figures) == {"accuracy", "balanced_accuracy", "macro_f1", "log_loss"}
    for each in figures.values():
        assert each.count == 3
        assert each.low is not None
        assert each.high is not None
        assert each.low < each.mean < each.high
    assert [what.partition(":")[0] for what in told] == ["fold 1 of 3", "fold 2 of 3", "fold 3 of 3"]
    assert figures == run.cross_validate(3)


# --- model files ---


def test_the_card_says_what_was_done_and_found(tmp_path: Path) -> None:
    run, found = small_training(), outcome()
    card = run.save(found, tmp_path / "deep" / "tiny", "a test", quiet=True, fresh=100)
    assert card == load_card(tmp_path / "deep" / "tiny.json")
    assert read_model_bytes(card) == found.text
    assert (card.name, card.purpose, card.geometry) == ("tiny", "a test", run.examples.geometry)
    assert (card.features, card.mirror) == (GROUPS, True)
    assert card.data == {
        "sources": ["small.csv"],
        "positions": 600,
        "plies": list(PLIES),
        "quiet": True,
        "learnt_from": found.rows,
        "held_out": found.natural.positions,
        "share_held_out": 0.2,
        "seed": 229,
    }
    assert card.training["rounds"] == 20
    assert card.training["balanced"] is False
    for name, report in (("natural", found.natural), ("balanced", found.balanced)):
        assert card.metrics[name]["accuracy"] == report.accuracy
        assert card.metrics[name]["log_loss"] == report.log_loss
    assert 50 < card.metrics["fresh"]["positions"] < 150
    assert {"fourcast", "lightgbm", "numpy", "scikit-learn"} <= set(card.versions)


def test_the_same_training_writes_the_same_model_file(tmp_path: Path) -> None:
    for name in ("one", "other"):
        run = small_training()
        run.save(run.boosted(repeats=0), tmp_path / name / "tiny", "a test", quiet=False, fresh=0)
    one, other = (tmp_path / name / "tiny.txt.gz" for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_a_saved_model_thinks_of_positions_what_it_was_judged_by(tmp_path: Path) -> None:
    card = small_training().save(outcome(), tmp_path / "tiny", "a test", quiet=False, fresh=0)
    evaluator = BoostedEvaluator(card, card.geometry)
    with pytest.raises(BadModel, match="it is for board 4x5x4, not 6x7x4"):
        BoostedEvaluator(card)
    position = Position("4x5x4").play(0)
    assert evaluator.values(Batch.of([position]))[0] == evaluator.values(Batch.of([position.mirror()]))[0]


def test_a_board_that_cannot_be_solved_is_not_measured_on_fresh_positions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "SOLVER_LIMIT", Limit(nodes=1))
    card = small_training().save(outcome(), tmp_path / "tiny", "a test", quiet=False, fresh=100)
    assert set(card.metrics) == {"natural", "balanced"}


@pytest.mark.parametrize("size", [100, 3000])
def test_a_disk_that_fills_while_saving_leaves_what_was_there(tmp_path: Path, size: int) -> None:
    (tmp_path / "tiny.json").write_text("what was there")
    with room_for(size), pytest.raises(BadModel, match=r"tiny\.json: File too large"):
        small_training().save(outcome(), tmp_path / "tiny", "a test", quiet=False, fresh=0)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("tiny.json", "what was there")]


def test_what_is_being_done_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    run = dataclasses.replace(small_training(), advance=lambda *what: told.append(what))
    found = run.boosted(tmp_path / "part")
    run.save(found, tmp_path / "tiny", "a test", quiet=False, fresh=100)
    loss = f"training: log-loss {found.curve[-1].held:.4f}"
    assert (loss, 20, 20) in told
    assert ("importance", 6, 6) in told
    assert any(what == "solving fresh positions" and done == total for what, done, total in told)
