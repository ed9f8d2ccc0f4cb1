"""The table of a field, as contests print it."""

from __future__ import annotations

import json
import random
import statistics
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast.arena.results import Result, Tally
from fourcast.arena.standings import FieldPoints, Standings, WinsDrawsLosses

NAMES = "abcdef"
GAMES = st.lists(
    st.builds(
        lambda pair, points: Result(pair[0], pair[1], points),
        st.sampled_from(list(permutations(NAMES, 2))),
        st.sampled_from([0, 0.5, 1]),
    ),
    max_size=60,
)


@given(GAMES)
def test_every_agent_s_line_is_counted_game_by_game(games: list[Result]) -> None:
    standings = Standings.of(games, NAMES)
    assert sorted(line.name for line in standings.agents) == list(NAMES)
    for line in standings.agents:
        as_first = [game.points for game in games if game.first == line.name]
        as_second = [1 - game.points for game in games if game.second == line.name]
        for counted, points in ((line.as_first, as_first), (line.as_second, as_second)):
            assert counted == WinsDrawsLosses(points.count(1), points.count(0.5), points.count(0))
        assert line.points == sum(as_first + as_second)
        assert line.games == len(as_first + as_second)
        assert line.share == (statistics.fmean(as_first + as_second) if line.games else None)


@given(GAMES)
def test_ranks_and_percentiles_say_how_many_are_behind(games: list[Result]) -> None:
    lines = Standings.of(games, NAMES).agents
    for line in lines:
        others = [other.points for other in lines if other is not line]
        ahead, level = sum(p > line.points for p in others), others.count(line.points)
        assert line.rank == 1 + ahead
        assert line.percentile == pytest.approx(100 * (5 - ahead - level / 2) / 5)
    assert [(-line.points, line.name) for line in lines] == sorted(
        (-line.points, line.name) for line in lines
    )


@given(GAMES)
def test_the_crosstable_holds_every_point_and_says_who_never_met(games: list[Result]) -> None:
    standings = Standings.of(games, NAMES)
    for row, line in zip(standings.crosstable, standings.agents, strict=True):
        for cell, other in zip(row, standings.agents, strict=True):
            met = [game for game in games if {game.first, game.second} == {line.name, other.name}]
            taken = [game.points if game.first == line.name else 1 - game.points for game in met]
            assert cell == (sum(taken) if met else None)


def test_the_field_is_told_as_contests_do() -> None:
    field = FieldPoints.of([10.0, 0.0, 20.0, 40.0, 30.0])
    assert (field.agents, field.mean, field.lowest, field.highest) == (5, 20, 0, 40)
    assert field.sd == pytest.approx(statistics.pstdev([10, 0, 20, 40, 30]))
    assert field.percentiles == ((10, 4.0), (25, 10.0), (50, 20.0), (75, 30.0), (90, 36.0))


def test_the_order_of_games_is_nothing() -> None:
    games = [
        Result(first, second, points) for first, second in permutations(NAMES, 2) for points in (0, 0.5, 1, 1)
    ]
    assert Standings.of(random.Random(2).sample(games, len(games))) == Standings.of(games)
    assert Standings.of(Tally.of(games)) == Standings.of(games)


def test_an_empty_field_and_a_lonely_agent_have_a_table_too() -> None:
    empty = Standings.of([])
    assert (empty.agents, empty.crosstable, empty.field) == ((), (), FieldPoints())
    (line,) = Standings.of([], ["alone"]).agents
    assert (line.rank, line.games, line.share, line.percentile) == (1, 0, None, 100)


def test_json_has_the_whole_table() -> None:
    standings = Standings.of([Result("a", "b", 1), Result("b", "a", 0.5), Result("c", "b", 0)])
    record = json.loads(json.dumps(standings.to_json(), allow_nan=False))
    assert record["agents"][0] == {
        "name": "a",
        "rank": 1,
        "points": 1.5,
        "games": 2,
        "share": 0.75,
        "first": {"wins": 1, "draws": 0, "losses": 0},
        "second": {"wins": 0, "draws": 1, "losses": 0},
        "percentile": 75.0,
    }
    assert record["field"]["percentiles"]["50"] == 1.5
    assert record["crosstable"] == [[None, 1.5, None], [0.5, None, 1], [None, 0, None]]
    assert set(record["field"]) == {"agents", "mean", "sd", "lowest", "highest", "percentiles"}


def test_colours_add_up() -> None:
    both = WinsDrawsLosses(1, 2, 3) + WinsDrawsLosses(4, 5, 6)
    assert both == WinsDrawsLosses(5, 7, 9)
    assert (both.games, both.points) == (21, 8.5)
