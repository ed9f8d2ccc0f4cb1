"""Expectimax by iterative deepening, on the kernels: the best column where discs may slip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.heuristics import UNIT, heuristic
from fourcast.game.analysis import Analysis
from fourcast.game.guess import centre_first, guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules, aim_shares
from fourcast.game.tree import TreeNode
from fourcast.kernels import expectimax as kernels
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.effort import CUTOFFS, DEPTH, HITS, LEAVES, NODES
from fourcast.search.effort import run
from fourcast.search.memory import SearchMemory
from fourcast.search.recording import tree_of
from fourcast.search.watched import WatchedSearch

_LONG_DEPTH = 5  # plies, and
_LONG_LEFT = 14  # empty cells, beyond which a person may have to wait
# So many plies before the last, every landing is looked at; that value serves where later only the best
# landing is looked for. An even number, since having the move makes a difference.
_ROUGH = 2


class Expectimax(WatchedSearch):
    """A search of the game with slip.

    Attributes:
        rules: The board and its slip.
        depth: Plies to look ahead.
        solve: With at most so many empty cells it looks to the end of the game, whatever the depth.
        evaluation: What a position is worth where the search ends.
        whole: Whether every column gets its own value, and not only the best.
        tree: Plies down to which the tree of the last iteration is recorded.
    """

    def __init__(
        self,
        rules: Rules,
        depth: int,
        *,
        solve: int = 0,
        evaluation: str = "slippery",
        table_mb: int = 32,
        whole: bool = False,
        tree: int = 0,
    ) -> None:
        self._memory = SearchMemory(rules.geometry, heuristic(evaluation), table_mb)
        super().__init__(self._memory.effort)
        self.rules = rules
        self.depth = depth
        self.solve = solve
        self.evaluation = heuristic(evaluation)
        self.whole = whole
        self.tree = tree

    def search(self, position: Position, limit: Limit) -> Analysis:
        """The best column as far as this search sees.

        Where it has looked to the end of the game, the values are `exact`: what is to be expected with best
        play, a win counting 1 and a loss -1.

        Args:
            position: A position of this board whose game goes on.
            limit: `depth`, `nodes` and `seconds` count.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.rules.geometry)
        if not self._ready:  # loading compiled code is not part of the search
            self._search(position, Limit(nodes=100), [1])
            self._ready = True
        left = position.geometry.cells - position.ply
        deepest = min(self.depth, limit.depth or self.depth, left)
        depths = list(range(1, deepest + 1))
        if deepest < left <= self.solve and (limit.depth is None or limit.depth >= left):
            depths.append(left)
        return self._search(position, limit, depths)

    def _search(self, position: Position, limit: Limit, depths: list[int]) -> Analysis:
        self._effort.begin(limit)
        self._memory.forget()
        left = position.geometry.cells - position.ply
        long = _LONG_DEPTH < depths[-1] < left or (depths[-1] == left and left > _LONG_LEFT)
        return run(lambda: self._deepen(position, depths), self._effort.stop, long=long)

    def _deepen(self, position: Position, depths: list[int]) -> Analysis:
        effort, geometry = self._effort, position.geometry
        stones = Batch.of(position).stones[0]
        order = np.array(centre_first(position), dtype=np.int64)
        more, _ = aim_shares(self.rules.slip, len(order))
        left = geometry.cells - position.ply
        scale = self.evaluation.scale * UNIT
        answer = Analysis(position, guess(position))
        before: list[npt.NDArray[np.float64]] = []
        for depth in depths:
            effort.words[DEPTH] = depth
            effort.record(min(self.tree, depth))
            whole = self.whole or depth == left or more < 0 or depth <= depths[-1] - _ROUGH
            landings = np.full(geometry.columns, np.nan)
            board, slip = board_of(geometry), self.rules.slip
            if not kernels.expect_from(
                board, effort.address, stones, depth, order, whole, slip, scale, landings
            ):
                break
            if not whole and len(before) >= _ROUGH:  # of those that are not the best, only bounds are known
                earlier = before[-_ROUGH]
                best = np.nanmax(landings)
                landings = np.where(landings < best, np.minimum(landings, earlier), landings)
            before.append(landings)
            answer = self._answer(position, depth, landings, whole)
            order = np.array(sorted(order, key=lambda column: -landings[column]), dtype=np.int64)
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
        self, position: Position, depth: int, landings: npt.NDArray[np.float64], whole: bool
    ) -> Analysis:
        """What an iteration has found of the columns, from what the landings are worth."""
        legal = centre_first(position)
        more, each = aim_shares(self.rules.slip, len(legal))
        total = float(np.nansum(landings))
        aims = {column: more * float(landings[column]) + each * total for column in legal}
        column = max(aims, key=lambda aim: aims[aim])
        known = set(aims) if whole else {column}
        columns = range(position.geometry.columns)
        return Analysis(
            position,
            column,
            value=aims[column],
            values=tuple(aims[column] if column in known else None for column in columns),
            pv=(column,),
            depth=depth,
            exact=depth == position.geometry.cells - position.ply,
            tree=self._tree(position, depth, column, aims[column]) if self.tree else None,
        )

    def _tree(self, position: Position, depth: int, column: int, value: float) -> TreeNode:
        return tree_of(
            self._effort.records,
            position,
            depth=depth,
            plies=min(self.tree, depth),
            nodes=self._effort.count(NODES),
            unit=kernels.RECORD_UNIT,
            value=None,
            root_value=value,
            column=column,
            slip=self.rules.slip,
        )
