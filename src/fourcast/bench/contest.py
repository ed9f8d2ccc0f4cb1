"""Games between agents, counted: each opening twice, with the sides changed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fourcast.agents import Agent, agent, new_game
from fourcast.arena.wilson import wilson_interval
from fourcast.game.limit import Limit
from fourcast.game.outcome import FIRST
from fourcast.game.position import Position
from fourcast.game.rules import Rules

OPENING_PLIES = 2  # most random moves before the agents take over: more can decide the game


@dataclass(frozen=True, slots=True)
class Contest:
    """What came of games between two agents.

    Attributes:
        agent: Whose wins are counted.
        against: Who it played.
        rules: The game.
        wins: Games that it won.
        draws: Games that nobody won.
        losses: Games that it lost.
        seconds: Its mean time for a move.
        bar: The share of games that it should win; in `more` only more than it loses.
        more: Whether it is enough to win more than it loses.
    """

    agent: str
    against: str
    rules: str
    wins: int
    draws: int
    losses: int
    seconds: float
    bar: float | None = None
    more: bool = False

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def passed(self) -> bool | None:
        """Whether the bar is reached; None without one."""
        if self.more:
            return self.wins > self.losses
        return None if self.bar is None else self.wins >= self.bar * self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share of wins lies, with 95% confidence, by Wilson; it never passes 0 or 1."""
        return wilson_interval(self.wins, self.games)

    def to_json(self) -> dict[str, Any]:
        """The fields, and what follows from them."""
        return asdict(self) | {"games": self.games, "interval": list(self.interval), "passed": self.passed}


def contest(
    spec: str,
    against: str,
    rules: Rules,
    games: int,
    *,
    limit: Limit,
    advance: Callable[[str, int, int], None],
    bar: float | None = None,
    more: bool = False,
    options: Mapping[str, str] | None = None,
) -> Contest:
    """Play games, half of them with the first move.

    Args:
        spec: Whose wins are counted.
        against: Its opponent.
        rules: The game; with slip, both games of a pair have the same chances.
        games: How many; each pair has the same opening of up to `OPENING_PLIES` random moves.
        limit: What each may spend on a move.
        advance: Is told how far it is.
        bar: The share of games that it should win.
        more: Whether it is enough to win more than it loses.
        options: More options of the first, by name; a path may have a comma, which a spec may not.
    """
    more_options = dict(options or {})
    results = [0, 0, 0]  # won, drawn, lost
    clock = _Clock()
    for game in range(games):
        advance(f"{spec} against {against}, {rules}", game, games)
        leads = game % 2 == 0
        ours = agent(spec, rules, seed=2 * game, **more_options)
        theirs = agent(against, rules, seed=2 * game + 1)
        winner = _play(rules, ours, theirs, leads, limit, random.Random(game // 2), clock)
        results[1 if winner is None else 0 if (winner == FIRST) == leads else 2] += 1
    seconds = clock.seconds / max(clock.moves, 1)
    won, drawn, lost = results
    return Contest(spec, against, str(rules), won, drawn, lost, seconds, bar, more)


class _Clock:
    """How long one side has thought."""

    seconds = 0.0
    moves = 0


def _play(
    rules: Rules, ours: Agent, theirs: Agent, leads: bool, limit: Limit, chance: random.Random, clock: _Clock
) -> int | None:
    """The winner of one game, None for a draw."""
    position = _opening(rules, chance)
    for player in (ours, theirs):
        new_game(player)
    while not position.is_over:
        mine = (position.turn == FIRST) == leads
        start = time.perf_counter()
        column = (ours if mine else theirs).analyze(position, limit).column
        if mine:
            clock.seconds += time.perf_counter() - start
            clock.moves += 1
        position = position.play(rules.land(position, column, chance))
    return position.outcome.winner if position.outcome else None


def _opening(rules: Rules, chance: random.Random) -> Position:
    """A few random moves, too few for anybody to win."""
    position = Position(rules.geometry)
    for _ in range(chance.randint(0, OPENING_PLIES)):
        position = position.play(chance.choice(position.legal))
    return position
