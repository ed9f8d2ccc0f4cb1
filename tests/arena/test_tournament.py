"""Tournaments: everybody meets everybody, or by the Swiss system; the table and the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from fourcast import BadField, BadOption, Limit, Rules, UnknownPlayer
from fourcast.arena.referee import Conditions
from fourcast.arena.store import Store
from fourcast.arena.tournament import TournamentPlan, TournamentTally, play_tournament
from fourcast.workers import HereWorkers, LocalWorkers, Work, Workers

FIELD = {
    "chance": "random",
    "rows": "horizontal",
    "columns": "vertical",
    "greed": "greedy",
    "sight": "alphabeta:3",
}
CONDITIONS = Conditions(Rules(), Limit(seconds=5))


def played(plan: TournamentPlan, path: Path, workers: Workers | None = None) -> TournamentTally:
    tally = TournamentTally(plan)
    with Store(path) as store:
        run = store.run("tournament", plan.settings, "1")
        play_tournament(tally, store, run, workers or HereWorkers())
    return tally


def test_everybody_meets_everybody_with_both_colours(tmp_path: Path) -> None:
    plan = TournamentPlan(FIELD, CONDITIONS, rounds=3)
    tally = played(plan, tmp_path / "games.db")
    assert len(tally.results) == plan.games == 60
    met = Counter((result.first, result.second) for result in tally.results.values())
    assert met == Counter({pair: 3 for a, b in combinations(FIELD, 2) for pair in ((a, b), (b, a))})
    with Store(tmp_path / "games.db") as store:
        games = [(number, game) for _, number, game in store.games()]
    for number, game in games:
        assert game.opening == games[number ^ 1][1].opening, "a pair of games has one opening"
        assert game.players == tuple(FIELD[name] for name in _names(tally, number))
    pair = [game.opening for _, game in games if set(game.players) == {"random", "greedy"}]
    assert len(pair) == 6
    assert len(set(pair)) == 3, "another one in every round"
    standings = tally.standings()
    assert sum(agent.points for agent in standings.agents) == 60
    assert standings.agents[0].name == "sight"
    ratings = tally.ratings()
    assert {rating.name for rating in ratings.agents} == set(FIELD)
    assert ratings["sight"].elo > ratings["greed"].elo > ratings["chance"].elo
    assert tally.leaders[0][0] == "sight"


def _names(tally: TournamentTally, number: int) -> tuple[str, str]:
    result = tally.results[number]
    return result.first, result.second


@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_a_tournament_goes_on_where_it_was_stopped(tmp_path: Path, kind: str) -> None:
    plan = TournamentPlan(FIELD, CONDITIONS, rounds=3, format=kind)  # type: ignore[arg-type]
    whole = played(plan, tmp_path / "whole.db")

    class Weary:
        """Stops after a few games."""

        def map(self, work: Work[Any, Any], items: Iterable[Any]) -> Iterator[Any]:
            for index, games in enumerate(HereWorkers().map(replace(work, most=1), items)):
                yield games
                if index == 2:
                    raise KeyboardInterrupt

    path = tmp_path / "parts.db"
    stops = 0
    while True:
        try:
            played(plan, path, Weary())
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops >= 2
    parts = played(plan, path, LocalWorkers(2))
    assert parts.results == whole.results
    longer = TournamentPlan(FIELD, CONDITIONS, rounds=4, format=kind)  # type: ignore[arg-type]
    more = played(longer, path)
    assert {number: more.results[number] for number in whole.results} == whole.results
    assert len(more.results) == longer.games


def test_in_a_swiss_tournament_equals_meet_and_an_odd_one_sits_out(tmp_path: Path) -> None:
    plan = TournamentPlan(FIELD, CONDITIONS, rounds=4, format="swiss")
    tally = played(plan, tmp_path / "games.db")
    assert plan.games == len(tally.results) == 2 * 4 * 2
    pairs = [frozenset(_names(tally, number)) for number in range(0, 16, 2)]
    assert len(set(pairs)) == 8, "nobody meets twice"
    for number in range(4):
        playing = [name for pair in pairs[2 * number : 2 * number + 2] for name in pair]
        assert len(set(playing)) == 4


def test_games_that_were_lost_by_failing_are_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def agent(observation, configuration):\n    raise ValueError('no')\n")
    plan = TournamentPlan({"a": "random", "b": f"file:{broken}", "c": "greedy"}, CONDITIONS)
    tally = played(plan, tmp_path / "games.db")
    assert tally.failures == {("b", "crash"): 4}
    assert tally.standings().agents[-1].name == "b"


def test_fields_that_cannot_play() -> None:
    with pytest.raises(BadField, match="takes two agents or more, not 1"):
        TournamentPlan({"a": "random"}, CONDITIONS)
    with pytest.raises(BadField, match="in the field twice"):
        TournamentPlan({"a": "random", "b": "random"}, CONDITIONS)
    with pytest.raises(UnknownPlayer, match="second: there is no agent 'nobody'"):
        TournamentPlan({"first": "random", "second": "nobody"}, CONDITIONS)
    with pytest.raises(BadOption, match="format 'knockout': it is one of round-robin, swiss"):
        TournamentPlan(FIELD, CONDITIONS, format="knockout")  # type: ignore[arg-type]


def test_openings_do_not_depend_on_how_many_rounds_there_are() -> None:
    plans = [TournamentPlan(FIELD, CONDITIONS, rounds=rounds) for rounds in (3, 50)]
    openings = [
        [
            fixture.opening
            for number in range(3)
            for fixture in plan.round(number, combinations(FIELD, 2), starts)
        ]
        for plan in plans
        for starts in [plan.starts()]
    ]
    assert openings[0] == openings[1]
    assert openings[0][::2] == openings[0][1::2]
