"""One game between two agents: every move is timed and checked, and whoever fails loses."""

from __future__ import annotations

import os
import platform
import random
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from fourcast import __version__
from fourcast.agents import Agent, new_game
from fourcast.game.errors import AgentFailed, BadOption, IllegalMove, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.record import FULL, LINE, MOST_WORDS, GameRecord
from fourcast.game.rules import Rules

TIMEOUT, ILLEGAL, CRASH = "timeout", "illegal", "crash"
OnTimeout = Literal["forfeit", "random"]
ON_TIMEOUT: tuple[OnTimeout, ...] = ("forfeit", "random")
NO_LIMIT = Limit()
GRACE = 0.25  # seconds over its time that an agent is forgiven: machines are busy


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all games of a match have in common.

    Attributes:
        rules: The board and its slip.
        limit: What an agent may spend on a move.
        on_timeout: Whether an agent that takes longer loses (`forfeit`) or has a move drawn by lot
            (`random`).
    """

    rules: Rules
    limit: Limit = NO_LIMIT
    on_timeout: OnTimeout = "forfeit"

    def __post_init__(self) -> None:
        if self.on_timeout not in ON_TIMEOUT:
            raise BadOption(f"on timeout {shown(self.on_timeout)}: it is forfeit or random")


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game that is to be played.

    Attributes:
        number: Its place in the schedule.
        players: The first and the second player, as specs.
        opening: The columns that are dropped before they take over.
        seed: Where its chance starts. Both games of a pair have the same, so discs slip alike in them.
    """

    number: int
    players: tuple[str, str]
    opening: tuple[int, ...]
    seed: int


def play_game(conditions: Conditions, fixture: Fixture, agents: tuple[Agent, Agent]) -> GameRecord:
    """Play a game to its end.

    An agent loses at once if it fails: by an error of its own, an illegal column, or by taking more than its
    time and `GRACE`. What it does in `prepare`, if it has that, is not counted.

    Args:
        conditions: The rules and the time.
        fixture: Who plays, and from where.
        agents: The two players; they are told that a new game begins.
    """
    rules, limit = conditions.rules, conditions.limit
    most = None if limit.seconds is None else limit.seconds + GRACE
    chance = random.Random(fixture.seed)
    position = _start(fixture.opening, rules.geometry)
    aimed: list[int] = []
    landed: list[int] = []
    seconds: list[float] = []
    lapses: list[int] = []
    memory = [0, 0]
    ending, words = "", ""
    for side, agent in enumerate(agents):
        new_game(agent, _own_seed(fixture, side))
    prepares = [getattr(agent, "prepare", None) for agent in agents]
    while not position.is_over:
        mover = position.turn
        start = time.perf_counter()
        try:
            if prepare := prepares[mover]:
                prepare(position)
                start = time.perf_counter()
            answer, bytes_needed = _ask(agents[mover], position, limit)
            taken = time.perf_counter() - start
            column = _legal(position, answer)
            if most is not None and taken > most:
                raise AgentFailed(TIMEOUT, f"{taken:.3f} s for a move, with {limit.seconds:g} s to spend")
            memory[mover] = max(memory[mover], bytes_needed)
        except AgentFailed as failure:
            taken = time.perf_counter() - start
            if failure.reason != TIMEOUT or conditions.on_timeout == "forfeit":
                ending, words = failure.reason, failure.words
                break
            column = chance.choice(position.legal)
            lapses.append(len(aimed))
        fell = rules.land(position, column, chance) if rules.slip else column
        aimed.append(column)
        landed.append(fell)
        seconds.append(round(taken, 7))
        position = position.play(fell)
    winner: int | None
    if ending:
        winner = 1 - position.turn
    else:
        outcome = position.outcome
        assert outcome is not None
        winner = outcome.winner
        ending = FULL if winner is None else LINE
    return GameRecord(
        rules,
        fixture.players,
        fixture.opening,
        tuple(aimed),
        tuple(landed),
        tuple(seconds),
        winner,
        ending,
        " ".join(words.split())[:MOST_WORDS],
        fixture.seed,
        (memory[0], memory[1]),
        str(limit),
        lapses=tuple(lapses),
        finished=round(time.time(), 6),
        version=__version__,
        machine=this_machine(),
    )


@cache
def this_machine() -> str:
    """This machine in a few words: its name, what it is, and how many cores it has."""
    return f"{platform.node() or 'unknown'}, {platform.machine()}, {os.cpu_count() or 1} cores"


@lru_cache(maxsize=256)
def _start(opening: tuple[int, ...], geometry: Geometry) -> Position:
    """Where a game begins; the other game of the pair begins there, too."""
    return Position.from_moves(opening, geometry)


def _own_seed(fixture: Fixture, side: int) -> int:
    """The seed of one player: its own in every game."""
    return (fixture.seed * 2 + side) ^ (fixture.number << 32)


def _ask(agent: Agent, position: Position, limit: Limit) -> tuple[object, int]:
    """The column that an agent says, and the memory that it needed; what goes wrong in it is its failure."""
    try:
        analysis = agent.analyze(position, limit)
        return analysis.column, int(analysis.memory)
    except AgentFailed:
        raise
    except Exception as error:
        raise AgentFailed(CRASH, f"{type(error).__name__}: {error}") from error


def _legal(position: Position, column: object) -> int:
    """The column, if it can be played."""
    try:
        return position.check_move(column)  # type: ignore[arg-type]  # whatever it was said to be
    except TypeError:
        raise AgentFailed(ILLEGAL, f"{shown(column)} is not a column") from None
    except IllegalMove as error:
        raise AgentFailed(ILLEGAL, str(error)) from None
