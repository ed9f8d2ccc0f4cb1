"""Games are tallied by colour, in any order."""

from __future__ import annotations

import random

import pytest

from fourcast.arena.results import Result, Tally
from fourcast.game.errors import BadResult, UnknownPlayer

GAMES = [
    Result("b", "a", 1),
    Result("a", "b", 0.5),
    Result("a", "b", 0),
    Result("c", "a", 0),
    Result("b", "a", 1),
]


def test_every_game_stands_under_who_moved_first() -> None:
    tally = Tally.of(GAMES)
    assert tally.names == ("a", "b", "c")
    assert tally.counts.tolist() == [
        [[0, 0, 0], [1, 1, 0], [0, 0, 0]],
        [[0, 0, 2], [0, 0, 0], [0, 0, 0]],
        [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
    ]


def test_points_and_games_of_both_colours_are_added() -> None:
    tally = Tally.of(GAMES)
    assert tally.points.tolist() == [[0, 0.5, 1], [3.5, 0, 0], [0, 0, 0]]
    assert tally.games.tolist() == [[0, 4, 1], [4, 0, 0], [1, 0, 0]]


def test_the_order_of_games_is_nothing() -> None:
    shuffled = random.Random(1).sample(GAMES, len(GAMES))
    assert (Tally.of(shuffled).counts == Tally.of(GAMES).counts).all()


def test_a_field_may_be_named_with_those_yet_to_play() -> None:
    tally = Tally.of(GAMES, ["late", "c", "b", "a"])
    assert tally.names == ("late", "c", "b", "a")
    assert tally.games.sum(axis=1).tolist() == [0, 1, 4, 5]
    assert Tally.of([]).counts.shape == (0, 0, 3)


def test_strangers_and_doubles_are_refused() -> None:
    with pytest.raises(UnknownPlayer, match="'c' played"):
        Tally.of(GAMES, ["a", "b"])
    with pytest.raises(BadResult, match="'a' stands twice"):
        Tally.of([], ["a", "b", "a"])


@pytest.mark.parametrize("points", [-1, 0.25, 2, float("nan")])
def test_a_game_brings_0_a_half_or_1(points: float) -> None:
    with pytest.raises(BadResult, match="cannot bring"):
        Result("a", "b", points)


def test_nobody_plays_alone() -> None:
    with pytest.raises(BadResult, match="itself"):
        Result("a", "a", 1)
