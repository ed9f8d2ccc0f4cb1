"""Two searches on one question: a deep one for tactics, and one with a model for everything else."""

from __future__ import annotations

import time
from dataclasses import replace

from fourcast.game.analysis import Analysis
from fourcast.game.guess import centre_first
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.search.batched import BatchedSearch
from fourcast.search.deepening import Deepening
from fourcast.search.progress import Progress

_DEEP = 0.75  # of the time, where both are asked


class CombinedSearch:
    """Asks alpha-beta first, which sees far; what that leaves open is weighed with what a model says.

    Attributes:
        deep: The deep search; columns that it did not come to count by the other one alone.
        batched: The one with the model.
        nodes: Positions that the deep search visits at most.
        weight: What the deep search's values count; the others count the rest.
        alone: Discs from which on the deep search is asked alone.
    """

    def __init__(
        self, deep: Deepening, batched: BatchedSearch, *, nodes: int, weight: float, alone: int
    ) -> None:
        self.deep = deep
        self.batched = batched
        self.nodes = nodes
        self.weight = weight
        self.alone = alone
        self._stopped = False
        self._running: Deepening | BatchedSearch = deep

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._stopped = True
        self._running.stop()

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        return self._running.progress

    def prepare(self) -> None:
        """Load now what the first question would have to wait for."""
        self.deep.prepare()
        self.batched.prepare()

    def search(self, position: Position, limit: Limit, seed: int = 0) -> Analysis:
        """The best column as far as both see; of equals, the one nearest to the centre.

        Args:
            position: A position of this board whose game goes on.
            limit: Both searches together keep it.
            seed: Where chance starts.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.batched.geometry)
        self.prepare()
        start = time.monotonic()
        self._stopped = False
        self._running = self.deep
        self.deep.whole = both = position.ply < self.alone
        share = _DEEP if both else 1.0
        seconds = None if limit.seconds is None else share * limit.seconds
        nodes = self.nodes if limit.nodes is None else min(self.nodes, (limit.nodes + both) // (1 + both))
        deep = self.deep.search(position, Limit(seconds=seconds, depth=limit.depth, nodes=nodes))
        left = None if limit.nodes is None else limit.nodes - deep.nodes
        rest = None if limit.seconds is None else limit.seconds - (time.monotonic() - start)
        if (
            not both
            or deep.exact
            or self._stopped
            or (left is not None and left < 1)
            or (rest is not None and rest <= 0)
        ):
            return replace(deep, seconds=time.monotonic() - start)
        self._running = self.batched
        limit = Limit(seconds=rest, depth=limit.depth, nodes=left, simulations=limit.simulations)
        found = self.batched.search(position, limit, seed)
        return self._weighed(deep, found, time.monotonic() - start)

    def _weighed(self, deep: Analysis, found: Analysis, seconds: float) -> Analysis:
        """What both say together."""
        spent = {"nodes": deep.nodes + found.nodes, "leaves": deep.leaves + found.leaves, "seconds": seconds}
        spent |= {"memory": deep.memory + found.memory, "simulations": found.simulations}
        if found.exact or found.values is None or deep.values is None or not found.depth:
            said = found if found.exact or deep.values is None else deep
            return replace(said, **spent)  # type: ignore[arg-type]
        worth: list[float | None] = [None] * len(found.values)
        for column, value in enumerate(found.values):
            known = deep.values[column]
            if value is None:
                continue
            if known is None or abs(value) >= 1:  # a column that either has seen decided is decided
                worth[column] = value
            elif abs(known) >= 1:
                worth[column] = known
            else:
                worth[column] = self.weight * known + (1 - self.weight) * value
        best = max(value for value in worth if value is not None)
        columns = [each for each in centre_first(found.position) if worth[each] == best]
        column = deep.column if deep.column in columns else columns[0]
        line = next((each.pv for each in (found, deep) if each.column == column), (column,))
        return replace(
            found,
            column=column,
            value=best,
            values=tuple(worth),
            pv=line,
            depth=max(deep.depth, found.depth),
            cutoffs=deep.cutoffs,
            table_hits=deep.table_hits,
            **spent,  # type: ignore[arg-type]
        )
