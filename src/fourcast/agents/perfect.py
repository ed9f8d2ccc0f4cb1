"""A player that makes no mistakes."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from fourcast.agents.chance import chance_for
from fourcast.agents.levels import FULL, LEVEL, drawn, faded
from fourcast.agents.options import whole
from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis, plies_to_end
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.search.progress import Progress

if TYPE_CHECKING:
    from fourcast.search.deepening import Deepening
    from fourcast.solver import Solver

ALWAYS = 50_000  # nodes that are visited whatever the clock says: some hundredths of a second
_FOR_PROOF = 0.5  # the share of a limit that goes into solving; the rest is for a guess where that fails


@register("perfect", LEVEL, whole("table_mb", 64, "memory for the table", least=8, most=65536))
class PerfectAgent:
    """Plays an exact best column: wins as soon as it can, loses as late as it can.

    It is perfect in the game without slip; with slip it plays the column that would be best without. Where it
    cannot solve a position in half of what a limit allows, it plays what negamax finds in the other half; the
    analysis then is not `exact`. A time in the limit is kept, but for the first `ALWAYS` nodes, so that a
    position no harder than that has one answer however busy the machine is. Of a limit, only `seconds` and
    `nodes` count.

    Below level 10 it draws a column by chance, as `fourcast.agents.levels` has it.

    The table is kept from one question to the next only where there is no limit and it cannot change an
    answer. Loading the compiled code comes with the first question and is not counted in its time.
    """

    def __init__(
        self, rules: Rules, seed: int | None = None, *, level: int = FULL, table_mb: int = 64
    ) -> None:
        self.rules = rules
        self.seed = seed
        self.level = level
        self.table_mb = table_mb
        self._asked: Solver | Deepening | None = None
        self._stopped = False

    @cached_property
    def _solver(self) -> Solver:
        from fourcast.solver import Solver

        solver = Solver(self.rules.geometry, table_mb=self.table_mb)
        solver.prepare()
        return solver

    @cached_property
    def _guesser(self) -> Deepening:
        from fourcast.search.deepening import Deepening

        return Deepening(self.rules.geometry, evaluation="threats", whole=self.level < FULL)

    def stop(self) -> None:
        """End the search that is running, from another thread; its answer is what is proven so far."""
        self._stopped = True  # and nothing else is begun
        if self._asked:
            self._asked.stop()

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        if self._asked is None:
            return Progress()
        if self._asked is self._solver:
            return Progress(nodes=self._solver.nodes)
        return self._guesser.progress

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """The exact score, the best column, and best play to the end."""
        check_question(position, self.rules.geometry)
        if limit.seconds is not None or limit.nodes is not None:
            self._guesser.prepare()  # loading compiled code takes its time, but not the question's
        self._stopped = False
        found = self._solve(position, limit)
        if not found.exact and not self._stopped:
            found = self._guess(position, limit, found)
        found = replace(found, memory=found.memory + self.table_mb * 1_000_000)
        return found if self.level == FULL else self._weaken(found)

    def _ask(self, position: Position, limit: Limit) -> Analysis:
        self._asked = self._solver
        if self.level < FULL:
            return self._solver.analyze(position, limit=limit)
        return self._solver.solve(position, limit=limit)

    def _solve(self, position: Position, limit: Limit) -> Analysis:
        """What can be proven in a share of the limit."""
        if limit.seconds is None and limit.nodes is None:
            return self._ask(position, Limit())
        most = None if limit.nodes is None else max(int(_FOR_PROOF * limit.nodes), 1)
        self._solver.clear()
        if limit.seconds is None:
            return self._ask(position, Limit(nodes=most))
        first = self._ask(position, Limit(nodes=min(most or ALWAYS, ALWAYS)))
        seconds = _FOR_PROOF * limit.seconds - first.seconds
        nodes = None if most is None else most - first.nodes
        if first.exact or self._stopped or seconds <= 0 or (nodes is not None and nodes <= 0):
            return first
        rest = self._ask(position, Limit(seconds=seconds, nodes=nodes))
        return replace(rest, nodes=first.nodes + rest.nodes, seconds=first.seconds + rest.seconds)

    def _guess(self, position: Position, limit: Limit, proven: Analysis) -> Analysis:
        """A good column where the best one is not proven: a win that is, or what a search finds."""
        seconds = None if limit.seconds is None else limit.seconds - proven.seconds
        nodes = None if limit.nodes is None else limit.nodes - proven.nodes
        scores = proven.scores or ()
        won = proven.column < len(scores) and (scores[proven.column] or 0) > 0
        if won or (seconds is not None and seconds <= 0) or (nodes is not None and nodes <= 0):
            return proven
        self._asked = self._guesser
        found = self._guesser.search(position, Limit(seconds=seconds, nodes=nodes))
        return replace(
            found,
            bounds=found.bounds or proven.bounds,
            nodes=found.nodes + proven.nodes,
            seconds=found.seconds + proven.seconds,
        )

    def _weaken(self, found: Analysis) -> Analysis:
        """The same, but for the column, which is drawn by chance."""
        position, values = found.position, {}
        for column in position.legal:
            score = found.scores[column] if found.scores else None
            value = found.values[column] if found.values else None
            if score is not None:
                sign = (score > 0) - (score < 0)
                values[column] = faded(sign, plies_to_end(position, score), self.level)
            elif value is not None:
                values[column] = value
        return drawn(found, values, self.level, chance_for(self.seed, position))
