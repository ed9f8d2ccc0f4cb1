"""A player that looks as far ahead as its time allows."""

from __future__ import annotations

from fourcast.agents.chance import chance_for
from fourcast.agents.levels import FULL, LEVEL, SIGHTS, drawn
from fourcast.agents.options import number, one_of, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import TREE, VALUES, SearchingAgent
from fourcast.evaluators.heuristics import HEURISTICS
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules


@register(
    "negamax",
    number("seconds", None, "most time for a move", most=1e6),
    whole("depth", None, "most plies to look ahead", most=128),
    whole("nodes", None, "most positions to visit; 1,000,000 where nothing bounds it"),
    one_of("eval", "threats", tuple(HEURISTICS), "what a position is worth where the search ends"),
    whole("table_mb", 16, "memory for the table", most=65536),
    LEVEL,
    VALUES,
    TREE,
)
class NegamaxAgent(SearchingAgent):
    """Alpha-beta with a table by iterative deepening: strong in little time.

    It takes no account of slip. Below level 10 it looks less far ahead, and draws a column by chance,
    as `fourcast.agents.levels` has it.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        eval: str = "threats",  # noqa: A002  # the option's name
        table_mb: int = 16,
        level: int = FULL,
        values: str = "best",
        tree: int = 0,
    ) -> None:
        from fourcast.search.deepening import Deepening

        search = Deepening(
            rules.geometry,
            evaluation=eval,
            table_mb=table_mb,
            whole=values == "all" or level < FULL,
            tree=tree,
        )
        super().__init__(rules, seed, search)
        self.level = level
        self.limit = Limit(seconds=seconds, depth=depth, nodes=nodes)

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """What the search finds within the limit and the options."""
        limit = self.limit.within(limit)
        if self.level == FULL:
            return super().analyze(position, limit)
        found = super().analyze(position, limit.within(Limit(depth=SIGHTS[self.level - 1])))
        values = {column: value for column, value in enumerate(found.values or ()) if value is not None}
        return drawn(found, values, self.level, chance_for(self.seed, position))
