"""Players that look a fixed number of plies ahead: minimax, the yardstick, and alpha-beta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourcast.agents.options import one_of, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import EVAL, TREE, VALUES, SearchingAgent
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.search.orders import NAMES

if TYPE_CHECKING:
    from fourcast.search.lookahead import Lookahead

FEW_DISCS = 6  # while there are fewer, `early=centre` plays the centre

_ORDER = one_of("order", "centre", NAMES, "the order in which columns are tried")
_EARLY = one_of("early", "search", ("search", "centre"), "centre: play it while there are under 6 discs")


class LookingAgent(SearchingAgent):
    """What minimax and alphabeta share. They take no account of slip."""

    def __init__(self, rules: Rules, seed: int | None, search: Lookahead, early: str) -> None:
        super().__init__(rules, seed, search)
        self.early = early

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """What the search finds, or the centre while it is early."""
        check_question(position, self.rules.geometry)
        centre = (position.geometry.columns - 1) // 2
        if self.early == "centre" and position.ply < FEW_DISCS and centre in position.legal:
            return Analysis(position, centre, pv=(centre,))
        return super().analyze(position, limit)


@register("minimax", whole("depth", 5, "plies to look ahead", most=128), EVAL, _ORDER, _EARLY, TREE)
class MinimaxAgent(LookingAgent):
    """Plain minimax without pruning: the yardstick."""

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        depth: int = 5,
        eval: str = "windows",  # noqa: A002  # the option's name
        order: str = "centre",
        early: str = "search",
        tree: int = 0,
    ) -> None:
        from fourcast.search.lookahead import Lookahead

        search = Lookahead(
            rules.geometry, depth, prunes=False, evaluation=eval, order=order, tree=tree, seed=seed
        )
        super().__init__(rules, seed, search, early)


@register("alphabeta", whole("depth", 6, "plies to look ahead", most=128), EVAL, _ORDER, _EARLY, VALUES, TREE)
class AlphaBetaAgent(LookingAgent):
    """Alpha-beta to a fixed depth: minimax's move and score, sooner."""

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        depth: int = 6,
        eval: str = "windows",  # noqa: A002  # the option's name
        order: str = "centre",
        early: str = "search",
        values: str = "best",
        tree: int = 0,
    ) -> None:
        from fourcast.search.lookahead import Lookahead

        search = Lookahead(
            rules.geometry,
            depth,
            evaluation=eval,
            order=order,
            whole=values == "all",
            tree=tree,
            seed=seed,
        )
        super().__init__(rules, seed, search, early)
