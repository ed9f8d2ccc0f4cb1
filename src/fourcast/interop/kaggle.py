"""Any agent as one that Kaggle's ConnectX can call, in memory; it needs nothing of Kaggle's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fourcast.agents import Agent, agent, new_game
from fourcast.agents.human import HUMAN
from fourcast.agents.registry import read_spec
from fourcast.game.errors import BadOption
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit, check_seed
from fourcast.interop.observation import kaggle_position

ONE_SECOND = Limit(seconds=1.0)


def as_agent(
    spec: str, limit: Limit | str | None = ONE_SECOND, seed: int | None = None
) -> Callable[[Any, Any], int]:
    """An agent as a function of an observation and a configuration: `env.run([as_agent("mcts"), "negamax"])`.

    It plays every board that the agent plays, and makes one for each that it meets. What has to be loaded or
    compiled is so with the first move, and Kaggle counts it: it has 60 seconds for that besides the moves'.

    Args:
        spec: The agent, like "mcts:simulations=200".
        limit: What a move may take. Kaggle gives a move 2 seconds.
        seed: Where the agent's chance starts.

    Raises:
        UnknownPlayer, BadOption: The spec cannot be read.
        BadLimit: The limit or the seed cannot.
    """
    entry, _ = read_spec(spec)
    if entry.name == HUMAN:
        raise BadOption("agent human: a person cannot be asked from within another program's game")
    most = Limit.of(limit)
    if seed is not None:
        check_seed(seed)
    made: dict[Geometry, Agent] = {}

    def play(observation: Any, configuration: Any) -> int:
        """The column to play.

        Raises:
            FourcastError: The observation is not a position that can be moved in; see `kaggle_position`.
        """
        position = kaggle_position(observation, configuration)
        player = made.get(position.geometry)
        if player is None:
            player = made[position.geometry] = agent(spec, position.geometry, seed)
        if position.ply < 2:
            new_game(player)
        if prepare := getattr(player, "prepare", None):
            prepare(position)
        return int(player.analyze(position, most).column)

    return play
