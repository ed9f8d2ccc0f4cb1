"""Networks graded on fresh positions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fourcast import Geometry, Limit
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.learning import distilling
from fourcast.learning.course import Course
from fourcast.learning.distilling import NETWORK, SHARE, split_lessons, train_network
from fourcast.learning.lessons import lessons_of
from fourcast.learning.networks import Shape
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
