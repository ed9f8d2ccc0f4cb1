"""Where the nodes of a search tree stand: plies side by side, leaves in rows, parents in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.tree import INNER, TreeNode
from fourcast.game.tree_marks import EDGE, PAD, ROW, SMALL, length
from fourcast.game.tree_words import is_minimax, split, worth

_FAMILY = 6  # more room after the children of a node


@dataclass(frozen=True, slots=True)
class Placed:
    """A node, or all that were pruned beside each other, and where it stands.

    Attributes:
        node: The node; None for those that were pruned.
        ply: Plies below the root.
        y: The middle of its box, below the top of the tree.
        words: What its box says.
        path: The columns that lead to it, by name.
        main: Whether it is on the line of best play.
        below: Its children, those that were pruned last.
    """

    node: TreeNode | None
    ply: int
    y: float
    words: str
    path: str
    main: bool
    below: tuple[Placed, ...] = ()

    def walk(self) -> Iterator[Placed]:
        """This one and all below it, parents first."""
        yield self
        for each in self.below:
            yield from each.walk()

    @property
    def count(self) -> str:
        """How much was visited in the node, where that is worth telling."""
        return f"{self.node.visits:,}" if self.node is not None and self.node.visits > 1 else ""


class Layout:
    """A tree that has been laid out; the root's box begins at 0.

    Attributes:
        turn: Who moves at the root, 0 or 1.
        minimax: Whether every node is worth what its best move is worth.
        all: Every node, parents first.
        headings: Who moves at each ply, and what for.
        lefts: Where the boxes of each ply begin.
        widths: How wide they are, all of a ply alike.
        width: How wide the whole is.
        height: How tall.
    """

    def __init__(self, tree: TreeNode, position: Position) -> None:
        self.turn = position.turn
        self.minimax = is_minimax(tree)
        self.height = 0.0
        self.all = list(self._place(tree, 0, "", main=True).walk())
        self.height -= _FAMILY if tree.children else 0
        self.headings = self._headings()
        self.widths = self._widths()
        self.lefts = [0.0]
        for width in self.widths[:-1]:
            self.lefts.append(self.lefts[-1] + width + EDGE)
        self.width = self.lefts[-1] + self.widths[-1]

    def _place(self, node: TreeNode, ply: int, path: str, *, main: bool) -> Placed:
        seen, pruned = split(node)
        below = []
        for child in seen:
            name = "?" if child.column is None else column_name(child.column)
            below.append(self._place(child, ply + 1, path + name, main=main and child.best))
        if pruned:
            words = f"{len(pruned)} pruned: {' '.join(map(column_name, pruned))}"
            below.append(Placed(None, ply + 1, self._next_row(), words, path, main=False))
        if below:
            y = (below[0].y + below[-1].y) / 2
            self.height += _FAMILY
        else:
            y = self._next_row()
        words = worth(node, ply, self.turn).replace(">=", "\u2265").replace("<=", "\u2264")
        return Placed(node, ply, y, words, path, main, tuple(below))

    def _next_row(self) -> float:
        self.height += ROW
        return self.height - ROW / 2

    def _headings(self) -> list[str]:
        plies = 1 + max(each.ply for each in self.all)
        inner = {each.ply for each in self.all if each.node is not None and each.node.kind == INNER}
        headings = []
        for ply in range(plies):
            aim = f", {'min' if ply % 2 else 'max'}" if self.minimax and ply in inner else ""
            headings.append(f"{DISCS[(self.turn + ply) % 2]} to move{aim}")
        return headings

    def _widths(self) -> list[float]:
        widths = [length(heading, bold=True) for heading in self.headings]
        for each in self.all:
            room = length(each.words, bold=each.main)
            if each.node is not None:
                room += 2 * PAD + (8 + length(each.count, SMALL) if each.count else 0)
            widths[each.ply] = max(widths[each.ply], room)
        return widths
