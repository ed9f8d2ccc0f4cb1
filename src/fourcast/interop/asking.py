"""Agents in other programs' games: who may be seated, how they are asked, and what counts as a column."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager

from fourcast.agents import Agent, agent
from fourcast.agents.human import HUMAN, HumanAgent
from fourcast.agents.registry import read_spec
from fourcast.game.analysis import Analysis
from fourcast.game.errors import (
    AgentFailed,
    BadOption,
    ColumnOffBoard,
    IllegalMove,
    UnknownPlayer,
    shown,
)
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit, check_seed
from fourcast.game.position import Position
from fourcast.game.rules import Rules

_MOST_WORDS = 200  # characters of an error that is not ours


def seated(player: Agent | str, rules: Rules, seed: int | None = None) -> Agent:
    """The agent that a spec names, or the one that was handed in.

    Args:
        player: A spec, or an agent.
        rules: What an agent made from a spec will play.
        seed: Where its chance starts.

    Raises:
        UnknownPlayer: It is neither a spec nor an agent.
        BadOption: It is a person, or an option of the spec is wrong.
        BadLimit: The seed is none.
        CannotPlay: It does not play by these rules.
    """
    seed = None if seed is None else check_seed(seed)
    if isinstance(player, str):
        _refuse_people(read_spec(player)[0].name == HUMAN)
        return agent(player, rules, seed)
    if isinstance(player, type) or not callable(getattr(player, "analyze", None)):
        raise UnknownPlayer(f"{shown(player)} is neither the spec of an agent nor an agent with analyze()")
    _refuse_people(isinstance(player, HumanAgent))
    return player


def _refuse_people(is_person: bool) -> None:
    if is_person:
        raise BadOption("agent human: a person cannot be asked from within another program's game")


@contextmanager
def failures_of(name: str) -> Iterator[None]:
    """Whatever goes wrong inside, somebody's code perhaps, is the failure of whom the name says.

    Raises:
        AgentFailed: An error was raised.
    """
    try:
        yield
    except AgentFailed:
        raise
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())[:_MOST_WORDS]
        raise AgentFailed("crash", f"{name} failed (crash): {words}", words=words) from error


def answer_of(player: Agent, position: Position, limit: Limit) -> Analysis:
    """What an agent says of a position whose game goes on; its column can be played.

    Raises:
        AgentFailed: It raised an error, gave no Analysis, or a column that cannot be played.
    """
    name = name_of(player)
    with failures_of(name):
        analysis = player.analyze(position, limit)
        words = f"it answered {shown(analysis)}, which is no Analysis"
        if isinstance(analysis, Analysis):
            try:
                position.check_move(column_of(analysis.column, position.geometry))
            except IllegalMove as error:
                words = str(error)
            else:
                return analysis
        raise AgentFailed("illegal", f"{name} failed (illegal): {words}", words=words)


def name_of(player: Agent) -> str:
    """An agent for a message."""
    return f"agent {getattr(player, 'name', type(player).__name__)}"


def column_of(action: object, geometry: Geometry) -> int:
    """An action as a 0-based column; whether it is on the board and open is for the position to say.

    Raises:
        ColumnOffBoard: It is not a whole number.
    """
    try:
        if not isinstance(action, bool):
            return operator.index(action)  # type: ignore[arg-type]  # whatever it was said to be
    except TypeError:
        pass
    last = geometry.columns - 1
    raise ColumnOffBoard(f"action {shown(action)}: a column is a whole number from 0 to {last}")
