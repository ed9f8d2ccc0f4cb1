"""Alpha-beta to a fixed depth with iterative deepening and a table, each by itself, on the kernels.

It is made to see what these ideas bring; to play, `search.deepening` has them all, and more.
"""

from __future__ import annotations

import numpy as np

from fourcast.evaluators.heuristics import UNIT, heuristic
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.effort import BEST, CUTOFFS, DEPTH, HITS, LEAVES, NODES
from fourcast.kernels.lookahead import DECIDED
from fourcast.kernels.remembering import look_back_from
from fourcast.search.effort import run
from fourcast.search.memory import SearchMemory
from fourcast.search.orders import column_orders
from fourcast.search.watched import PointsSearch


class Remembering(PointsSearch):
    """Alpha-beta, whose value is minimax's whatever it uses.

    Attributes:
        geometry: The board.
        depth: Plies to look ahead.
        deepens: Whether all lesser depths are searched before, each of which leaves its table to the next.
        answers: Whether the table answers for positions that were looked at to the same depth.
        suggests: Whether the move that was best in a position is tried first when it comes again.
    """

    def __init__(
        self,
        geometry: Geometry,
        depth: int,
        *,
        deepens: bool = False,
        answers: bool = False,
        suggests: bool = False,
        evaluation: str = "windows",
        order: str = "centre",
        table_mb: int = 16,
    ) -> None:
        self._memory = SearchMemory(geometry, heuristic(evaluation), table_mb)
        super().__init__(geometry, heuristic(evaluation), self._memory.effort, 0)
        self.depth = depth
        self.deepens = deepens
        self.answers = answers
        self.suggests = suggests
        self._order = np.array(column_orders(order, geometry.columns)[0], dtype=np.int64)

    def search(self, position: Position) -> Analysis:
        """The best column as far as this search sees, and what it took, all depths together.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.geometry)
        if not self._ready:  # loading compiled code is not part of the search
            self._look(position, 1)
            self._ready = True
        return self._look(position, min(self.depth, self.geometry.cells - position.ply))

    def _look(self, position: Position, depth: int) -> Analysis:
        effort, stones = self._effort, Batch.of(position).stones[0]
        effort.begin(Limit())
        self._memory.forget()

        def work() -> int:
            found = 0
            for each in range(1 if self.deepens else depth, depth + 1):
                effort.words[DEPTH] = each
                found = look_back_from(
                    board_of(self.geometry),
                    effort.address,
                    stones,
                    each,
                    self._order,
                    self.answers,
                    self.suggests,
                )
            return found

        best = run(work, effort.stop, long=depth > 6)
        return Analysis(
            position,
            effort.count(BEST) - 1,
            value=self._value(best),
            points=None if abs(best) >= DECIDED else best / UNIT,
            pv=self._line(),
            nodes=effort.count(NODES),
            leaves=effort.count(LEAVES),
            cutoffs=effort.count(CUTOFFS),
            table_hits=effort.count(HITS),
            depth=depth,
            seconds=effort.seconds,
            memory=self._memory.bytes,
        )
