"""Many numbers in a few."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast.arena.summary import Spread

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=300)


@given(NUMBERS)
def test_the_summary_is_what_statistics_says(numbers: list[float]) -> None:
    spread = Spread.of(numbers)
    assert spread.count == len(numbers)
    assert spread.mean == pytest.approx(statistics.fmean(numbers), abs=1e-6)
    assert spread.sd == pytest.approx(statistics.stdev(numbers), abs=1e-3)
    assert (spread.min, spread.max) == (min(numbers), max(numbers))


@given(NUMBERS)
def test_99_percent_do_not_exceed_p99_and_no_smaller_one_will_do(numbers: list[float]) -> None:
    p99 = Spread.of(numbers).p99
    assert p99 is not None
    assert p99 in numbers
    assert sum(each <= p99 for each in numbers) >= 0.99 * len(numbers) - 1e-9
    assert sum(each < p99 for each in numbers) < 0.99 * len(numbers)


def test_one_in_a_hundred_may_be_slow() -> None:
    assert Spread.of([1.0] * 99 + [50.0]).p99 == 1.0
    assert Spread.of([1.0] * 98 + [50.0]).p99 == 50.0


def test_one_number_has_no_spread_and_none_has_nothing() -> None:
    assert Spread.of([7]) == Spread(1, 7.0, 0.0, 7.0, 7.0, 7.0)
    assert Spread.of(iter([])) == Spread()
    assert Spread().to_json() == {"count": 0, "mean": None, "sd": None, "min": None, "max": None, "p99": None}
