"""A sequential test errs as seldom as it was asked to, and ends."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import numpy as np
import pytest

from fourcast.arena.elo import share_of_elo
from fourcast.arena.pairs import PairCounts
from fourcast.arena.sprt import Sprt
from fourcast.game.errors import BadTest
from tests.arena.matches import Chances, counts_of, decided_by_openings, independent, same_twice, true_share


def played(
    test: Sprt, chances: Chances, matches: int, every: int, seed: int
) -> tuple[dict[str, float], float]:
    """Plays matches until the test stops them: the share of each verdict, and the mean number of pairs."""
    lots = np.random.default_rng(seed)
    verdicts = {"H0": 0, "H1": 0}
    length = 0
    for _ in range(matches):
        counts = np.zeros(5, dtype=int)
        while (verdict := test.judge(counts_of(counts.tolist())).verdict) is None:
            counts += lots.multinomial(every, chances)
            assert counts.sum() < 5000, "it does not end"
        verdicts[verdict] += 1
        length += int(counts.sum())
    return {name: count / matches for name, count in verdicts.items()}, length / matches


def plain(share: float) -> Chances:
    return independent(share, 0)


def drawish(share: float) -> Chances:
    return independent(share - 0.2, 0.4)


def openings(share: float) -> Chances:
    return decided_by_openings(0.4, 0.5 + (share - 0.5) / 0.6 - 0.05, 0.1)


def alike(share: float) -> Chances:
    return same_twice(0.5, share - 0.1, 0.2)


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "every"),
    [
        (plain, 0, 100, 1),
        (drawish, 0, 100, 1),
        (openings, 0, 100, 1),
        (alike, 0, 100, 2),
        (drawish, -20, 40, 4),
        (openings, -20, 40, 4),
    ],
)
@pytest.mark.slow
def test_either_error_is_as_rare_as_asked(
    model: Callable[[float], Chances], elo0: float, elo1: float, every: int
) -> None:
    test = Sprt(elo0, elo1)
    for elo, wrong in ((elo0, "H1"), (elo1, "H0")):
        chances = model(share_of_elo(elo))
        assert true_share(chances) == pytest.approx(share_of_elo(elo))
        share, pairs = played(test, chances, 500, every, seed=5)
        assert 0.015 <= share[wrong] <= 0.07
        assert pairs < fixed_length(test, chances), "it asks for fewer games than a match of fixed length"


def fixed_length(test: Sprt, chances: Chances) -> float:
    """Pairs after which a match of fixed length would err as seldom."""
    shares = np.arange(5) / 4
    variance = float(chances @ shares**2 - (chances @ shares) ** 2)
    return variance * (2 * 1.645 / (share_of_elo(test.elo1) - share_of_elo(test.elo0))) ** 2


@pytest.mark.slow
def test_smaller_errors_take_more_games() -> None:
    chances = plain(share_of_elo(100))
    share, pairs = played(Sprt(0, 100, 0.2, 0.2), chances, 300, 1, seed=1)
    stricter, more = played(Sprt(0, 100, 0.01, 0.01), chances, 300, 1, seed=1)
    assert 0.05 <= share["H0"] <= 0.26
    assert stricter["H0"] <= 0.03
    assert more > 1.5 * pairs


def test_equal_draws_only_are_evidence_against_superiority() -> None:
    assert Sprt(0, 20).judge(counts_of([0, 0, 20, 0, 0])).verdict is None
    assert Sprt(0, 20).judge(counts_of([0, 0, 200, 0, 0])).verdict == "H0"


def test_coins_have_wald_s_ratio() -> None:
    won, lost = 30, 18
    p0, p1 = share_of_elo(0), share_of_elo(60)
    wald = won * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))
    state = Sprt(0, 60).judge(PairCounts(singles=(lost, 0, won)))
    assert state.llr == pytest.approx(wald * 47 / 48)


def test_one_agent_s_gain_is_the_other_s_loss() -> None:
    counts = counts_of([3, 10, 40, 20, 7])
    assert Sprt(0, 30).judge(counts).llr == pytest.approx(-Sprt(-30, 0).judge(counts.swapped()).llr)


def test_the_bounds_are_wald_s() -> None:
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))


def test_nothing_is_decided_before_the_first_game_or_by_the_first_pair() -> None:
    state = Sprt(0, 1000).judge(PairCounts())
    assert (state.llr, state.verdict, state.progress) == (0, None, 0)
    assert Sprt(0, 1000).judge(counts_of([0, 0, 0, 0, 1])).verdict is None


def test_the_state_says_where_it_stands() -> None:
    won = Sprt(0, 100).judge(counts_of([0, 0, 0, 0, 60]))
    assert (won.verdict, won.progress) == ("H1", 1)
    lost = Sprt(0, 100).judge(counts_of([60, 0, 0, 0, 0]))
    assert (lost.verdict, lost.progress) == ("H0", -1)
    record = json.loads(json.dumps(won.to_json(), allow_nan=False))
    assert record["verdict"] == "H1"
    assert record["llr"] >= record["upper"] > 0 > record["lower"]
    assert set(record) == {"elo0", "elo1", "alpha", "beta", "llr", "lower", "upper", "verdict"}


def test_a_test_is_written_as_two_numbers() -> None:
    assert Sprt.parse("0,30") == Sprt(0, 30)
    assert Sprt.parse(" -2.5, 2.5") == Sprt(-2.5, 2.5)
    assert str(Sprt(-2.5, 30)) == "-2.5,30"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "two Elo differences"),
        ("5", "two Elo differences"),
        ("0,5,10", "two Elo differences"),
        ("0;5", "two Elo differences"),
        ("a,b", "two Elo differences"),
        ("5,0", "must be below"),
        ("5,5", "must be below"),
        ("nan,5", "finite"),
        ("0,inf", "finite"),
        ("0,1e9", "tell such"),
        ("-1e9,0", "tell such"),
        ("1e9,2e9", "tell such"),
        ("0,1e-30", "tell such"),
    ],
)
def test_what_is_no_test_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadTest, match=message) as caught:
        Sprt.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("chance", [0, 0.5, 1, -0.1, math.nan])
def test_errors_are_chances_below_one_half(chance: float) -> None:
    with pytest.raises(BadTest, match="alpha"):
        Sprt(0, 5, alpha=chance)
    with pytest.raises(BadTest, match="beta"):
        Sprt(0, 5, beta=chance)
