"""One game: moves are checked and timed, and whoever fails loses."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from fourcast import AgentFailed, Analysis, BadOption, GameRecord, Limit, Position, Rules, agent
from fourcast.agents import Agent
from fourcast.arena.referee import Conditions, Fixture, play_game

FIXTURE = Fixture(5, ("one", "other"), (3, 3), 17)


class Puppet:
    """An agent that does what a function says; it remembers what it was told."""

    def __init__(self, choose: Callable[[Position], object]) -> None:
        self.choose = choose
        self.seed: int | None = None
        self.games = 0
        self.asked: list[tuple[Position, Limit]] = []

    def new_game(self) -> None:
        self.games += 1

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        self.asked.append((position, limit))
        return Analysis(position, self.choose(position), memory=1000 * position.ply)  # type: ignore[arg-type]


def leftmost(position: Position) -> int:
    return position.legal[0]


def play(first: Agent, second: Agent, conditions: Conditions | None = None) -> GameRecord:
    game = play_game(conditions or Conditions(Rules()), FIXTURE, (first, second))
    return game.checked()


def test_a_game_is_written_down() -> None:
    first, second = Puppet(lambda _: 0), Puppet(lambda _: 6)
    game = play(first, second, Conditions(Rules(), Limit(seconds=5)))
    assert (game.players, game.opening, game.seed, game.limit) == (("one", "other"), (3, 3), 17, "5.0s")
    assert (game.moves, game.winner, game.ending) == ("441717171", 0, "line")
    assert game.memory == (8000, 7000)
    assert all(0 <= seconds < 1 for seconds in game.seconds)
    assert abs(game.finished - time.time()) < 60
    assert game.version
    assert game.machine
    assert [position.ply for position, _ in first.asked] == [2, 4, 6, 8]
    assert {limit for _, limit in first.asked} == {Limit(seconds=5)}
    assert first.games == second.games == 1
    assert first.seed is not None
    assert second.seed not in (None, first.seed)


def test_a_full_board_is_a_draw() -> None:
    players = (agent("perfect", "4x4x4"), agent("perfect", "4x4x4"))
    game = play_game(Conditions(Rules("4x4x4")), Fixture(0, ("a", "b"), (), 0), players)
    assert (game.checked().winner, game.ending, game.plies, game.points) == (None, "full", 16, 0.5)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (7, "move 3: there is no column 8 on board 6x7x4"),
        (-1, "move 3: there is no column 0"),
        (None, "None is not a column"),
        (3.5, "3.5 is not a column"),
        ("3", "'3' is not a column"),
        (float("nan"), "nan is not a column"),
        (10**30, "there is no column 1000000"),
    ],
)
def test_an_illegal_column_loses(answer: object, words: str) -> None:
    game = play(Puppet(lambda _: answer), Puppet(leftmost))
    assert (game.winner, game.ending, game.landed) == (1, "illegal", ())
    assert words in game.words


def test_a_full_column_loses_for_the_second_player_too() -> None:
    game = play(Puppet(lambda _: 3), Puppet(lambda _: 3))
    assert (game.moves, game.winner, game.ending) == ("444444", 1, "illegal")
    assert game.words == "move 7: column 4 is full"


def test_an_error_within_an_agent_is_a_crash() -> None:
    def fall(position: Position) -> int:
        if position.ply > 4:
            raise TypeError("three\nlines\nof woe")
        return leftmost(position)

    game = play(Puppet(leftmost), Puppet(fall))
    assert (game.winner, game.ending, game.words) == (0, "crash", "TypeError: three lines of woe")

    class Silent:
        def analyze(self, position: Position, limit: Limit) -> None:
            """Say nothing."""

    game = play(Puppet(leftmost), Silent())  # type: ignore[arg-type]
    assert (game.winner, game.ending) == (0, "crash")


def test_what_a_foreign_agent_says_of_its_failure_is_kept() -> None:
    def fail(_position: Position) -> int:
        raise AgentFailed("memory", "2 GB, and 1 GB is the most")

    game = play(Puppet(fail), Puppet(leftmost))
    assert (game.winner, game.ending, game.words) == (1, "memory", "2 GB, and 1 GB is the most")


def slow(_position: Position) -> int:
    time.sleep(0.3)
    return 6


@pytest.mark.parametrize("on_timeout", ["forfeit", "random"])
def test_a_move_that_takes_too_long(on_timeout: str) -> None:
    conditions = Conditions(Rules(), Limit(seconds=0.02), on_timeout)  # type: ignore[arg-type]
    game = play(Puppet(leftmost), Puppet(slow), conditions)
    if on_timeout == "forfeit":
        assert (game.winner, game.ending) == (0, "timeout")
        assert "s for a move, with 0.02 s to spend" in game.words
        assert game.lapses == ()
    else:
        assert game.ending == "line"
        assert game.lapses
        assert all(game.mover(index) == 1 and game.seconds[index] > 0.25 for index in game.lapses)
        assert len({game.landed[index] for index in game.lapses} | {6}) > 1, "not what it said"
    patient = Conditions(Rules(), Limit(seconds=0.1))
    assert play(Puppet(leftmost), Puppet(slow), patient).ending == "line", "within the grace"


def test_only_those_two_ways_to_end_a_move() -> None:
    with pytest.raises(BadOption, match="it is forfeit or random"):
        Conditions(Rules(), on_timeout="shrug")  # type: ignore[arg-type]


def test_both_games_of_a_pair_slip_alike() -> None:
    conditions = Conditions(Rules(slip=0.5))
    games = [
        play_game(conditions, Fixture(number, ("a", "b"), (), 3), (Puppet(leftmost), Puppet(leftmost)))
        for number in (0, 1)
    ]
    assert games[0].landed == games[1].landed
    assert games[0].aimed != games[0].landed, "some did slip"
    other = play_game(conditions, Fixture(0, ("a", "b"), (), 4), (Puppet(leftmost), Puppet(leftmost)))
    assert other.landed != games[0].landed
