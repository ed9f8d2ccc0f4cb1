"""Making a tree of the nodes that compiled code has written down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fourcast.game.position import Position
from fourcast.game.rules import aim_shares
from fourcast.game.tree import AT_LEAST, AT_MOST, END, EXACT, INNER, LEAF, PRUNED, TABLE, TreeNode
from fourcast.kernels.effort import (
    RECORD_ALPHA,
    RECORD_BETA,
    RECORD_COLUMN,
    RECORD_NODES,
    RECORD_PLY,
    RECORD_VALUE,
)
from fourcast.kernels.lookahead import DECIDED, WIN
from fourcast.search.effort import MOST_RECORDS

Row = tuple[int, ...]


def tree_of(
    records: npt.NDArray[np.int64],
    position: Position,
    *,
    depth: int,
    plies: int,
    nodes: int,
    unit: float,
    value: Callable[[float], float] | None,
    root_value: float | None = None,
    column: int | None = None,
    slip: float | None = None,
) -> TreeNode:
    """The tree that was recorded; a cropped root if it did not fit into the records.

    Args:
        records: int64 of shape (nodes, words), children before their parent, as `kernels.effort` has them.
        position: The root.
        depth: Plies that the search looked ahead.
        plies: Plies that were recorded.
        nodes: Positions visited in all.
        unit: How much of a record's value is a point.
        value: Makes points a value in [-1, 1]; None if they are values already.
        root_value: What the root is worth, where that is not what its best child is worth.
        column: The column that is played at the root; None for that of the child with the best value.
        slip: The chance that a disc lands elsewhere, if the search has reckoned with it: what is recorded are
            landings then, and those that win at once are recorded at the root only.
    """
    if len(records) >= MOST_RECORDS:  # the last ones are missing, and with them the parents of many
        return TreeNode(visits=nodes, cropped=True)
    below: defaultdict[int, list[_Record]] = defaultdict(list)
    for row in records.tolist():
        ply = row[RECORD_PLY]
        below[ply].append(_Record(row, below.pop(ply + 1, [])))
    make = _Maker(position, depth, plies, unit, value, slip)
    family = make.family(position, 0, below.pop(1, []), column)
    best = family.best
    if best is None:
        return TreeNode(visits=nodes)
    if root_value is None and best.value is not None:
        root_value = 0.0 - best.value  # of 0.0, a minus would make -0.0
    return TreeNode(
        value=root_value,
        points=None if best.points is None else 0.0 - best.points,
        plies_to_end=None if best.plies_to_end is None or slip is not None else best.plies_to_end + 1,
        visits=nodes,
        children=family.members(),
    )


class _Record:
    """A row, and those of its children."""

    __slots__ = ("below", "row")

    def __init__(self, row: Row, below: list[_Record]) -> None:
        self.row = row
        self.below = below


class _Maker:
    """Makes tree nodes of records."""

    def __init__(
        self,
        root: Position,
        depth: int,
        plies: int,
        unit: float,
        value: Callable[[float], float] | None,
        slip: float | None,
    ) -> None:
        self._empty = root.geometry.cells - root.ply
        self._depth = depth
        self._plies = plies
        self._unit = unit
        self._value = value
        self._slip = slip
        self._widest = WIN if slip is None else round(unit)  # no value is further from 0

    def family(
        self, position: Position, ply: int, below: list[_Record], chosen: int | None = None
    ) -> _Family:
        """The children of a position that lies so many plies below the root.

        Args:
            position: The position.
            ply: How many plies.
            below: What was recorded of its children.
            chosen: The column that is played, if it is known.
        """
        slips = self._slip is not None
        wins = position.winning_columns(position.turn) if slips else ()
        found: dict[int, tuple[int, TreeNode]] = {}
        for record in below:
            column = record.row[RECORD_COLUMN]
            if column in found:  # the position was searched once more, and only the last time counts
                found.clear()
            if column not in wins:
                found[column] = record.row[RECORD_VALUE], self._child(position, column, ply + 1, record)
        won = [(-self._widest, TreeNode(column, END, value=-1.0, plies_to_end=0)) for column in wins]
        pruned = [column for column in position.legal if column not in found and column not in wins]
        return _Family(
            [*won, *found.values()],
            tuple(TreeNode(column, PRUNED) for column in pruned),
            chosen=chosen,
            slips=slips,
            aims_at_worst=self._slip is not None and aim_shares(self._slip, len(position.legal))[0] < 0,
        )

    def _child(self, parent: Position, column: int, ply: int, record: _Record) -> TreeNode:
        row = record.row
        value, points, plies_to_end = self._worth(row[RECORD_VALUE], ply)
        kind, family, bound = INNER, _NOBODY, EXACT
        if plies_to_end == 0 or ply == self._empty:
            kind = END
        elif ply >= self._depth:
            kind = LEAF
        elif record.below or self._wins_suffice(parent, column, ply, row):
            # Only here the position is needed, and most nodes are leaves.
            family = self.family(parent.play(column), ply, record.below)
        elif ply < self._plies:
            kind = TABLE
        if kind not in (LEAF, END):
            bound = self._bound(row, family)
        low, high = row[RECORD_ALPHA], row[RECORD_BETA]
        window = (self._worth(low, ply)[0], self._worth(high, ply)[0])
        return TreeNode(
            column=column,
            kind=kind,
            value=value,
            points=points,
            plies_to_end=plies_to_end,
            bound=bound,
            window=None if low <= -self._widest and high >= self._widest else window,
            visits=row[RECORD_NODES],
            children=family.members(mark=bound != AT_MOST),
        )

    def _wins_suffice(self, parent: Position, column: int, ply: int, row: Row) -> bool:
        """Whether with slip a node was left because of the landings that win at once, and no other.

        It was then found to be worth what it is if all the others lose.
        """
        if self._slip is None or ply >= self._plies:
            return False
        position = parent.play(column)
        wins, columns = len(position.winning_columns(position.turn)), len(position.legal)
        own, each = aim_shares(self._slip, columns)
        least = own + each * (2 * wins - columns)
        return wins > 0 and own >= 0 and abs(row[RECORD_VALUE] - least * self._unit) <= 1

    def _bound(self, row: Row, family: _Family) -> str:
        """What a node's value says: outside of the window that it was searched with, it may be a bound only.

        A window that is so narrow that its ends are recorded as one number asks whether the value is higher.
        """
        low, value, high = row[RECORD_ALPHA], row[RECORD_VALUE], row[RECORD_BETA]
        if low < value < high or abs(value) >= self._widest or family.is_settled:
            return EXACT
        return AT_LEAST if value >= high else AT_MOST

    def _worth(self, found: int, ply: int) -> tuple[float, float | None, int | None]:
        """A value, its points, and plies to the end where the game is decided."""
        if abs(found) >= DECIDED:
            return (1.0 if found > 0 else -1.0), None, WIN - abs(found) - ply
        points = found / self._unit
        return (points, None, None) if self._value is None else (self._value(points), points, None)


class _Family:
    """The children of a node.

    Attributes:
        found: Those that were looked at, each with the value that was recorded, which is finer than the
            node's own: of two that are as good as won it knows the better one.
        pruned: Those that were not.
        best: The one that is chosen, or else the first of those that are worst for whoever moves there, so
            best for whoever moved. Where most discs slip, one aims at the landing that should not be hit.
    """

    def __init__(
        self,
        found: list[tuple[int, TreeNode]],
        pruned: tuple[TreeNode, ...],
        *,
        chosen: int | None = None,
        slips: bool = False,
        aims_at_worst: bool = False,
    ) -> None:
        self.found = found
        self.pruned = pruned
        self._slips = slips
        sign = -1 if aims_at_worst else 1
        candidates = [each for each in found if each[1].column == chosen] or found
        # A bound that is as good as an exact value may hide something worse.
        ranked = min(candidates, key=lambda each: (sign * each[0], each[1].bound != EXACT), default=None)
        self.best = None if ranked is None else ranked[1]

    def members(self, *, mark: bool = True) -> tuple[TreeNode, ...]:
        """All children, those that were pruned last; the best one is marked."""
        nodes = (node for _, node in self.found)
        marked = (replace(node, best=True) if mark and node is self.best else node for node in nodes)
        return (*marked, *self.pruned)

    @property
    def is_settled(self) -> bool:
        """Whether the best child's value is exact and none can be better: no move was left out, either.

        With slip every child counts, so all have to be exact.
        """
        if self._slips:
            return bool(self.found) and not self.pruned and all(node.bound == EXACT for _, node in self.found)
        surely = not self.pruned and all(node.bound != AT_MOST for _, node in self.found)
        return surely and self.best is not None and self.best.bound == EXACT


_NOBODY = _Family([], ())
