"""A guard against blunders, which any agent can wear: `guard=2`."""

from __future__ import annotations

from typing import Any

from fourcast.agents.agent import Agent
from fourcast.agents.options import whole
from fourcast.game.analysis import Analysis
from fourcast.game.guess import centre_first
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import aim_shares

GUARD = whole(
    "guard", 0, "1: play a win in one; 2: never allow one either, if it can be helped", least=0, most=2
)


def guarded_columns(position: Position, plies: int) -> list[int]:
    """The columns that a guard leaves to choose from: one at least, while the game goes on.

    With slip they are those that are best aimed at, as long as a disc lands there rather than elsewhere.

    Args:
        position: A position whose game goes on.
        plies: 1 insists on a win in one if there is any; 2 also blocks one of the other side's, and keeps
            away from the cells below one.
    """
    legal = list(position.legal)
    if winning := position.winning_columns(position.turn):
        return list(winning)
    if plies < 2:
        return legal
    threats = position.winning_columns(1 - position.turn)
    if threats:
        legal = [column for column in legal if column in threats]
    safe = [column for column in legal if not _gives(position, column)]
    return safe or legal


def _gives(position: Position, column: int) -> bool:
    """Whether the other side can win right after this column."""
    after = position.play(column)
    return bool(after.winning_columns(after.turn))


class GuardedAgent:
    """An agent whose choice is overruled where it would be a blunder.

    Attributes:
        agent: Who wears the guard.
        plies: How far the guard looks.
        slip: That of the game.
    """

    def __init__(self, agent: Agent, plies: int, slip: float = 0.0) -> None:
        self.agent = agent
        self.plies = plies
        self.slip = slip

    def __getattr__(self, name: str) -> Any:
        """Everything else is the agent's own."""
        if name == "agent" or name.startswith("__"):  # a copy that is being made has no agent yet
            raise AttributeError(name)
        return getattr(self.agent, name)

    @property
    def seed(self) -> int | None:
        """Where the agent's chance starts."""
        seed: int | None = getattr(self.agent, "seed", None)
        return seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        if hasattr(self.agent, "seed"):
            self.agent.seed = seed

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """What the agent says, with another column where its own is a blunder."""
        analysis = self.agent.analyze(position, limit)
        if aim_shares(self.slip, len(position.legal))[0] < 0:
            return analysis  # a disc is likelier to land anywhere but where it is aimed at
        allowed = guarded_columns(position, self.plies)
        if analysis.column in allowed:
            return analysis
        return analysis.playing(_preferred(analysis, allowed))


def _preferred(analysis: Analysis, allowed: list[int]) -> int:
    """The allowed column that the agent likes best; if it is silent, the one nearest to the centre."""
    ranked = [column for column in centre_first(analysis.position) if column in allowed]
    for liking in (analysis.scores, analysis.values, analysis.policy):
        known = {
            column: liking[column] for column in ranked if liking is not None and liking[column] is not None
        }
        if known:
            return max(known, key=lambda column: known[column])  # type: ignore[arg-type, return-value]
    return ranked[0]
