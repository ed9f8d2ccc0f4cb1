"""Matches: pairs, results by side, resuming, tests that end them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fourcast as fc
from fourcast import BadOption, Limit, Rules, UnknownPlayer
from fourcast.arena.match import MatchPlan, MatchTally, play_match
from fourcast.arena.openings import Openings
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.report import _chosen, report_of
from fourcast.arena.roster import play_some
from fourcast.arena.sprt import Sprt
from fourcast.arena.store import Store
from fourcast.workers import HereWorkers, LocalWorkers, Work, Workers

HERE = HereWorkers()


def plan_of(first: str, second: str, games: int, **more: object) -> MatchPlan:
    return MatchPlan((first, second), Conditions(Rules(), Limit(seconds=5)), games, **more)  # type: ignore[arg-type]


def played(plan: MatchPlan, path: Path, workers: Workers = HERE) -> MatchTally:
    tally = MatchTally(plan)
    with Store(path) as store:
        play_match(tally, store, store.run("match", plan.settings, "1"), workers)
    return tally


def test_games_come_in_pairs_with_the_sides_changed() -> None:
    fixtures = list(plan_of("greedy", "random", 7).fixtures())
    assert [fixture.number for fixture in fixtures] == list(range(7))
    for even, odd in zip(fixtures[::2], fixtures[1::2], strict=False):
        assert (even.opening, even.seed) == (odd.opening, odd.seed)
        assert even.players == odd.players[::-1] == ("greedy", "random")
    assert len({fixture.opening for fixture in fixtures}) == 4
    assert len({fixture.seed for fixture in fixtures}) == 4


def test_results_are_those_of_the_games(tmp_path: Path) -> None:
    tally = played(plan_of("alphabeta:2", "random", 31), tmp_path / "games.db")
    report = report_of(tally, grade=4)
    first, second = report.sides
    wins = sum(
        (game.winner == 0) == (game.players[0] == "alphabeta:2")
        for game in tally.games.values()
        if game.winner is not None
    )
    assert first.together.wins == wins
    assert first.together.games == second.together.games == report.games == 31
    assert (first.as_first.games, first.as_second.games) == (16, 15)
    assert first.as_first.wins == second.as_second.losses
    assert report.points == first.together.points == 31 - second.together.points
    assert report.points > 25
    assert sum(tally.counts.pairs) == 15
    assert sum(tally.counts.singles) == 1
    elo, (low, high) = report.estimate.elo, report.estimate.interval
    assert elo is not None
    assert 0 < low < elo <= high
    plies = [game.plies for game in tally.games.values()]
    assert (report.lengths.min, report.lengths.max) == (min(plies), max(plies))
    assert report.earliest_win == min(plies)
    assert report.graded == 4
    assert first.quality is not None
    assert second.quality is not None
    assert first.quality.good / first.quality.moves > second.quality.good / second.quality.moves
    assert first.seconds.count + second.seconds.count == sum(
        len(game.landed) for game in tally.games.values()
    )


@pytest.mark.parametrize("workers", [HERE, LocalWorkers(2)], ids=["here", "processes"])
def test_a_match_that_was_stopped_goes_on_and_can_be_made_longer(tmp_path: Path, workers: Workers) -> None:
    whole = played(plan_of("random", "greedy", 40), tmp_path / "whole.db")
    path = tmp_path / "parts.db"

    class Weary:
        """Stops in the middle."""

        def map(self, work: Work[Any, Any], items: Iterable[Any]) -> Iterator[Any]:
            for index, games in enumerate(HERE.map(replace(work, most=1), items)):
                yield games
                if index == 12:
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(plan_of("random", "greedy", 30), path, Weary())
    with Store(path) as store:
        assert [run.games for run in store.runs()] == [13]
    assert len(played(plan_of("random", "greedy", 30), path, workers).games) == 30
    longer = played(plan_of("random", "greedy", 40), path, workers)
    with Store(path) as store:
        assert [run.games for run in store.runs()] == [40]
    assert {n: game.moves for n, game in longer.games.items()} == {
        n: game.moves for n, game in whole.games.items()
    }, "the same games as in one go"
    assert len(played(plan_of("random", "greedy", 10), path, workers).games) == 10


@pytest.mark.slow
def test_two_of_a_kind_are_equal(tmp_path: Path) -> None:
    tally = played(plan_of("random", "random", 400, openings=Openings(fair=False)), tmp_path / "games.db")
    report = report_of(tally)
    low, high = report.estimate.interval
    assert low < 0 < high
    assert high - low < 100


def test_a_test_ends_the_match_when_it_is_decided(tmp_path: Path) -> None:
    plan = plan_of("alphabeta:2", "random", 2000, sprt=Sprt(0, 100), openings=Openings(fair=False))
    one = played(plan, tmp_path / "one.db")
    two = played(plan, tmp_path / "two.db", LocalWorkers(2))
    assert one.verdict is not None
    assert two.verdict is not None
    assert one.verdict.verdict == two.verdict.verdict == "H1"
    assert one.verdict.llr == two.verdict.llr, "by the order of the schedule, whoever plays"
    assert len(one.games) < 200
    again = played(plan, tmp_path / "one.db")
    assert len(again.games) == len(one.games), "nothing more is played"


def test_errors_and_timeouts_are_counted_by_reason(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def agent(observation, configuration):\n    return None\n")
    report = report_of(played(plan_of(f"file:{broken}", "random", 6), tmp_path / "games.db"))
    assert report.sides[0].failures == {"illegal": 6}
    assert report.sides[1].failures == {}
    assert report.sides[0].to_json()["errors"] == {"illegal": 6}
    assert report.sides[0].to_json()["timeouts"] == 0
    assert report.points == 0
    assert report.earliest_win is None


def test_games_over_again_are_noticed(tmp_path: Path) -> None:
    plan = plan_of("greedy", "vertical", 10, openings=Openings((0, 0)))
    assert report_of(played(plan, tmp_path / "games.db")).repeats == 8


def test_the_match_in_one_call(tmp_path: Path) -> None:
    out = tmp_path / "kept.db"
    report = fc.match("alphabeta:3", "random", games=10, rules="5x5x4", limit="1s", out=out)
    assert report.points >= 8
    assert fc.match("alphabeta:3", "random", games=10, rules="5x5x4", limit="1s", out=out) == report
    assert report.rules == "5x5x4"
    slipping = fc.match("greedy", "random", games=4, rules=Rules("5x5x3", 0.3), plies=(0, 0))
    assert slipping.games == 4
    assert fc.match("greedy", "random", games=2, grade=2).graded == 2


def test_who_cannot_play_is_refused_before_anything_is_played() -> None:
    with pytest.raises(UnknownPlayer, match="there is no agent 'nobody'"):
        plan_of("nobody", "random", 2)
    with pytest.raises(BadOption, match="people play with fourcast play"):
        plan_of("random", "human", 2)
    with pytest.raises(BadOption, match=r"there is no file 'nowhere\.py'"):
        plan_of("random", "file:nowhere.py", 2)
    with pytest.raises(fc.BadLimit, match="games 0"):
        plan_of("random", "random", 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        *(
            "random",
            "horizontal",
            "vertical",
            "greedy",
            "lookahead",
            "minimax:4",
            "alphabeta:8",
            "expectimax",
        ),
        *(
            "negamax:nodes=20000",
            "negamax:level=7",
            "montecarlo:200",
            "mcts:2000",
            "perfect:level=8",
            "perfect",
        ),
    ],
)
def test_the_perfect_player_wins_every_game_that_it_begins(other: str) -> None:
    fixtures = [Fixture(number, ("perfect", other), (), number) for number in range(50)]
    games = [game for _, game in play_some(Conditions(Rules()), fixtures)]
    assert [(game.winner, game.ending) for game in games] == [(0, "line")] * 50


def test_loading_an_agent_is_not_part_of_its_move(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import time\ntime.sleep(1)\n\n\ndef agent(observation, configuration):\n"
        "    return [column for column in range(configuration.columns) if not observation.board[column]][0]\n"
    )
    plan = MatchPlan((f"file:{slow}", "random"), Conditions(Rules(), Limit(seconds=0.1)), 2)
    report = report_of(played(plan, tmp_path / "games.db"))
    assert report.sides[0].failures == {}
    assert report.sides[0].seconds.max is not None
    assert report.sides[0].seconds.max < 0.35


def test_the_report_is_the_same_when_it_is_asked_again(tmp_path: Path) -> None:
    """Also of a test that was decided while more games were in work."""
    plan = plan_of("alphabeta:2", "random", 2000, sprt=Sprt(0, 100), openings=Openings(fair=False))
    reports = [report_of(played(plan, tmp_path / "games.db", LocalWorkers(2)), 0) for _ in range(2)]
    assert reports[0] == reports[1]


@pytest.mark.slow
def test_both_sides_of_both_agents_are_graded(tmp_path: Path) -> None:
    plan = plan_of("greedy", "random", 40, openings=Openings((8, 8), fair=False))
    tally = played(plan, tmp_path / "games.db")
    for most in (1, 4, 10, 11, 40):
        report = report_of(tally, most)
        assert report.graded == most
    whole = report_of(tally, 40)
    assert whole.sides[0].quality is not None
    moves = sum(len(game.landed) for game in tally.games.values())
    assert whole.sides[1].quality is not None
    assert whole.sides[0].quality.moves + whole.sides[1].quality.moves == moves
    chosen = _chosen(list(range(40)), 10)
    assert sum(place % 2 for place in chosen) == 5, "as often first as second"
    assert len({place // 2 for place in chosen}) == 5


def test_a_match_that_is_complete_makes_no_openings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of("greedy", "random", 6)
    before = played(plan, tmp_path / "games.db").games
    monkeypatch.setattr(Openings, "_random_start", lambda *_: pytest.fail("they are not needed"))
    assert played(plan, tmp_path / "games.db").games == before


def test_seeds_that_are_too_large() -> None:
    with pytest.raises(fc.BadLimit, match="seed 4294967296: 4,294,967,295 is the most"):
        plan_of("greedy", "random", 2, seed=2**32)
