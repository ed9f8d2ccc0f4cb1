"""A player that tries every column with random games."""

from __future__ import annotations

from fourcast.agents.chance import seed_for
from fourcast.agents.options import plies_or_auto, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import SearchingAgent
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules


@register(
    "montecarlo",
    whole("simulations", 1000, "random games for each open column"),
    plies_or_auto("cap", 0, "plies of a game; 0 plays to the end, auto twice the discs of a line"),
)
class MonteCarloAgent(SearchingAgent):
    """Plays the column that does best in random games, slip included."""

    def __init__(
        self, rules: Rules, seed: int | None = None, *, simulations: int = 1000, cap: int | str = 0
    ) -> None:
        from fourcast.search.montecarlo import FlatSearch

        plies = 2 * rules.geometry.connect if cap == "auto" else int(cap)
        self._games = FlatSearch(rules, simulations=simulations, cap=plies or None)
        super().__init__(rules, seed, self._games)

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """The column whose games went best."""
        return self._games.search(position, limit, seed_for(self.seed, position))
