"""What groups of features are worth to a model."""

from __future__ import annotations

import json
import math
import statistics
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import Geometry
from fourcast.evaluators.features import Features
from fourcast.game.errors import BadData, BadLimit
from fourcast.kernels.batch import Batch
from fourcast.learning.importance import importances_of
from tests.boards import play_some

SPANS = {"noise": slice(0, 2), "parity": slice(2, 4), "answer": slice(4, 5)}
CHANCE = np.random.default_rng(5)
LABELS = CHANCE.integers(0, 3, 600)
NOISE = CHANCE.integers(0, 9, (600, 2))
SECRET = CHANCE.integers(0, 2, 600)
# The two columns in the middle tell only together, by their sum's parity, whether it is a loss.
MATRIX = np.column_stack([NOISE, SECRET, (SECRET + (LABELS == 0)) % 2, LABELS]).astype(np.int16)


def answer(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Sure of what the last feature says."""
    chances = np.full((len(matrix), 3), 0.1)
    chances[np.arange(len(matrix)), matrix[:, 4]] = 0.8
    return chances


def together(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Knows losses by the two features in the middle."""
    lost = (matrix[:, 2] + matrix[:, 3]) % 2
    return np.where(lost[:, np.newaxis] == 1, [[0.8, 0.1, 0.1]], [[0.1, 0.4, 0.5]])


def test_what_is_used_is_missed_and_nothing_else() -> None:
    before = MATRIX.copy()
    found = importances_of(answer, MATRIX, LABELS, SPANS, repeats=4, seed=1)
    assert np.array_equal(MATRIX, before)
    assert [each.group for each in found] == ["answer", "noise", "parity"]
    assert [each.features for each in found] == [1, 2, 2]
    for each in found[1:]:
        assert (each.log_loss, each.log_loss_sd, each.accuracy, each.accuracy_sd) == (0, 0, 0, 0)
    assert found[0].accuracy == pytest.approx(2 / 3, abs=0.05)
    assert found[0].log_loss == pytest.approx(2 / 3 * math.log(8), abs=0.1)
    assert 0 < found[0].log_loss_sd < 0.1
    assert 0 < found[0].accuracy_sd < 0.05
    assert json.loads(json.dumps(found[0].to_json()))["group"] == "answer"


def test_a_group_is_shuffled_as_one() -> None:
    halves = {"one": slice(2, 3), "other": slice(3, 4)}
    whole = importances_of(together, MATRIX, LABELS, {"both": slice(2, 4)}, seed=3)[0]
    seen: list[npt.NDArray[Any]] = []

    def watching(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        seen.append(matrix[:, 2:4].copy())
        return together(matrix)

    importances_of(watching, MATRIX, LABELS, {"both": slice(2, 4)}, repeats=3, seed=3)
    pairs = sorted(map(tuple, MATRIX[:, 2:4].tolist()))
    assert all(sorted(map(tuple, each.tolist())) == pairs for each in seen), "pairs stay pairs"
    assert len({each.tobytes() for each in seen}) == 4, "as it was, and three shuffles"
    assert whole.log_loss > 0.2
    assert all(each.log_loss > 0.2 for each in importances_of(together, MATRIX, LABELS, halves, seed=3))


def test_figures_are_those_of_a_shuffle_by_hand() -> None:
    chance = np.random.default_rng(9)
    costs, lost = [], []
    for _ in range(2):
        order = chance.permutation(len(LABELS))
        hit = [MATRIX[other, 4] == label for other, label in zip(order, LABELS, strict=True)]
        losses = [-math.log(0.8 if each else 0.1) for each in hit]
        lost.append(1 - sum(hit) / len(hit))
        costs.append(sum(losses) / len(losses) + math.log(0.8))
    span = {"answer": slice(4, 5)}
    once = importances_of(answer, MATRIX, LABELS, span, repeats=1, seed=9)[0]
    assert (once.log_loss, once.accuracy) == pytest.approx((costs[0], lost[0]))
    assert (once.log_loss_sd, once.accuracy_sd) == (0, 0)
    twice = importances_of(answer, MATRIX, LABELS, span, repeats=2, seed=9)[0]
    assert (twice.log_loss, twice.accuracy) == pytest.approx((statistics.mean(costs), statistics.mean(lost)))
    assert twice.log_loss_sd == pytest.approx(statistics.stdev(costs))
    assert twice.accuracy_sd == pytest.approx(statistics.stdev(lost))


def test_the_same_seed_gives_the_same_whatever_stands_beside() -> None:
    alone = importances_of(answer, MATRIX, LABELS, {"answer": slice(4, 5)}, seed=2)[0]
    assert importances_of(answer, MATRIX, LABELS, SPANS, seed=2)[0] == alone
    assert importances_of(answer, MATRIX, LABELS, SPANS, seed=3)[0] != alone


def test_features_of_positions_and_progress() -> None:
    features = Features.of(Geometry.parse("4x4x4"), ["cells", "clock"])
    batch = Batch.of([play_some(features.geometry, seed) for seed in range(80)])
    matrix = features.matrix(batch)
    labels = matrix[:, features.spans["clock"]][:, 0].astype(np.int64) % 3

    def counting(given: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        chances = np.full((len(given), 3), 0.05)
        chances[np.arange(len(given)), given[:, features.spans["clock"]][:, 0] % 3] = 0.9
        return chances

    told: list[tuple[int, int]] = []
    found = importances_of(
        counting, matrix, labels, features.spans, repeats=2, advance=lambda *at: told.append(at)
    )
    assert [each.group for each in found] == ["clock", "cells"]
    assert found[1].log_loss == 0
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_wrong_use_is_one_line() -> None:
    with pytest.raises(BadData, match=r"599 positions need features of shape"):
        importances_of(answer, MATRIX, LABELS[1:], SPANS)
    with pytest.raises(BadData, match=r"group beyond has no features in a matrix of 5"):
        importances_of(answer, MATRIX, LABELS, {"beyond": slice(5, 7)})
    with pytest.raises(BadLimit, match=r"repeats 0"):
        importances_of(answer, MATRIX, LABELS, SPANS, repeats=0)
    with pytest.raises(BadData, match=r"every position needs a class and three chances"):
        importances_of(lambda matrix: answer(matrix)[:, :2], MATRIX, LABELS, SPANS)
