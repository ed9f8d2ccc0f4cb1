"""Flat Monte Carlo: every column's random games."""

from __future__ import annotations

import math

import pytest

from fourcast import BadOption, BadShape, Limit, Position, Rules
from fourcast.agents import agent
from fourcast.game.analysis import Analysis
from tests import naive
from tests.boards import play_some, twin

PLACE = Position.from_moves("44422433112", "4x4x3")


def ask(position: Position, spec: str = "montecarlo", slip: float = 0.0, **limits: int) -> Analysis:
    return agent(spec, Rules(position.geometry, slip), seed=1).analyze(position, Limit(**limits))


@pytest.mark.parametrize("slip", [0.0, 0.3])
def test_values_are_what_random_play_is_worth(slip: float) -> None:
    games = 20_000
    found = ask(PLACE, f"montecarlo:{games}", slip)
    assert found.values is not None
    for column in PLACE.legal:
        win, _, loss = naive.random_play(*twin(PLACE), slip, column)
        deviation = math.sqrt((win + loss - (win - loss) ** 2) / games)
        value = found.values[column]
        assert value is not None
        assert abs(value - (win - loss)) <= 5 * deviation + 1e-9
    assert found.value == found.values[found.column] == max(v for v in found.values if v is not None)


def test_every_open_column_gets_its_games() -> None:
    position = Position.from_moves("444444")
    found = ask(position)
    assert found.simulations == found.nodes == 6000
    assert found.values is not None
    assert [value is None for value in found.values] == [column == 3 for column in range(7)]
    assert (found.pv, found.policy) == ((found.column,), None)
    assert ask(position, "montecarlo:50").simulations == 300
    assert ask(position, "montecarlo:50", simulations=301).simulations == 300


@pytest.mark.parametrize("games", [1, 3, 6, 7, 8, 20, 6999])
def test_games_are_spread_evenly_and_those_left_over_go_to_the_centre(games: int) -> None:
    found = ask(Position(), simulations=games)
    assert found.simulations == games
    assert found.values is not None
    played = [column for column in range(7) if found.values[column] is not None]
    assert played == sorted([3, 2, 4, 1, 5, 0, 6][:games])
    assert found.column in played
    for column in played:
        each = games // 7 + (column in [3, 2, 4, 1, 5, 0, 6][: games % 7])
        value = found.values[column]
        assert value is not None
        assert (value * each) == pytest.approx(round(value * each), abs=1e-9), "a mean of so many games"


def test_of_equals_the_column_nearest_to_the_centre_is_played() -> None:
    found = ask(Position(), "montecarlo:simulations=30,cap=6")
    assert found.values == (0.0,) * 7, "nobody wins in six plies; a game that is cut off is drawn"
    assert found.column == 3


def test_auto_cuts_games_after_twice_the_discs_of_a_line() -> None:
    values = [ask(Position(), f"montecarlo:300,cap={cap}").values for cap in ("auto", "8", "0", "42")]
    assert values[0] == values[1] != values[2] == values[3]
    assert agent("montecarlo", cap="auto") is not None
    for wrong in ("-1", "soon", "200"):
        with pytest.raises(BadOption, match=r"cap=.*auto, or a whole number, 0 to 128"):
            agent(f"montecarlo:cap={wrong}")


def test_it_wins_at_once() -> None:
    seen = 0
    for seed in range(200):
        position = play_some(Position().geometry, seed)
        if winning := position.winning_columns(position.turn):
            found = ask(position, "montecarlo:20")
            assert found.column in winning
            assert found.value == 1.0
            seen += 1
    assert seen > 10


def test_the_same_seed_plays_the_same_games() -> None:
    player = agent("montecarlo:100", seed=4)
    first = player.analyze(PLACE_6, Limit())
    assert player.analyze(PLACE_6, Limit()).values == first.values
    assert agent("montecarlo:100", seed=4).analyze(PLACE_6, Limit(seconds=100)).values == first.values
    assert agent("montecarlo:100", seed=5).analyze(PLACE_6, Limit()).values != first.values


PLACE_6 = Position.from_moves("4433")


def test_time_and_other_threads_end_it() -> None:
    player = agent("montecarlo:1000000", seed=1)
    found = player.analyze(Position(), Limit(seconds=0.02))
    assert 0 < found.simulations < 7_000_000
    assert player.progress.simulations == found.simulations  # type: ignore[attr-defined]
    assert player.progress.column == found.column  # type: ignore[attr-defined]


def test_another_board_is_refused() -> None:
    with pytest.raises(BadShape):
        agent("montecarlo").analyze(Position("5x5x4"), Limit())
