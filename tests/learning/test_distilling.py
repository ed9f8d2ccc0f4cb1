"""Networks graded on fresh positions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadModel, Geometry, Limit
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.errors import BadData, BadOption
from fourcast.learning import distilling
from fourcast.learning.course import Course
from fourcast.learning.distilling import NETWORK, SHARE, split_lessons, train_network
from fourcast.learning.lessons import lessons_of
from fourcast.learning.networks import Shape, grow, network
from fourcast.learning.onnx_export import onnx_of
from fourcast.learning.onnx_import import take_weights
from fourcast.models.card import Card
from fourcast.models.shelf import find
from tests.learning.nets import BOARD, needs_training, solved

needs_training()

GEOMETRY = Geometry.parse(BOARD)


def test_the_file_is_graded_as_the_network_was_judged(tmp_path: Path) -> None:
    train, held = split_lessons(lessons_of(solved()), 5)
    trained = train_network(NETWORK, train, held, Course(epochs=2, batch=32, seed=5), Shape(8, 1))
    path = trained.save(tmp_path / "net", "to see", {"sources": ["here"]}, fresh=30)
    liked = NetworkEvaluator(path, GEOMETRY).priors(held.batch).argmax(axis=1)
    rows = np.arange(len(held))
    # Not the same where two columns are liked alike.
    assert held.good[rows, liked].mean() == pytest.approx(trained.judgement.good, abs=0.03)
    assert held.perfect[rows, liked].mean() == pytest.approx(trained.judgement.perfect, abs=0.03)
    card = json.loads(path.read_text())
    assert card["metrics"]["fresh"].keys() == {"positions", "good", "perfect"}
    assert (card["data"]["share_held_out"], card["data"]["seed"]) == (SHARE, 5)
    path = trained.save(tmp_path / "slippery", "to see", {"sources": ["here"], "slip": 0.2}, fresh=30)
    assert "fresh" not in json.loads(path.read_text())["metrics"], "the solver knows no slip"


def test_a_board_that_takes_too_long_has_no_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train, held = split_lessons(lessons_of(solved()), 5)
    trained = train_network(NETWORK, train, held, Course(epochs=1, batch=32, seed=5), Shape(8, 1))
    monkeypatch.setattr(distilling, "_FRESH_LIMIT", Limit(nodes=1))
    path = trained.save(tmp_path / "net", "to see", {"sources": ["here"]}, fresh=30)
    assert json.loads(path.read_text())["metrics"].keys() == {"held"}


@pytest.mark.parametrize("half", [False, True])
def test_weights_come_back_from_the_file(half: bool) -> None:
    before, after = (network(Geometry(4, 6, 4), Shape(6, 2), seed) for seed in (1, 2))
    graph = onnx_of(before, ("policy", "value"), half=half)
    take_weights(after, graph)
    planes = np.random.default_rng(1).random((5, 4, 6, 8), dtype=np.float32)
    for one, other in zip(before(planes), after(planes), strict=True):
        assert np.allclose(np.asarray(one), np.asarray(other), atol=2e-2 if half else 1e-6)
    assert onnx_of(after, ("policy", "value"), half=half) == graph


@pytest.mark.parametrize("shape", [Shape(6, 1), Shape(8, 2)])
def test_weights_of_another_shape_are_refused_and_none_is_taken(shape: Shape) -> None:
    graph = onnx_of(network(GEOMETRY, Shape(6, 2), 1), ("policy", "value"))
    other = network(GEOMETRY, shape, 1)
    before = onnx_of(other, ("policy", "value"))
    with pytest.raises(BadModel):
        take_weights(other, graph)
    assert onnx_of(other, ("policy", "value")) == before


def test_a_network_that_grows_says_the_same_at_first() -> None:
    small, large = (network(Geometry(4, 6, 4), Shape(6, blocks), seed) for blocks, seed in ((1, 1), (3, 2)))
    grow(small, large)
    planes = np.random.default_rng(1).random((5, 4, 6, 8), dtype=np.float32)
    for one, other in zip(small(planes), large(planes), strict=True):
        assert np.allclose(np.asarray(one), np.asarray(other), atol=1e-6)
        assert np.ptp(np.asarray(one)) > 0


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Card:
    train, held = split_lessons(lessons_of(solved()), 5)
    trained = train_network(
        NETWORK, train, held, Course(epochs=12, batch=32, learning_rate=1e-2, seed=5), Shape(8, 1)
    )
    return find(trained.save(tmp_path_factory.mktemp("begun") / "net", "to go on", {"sources": ["here"]}))


def test_a_network_goes_on_from_what_another_has_learnt(begun: Card, tmp_path: Path) -> None:
    train, held = split_lessons(lessons_of(solved(400, 4)), 5)
    course = Course(epochs=1, batch=32, learning_rate=1e-6, seed=5)
    gone_on = train_network(NETWORK, train, held, course, Shape(8, 1), start=begun)
    anew = train_network(NETWORK, train, held, course, Shape(8, 1))
    grown = train_network(NETWORK, train, held, course, Shape(8, 2), start=begun)
    assert gone_on.judgement.loss < 0.8 * anew.judgement.loss, "it knows what the other one knew"
    assert grown.judgement.loss == pytest.approx(gone_on.judgement.loss, abs=1e-3)
    with pytest.raises(BadModel, match="it has 8 channels, not 16"):
        train_network(NETWORK, train, held, course, Shape(16, 2), start=begun)
    card = find(gone_on.save(tmp_path / "more", "to see", {"sources": ["there"]}))
    assert card.data["start"]["sha256"] == begun.sha256
    assert card.data["start"]["data"]["sources"] == ["here"]


def test_a_network_is_not_gone_on_from_that_may_know_what_is_held_out(begun: Card) -> None:
    train, held = split_lessons(lessons_of(solved()), 6)
    with pytest.raises(BadOption, match="held out other positions, by the seed 5 and not 6"):
        train_network(NETWORK, train, held, Course(epochs=1, seed=6), Shape(8, 1), start=begun)


def test_a_checkpoint_of_another_start_is_not_gone_on_from(begun: Card, tmp_path: Path) -> None:
    train, held = split_lessons(lessons_of(solved()), 5)
    course, part = Course(epochs=1, batch=64, seed=5), tmp_path / "net.part"
    train_network(NETWORK, train, held, course, Shape(8, 1), checkpoint=part)
    with pytest.raises(BadData, match="begun with other settings or data"):
        train_network(NETWORK, train, held, course, Shape(8, 1), start=begun, checkpoint=part)
