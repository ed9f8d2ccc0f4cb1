"""A player that makes no mistakes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.errors import GameOver
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.search.progress import Progress

if TYPE_CHECKING:
    from fourcast.solver import Solver

TABLE_MB = 64
ALWAYS = 50_000  # nodes that are visited whatever the clock says: some hundredths of a second


@register("perfect")
class PerfectAgent:
    """Plays an exact best column: it wins as soon as it can, and loses as late as it can.

    Chance has no part in it, so the seed changes nothing. It is perfect in the game without slip; with slip
    it plays the column that would be best without.

    Where a limit runs out before the position is solved, it wins or blocks at once if it can, and otherwise
    plays the open column nearest to the centre; the analysis then is not `exact`. A time in the limit is
    kept, but for the first `ALWAYS` nodes, so that a position no harder than that has one answer however
    busy the machine is. Of a limit, only `seconds` and `nodes` count.

    The table is kept from one question to the next only where there is no limit and it cannot change an
    answer. Loading the compiled code comes with the first question and is not counted in its time.
    """

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.rules = rules
        self.seed = seed

    @cached_property
    def _solver(self) -> Solver:
        from fourcast.solver import Solver

        solver = Solver(self.rules.geometry, table_mb=TABLE_MB)
        solver.prepare()
        return solver

    def stop(self) -> None:
        """End the search that is running, from another thread; its answer is what is proven so far."""
        if self._is_prepared:
            self._solver.stop()

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        return Progress(nodes=self._solver.nodes) if self._is_prepared else Progress()

    @property
    def _is_prepared(self) -> bool:
        return "_solver" in self.__dict__

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """The exact score, the best column, and best play to the end."""
        if position.is_over:
            raise GameOver(f"the game is over, {position.outcome}")
        if limit.seconds is None and limit.nodes is None:
            return self._solver.solve(position)
        self._solver.clear()
        if limit.seconds is None:
            return self._solver.solve(position, limit=Limit(nodes=limit.nodes))
        first = self._solver.solve(position, limit=Limit(nodes=min(limit.nodes or ALWAYS, ALWAYS)))
        seconds = limit.seconds - first.seconds
        nodes = None if limit.nodes is None else limit.nodes - first.nodes
        if first.exact or seconds <= 0 or (nodes is not None and nodes <= 0):
            return first
        rest = self._solver.solve(position, limit=Limit(seconds=seconds, nodes=nodes))
        return replace(rest, nodes=first.nodes + rest.nodes, seconds=first.seconds + rest.seconds)
