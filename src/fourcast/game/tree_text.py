"""Search trees as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.tree import TABLE, TreeNode
from fourcast.game.tree_words import split, worth


def tree_text(tree: TreeNode, position: Position, *, width: int = 80) -> str:
    """The tree, a line for each node and one for all that were pruned beside each other.

    A line has the column, what it is worth to the side that moves at the root, and how much was visited
    there; `*` marks the best move of each position.

    Args:
        tree: What an analysis has recorded.
        position: The root.
        width: Characters in a line; only what was pruned is ever broken into several.
    """
    visits = "visit" if tree.games else "node"
    lines = [f"{DISCS[position.turn]} to move  {_words(tree, 0, position.turn, visits)}"]
    lines += _below(tree, 1, position.turn, visits, width)
    return "\n".join(lines)


def _below(node: TreeNode, ply: int, turn: int, visits: str, width: int) -> Iterator[str]:
    indent = "  " * ply
    seen, pruned = split(node)
    for child in seen:
        name = "?" if child.column is None else column_name(child.column)
        yield f"{indent}{name}{'*' if child.best else ' '} {_words(child, ply, turn, visits)}"
        yield from _below(child, ply + 1, turn, visits, width)
    if pruned:
        names = " ".join(map(column_name, pruned))
        rest = f"{indent}        "
        yield from wrap(f"{indent}pruned: {names}", width, subsequent_indent=rest)


def _words(node: TreeNode, ply: int, turn: int, visits: str) -> str:
    words = worth(node, ply, turn)
    if node.kind == TABLE:
        words += "  (table)"
    elif node.visits > 1:
        words += f"  ({node.visits:,} {visits}s)"
    return f"{words}  ..." if node.cropped else words
