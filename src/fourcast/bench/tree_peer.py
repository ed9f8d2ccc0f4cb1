"""OpenSpiel's tree search in C++, to stand beside ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fourcast.bench.report import median_seconds
from fourcast.extras import require
from fourcast.game.position import Position

_C = 2.0  # of UCT; as OpenSpiel's examples have it
_SIMULATIONS = 10_000


def _bot(simulations: int) -> tuple[Any, Any]:
    """OpenSpiel's game and a bot that plays it."""
    spiel = require("pyspiel", "bench")
    game = spiel.load_game("connect_four")
    rollouts = spiel.RandomRolloutEvaluator(1, 1)
    bot = spiel.MCTSBot(
        game,
        rollouts,
        _C,
        simulations,
        500,  # MB
        True,  # proves wins
        1,  # seed
        False,  # says nothing
    )
    return game, bot


def peer_chooser(simulations: int) -> Callable[[Position], int]:
    """A function that asks OpenSpiel for a column."""
    game, bot = _bot(simulations)

    def choose(position: Position) -> int:
        state = game.new_initial_state()
        for column in position.columns_played:
            state.apply_action(column)
        return int(bot.step(state))

    return choose


def peer_rate(repeat: int) -> float:
    """Its simulations a second from the empty board."""
    choose = peer_chooser(_SIMULATIONS)
    return _SIMULATIONS / median_seconds(lambda: choose(Position()), repeat)
