"""Results are counted in pairs, seen from the first named agent."""

from __future__ import annotations

import pytest

from fourcast.arena.pairs import PairCounts
from fourcast.game.errors import BadResult


def test_pairs_and_games_without_a_partner_are_counted_by_their_points() -> None:
    counts = PairCounts.of(pairs=[2, 1, 1, 0.5, 1.5, 0, 1], singles=[1, 0.5, 1])
    assert counts.pairs == (1, 1, 3, 1, 1)
    assert counts.singles == (0, 1, 2)
    assert counts.observations == 10
    assert counts.games == 17
    assert counts.points == 7 + 2.5
    assert counts.share == 9.5 / 17


def test_both_agents_together_take_every_point() -> None:
    counts = PairCounts((1, 2, 3, 4, 5), (6, 7, 8))
    other = counts.swapped()
    assert other == PairCounts((5, 4, 3, 2, 1), (8, 7, 6))
    assert counts.points + other.points == counts.games == other.games


def test_counts_of_two_stretches_of_a_match_add_up() -> None:
    assert PairCounts((1, 0, 2, 0, 3), (1, 0, 0)) + PairCounts((0, 5, 1, 0, 1), (0, 2, 1)) == PairCounts(
        (1, 5, 3, 0, 4), (1, 2, 1)
    )


def test_only_kinds_of_observations_that_came_up_are_possible() -> None:
    assert PairCounts().units == ()
    assert [games for _, games, _ in PairCounts((0, 0, 1, 0, 0)).units] == [2] * 5
    assert [games for _, games, _ in PairCounts(singles=(0, 0, 1)).units] == [1] * 3
    assert PairCounts().share is None


@pytest.mark.parametrize("points", [-0.5, 0.25, 2.5, float("nan"), float("inf")])
def test_a_pair_brings_0_to_2_points_in_halves(points: float) -> None:
    with pytest.raises(BadResult, match="a pair of games cannot bring"):
        PairCounts.of(pairs=[points])


@pytest.mark.parametrize("points", [-1, 1.5, 2])
def test_a_game_brings_at_most_one_point(points: float) -> None:
    with pytest.raises(BadResult, match="a game cannot bring"):
        PairCounts.of(singles=[points])


def test_counts_are_not_negative() -> None:
    with pytest.raises(BadResult, match="5 counts"):
        PairCounts((0, 0, -1, 0, 0))
    with pytest.raises(BadResult, match="3 counts"):
        PairCounts(singles=(0, -1, 0))
