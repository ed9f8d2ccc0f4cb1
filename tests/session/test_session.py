"""A game at the board: moves, taking back, thinking in threads."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

import pytest

from fourcast.game.analysis import Analysis
from fourcast.game.errors import AgentFailed, ColumnFull, UnknownPlayer
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.session import Session, seat


class Ponderer:
    """Thinks until it is told to go on or to stop; then plays the leftmost open column."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked: list[str] = []
        self.games = 0

    def new_game(self) -> None:
        self.games += 1

    def stop(self) -> None:
        self.go.set()

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002
        self.asked.append(position.moves)
        assert self.go.wait(60)
        self.go.clear()
        return Analysis(position, position.legal[0])


class Stumbler:
    """Has a fault."""

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002
        raise ValueError("stumbled")


def against(player: object, moves: str = "") -> Session:
    return Session(Rules(), ("human", "agent"), [None, player], start=Position.from_moves(moves))  # type: ignore[list-item]


def people(moves: str = "", slip: float = 0.0) -> Session:
    rules = Rules(slip=slip)
    start = Position.from_moves(moves)
    return Session(rules, ("human", "human"), [None, None], start=start, chance=random.Random(3))


def advance(session: Session, until: Callable[[], bool]) -> None:
    while not until():
        session.advance()
        time.sleep(0.002)


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "thought"]


def test_moves_can_be_taken_back_and_made_again() -> None:
    game = people("4453")
    assert game.position.moves == "4453"
    assert game.undo()
    assert game.undo()
    assert game.position.moves == "44"
    assert game.redo()
    assert game.position.moves == "445"
    assert [drop.landed for drop in game.drops] == [3, 3, 4, 2], "what was taken back stays"
    game.drop(0)
    assert game.position.moves == "4451"
    assert not game.redo(), "until another move is made instead"
    game.restart()
    assert game.ply == 0
    assert not game.undo()


def test_any_position_of_the_game_can_be_looked_at_and_gone_on_from() -> None:
    game = people("4453")
    assert game.look_at(1)
    assert not game.look_at(1)
    assert game.position.moves == "4"
    assert (game.ply, game.at_end) == (1, False)
    game.look_at(99)
    assert (game.ply, game.at_end) == (4, True)
    game.look_at(2)
    game.play_on()
    assert [drop.landed for drop in game.drops] == [3, 3]


def test_a_disc_that_slips_is_remembered_with_its_aim() -> None:
    game = people(slip=0.9)
    drops = [game.drop(3) for _ in range(4)]
    assert any(drop.aimed == 3 != drop.landed for drop in drops)
    assert list(game.position.columns_played) == [drop.landed for drop in drops]


def test_a_move_that_cannot_be_made_changes_nothing() -> None:
    game = people("444444")
    game.undo()
    game.redo()
    with pytest.raises(ColumnFull):
        game.drop(3)
    assert game.position.moves == "444444"


def test_an_agent_answers_while_nobody_waits_for_it() -> None:
    player = Ponderer()
    game = against(player)
    assert not game.is_agents_turn
    game.drop(3)
    assert game.advance() is None
    advance(game, lambda: bool(player.asked))
    assert game.thought is not None
    player.go.set()
    advance(game, lambda: game.thought is None)
    assert game.position.moves == "41"
    last = game.last
    assert last is not None
    assert last.analysis is not None
    assert not threads()


def test_undo_takes_back_the_answer_too_and_redo_gives_both() -> None:
    player = Ponderer()
    game = against(player, "4153")
    assert game.undo()
    assert game.position.moves == "41"
    assert game.redo()
    assert game.position.moves == "4153"
    assert player.games == 3, "it hears that it is another game"


def test_a_move_that_is_taken_back_stops_who_thinks_about_the_answer() -> None:
    player = Ponderer()
    game = against(player)
    game.drop(3)
    advance(game, lambda: bool(player.asked))
    assert game.undo()
    assert game.thought is None
    assert game.is_persons_turn
    advance(game, lambda: not threads())
    assert game.ply == 0, "the answer is thrown away"
    game.drop(4)
    advance(game, lambda: len(player.asked) == 2)
    assert player.asked == ["4", "5"]
    assert game.close()
    assert not threads()


def test_an_agent_is_asked_one_thing_at_a_time() -> None:
    player = Ponderer()
    player.stop = lambda: None  # type: ignore[method-assign]  # it does not hear
    game = against(player)
    game.drop(3)
    advance(game, lambda: bool(player.asked))
    game.undo()
    game.drop(4)
    for _ in range(20):
        game.advance()
    assert game.thought is None, "it thinks about something else still"
    assert player.asked == ["4"]
    player.go.set()
    advance(game, lambda: len(player.asked) == 2)
    player.go.set()
    advance(game, lambda: game.ply == 2)
    assert game.position.moves == "51"
    assert player.games == 2


def test_the_position_that_an_agent_would_move_in_can_be_looked_at_in_peace() -> None:
    player = Ponderer()
    game = against(player, "41")
    game.look_at(1)
    game.advance()
    assert not player.asked
    game.play_on()
    game.advance()
    assert game.thought is not None
    game.close()


def test_an_agent_that_fails_is_named() -> None:
    game = against(Stumbler(), "4")
    with pytest.raises(AgentFailed, match=r"agent agent: crash: ValueError: stumbled"):
        advance(game, lambda: False)
    assert game.thought is None
    assert game.undo()


def test_who_cannot_be_stopped_does_not_keep_a_game_from_closing() -> None:
    class Sleeper:
        def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002
            over.wait(60)
            return Analysis(position, 0)

    over = threading.Event()
    game = against(Sleeper(), "4")
    game.advance()
    assert not game.close(0.05)
    over.set()


def test_agents_that_play_each_other_can_be_taken_back_one_by_one() -> None:
    rules = Rules("4x4x3")
    players = [seat("random", rules, 1, side) for side in (0, 1)]
    game = Session(rules, ("random", "random"), players)
    advance(game, lambda: game.position.is_over)
    plies = game.ply
    assert game.undo()
    assert game.ply == plies - 1
    assert not game.is_agents_turn, "nobody plays on before the rest is forgotten"


def test_seats_are_taken_by_people_and_agents() -> None:
    assert seat("human", Rules(), 1, 0) is None
    assert seat("random", Rules(), 1, 0) is not None
    with pytest.raises(UnknownPlayer):
        seat("nobody", Rules(), 1, 0)
