"""Players that follow a plain rule, without search."""

from __future__ import annotations

import random

from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.errors import GameOver
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules


@register("random")
class RandomAgent:
    """Plays any open column, each equally likely."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.rules = rules
        self._chance = random.Random(seed)

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # it needs no time
        """Choose a column; the policy says how likely each was."""
        legal = position.legal
        if not legal:
            raise GameOver(f"the game is over, {position.outcome}")
        policy = tuple(
            1 / len(legal) if column in legal else 0.0 for column in range(position.geometry.columns)
        )
        return Analysis(position, self._chance.choice(legal), policy=policy)
