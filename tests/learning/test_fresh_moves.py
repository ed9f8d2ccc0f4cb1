"""Networks graded on fresh positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fourcast import Geometry, Limit
from fourcast.learning import fresh_moves
from fourcast.learning.course import Course
from fourcast.learning.distilling import NETWORK, SHARE, split_lessons, train_network
from fourcast.learning.examples import held_out
from fourcast.learning.fresh_moves import fresh_lessons, grade_graph
from fourcast.learning.lessons import lessons_of
from fourcast.learning.networks import NETWORK_PLANES, Shape
from tests.learning.nets import BOARD, needs_training, solved

needs_training()

GEOMETRY = Geometry.parse(BOARD)


def nothing(_what: str, _done: int, _total: int) -> None:
    """Nobody watches."""


def test_fresh_positions_are_held_out_and_solved() -> None:
    found = fresh_lessons(GEOMETRY, (4, 12), 40, SHARE, 5, nothing)
    assert found is not None
    assert 20 <= len(found) <= 70
    assert held_out(found.batch, SHARE, 5).all()
    assert found.plies.min() >= 4
    assert found.plies.max() <= 12
    train, _ = split_lessons(lessons_of(solved()), 5)
    known = {position.canonical_key for position in train.batch}
    assert not known & {position.canonical_key for position in found.batch}


def test_a_board_that_takes_too_long_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_moves, "LIMIT", Limit(nodes=1000))
    assert fresh_lessons(Geometry.parse("8x10x5"), (6, 6), 3, SHARE, 5, nothing) is None


def test_the_file_is_graded_as_the_network_was_judged(tmp_path: Path) -> None:
    train, held = split_lessons(lessons_of(solved()), 5)
    trained = train_network(NETWORK, train, held, Course(epochs=2, batch=32, seed=5), Shape(8, 1))
    grades = grade_graph(trained.graph, held, NETWORK_PLANES)
    assert grades["positions"] == trained.judgement.positions
    assert grades["good"] == pytest.approx(trained.judgement.good, abs=0.03)  # where two are liked alike
    assert grades["perfect"] == pytest.approx(trained.judgement.perfect, abs=0.03)
    path = trained.save(tmp_path / "net", "to see", {"sources": ["here"]}, fresh=30)
    card = json.loads(path.read_text())
    assert card["metrics"]["fresh"].keys() == {"positions", "good", "perfect"}
    assert (card["data"]["share_held_out"], card["data"]["seed"]) == (SHARE, 5)
    path = trained.save(tmp_path / "slippery", "to see", {"sources": ["here"], "slip": 0.2}, fresh=30)
    assert "fresh" not in json.loads(path.read_text())["metrics"], "the solver knows no slip"
