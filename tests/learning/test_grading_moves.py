"""How good the moves of networks are, and that their cards are held to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import BadLimit, BadModel, Geometry, Limit, solve
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.kernels.batch import Batch
from fourcast.learning.checking import check_model
from fourcast.learning.examples import held_out
from fourcast.learning.grading_moves import MoveGrades, fresh_moves, grade_columns, grade_moves
from fourcast.models.card import Card
from fourcast.models.files import load_card
from tests.models.networks import save_network

SMALL = Geometry.parse("4x5x4")


def nobody(*_: object) -> None:
    """Nobody is told."""


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return load_card(save_network(tmp_path, geometry=SMALL))


def claiming(card: Card, **figures: Any) -> Card:
    """The same with other figures on its card."""
    document = json.loads(card.path.read_text())
    document["metrics"] = {"fresh": figures} if figures else {}
    card.path.write_text(json.dumps(document))
    return load_card(card.path)


class Likes:
    """It likes columns as it is told, position by position."""

    def __init__(self, likes: npt.NDArray[np.float64]) -> None:
        self.likes = likes

    def priors(self, batch: Batch) -> npt.NDArray[np.float64]:
        assert len(batch) == len(self.likes)
        return self.likes


def test_fresh_positions_are_held_out_and_every_column_is_solved(card: Card) -> None:
    solved = fresh_moves(card, 30, 2, nobody)
    assert 15 < len(solved) < 60
    assert held_out(solved.batch, 0.2, 1).all()
    for position, scores in zip(solved.batch, solved.scores.tolist(), strict=True):
        assert 4 <= position.ply <= 12
        for column in range(5):
            if column not in position.legal:
                assert np.isnan(scores[column])
                continue
            after = position.play(column)
            if after.is_over:
                won = after.outcome is not None and after.outcome.winner is not None
                assert (scores[column] > 0) == won
            else:
                score = solve(after).score
                assert score is not None
                assert scores[column] == -score


def test_the_best_column_is_perfect_and_one_with_the_same_result_is_good(card: Card) -> None:
    solved = fresh_moves(card, 60, 1, nobody)
    best = grade_moves(Likes(solved.scores), solved)
    assert (best.positions, best.good, best.perfect) == (len(solved), 1.0, 1.0)
    top, low = np.nanmax(solved.scores, axis=1), np.nanmin(solved.scores, axis=1)
    found = grade_moves(Likes(-solved.scores), solved)
    assert found.perfect == pytest.approx((low == top).mean())
    assert found.good == pytest.approx((np.sign(low) == np.sign(top)).mean())
    assert found.perfect <= found.good < 1.0
    full = np.where(np.isnan(solved.scores), 999.0, solved.scores)
    assert grade_moves(Likes(full), solved).perfect == 1.0, "a full column is never the likeliest"


def test_the_moves_of_a_network_are_those_of_its_likeliest_columns(card: Card) -> None:
    solved = fresh_moves(card, 60, 1, nobody)
    evaluator = NetworkEvaluator(card, SMALL)
    columns = evaluator.priors(solved.batch).argmax(axis=1)
    assert grade_moves(evaluator, solved) == grade_columns(columns, solved)


def test_a_card_that_says_the_truth_passes_and_one_that_lies_does_not(card: Card) -> None:
    measured = grade_moves(NetworkEvaluator(card, SMALL), fresh_moves(card, 300, 1, nobody)).to_json()
    honest = claiming(card, **measured)
    for seed in range(1, 5):
        found = check_model(honest, 150, seed, nobody)
        assert found.same
        assert found.claimed == measured
        assert found.measured.keys() == measured.keys()
    again = check_model(honest, 300, 1, nobody)
    assert again.measured == measured
    assert again.to_json() == json.loads(json.dumps(again.to_json()))
    for lie in ({"good": 1.0}, {"perfect": 0.99}, {"good": 0.1}, {"perfect": -4.0}):
        assert not check_model(claiming(card, **(measured | lie)), 300, 1, nobody).same


def test_shares_agree_as_far_as_chance_lets_them() -> None:
    claimed = {"positions": 1000, "good": 0.98, "perfect": 0.9}
    assert MoveGrades(1000, 0.97, 0.88).agrees(claimed)
    assert not MoveGrades(1000, 0.94, 0.9).agrees(claimed)
    assert not MoveGrades(1000, 0.98, 0.84).agrees(claimed)
    assert MoveGrades(100, 1.0, 0.9).agrees(claimed)
    assert not MoveGrades(1000, 1.0, 1.0).agrees(claimed | {"positions": 1000, "good": 0.9})


def test_of_a_card_without_figures_only_the_file_is_checked(card: Card) -> None:
    for bare in (claiming(card), claiming(card, good=0.5)):
        found = check_model(bare, 100, 1, nobody)
        assert found.same
        assert found.note == "its card tells no figures of fresh positions: only its file was checked"


@pytest.mark.parametrize("kind", ["cnn", "network"])
def test_a_file_is_checked_where_nobody_can_tell_good_moves(tmp_path: Path, kind: str) -> None:
    geometry = Geometry.parse("8x10x5")
    card = load_card(save_network(tmp_path, kind, geometry))
    found = check_model(card, 100, 1, nobody)
    assert found.same
    assert (found.measured, found.to_json()["measured"]) == ({}, None)
    card.path.with_name(card.file).write_bytes(b"x")
    with pytest.raises(BadModel, match=r"8x10x5\.onnx: it is damaged"):
        check_model(load_card(save_other(tmp_path, kind, geometry)), 100, 1, nobody)


def save_other(folder: Path, kind: str, geometry: Geometry) -> Path:
    """Another network of the same name, damaged."""
    path = save_network(folder, kind, geometry, seed=5)
    path.with_suffix(".onnx").write_bytes(b"x")
    return path


def test_positions_that_take_too_long_are_one_line(card: Card) -> None:
    with pytest.raises(BadLimit, match="was not solved within nodes=1"):
        fresh_moves(card, 100, 1, nobody, Limit(nodes=1))


@pytest.mark.parametrize("changes", [{"plies": [9, 4]}, {"share_held_out": 0}, {"seed": "x"}, {"plies": ...}])
def test_a_card_that_does_not_say_what_it_was_trained_on_is_refused(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    data = {"plies": [4, 12], "share_held_out": 0.2, "seed": 1} | changes
    data = {name: value for name, value in data.items() if value is not ...}
    card = load_card(save_network(tmp_path, geometry=SMALL, data=data))
    with pytest.raises(BadModel, match=r"x4\.json: its card does not say what it was trained on"):
        fresh_moves(card, 100, 1, nobody)
