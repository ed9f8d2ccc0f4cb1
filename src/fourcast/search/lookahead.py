"""Minimax and alpha-beta to a fixed depth, on the kernels."""

from __future__ import annotations

import numpy as np

from fourcast.evaluators.heuristics import UNIT, heuristic
from fourcast.game.analysis import Analysis, score_at_end
from fourcast.game.geometry import Geometry
from fourcast.game.guess import guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.effort import BEST, CUTOFFS, DEPTH, LEAVES, NODES
from fourcast.kernels.lookahead import (
    DECIDED,
    ORDERS,
    UNKNOWN,
    WEIGHTS,
    WIN,
    look_ahead_from,
    orders_at,
    state_words,
)
from fourcast.search.effort import Effort, run
from fourcast.search.orders import column_orders
from fourcast.search.watched import PointsSearch

_LONG = 200_000  # nodes that a person may have to wait for


class Lookahead(PointsSearch):
    """A search that looks a fixed number of plies ahead.

    Attributes:
        geometry: The board.
        depth: Plies to look ahead.
        prunes: Alpha-beta; otherwise plain minimax.
        evaluation: What a position is worth where the search ends.
        whole: Whether every column gets its own value, and not only those that were the best so far.
        tree: Plies down to which the tree is recorded.
    """

    def __init__(
        self,
        geometry: Geometry,
        depth: int,
        *,
        prunes: bool = True,
        evaluation: str = "windows",
        order: str = "centre",
        whole: bool = False,
        tree: int = 0,
        seed: int | None = None,
    ) -> None:
        orders = np.array(column_orders(order, geometry.columns, seed), dtype=np.uint64)
        effort = Effort(state_words(geometry, len(orders)))
        super().__init__(geometry, heuristic(evaluation), effort, tree)
        self.depth = depth
        self.prunes = prunes
        self.whole = whole
        self._orders = len(orders)
        weights = self.evaluation.weights(geometry).view(np.uint64)
        self._effort.words[WEIGHTS : WEIGHTS + len(weights)] = weights
        self._effort.words[orders_at(geometry) :] = orders.ravel()

    def search(self, position: Position, limit: Limit) -> Analysis:
        """The best column as far as this search sees.

        Args:
            position: A position of this board whose game goes on.
            limit: `depth`, `nodes` and `seconds` count. Where nodes or time run out, the answer is the best
                column among those that were done, and its `depth` is 0.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.geometry)
        if not self._ready:  # loading compiled code is not part of the search
            self._look(position, 1, Limit(nodes=1))
            self._ready = True
        depth = min(self.depth, limit.depth or self.depth, self.geometry.cells - position.ply)
        return self._look(position, depth, limit)

    def _look(self, position: Position, depth: int, limit: Limit) -> Analysis:
        values = np.full(self.geometry.columns, UNKNOWN, dtype=np.int64)
        stones = Batch.of(position).stones[0]
        effort = self._effort
        effort.begin(limit, min(self.tree, depth))
        effort.words[DEPTH] = depth
        effort.words[ORDERS] = self._orders

        def work() -> int:
            board = board_of(self.geometry)
            return look_ahead_from(board, effort.address, stones, depth, self.prunes, self.whole, values)

        growth = self.geometry.columns ** (depth if not self.prunes else 0.7 * depth)
        best = run(work, effort.stop, long=growth > _LONG)
        return self._answer(position, depth, best, values.tolist())

    def _answer(self, position: Position, depth: int, best: int, found: list[int]) -> Analysis:
        effort = self._effort
        seconds = effort.seconds
        if best == UNKNOWN:  # no column was done
            return Analysis(position, guess(position), nodes=effort.count(NODES), seconds=seconds)
        done = not effort.is_stopped
        won = abs(best) >= DECIDED
        score = score_at_end(position, WIN - abs(best), won=best > 0) if won else 0
        exact = done and (won or depth == self.geometry.cells - position.ply)
        return Analysis(
            position,
            effort.count(BEST) - 1,
            score=score if exact else None,
            bounds=(score, score) if exact else None,
            value=self._value(best),
            points=None if won else best / UNIT,
            values=self._values(found),
            pv=self._line(),
            nodes=effort.count(NODES),
            leaves=effort.count(LEAVES),
            cutoffs=effort.count(CUTOFFS),
            depth=depth if done else 0,
            seconds=seconds,
            exact=exact,
            memory=effort.memory,
            tree=self._tree(position, depth) if self.tree and done else None,
        )
