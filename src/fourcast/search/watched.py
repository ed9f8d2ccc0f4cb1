"""What searches in compiled code have in common: others can watch and stop them; many reckon in points."""

from __future__ import annotations

from collections.abc import Iterable

from fourcast.evaluators.heuristics import UNIT, Heuristic
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position
from fourcast.game.tree import TreeNode
from fourcast.kernels.effort import NODES
from fourcast.kernels.lookahead import DECIDED, UNKNOWN, lines_at
from fourcast.search.effort import Effort
from fourcast.search.progress import Progress
from fourcast.search.recording import tree_of


class WatchedSearch:
    """A search whose state other threads can see."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._ready = False  # whether its compiled code is loaded

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._effort.stop()

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        return self._effort.progress


class PointsSearch(WatchedSearch):
    """A search whose values, lines of play and records are those of `kernels.lookahead`.

    Attributes:
        geometry: The board.
        evaluation: What a position is worth where the search ends.
        tree: Plies down to which the tree is recorded.
    """

    def __init__(self, geometry: Geometry, evaluation: Heuristic, effort: Effort, tree: int) -> None:
        super().__init__(effort)
        self.geometry = geometry
        self.evaluation = evaluation
        self.tree = tree

    def _value(self, found: int) -> float:
        """What compiled code has found, as a value in [-1, 1]."""
        if abs(found) >= DECIDED:
            return 1.0 if found > 0 else -1.0
        return self.evaluation.value(found / UNIT)

    def _values(self, found: Iterable[int]) -> tuple[float | None, ...]:
        """The same for every column, None where it is not known."""
        return tuple(None if value == UNKNOWN else self._value(value) for value in found)

    def _line(self) -> tuple[int, ...]:
        """The best line of play."""
        line = self._effort.words[lines_at(self.geometry) :]
        return tuple(int(column) for column in line[1 : 1 + int(line[0])])

    def _tree(self, position: Position, depth: int) -> TreeNode:
        """The tree that was recorded in a search of this depth."""
        return tree_of(
            self._effort.records,
            position,
            depth=depth,
            plies=min(self.tree, depth),
            nodes=self._effort.count(NODES),
            unit=UNIT,
            value=self.evaluation.value,
        )
