"""Series of games are counted from the first player's side, and a game over again proves nothing."""

from __future__ import annotations

import pytest

from fourcast.arena.wilson import wilson_interval
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.study.games import Series, parts_of, play_series

RULES = Rules("4x5x3")


def test_results_are_those_of_the_first_named() -> None:
    series = play_series(("greedy", "random"), RULES, 20, 1)
    swapped = play_series(("random", "greedy"), RULES, 20, 1)
    assert series.together.wins > 14
    assert swapped.together.losses > 14
    assert sum(each.games for each in series.results) == 20
    for number, (game, points) in enumerate(zip(series.games, series.points, strict=True)):
        winner = Position.from_moves(game, RULES.geometry).outcome.winner  # type: ignore[union-attr]
        assert points == (0.5 if winner is None else float(winner == number % 2))


def test_moves_are_counted_by_the_discs_on_the_board() -> None:
    series = play_series(("greedy", "random"), RULES, 6, 1)
    for ply, asked in enumerate(series.asked):
        ours = (game for number, game in enumerate(series.games) if ply % 2 == number % 2)
        assert asked == sum(len(game) > ply for game in ours)
    assert series.a_move() == pytest.approx(sum(series.seconds) / series.moves)
    assert series.a_move(RULES.geometry.cells - 1) is None
    assert series.slowest >= max(series.seconds) / 6


def test_games_over_again_make_the_interval_no_narrower() -> None:
    same = play_series(("horizontal", "vertical"), RULES, 12, 1)
    assert same.different == 2
    assert same.win_interval == wilson_interval(2 * same.wins, 2)
    opened = play_series(("horizontal", "vertical"), RULES, 12, 1, plies=(3, 3))
    assert opened.different > 6
    assert all(
        game[:3] == other[:3] for game, other in zip(opened.games[::2], opened.games[1::2], strict=True)
    )


def test_parts_make_the_same_series() -> None:
    whole = play_series(("greedy", "random"), RULES, 10, 3, plies=(0, 3))
    parts = [
        play_series(("greedy", "random"), RULES, count, 3, first=first, plies=(0, 3)).to_json()
        for first, count in parts_of(10, 4)
    ]
    joined = Series.of(parts)
    assert (joined.games, joined.points, joined.asked) == (whole.games, whole.points, whole.asked)
    assert joined.lengths == whole.lengths


def test_nodes_of_a_search_are_counted() -> None:
    series = play_series(("alphabeta:depth=2", "random"), Rules(), 2, 1)
    assert series.nodes_a_move > 5
    assert play_series(("random", "alphabeta:depth=2"), Rules(), 2, 1).nodes_a_move == 0


def test_wilson_never_passes_nought_and_one() -> None:
    assert wilson_interval(0, 0) == (0, 1)
    low, high = wilson_interval(10, 10)
    assert 0.7 < low < 0.73
    assert high == 1
    assert wilson_interval(0, 10)[0] == 0
