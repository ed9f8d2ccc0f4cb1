"""The bench of agents: what it measures is so, and it says where it is below its bars."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from fourcast import FourcastError, Limit, Position, Rules
from fourcast.arena.quality import Graded, grade, graded_positions, random_positions
from fourcast.bench.agents import AgentsReport, Timekeeping
from fourcast.bench.contest import Contest, contest
from fourcast.bench.memory import Memory, memory_of
from tests.cli.command import fourcast


def quietly(_what: str, _done: int, _total: int) -> None:
    """Nobody watches."""


def always(column: int) -> Callable[[Position], int]:
    """A player of one column."""
    return lambda _: column


@pytest.fixture(scope="module")
def graded() -> list[Graded]:
    return graded_positions(12, 7, quietly)


def test_positions_are_of_the_plies_asked_for_and_always_the_same() -> None:
    positions = list(random_positions(20, 3))
    assert all(10 <= position.ply <= 16 and not position.is_over for position in positions)
    assert positions == list(random_positions(20, 3))
    assert positions != list(random_positions(20, 4))


def test_the_best_column_is_perfect_and_the_worst_is_not(graded: list[Graded]) -> None:
    scores = {each.position: dict(enumerate(each.scores)) for each in graded}

    def extreme(position: Position, sign: int) -> int:
        return max(position.legal, key=lambda column: sign * (scores.get(position, {}).get(column) or 0))

    best = grade("best", lambda position: extreme(position, 1), graded, 0.9, quietly)
    worst = grade("worst", lambda position: extreme(position, -1), graded, 0.9, quietly)
    assert (best.good, best.perfect, best.passed) == (1.0, 1.0, True)
    assert worst.perfect <= worst.good < 0.9
    assert worst.passed is False


def test_a_draw_that_is_given_away_is_not_good() -> None:
    position = Position.from_moves("44")
    graded = [Graded(position, (-3, -1, 0, 0, 0, -1, 2))]
    marks = [grade("one", always(column), graded, None, quietly) for column in (6, 3, 0)]
    assert [(mark.good, mark.perfect) for mark in marks] == [(1, 1), (0, 0), (0, 0)]
    lost = [Graded(position, (-3, -1, None, -2, -9, -1, -1))]
    marks = [grade("one", always(column), lost, None, quietly) for column in (1, 4)]
    assert [(mark.good, mark.perfect) for mark in marks] == [(1, 1), (1, 0)]
    with pytest.raises(ValueError, match="full column"):
        grade("one", always(2), lost, None, quietly)


def test_games_are_counted_for_the_first_named() -> None:
    won = contest("alphabeta:depth=4", "random", Rules(), 6, limit=Limit(), advance=quietly, bar=0.99)
    assert (won.wins, won.draws, won.losses, won.passed) == (6, 0, 0, True)
    lost = contest("random", "alphabeta:depth=4", Rules(), 6, limit=Limit(), advance=quietly, bar=0.5)
    assert (lost.wins, lost.losses, lost.passed) == (0, 6, False)
    again = contest("random", "random", Rules("5x5x4", 0.2), 10, limit=Limit(), advance=quietly)
    same = contest("random", "random", Rules("5x5x4", 0.2), 10, limit=Limit(), advance=quietly)
    assert (again.wins, again.draws, again.losses) == (same.wins, same.draws, same.losses)
    assert again.games == 10
    assert again.passed is None


def test_what_misses_its_bar_is_marked_and_lines_fit_the_screen() -> None:
    report = AgentsReport(
        clock=[Timekeeping("negamax", 0.05, 1000, 0.04, 0.05, 0.07, 0.06, 2)],
        robots=[Contest("alphabeta:depth=6", "horizontal", "6x7x4", 98, 1, 1, 0.001, 0.99)],
        slip=[Contest("expectimax", "montecarlo", "8x10x5 with slip 0.2", 51, 0, 49, 0.002, more=True)],
        complete=True,
    )
    lines = report.to_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.endswith(" !") for line in lines if line.startswith(("negamax", "alpha", "expect"))] == [
        True,
        True,
        False,
    ]
    assert lines[-1] == "! below its bar"
    assert report.to_json()["slip"][0]["passed"] is True


@pytest.mark.slow
def test_the_command_measures_one_part() -> None:
    done = fourcast("bench", "agents", "--part", "quality", "--positions", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["complete"] is True
    assert report["speed"] == report["robots"] == []
    perfect = next(each for each in report["quality"] if each["agent"] == "perfect")
    assert (perfect["positions"], perfect["good"], perfect["perfect"]) == (3, 1.0, 1.0)
    wrong = fourcast("bench", "agents", "--part", "luck")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "speed, quality, clock, memory, robots, slip" in wrong.stderr


@pytest.mark.slow
def test_memory_is_that_of_the_table() -> None:
    small, large = (memory_of(f"negamax:table_mb={size}") for size in (16, 48))
    assert 15e6 <= small.resident < 40e6
    assert small.resident + 28e6 <= large.resident
    assert small.passed
    assert not Memory("large", 101_000_000).passed
    with pytest.raises(FourcastError, match=r"the memory of nobody was not measured: .*no agent 'nobody'"):
        memory_of("nobody")
