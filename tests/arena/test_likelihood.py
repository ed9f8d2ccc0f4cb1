"""The likelihood of a true share, against a slow search over all probabilities and against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from fourcast.arena.likelihood import log_likelihood_drop
from fourcast.arena.pairs import PAIR_POINTS, PairCounts
from tests.arena.matches import counts_of


def naive_drop(pairs: list[int], share: float) -> float:
    """Tries probabilities until none with that mean agrees better with the pairs."""
    counts, points = np.array(pairs, dtype=float), np.array(PAIR_POINTS)
    start = np.array([1 - share, 0, 0, 0, share]) * 0.5 + 0.1
    found = minimize(
        lambda chances: -(counts * np.log(np.maximum(chances, 1e-300))).sum() / counts.sum(),
        start / start.sum(),
        bounds=[(1e-12, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda chances: chances.sum() - 1},
            {"type": "eq", "fun": lambda chances: chances @ points / 2 - share},
        ],
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    best = sum(count * math.log(count / counts.sum()) for count in pairs if count)
    return float(best + found.fun * counts.sum())


def least_drop(pairs: list[int], share: float) -> float:
    """Every multiplier proves that the likelihood falls by so much at least (weak duality); tries many."""
    counts, excess = np.array(pairs, dtype=float), np.array(PAIR_POINTS) - 2 * share
    ends = np.geomspace(1e-7, 1, 3000)
    steps = np.concatenate([ends / 2, 1 - ends / 2])
    multipliers = -1 / excess[-1] + (1 / excess[-1] - 1 / excess[0]) * steps[:, None]
    seen = counts > 0
    return float((counts[seen] * np.log1p(multipliers * excess[seen])).sum(axis=1).max())


@settings(max_examples=60)
@given(st.lists(st.integers(0, 12), min_size=5, max_size=5).filter(any), st.floats(0.05, 0.95))
def test_no_probabilities_with_that_mean_agree_better(pairs: list[int], share: float) -> None:
    drop = log_likelihood_drop(counts_of(pairs), share)
    assert drop <= naive_drop(pairs, share) * 1.001 + 2e-3, "such probabilities exist"
    assert drop == pytest.approx(least_drop(pairs, share), rel=1e-3, abs=2e-3), "no better ones can"


@given(st.lists(st.integers(0, 100), min_size=8, max_size=8).filter(any))
def test_nothing_agrees_better_than_the_score_that_was_observed(numbers: list[int]) -> None:
    a, b, c = numbers[5:]
    counts = PairCounts(counts_of(numbers[:5]).pairs, (a, b, c))
    share = counts.share
    assert share is not None
    assert log_likelihood_drop(counts, share) == pytest.approx(0, abs=1e-9)
    drops = [
        log_likelihood_drop(counts, share + (end - share) * step / 9) for end in (0, 1) for step in range(10)
    ]
    assert drops[:10] == sorted(drops[:10])
    assert drops[10:] == sorted(drops[10:])


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5), st.floats(0.01, 0.99))
def test_both_agents_see_the_same_likelihood(pairs: list[int], share: float) -> None:
    counts = counts_of(pairs)
    assert log_likelihood_drop(counts, share) == pytest.approx(
        log_likelihood_drop(counts.swapped(), 1 - share), rel=1e-6, abs=1e-9
    )


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_games_without_draws_are_coins(share: float) -> None:
    wins, losses = 13, 7
    coin = wins * math.log(0.65 / share) + losses * math.log(0.35 / (1 - share))
    assert log_likelihood_drop(PairCounts(singles=(losses, 0, wins)), share) == pytest.approx(coin)


def test_pairs_that_were_all_won_say_how_often_pairs_are_won() -> None:
    assert log_likelihood_drop(counts_of([0, 0, 0, 0, 10]), 0.7) == pytest.approx(-10 * math.log(0.7))


def test_what_happened_is_not_impossible() -> None:
    assert log_likelihood_drop(counts_of([0, 0, 0, 0, 3]), 0) == math.inf
    assert log_likelihood_drop(counts_of([0, 0, 0, 0, 3]), 1) == 0
    assert log_likelihood_drop(counts_of([0, 0, 0, 1, 3]), 1) == math.inf
    assert log_likelihood_drop(PairCounts(), 0) == 0
