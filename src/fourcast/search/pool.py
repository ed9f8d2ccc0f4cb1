"""The nodes of a Monte Carlo tree, as Python reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fourcast.game.errors import BadLimit
from fourcast.kernels.memory import address_of
from fourcast.kernels.nodes import (
    BYTE,
    COLUMN_AT,
    COUNT_AT,
    FIRST_MASK,
    LINK,
    NODE_BYTES,
    NODE_WORDS,
    PLIES_AT,
    PROVEN_AT,
    TOTAL,
    VISITS,
)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree.

    Attributes:
        index: Where it lies in the pool.
        column: The column that led to it.
        value: What it is worth to who moved into it; None if no game went through it.
        visits: Games that went through it.
        proven: Whether the value is exact.
        plies: Plies from here within which a proven game ends.
        first: The index of its first child.
        count: How many children it has.
    """

    index: int
    column: int
    value: float | None
    visits: int
    proven: bool
    plies: int
    first: int
    count: int


class Pool:
    """Room for the nodes of a tree; memory that was never used is never really taken.

    Attributes:
        address: Where it begins.
        size: How many nodes there is room for.

    Raises:
        BadLimit: There is not that much memory.
    """

    def __init__(self, memory_mb: int, beside: int = 0) -> None:
        """Make room.

        Args:
            memory_mb: How much.
            beside: Bytes of that which are kept elsewhere for each node.
        """
        self.size = (memory_mb << 20) // (NODE_BYTES + beside)
        try:
            self._words = np.empty((self.size, NODE_WORDS), dtype=np.uint64)
        except (MemoryError, ValueError):  # NumPy's word for sizes beyond all bounds
            raise BadLimit(f"memory_mb {memory_mb}: there is not that much memory") from None
        self.address = np.uint64(address_of(self._words))

    def node(self, index: int) -> Node:
        """The node at an index; the root is the first."""
        return self._nodes(index, 1)[0]

    def children(self, node: Node) -> list[Node]:
        """The children of a node, those nearest to the centre first."""
        return self._nodes(node.first, node.count)

    def find(self, columns: tuple[int, ...]) -> Node | None:
        """The node that these columns lead to from the root; None if it is not in the tree."""
        node = self.node(0)
        for column in columns:
            found = self.child(node, column)
            if found is None:
                return None
            node = found
        return node

    def child(self, node: Node, column: int) -> Node | None:
        """The child that a column leads to; None if there is none."""
        return next((child for child in self.children(node) if child.column == column), None)

    def _nodes(self, first: int, count: int) -> list[Node]:
        words = self._words[first : first + count]
        totals = words.view(np.float64)[:, TOTAL].tolist()
        return [
            _node(first + step, row[LINK], row[VISITS], total)
            for step, (row, total) in enumerate(zip(words.tolist(), totals, strict=True))
        ]


def _node(index: int, link: int, visits: int, total: float) -> Node:
    proven = bool(link >> PROVEN_AT)
    return Node(
        index,
        link >> COLUMN_AT & BYTE,
        total if proven else total / visits if visits else None,
        visits,
        proven,
        link >> PLIES_AT & BYTE,
        link & FIRST_MASK,
        link >> COUNT_AT & BYTE,
    )
