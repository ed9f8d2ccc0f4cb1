"""The agents that one process plays with: made once, used for many games."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Sequence

from fourcast.agents import Agent, agent
from fourcast.agents.registry import read_spec
from fourcast.arena.referee import Conditions, Fixture, play_game
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.record import GameRecord
from fourcast.game.rules import Rules

MOST_AGENTS = 12  # that a process keeps; some have tables of many megabytes
_GLANCE = Limit(seconds=0.01, depth=1, nodes=100, simulations=10)


class Roster:
    """Agents by spec and side, the last used ones kept.

    Each side has its own, so that an agent can play against itself.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._agents: OrderedDict[tuple[str, int], Agent] = OrderedDict()
        self._warm: set[str] = set()

    def pair(self, players: tuple[str, str]) -> tuple[Agent, Agent]:
        """The two players of a game.

        Raises:
            FourcastError: There is no such agent, or it cannot play by these rules.
        """
        return self._find(players[0], 0), self._find(players[1], 1)

    def one(self, spec: str) -> Agent:
        """An agent that nobody plays against.

        Raises:
            FourcastError: Likewise.
        """
        return self._find(spec, 0)

    def _find(self, spec: str, side: int) -> Agent:
        key = (spec, side)
        found = self._agents.pop(key, None)
        if found is None:
            found = agent(spec, self.rules, seed=0)
            self._warm_up(spec, found)
            while len(self._agents) >= MOST_AGENTS:
                dismiss(self._agents.popitem(last=False)[1])
        self._agents[key] = found
        return found

    def _warm_up(self, spec: str, player: Agent) -> None:
        """Have its compiled code loaded, which should not count in the time of a move."""
        entry = read_spec(spec)[0]
        if entry.foreign or entry.name in self._warm:
            return
        self._warm.add(entry.name)
        with contextlib.suppress(Exception):  # a move that fails is the referee's affair
            player.analyze(Position(self.rules.geometry), _GLANCE)

    def close(self) -> None:
        """Dismiss all."""
        while self._agents:
            dismiss(self._agents.popitem()[1])


def dismiss(player: Agent) -> None:
    """Let an agent end what it has running."""
    end = getattr(player, "close", None)
    if end is not None:
        end()


_rosters: dict[Rules, Roster] = {}


def player_here(spec: str, rules: Rules) -> Agent:
    """This process's agent of that spec, made when it is first asked for.

    Raises:
        FourcastError: There is no such agent, or it cannot play by these rules.
    """
    return _roster_of(rules).one(spec)


def _roster_of(rules: Rules) -> Roster:
    return _rosters.setdefault(rules, Roster(rules))


def dismiss_all() -> None:
    """Let all agents of this process end what they have running."""
    while _rosters:
        _rosters.popitem()[1].close()


def play_some(conditions: Conditions, fixtures: Sequence[Fixture]) -> list[tuple[int, GameRecord]]:
    """Play games, one after the other, with this process's agents: each with its number."""
    roster = _roster_of(conditions.rules)
    return [
        (fixture.number, play_game(conditions, fixture, roster.pair(fixture.players))) for fixture in fixtures
    ]
