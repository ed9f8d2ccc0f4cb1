"""Wilson's interval of a share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fourcast.arena.wilson import wilson_interval


@given(st.integers(1, 3000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_the_share_of_the_sample_is_within(sample: tuple[int, int]) -> None:
    hits, count = sample
    low, high = wilson_interval(hits, count)
    assert 0 <= low <= hits / count <= high <= 1
    assert low < high


def test_a_hundred_wins_of_a_hundred_end_at_one() -> None:
    low, high = wilson_interval(100, 100)
    assert high == 1
    assert 0.963 < low < 0.9631


def test_of_nothing_nothing_is_known() -> None:
    assert wilson_interval(0, 0) == (0, 1)
