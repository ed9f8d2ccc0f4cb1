"""A player that reckons with slip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourcast.agents.options import one_of, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import TREE, VALUES, SearchingAgent
from fourcast.evaluators.heuristics import HEURISTICS
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.agents.searching import Search


@register(
    "expectimax",
    whole("depth", 5, "plies to look ahead", most=128),
    one_of("eval", "auto", ("auto", *HEURISTICS), "auto: slippery with slip, windows without"),
    whole("solve", 20, "with so many empty cells or fewer, look to the end", least=0, most=128),
    whole("table_mb", 32, "memory for the table", most=65536),
    VALUES,
    TREE,
)
class ExpectimaxAgent(SearchingAgent):
    """Reckons with slip: the column that is best on average; exact near the end.

    Without slip it is alphabeta.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        depth: int = 5,
        eval: str = "auto",  # noqa: A002  # the option's name
        solve: int = 20,
        table_mb: int = 32,
        values: str = "best",
        tree: int = 0,
    ) -> None:
        from fourcast.search.expectimax import Expectimax
        from fourcast.search.lookahead import Lookahead

        search: Search
        whole = values == "all"
        if rules.slip:
            evaluation = "slippery" if eval == "auto" else eval
            search = Expectimax(
                rules,
                depth,
                solve=solve,
                evaluation=evaluation,
                table_mb=table_mb,
                whole=whole,
                tree=tree,
            )
        else:
            evaluation = "windows" if eval == "auto" else eval
            search = Lookahead(rules.geometry, depth, evaluation=evaluation, whole=whole, tree=tree)
        super().__init__(rules, seed, search)
