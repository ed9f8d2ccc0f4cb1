"""What a match proves, and that its 95% are 95%."""

from __future__ import annotations

import json
import math
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast.arena.elo import Estimate, elo_of_share, estimate, share_of_elo
from fourcast.arena.pairs import PairCounts
from tests.arena.matches import (
    Chances,
    counts_of,
    decided_by_openings,
    independent,
    same_twice,
    simulated,
    true_share,
)

once = cache(estimate)  # few pairs have few different results

SCENARIOS = {
    "equal agents, many draws": independent(0.2, 0.6),
    "equal agents, no draws": independent(0.5, 0),
    "equal agents, every second opening decides": decided_by_openings(0.5, 0.35, 0.3),
    "60 to 40": independent(0.5, 0.2),
    "60 to 40, both games alike": same_twice(0.6, 0.5, 0.2),
    "80 to 20": independent(0.75, 0.1),
    "80 to 20 where the opening does not decide": decided_by_openings(0.4, 0.75, 0.1),
}


def test_elo_and_score_are_each_other_s_inverse() -> None:
    assert elo_of_share(0.5) == 0
    assert elo_of_share(10 / 11) == pytest.approx(400)
    assert elo_of_share(0.64) == pytest.approx(99.95, abs=0.01)
    assert [elo_of_share(0), elo_of_share(1)] == [-math.inf, math.inf]
    for elo in (-700, -1, 0, 35.5, 400):
        assert elo_of_share(share_of_elo(elo)) == pytest.approx(elo)
    assert [share_of_elo(-1e9), share_of_elo(1e9)] == [0, 1]


@pytest.mark.parametrize("pairs", [25, 100, 500])
@pytest.mark.parametrize("chances", SCENARIOS.values(), ids=list(SCENARIOS))
@pytest.mark.slow
def test_the_interval_holds_the_truth_95_times_in_100(chances: Chances, pairs: int) -> None:
    truth = elo_of_share(true_share(chances))
    held = above = 0
    for counts in simulated(chances, pairs, 2000, seed=pairs):
        low, high = once(counts).interval
        held += low <= truth <= high
        above += low > truth
    assert 0.93 <= held / 2000 <= 0.97
    assert above / 2000 < 0.045, "the misses are not all on one side"


@pytest.mark.parametrize("win", [0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("pairs", [1, 2, 3, 5, 10, 20])
@pytest.mark.parametrize("alike", [0, 0.5, 1])
def test_few_and_one_sided_games_are_never_trusted_too_much(win: float, pairs: int, alike: float) -> None:
    chances = same_twice(alike, win, 0)
    held = 0
    for counts in simulated(chances, pairs, 1000, seed=3):
        low, high = once(counts).share_interval
        held += low <= true_share(chances) <= high
    assert held / 1000 >= 0.93


@pytest.mark.parametrize("win", [0.6, 0.8])
def test_games_without_partners_have_an_honest_interval_too(win: float) -> None:
    import numpy as np

    rows = np.random.default_rng(1).multinomial(120, [0.9 - win, 0.1, win], size=1000).tolist()
    held = 0
    for lost, drawn, won in rows:
        low, high = once(PairCounts(singles=(lost, drawn, won))).share_interval
        held += low <= win + 0.05 <= high
    assert 0.93 <= held / 1000 <= 0.97


def test_games_that_openings_decide_prove_more_in_pairs_than_apart() -> None:
    paired = estimate(counts_of([5, 0, 90, 0, 5]))
    apart = estimate(PairCounts(singles=(100, 0, 100)))
    assert width(paired) < width(apart) / 2


def test_pairs_that_end_alike_prove_less_than_as_many_single_games() -> None:
    paired = estimate(counts_of([40, 0, 0, 0, 60]))
    apart = estimate(PairCounts(singles=(80, 0, 120)))
    assert width(paired) > 1.3 * width(apart)


def test_twenty_of_twenty_says_only_above_83_percent() -> None:
    won = estimate(PairCounts(singles=(0, 0, 20)))
    assert won.share == 1
    assert won.elo == math.inf
    assert won.share_interval[0] == pytest.approx(0.025 ** (1 / 20))  # Clopper and Pearson's bound
    assert won.share_interval[1] == 1
    assert won.los == pytest.approx(1 - 0.5**21)


def test_ten_pairs_won_might_be_ten_lucky_openings() -> None:
    assert estimate(counts_of([0, 0, 0, 0, 10])).share_interval == pytest.approx((0.025**0.1, 1))


def test_pairs_that_all_end_one_to_one_leave_room_on_both_sides() -> None:
    low, high = estimate(counts_of([0, 0, 50, 0, 0])).share_interval
    room = (1 - 0.025 ** (1 / 50)) / 2
    assert (low, high) == pytest.approx((0.5 - room, 0.5 + room))


@given(st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any))
def test_both_agents_get_the_same_estimate_from_their_own_side(numbers: list[int]) -> None:
    a, b, c = numbers[5:]
    counts = PairCounts(counts_of(numbers[:5]).pairs, (a, b, c))
    mine, theirs = estimate(counts), estimate(counts.swapped())
    share = mine.share
    assert share is not None
    assert 0 <= mine.share_interval[0] <= share <= mine.share_interval[1] <= 1
    assert width(mine) > 0
    assert mine.share_interval[0] == pytest.approx(1 - theirs.share_interval[1], abs=1e-9)
    assert mine.los == pytest.approx(1 - theirs.los, abs=1e-9)


@pytest.mark.parametrize("counts", [counts_of([0, 0, 0, 1, 9]), PairCounts((0, 0, 0, 0, 10), (1, 0, 0))])
def test_a_point_lost_does_not_prove_more_than_none(counts: PairCounts) -> None:
    all_won = PairCounts((0, 0, 0, 0, 10), (0, 0, sum(counts.singles)))
    assert estimate(counts).share_interval[0] <= estimate(all_won).share_interval[0]


def test_with_many_pairs_the_interval_is_the_normal_one() -> None:
    pairs = [1000, 2000, 4000, 2500, 1500]
    shares = [0, 0.25, 0.5, 0.75, 1]
    n = sum(pairs)
    mean = sum(count * share for count, share in zip(pairs, shares, strict=True)) / n
    variance = sum(count * (share - mean) ** 2 for count, share in zip(pairs, shares, strict=True)) / n
    error = math.sqrt(variance / n)
    result = estimate(counts_of(pairs))
    assert result.share == pytest.approx(mean)
    assert result.share_interval == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=2e-5)
    small = estimate(counts_of([100, 200, 400, 210, 100]))
    assert small.los == pytest.approx(
        0.5 * (1 + math.erf(z_of([100, 200, 400, 210, 100]) / math.sqrt(2))), abs=1e-3
    )


def z_of(pairs: list[int]) -> float:
    """How many standard errors the share is above one half."""
    n = sum(pairs)
    mean = sum(count * place / 4 for place, count in enumerate(pairs)) / n
    variance = sum(count * (place / 4 - mean) ** 2 for place, count in enumerate(pairs)) / n
    return (mean - 0.5) / math.sqrt(variance / n)


def test_superiority_is_as_likely_as_it_says() -> None:
    # Equal agents: the likelihood of superiority is any number with the same chance.
    values = [once(counts).los for counts in simulated(independent(0.35, 0.3), 100, 2000, seed=8)]
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        assert sum(value < share for value in values) / 2000 == pytest.approx(share, abs=0.035)


def test_before_the_first_game_nothing_is_known() -> None:
    nothing = estimate(PairCounts())
    assert nothing == Estimate(PairCounts(), None, (0.0, 1.0), 0.5)
    assert nothing.elo is None
    assert nothing.interval == (-math.inf, math.inf)
    assert estimate(counts_of([0, 0, 0, 0, 1])).los == pytest.approx(0.75)


def test_json_knows_no_infinity() -> None:
    record = json.loads(
        json.dumps(estimate(PairCounts((0, 0, 0, 0, 9), (0, 0, 1))).to_json(), allow_nan=False)
    )
    assert record["elo"] is None
    assert record["interval"][0] > 0
    assert record["interval"][1] is None
    assert record["share"] == 1
    assert record["games"] == record["points"] == 19
    assert record["pairs"] == [0, 0, 0, 0, 9]
    assert record["singles"] == [0, 0, 1]
    assert set(record) == {
        "games", "points", "share", "share_interval", "elo", "interval", "los", "pairs", "singles",
    }  # fmt: skip


def width(result: Estimate) -> float:
    low, high = result.share_interval
    return high - low
