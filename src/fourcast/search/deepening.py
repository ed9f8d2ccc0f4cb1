"""Negamax by iterative deepening, on the kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fourcast.evaluators.heuristics import UNIT, heuristic
from fourcast.game.analysis import Analysis, score_at_end
from fourcast.game.geometry import Geometry
from fourcast.game.guess import centre_first, guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.deepening import deepen_from
from fourcast.kernels.effort import BEST, CUTOFFS, DEPTH, HITS, LEAVES, NODES
from fourcast.kernels.lookahead import DECIDED, UNKNOWN, WIN
from fourcast.search.effort import run
from fourcast.search.memory import SearchMemory
from fourcast.search.watched import PointsSearch

DEFAULT_NODES = 1_000_000  # where nothing else bounds the search
_LONG = 200_000  # nodes that a person may have to wait for


class Deepening(PointsSearch):
    """A search that looks one ply further each time, until what it may spend is spent.

    Attributes:
        geometry: The board.
        evaluation: What a position is worth where the search ends.
        whole: Whether every column gets its own value, and not only those that were the best so far.
        tree: Plies down to which the tree of the last iteration is recorded.
    """

    def __init__(
        self,
        geometry: Geometry,
        *,
        evaluation: str = "windows",
        table_mb: int = 16,
        whole: bool = False,
        tree: int = 0,
    ) -> None:
        self._memory = SearchMemory(geometry, heuristic(evaluation), table_mb)
        super().__init__(geometry, heuristic(evaluation), self._memory.effort, tree)
        self.whole = whole

    def search(self, position: Position, limit: Limit) -> Analysis:
        """The best column as far as this search sees.

        Args:
            position: A position of this board whose game goes on.
            limit: `depth`, `nodes` and `seconds` count. Without any, `DEFAULT_NODES` are visited.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.geometry)
        self.prepare()
        if limit.seconds is None and limit.depth is None and limit.nodes is None:
            limit = Limit(nodes=DEFAULT_NODES)
        return self._search(position, limit)

    def prepare(self) -> None:
        """Have the compiled code loaded, which is not part of any search."""
        if not self._ready:
            self._search(Position(self.geometry), Limit(nodes=100))
            self._ready = True

    def _search(self, position: Position, limit: Limit) -> Analysis:
        self._effort.begin(limit)
        self._memory.forget()
        long = (limit.seconds or 0) > 0.2 or (limit.nodes or 0) > _LONG or not (limit.seconds or limit.nodes)
        return run(lambda: self._deepen(position, limit), self._effort.stop, long=long)

    def _deepen(self, position: Position, limit: Limit) -> Analysis:
        effort = self._effort
        stones = Batch.of(position).stones[0]
        order = np.array(centre_first(position), dtype=np.int64)
        left = self.geometry.cells - position.ply
        values = np.full(self.geometry.columns, UNKNOWN, dtype=np.int64)
        before = values.copy()
        answer = Analysis(position, guess(position))
        for depth in range(1, min(limit.depth or left, left) + 1):
            effort.words[DEPTH] = depth
            effort.record(min(self.tree, depth))
            board = board_of(self.geometry)
            best = deepen_from(board, effort.address, stones, depth, order, self.whole, values)
            if best == UNKNOWN:
                break
            unseen = [int(column) for column in order if values[column] == UNKNOWN]
            # What was proven of a column stays so, whether it was reached again or not.
            proven = (values == UNKNOWN) & (np.abs(before) >= DECIDED)
            values[proven] = before[proven]
            if effort.is_stopped and best <= -DECIDED and unseen:
                answer = self._elsewhere(answer, unseen, before.tolist(), values.tolist())
                break
            answer = self._answer(position, depth, best, values.tolist(), answer)
            before = values.copy()
            if effort.is_stopped or answer.exact:
                break
            order = np.array([answer.column, *order[order != answer.column]], dtype=np.int64)
        return replace(
            answer,
            nodes=effort.count(NODES),
            leaves=effort.count(LEAVES),
            cutoffs=effort.count(CUTOFFS),
            table_hits=effort.count(HITS),
            seconds=effort.seconds,
            memory=self._memory.bytes,
        )

    def _answer(
        self, position: Position, depth: int, best: int, found: list[int], before: Analysis
    ) -> Analysis:
        """What an iteration has found; one that was cut short found no more than a column."""
        effort = self._effort
        done = not effort.is_stopped
        plies = WIN - abs(best) if abs(best) >= DECIDED else None
        exact = done and (
            depth == self.geometry.cells - position.ply or (plies is not None and plies <= depth)
        )
        score = 0 if plies is None else score_at_end(position, plies, won=best > 0)
        return Analysis(
            position,
            effort.count(BEST) - 1,
            score=score if exact else None,
            bounds=(score, score) if exact else None,
            value=self._value(best),
            points=None if plies is not None else best / UNIT,
            values=self._values(found),
            pv=self._line(),
            depth=depth if done else before.depth,
            exact=exact,
            tree=self._tree(position, depth) if done and self.tree else before.tree,
        )

    def _elsewhere(
        self, before: Analysis, unseen: list[int], earlier: list[int], found: list[int]
    ) -> Analysis:
        """The answer where all columns are lost that were reached, so that one of the others is better."""
        column = max(unseen, key=lambda column: earlier[column])  # the first, if nothing is known of them
        return replace(before, column=column, values=self._values(found), pv=(column,))
