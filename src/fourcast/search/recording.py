"""Making a tree of the nodes that compiled code has written down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fourcast.game.position import Position
from fourcast.game.tree import END, INNER, LEAF, PRUNED, TABLE, TreeNode
from fourcast.kernels.effort import (
    RECORD_ALPHA,
    RECORD_BETA,
    RECORD_COLUMN,
    RECORD_NODES,
    RECORD_PLY,
    RECORD_VALUE,
)
from fourcast.kernels.lookahead import DECIDED, WIN

Row = tuple[int, ...]


def tree_of(
    records: npt.NDArray[np.int64],
    position: Position,
    *,
    depth: int,
    plies: int,
    nodes: int,
    unit: float,
    value: Callable[[float], float],
) -> TreeNode:
    """The tree that was recorded.

    Args:
        records: int64 of shape (nodes, words), children before their parent, as `kernels.effort` has them.
        position: The root.
        depth: Plies that the search looked ahead.
        plies: Plies that were recorded.
        nodes: Positions visited in all.
        unit: How much of a record's value is a point.
        value: Makes points a value in [-1, 1].
    """
    below: defaultdict[int, list[_Record]] = defaultdict(list)
    for row in records.tolist():
        ply = row[RECORD_PLY]
        below[ply].append(_Record(row, below.pop(ply + 1, [])))
    make = _Maker(depth, plies, unit, value)
    children = make.children_of(position, 0, below.pop(1, []))
    best = next((child for child in children if child.best), None)
    if best is None:
        return TreeNode(visits=nodes, children=children)
    return TreeNode(
        value=None if best.value is None else -best.value,
        points=None if best.points is None else -best.points,
        plies_to_end=None if best.plies_to_end is None else best.plies_to_end + 1,
        visits=nodes,
        children=children,
    )


class _Record:
    """A row, and those of its children."""

    __slots__ = ("below", "row")

    def __init__(self, row: Row, below: list[_Record]) -> None:
        self.row = row
        self.below = below


class _Maker:
    """Makes tree nodes of records."""

    def __init__(self, depth: int, plies: int, unit: float, value: Callable[[float], float]) -> None:
        self._depth = depth
        self._plies = plies
        self._unit = unit
        self._value = value

    def children_of(self, position: Position, ply: int, below: list[_Record]) -> tuple[TreeNode, ...]:
        """The children of a position that lies so many plies below the root, and those that were pruned."""
        nodes = []
        best = _best(below)
        for record in below:
            column = record.row[RECORD_COLUMN]
            node = self._node(position.play(column), ply + 1, record)
            nodes.append(replace(node, best=record is best))
        seen = {record.row[RECORD_COLUMN] for record in below}
        pruned = [column for column in position.legal if column not in seen] if below else []
        return (*nodes, *(TreeNode(column, PRUNED) for column in pruned))

    def _node(self, position: Position, ply: int, record: _Record) -> TreeNode:
        row = record.row
        kind = INNER
        if position.is_over:
            kind = END
        elif ply >= self._depth:
            kind = LEAF
        elif not record.below and ply < self._plies:
            kind = TABLE
        value, points, plies_to_end = self._worth(row[RECORD_VALUE], ply)
        low, high = (self._worth(row[word], ply)[0] for word in (RECORD_ALPHA, RECORD_BETA))
        return TreeNode(
            column=row[RECORD_COLUMN],
            kind=kind,
            value=value,
            points=points,
            plies_to_end=plies_to_end,
            window=None if (low, high) == (-1.0, 1.0) else (low, high),
            visits=row[RECORD_NODES],
            children=self.children_of(position, ply, record.below),
        )

    def _worth(self, found: int, ply: int) -> tuple[float, float | None, int | None]:
        """A value, its points, and plies to the end where the game is decided."""
        if abs(found) >= DECIDED:
            return (1.0 if found > 0 else -1.0), None, WIN - abs(found) - ply
        points = found / self._unit
        return self._value(points), points, None


def _best(below: list[_Record]) -> _Record | None:
    """The first of those that are worst for whoever moves there, so best for whoever moved."""
    return min(below, key=lambda record: record.row[RECORD_VALUE]) if below else None
