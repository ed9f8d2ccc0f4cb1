"""Measuring a model again, on positions that it has never learnt from."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast import BadLimit, BadModel, Limit, solve
from fourcast.learning import checking
from fourcast.learning.checking import check_model, fresh_examples, measure
from fourcast.learning.examples import held_out
from fourcast.learning.training import Outcome
from fourcast.models.card import Card
from fourcast.models.files import load_card
from tests.learning.sets import keys_of, small_training


@cache
def outcome() -> Outcome:
    return small_training().boosted(repeats=0)


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return small_training().save(outcome(), tmp_path / "tiny", "a test", quiet=False, fresh=300)


def nobody(*_: object) -> None:
    """Nobody is told."""


def rewritten(card: Card, field: str, **changes: Any) -> Card:
    """The same model with other facts on its card."""
    document = json.loads(card.path.read_text())
    document[field] |= changes
    card.path.write_text(json.dumps(document))
    return load_card(card.path)


def test_a_card_that_says_the_truth_passes(card: Card) -> None:
    found = check_model(card, 300, 1, nobody)
    assert found.same
    assert found.claimed == card.metrics["fresh"]
    assert 200 < found.measured["positions"] < 400
    document = found.to_json()
    assert (document["name"], document["board"], document["same"]) == ("tiny", "4x5x4", True)
    assert document["measured"]["accuracy"] == found.measured["accuracy"]
    assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize(
    "lie",
    [
        {"accuracy": 0.99},
        {"accuracy": 0.1},
        {"log_loss": 0.05},
        {"log_loss": 9.0},
        {"accuracy": 5.0},
        {"accuracy": -3.0},
    ],
)
def test_a_card_that_does_not_fails(card: Card, lie: dict[str, float]) -> None:
    lying = rewritten(card, "metrics", fresh=dict(card.metrics["fresh"]) | lie)
    assert not check_model(lying, 300, 1, nobody).same


def test_chance_alone_does_not_make_a_card_wrong(card: Card) -> None:
    assert all(check_model(card, 150, seed, nobody).same for seed in range(1, 9))


def test_the_figures_on_the_card_are_those_of_its_seed(card: Card) -> None:
    again = measure(card, 300, card.data["seed"], nobody)
    claimed = card.metrics["fresh"]
    assert (again.positions, again.accuracy) == (claimed["positions"], claimed["accuracy"])
    assert again.log_loss == pytest.approx(claimed["log_loss"])


def test_fresh_positions_were_never_learnt_from(card: Card) -> None:
    run = small_training()
    learnt = ~held_out(run.examples.batch, 0.2, card.data["seed"])
    known = keys_of(run.examples.batch, np.flatnonzero(learnt))
    assert len(known) == card.data["learnt_from"]
    fresh = fresh_examples(card, 400, 1, nobody)
    assert not keys_of(fresh.batch) & known
    assert held_out(fresh.batch, 0.2, card.data["seed"]).all()
    first, last = card.data["plies"]
    assert first <= fresh.plies[0] <= fresh.plies[1] <= last


def test_fresh_positions_are_labelled_by_the_solver(card: Card) -> None:
    fresh = fresh_examples(card, 40, 2, nobody)
    for position, label in zip(fresh.batch, fresh.classes.tolist(), strict=True):
        score = solve(position).score
        assert score is not None
        assert label == (score > 0) - (score < 0) + 1


def test_another_seed_draws_others(card: Card) -> None:
    one, again, other = (keys_of(fresh_examples(card, 60, seed, nobody).batch) for seed in (1, 1, 2))
    assert one == again != other


def test_a_quiet_model_is_measured_on_quiet_positions(card: Card) -> None:
    fresh = fresh_examples(rewritten(card, "data", quiet=True), 200, 1, nobody)
    assert not any(position.winning_columns(position.turn) for position in fresh.batch)


def test_where_there_are_few_positions_those_will_do(card: Card) -> None:
    few = fresh_examples(rewritten(card, "data", plies=[1, 3]), 2000, 1, nobody)
    assert 0 < len(few) < 30
    with pytest.raises(BadModel, match="no position was found to measure it on"):
        fresh_examples(rewritten(card, "data", plies=[0, 0], seed=2), 2000, 1, nobody)


def test_positions_that_take_too_long_are_one_line(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SOLVER_LIMIT", Limit(nodes=1))
    with pytest.raises(BadLimit, match="was not solved within nodes=1"):
        check_model(card, 100, 1, nobody)


@pytest.mark.parametrize(
    "changes",
    [
        {"share_held_out": 0},
        {"share_held_out": -0.2},
        {"share_held_out": 1e-300},
        {"share_held_out": "much"},
        {"seed": -1},
        {"seed": 2**70},
        {"seed": "first"},
        {"plies": [4]},
        {"plies": [9, 4]},
        {"plies": [4, 99]},
        {"plies": "4-9"},
        {"sources": None},
    ],
)
def test_a_card_that_does_not_say_what_it_was_trained_on_is_refused(
    card: Card, changes: dict[str, Any]
) -> None:
    with pytest.raises(BadModel, match=r"tiny\.json: its card does not say what it was trained on"):
        check_model(rewritten(card, "data", **changes), 300, 1, nobody)


@pytest.mark.parametrize("figures", [{}, {"accuracy": 0.5}, {"positions": {}, "accuracy": 1, "log_loss": 1}])
def test_a_card_without_figures_is_refused(card: Card, figures: dict[str, Any]) -> None:
    with pytest.raises(BadModel, match=r"tiny\.json: its card has no figures to compare with"):
        check_model(rewritten(card, "metrics", fresh=figures), 300, 1, nobody)


def test_without_fresh_figures_those_held_out_are_compared_with(tmp_path: Path) -> None:
    card = small_training().save(outcome(), tmp_path / "tiny", "a test", quiet=False, fresh=0)
    found = check_model(card, 300, 1, nobody)
    assert found.claimed == card.metrics["natural"]
    assert found.same


def test_a_damaged_model_is_refused(card: Card) -> None:
    card.path.with_name(card.file).write_bytes(b"x")
    with pytest.raises(BadModel, match=r"tiny\.txt\.gz: it is damaged"):
        check_model(card, 300, 1, nobody)
