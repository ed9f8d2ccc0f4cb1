"""The nodes of a search tree in words, all seen from one side: the one that moves at the root."""

from __future__ import annotations

from fourcast.game.outcome import DISCS
from fourcast.game.tree import AT_LEAST, END, EXACT, PRUNED, TreeNode

_SAME = 1e-9  # values that differ by less are one value


def worth(node: TreeNode, ply: int, turn: int) -> str:
    """What a node is worth to the side that moves at the root: "+12", "<= -0.25", "wins in 3", "O wins".

    Where the game is decided, the moves are those of whoever wins, counted from the node on. Points are
    rounded to tenths, values to hundredths.

    Args:
        node: A node that was not pruned.
        ply: How many plies it lies below the root.
        turn: Who moves at the root, 0 or 1.
    """
    sign = -1 if ply % 2 else 1
    value = None if node.value is None else sign * node.value
    if node.kind == END and value is not None:
        return f"{DISCS[turn if value > 0 else 1 - turn]} wins" if value else "draw"
    if node.plies_to_end is not None and value:
        words = f"{'wins' if value > 0 else 'loses'} in {(node.plies_to_end + 1) // 2}"
    elif node.points is not None:
        words = _signed(sign * node.points, 1).removesuffix(".0")
    elif value is not None:
        words = _signed(value, 2)
    else:
        return "?"
    if node.bound == EXACT:
        return words
    return f"{'>=' if (node.bound == AT_LEAST) == (sign > 0) else '<='} {words}"


def _signed(number: float, places: int) -> str:
    """A number with its sign; one that rounds to nothing has none."""
    rounded = round(number, places)
    return f"{rounded:+.{places}f}" if rounded else f"{0:.{places}f}"


def interest(node: TreeNode, ply: int) -> str:
    """The window that a node was searched with, as the root's side sees it: "-1.00 to +0.25"."""
    if node.window is None:
        return "wide open"
    low, high = node.window if ply % 2 == 0 else (-node.window[1], -node.window[0])
    return f"{_signed(low, 2)} to {_signed(high, 2)}"


def is_minimax(tree: TreeNode) -> bool:
    """Whether every node is worth what its best move is worth, and not an average over its moves."""
    return not tree.games and all(
        abs(node.value + child.value) < _SAME
        for node in tree.walk()
        for child in node.children
        if child.best and node.value is not None and child.value is not None
    )


def split(node: TreeNode) -> tuple[list[TreeNode], list[int]]:
    """The children that were looked at, and the columns that were pruned, from the left."""
    seen = [child for child in node.children if child.kind != PRUNED]
    pruned = [child.column for child in node.children if child.kind == PRUNED and child.column is not None]
    return seen, sorted(pruned)
