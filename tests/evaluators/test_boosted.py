"""Boosted trees as an evaluator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadModel, Geometry, Position
from fourcast.evaluators import Evaluator
from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.evaluators.features import Features
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.models.files import load_card, save_model
from tests.models.trained import (
    GROUPS,
    booster,
    card_of,
    position_model,
    positions,
    saved,
    small_model,
    text_of,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("models"))


def test_it_says_what_lightgbm_says_of_the_features(path: Path) -> None:
    batch = Batch.of(positions(60, 2))
    rows = Features.of(STANDARD, GROUPS).matrix(batch)
    expected = np.asarray(position_model().predict(rows.astype(np.float64)))
    evaluator: Evaluator = BoostedEvaluator(path)
    found = BoostedEvaluator(path).probabilities(batch)
    assert np.abs(found - expected).max() < 1e-9
    assert np.abs(found.sum(axis=1) - 1).max() < 1e-12
    values = evaluator.values(batch)
    assert np.abs(values - (expected[:, 2] - expected[:, 0])).max() < 1e-9
    assert values.min() < -0.2
    assert values.max() > 0.2


def test_many_positions_are_asked_in_parts_and_come_back_in_order(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = Batch.of(positions(50, 3))
    whole = BoostedEvaluator(path).values(batch)
    monkeypatch.setattr("fourcast.evaluators.boosted._ROWS", 7)
    assert (BoostedEvaluator(path).values(batch) == whole).all()
    assert BoostedEvaluator(path).values(Batch(STANDARD, batch.stones[:0])).shape == (0,)


def test_with_the_mirror_it_is_the_mean_of_both_images(path: Path, tmp_path: Path) -> None:
    given = positions(40, 4)
    batch, images = Batch.of(given), Batch.of([position.mirror() for position in given])
    plain, both = BoostedEvaluator(path), BoostedEvaluator(path, mirror=True)
    assert np.allclose(both.values(batch), both.values(images), rtol=0, atol=1e-12)
    assert (plain.values(batch) != plain.values(images)).any(), "else the mean would prove nothing"
    mean = (plain.probabilities(batch) + plain.probabilities(images)) / 2
    assert np.allclose(both.probabilities(batch), mean, rtol=0, atol=1e-12)
    wanted = saved(tmp_path, mirror=True)
    assert BoostedEvaluator(wanted).mirror, "the card asks for it"
    assert not BoostedEvaluator(wanted, mirror=False).mirror


def test_another_board_is_refused_with_both_names(path: Path) -> None:
    with pytest.raises(BadModel, match=r"tiny\.json: it is for board 6x7x4, not 5x10x4"):
        BoostedEvaluator(path, Geometry(5, 10, 4))
    with pytest.raises(BadModel, match="it is for board 6x7x4, not 5x5x4"):
        BoostedEvaluator(path).values(Batch.of(Position("5x5x4")))


def test_a_model_is_read_when_it_is_first_asked_and_then_kept(tmp_path: Path) -> None:
    card = load_card(saved(tmp_path))
    batch = Batch.of(Position())
    evaluator = BoostedEvaluator(card)
    first = evaluator.values(batch)
    (tmp_path / "tiny.txt.gz").unlink()
    assert (BoostedEvaluator(card).values(batch) == first).all(), "nothing is read again"
    saved(tmp_path, "lost")
    lost = BoostedEvaluator(tmp_path / "lost.json")
    (tmp_path / "lost.txt.gz").write_bytes(b"")
    with pytest.raises(BadModel, match=r"lost\.txt\.gz: it is damaged"):
        lost.values(batch)


def test_a_new_model_of_the_same_name_is_not_mistaken_for_the_old_one(tmp_path: Path) -> None:
    batch = Batch.of(positions(30, 5))
    old = BoostedEvaluator(saved(tmp_path))
    before = old.values(batch)
    features = Features.of(STANDARD, GROUPS)
    rows = features.matrix(batch)
    other = booster(rows, np.arange(len(rows)) % 3, 3, names=features.names, min_data_in_leaf=2)
    new = BoostedEvaluator(save_model(tmp_path, card_of(), text_of(other)))
    assert (new.values(batch) != before).any()
    assert (old.values(batch) == before).all()


def test_features_that_the_card_does_not_promise_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match=r"tiny\.json: there is no group 'smells' of features"):
        BoostedEvaluator(saved(tmp_path, features=("smells",)))
    for path in (
        saved(tmp_path, "turned", features=GROUPS[::-1]),
        save_model(tmp_path, card_of("strange"), text_of(small_model())),
    ):
        with pytest.raises(BadModel, match="it looks at other features"):
            BoostedEvaluator(path).values(Batch.of(Position()))
    broken = save_model(tmp_path, card_of("broken"), b"hello")
    with pytest.raises(BadModel, match=r"broken\.txt\.gz: it is not LightGBM's text"):
        BoostedEvaluator(broken).values(Batch.of(Position()))


def test_playing_needs_no_lightgbm(path: Path) -> None:
    script = f"""
import sys
sys.modules["lightgbm"] = None
from fourcast import Position
from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.kernels.batch import Batch
print(BoostedEvaluator({str(path)!r}).values(Batch.of(Position())).shape)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("(1,)\n", "")
