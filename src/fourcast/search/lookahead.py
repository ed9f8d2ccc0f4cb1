"""Minimax and alpha-beta to a fixed depth, on the kernels."""

from __future__ import annotations

import numpy as np

from fourcast.evaluators.heuristics import UNIT, Heuristic, heuristic
from fourcast.game.analysis import Analysis, score_at_end
from fourcast.game.geometry import Geometry
from fourcast.game.guess import guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.tree import TreeNode
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.effort import BEST, CUTOFFS, DEPTH, LEAVES, NODES
from fourcast.kernels.lookahead import (
    DECIDED,
    ORDERS,
    UNKNOWN,
    WEIGHTS,
    WIN,
    lines_at,
    look_ahead_from,
    orders_at,
    state_words,
)
from fourcast.search.effort import Effort, Progress, run
from fourcast.search.orders import column_orders
from fourcast.search.question import check_question
from fourcast.search.recording import tree_of

_LONG = 200_000  # nodes that a person may have to wait for


class Lookahead:
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
        self.geometry = geometry
        self.depth = depth
        self.prunes = prunes
        self.evaluation: Heuristic = heuristic(evaluation)
        self.whole = whole
        self.tree = tree
        orders = np.array(column_orders(order, geometry.columns, seed), dtype=np.uint64)
        self._orders = len(orders)
        self._effort = Effort(state_words(geometry, self._orders))
        weights = self.evaluation.weights(geometry).view(np.uint64)
        self._effort.words[WEIGHTS : WEIGHTS + len(weights)] = weights
        self._effort.words[orders_at(geometry) :] = orders.ravel()
        self._ready = False

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._effort.stop()

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        return self._effort.progress

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
            values=tuple(None if value == UNKNOWN else self._value(value) for value in found),
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

    def _value(self, found: int) -> float:
        if abs(found) >= DECIDED:
            return 1.0 if found > 0 else -1.0
        return self.evaluation.value(found / UNIT)

    def _line(self) -> tuple[int, ...]:
        line = self._effort.words[lines_at(self.geometry) :]
        return tuple(int(column) for column in line[1 : 1 + int(line[0])])

    def _tree(self, position: Position, depth: int) -> TreeNode:
        return tree_of(
            self._effort.records,
            position,
            depth=depth,
            plies=min(self.tree, depth),
            nodes=self._effort.count(NODES),
            unit=UNIT,
            value=self.evaluation.value,
        )
