"""Making a tree of the nodes that a Monte Carlo search has in its pool."""

from __future__ import annotations

from fourcast.game.position import Position
from fourcast.game.tree import END, INNER, LEAF, MOST_DRAWN, PRUNED, TreeNode
from fourcast.search.pool import Node, Pool
from fourcast.search.verdict import best_child, best_landing


def tree_of_pool(
    pool: Pool,
    position: Position,
    *,
    plies: int,
    slip: float,
    column: int,
    value: float | None,
    most: int = MOST_DRAWN,
) -> TreeNode:
    """The upper plies of the tree: as many as are asked for, or as can be had with so many nodes.

    A pool may hold millions of nodes, and each of them takes longer to make into a part of this tree than to
    search. Where a ply does not fit as a whole, all nodes above it that have moves in it are cropped.

    Args:
        pool: The nodes, the root first.
        position: The root's.
        plies: Plies below the root, 1 or more.
        slip: The chance that a disc lands elsewhere.
        column: The column that is played at the root.
        value: What the root is worth to its side to move; None for what its games say.
        most: Nodes, those included that were pruned. The first ply is there even if it has more.
    """
    root = _Shown(pool.node(0), None, best=False)
    root.position = position
    level, room = [root], most - 1
    for ply in range(plies):
        inner = [each for each in level if each.node.count]
        if ply and sum(each.node.count for each in inner) > room:  # a glance, before anything is made
            return _crop(inner, root, value, slip)
        for each in inner:
            each.find_position()
        room -= sum(len(each.legal) for each in inner)
        if ply and room < 0:
            return _crop(inner, root, value, slip)
        for each in inner:
            each.find_children(pool, slip, column if each is root else None)
        level = [child for each in inner for child in each.below]
    return _root(root, value, slip)


def _crop(inner: list[_Shown], root: _Shown, value: float | None, slip: float) -> TreeNode:
    for each in inner:
        each.cropped = True
    return _root(root, value, slip)


def _root(root: _Shown, value: float | None, slip: float) -> TreeNode:
    node = root.node
    if value is None and node.value is not None:
        value = 0.0 - node.value
    return TreeNode(
        kind=INNER if node.count else LEAF,
        value=value,
        plies_to_end=_plies_to_end(node, slip),
        visits=node.visits,
        games=True,
        cropped=root.cropped,
        children=root.children(slip),
    )


class _Shown:
    """A node on its way into the tree.

    Attributes:
        node: What the pool has of it.
        parent: The one above; None at the root.
        best: Whether it is the move that its parent would play.
        position: Its position, once its moves are asked for.
        below: Its children.
        cropped: Whether it has children that are left out.
    """

    __slots__ = ("below", "best", "cropped", "node", "parent", "position")

    def __init__(self, node: Node, parent: _Shown | None, *, best: bool) -> None:
        self.node = node
        self.parent = parent
        self.best = best
        self.position: Position | None = None
        self.below: list[_Shown] = []
        self.cropped = False

    @property
    def legal(self) -> tuple[int, ...]:
        """The columns that are open."""
        return () if self.position is None else self.position.legal

    def find_position(self) -> None:
        """Play the move that led here."""
        if self.parent is not None and self.parent.position is not None:
            self.position = self.parent.position.play(self.node.column)

    def find_children(self, pool: Pool, slip: float, column: int | None) -> None:
        """Look up the children; the best one is in this column, if one is given."""
        nodes = pool.children(self.node)
        if column is None:
            best = best_landing(nodes, slip) if slip else best_child(nodes)
            column = None if best is None else best.column
        self.below = [_Shown(node, self, best=node.column == column) for node in nodes]

    def children(self, slip: float) -> tuple[TreeNode, ...]:
        """The children, and the columns that lose at once and have no node."""
        if not self.below:
            return ()
        seen = {child.node.column for child in self.below}
        pruned = (TreeNode(column, PRUNED, games=True) for column in self.legal if column not in seen)
        return (*(child.made(slip) for child in self.below), *pruned)

    def made(self, slip: float) -> TreeNode:
        """The node as it is shown, with all below it."""
        node = self.node
        return TreeNode(
            column=node.column,
            kind=INNER if node.count else END if _is_end(node, slip) else LEAF,
            value=None if node.value is None else 0.0 - node.value,
            plies_to_end=_plies_to_end(node, slip),
            visits=node.visits,
            best=self.best,
            games=True,
            cropped=self.cropped,
            children=self.children(slip),
        )


def _is_end(node: Node, slip: float) -> bool:
    """Whether the game is over.

    With slip, what is proven without children is an end. Without, what wins at once or fills the board has no
    node.
    """
    return bool(slip) and node.proven and not node.count


def _plies_to_end(node: Node, slip: float) -> int | None:
    """Plies to the end of a game that is won or lost; with slip, none is before it is over."""
    if not node.proven or not node.value or (slip and not _is_end(node, slip)):
        return None
    return node.plies
