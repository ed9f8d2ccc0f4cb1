"""What a search has looked at, as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

INNER, LEAF, END, TABLE, PRUNED = "inner", "leaf", "end", "table", "pruned"
EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"

MOST_DRAWN = 20_000  # nodes of a tree that people are shown; some 400,000 lines of pixels


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A position of a search tree, and those that were looked at from it.

    Values, points and bounds are seen from the side to move in that position.

    Attributes:
        column: The 0-based column that led here; None at the root.
        kind: "inner" if its moves were looked at; "leaf" where the search ended and a position was evaluated
            or played out; "end" of the game; "table" if the answer was known already; "pruned" if it was left
            out because it could not matter.
        value: What it was found to be worth, in [-1, 1]; None if it was not looked at.
        points: The same in the units of the heuristic evaluation, unless the game is decided.
        plies_to_end: Plies from here to the end of a game that is proven to be won or lost; None otherwise.
        bound: How the value is to be read: "exact" if it is what the search would give without pruning; "at
            least" or "at most" if the search left it as soon as that much was known.
        window: The bounds within which its value was of interest, as values; None if they were wide open.
        visits: Positions visited in it, itself included; or the games that went through it.
        games: Whether visits are games, as in a Monte Carlo tree.
        best: Whether it is the move that its parent would play; none is where the parent is worth "at most".
        cropped: Whether its moves were looked at but left out, because the whole tree was too large to keep.
        children: Those that were looked at or pruned, in that order; empty below the depth that is recorded.
    """

    column: int | None = None
    kind: str = INNER
    value: float | None = None
    points: float | None = None
    plies_to_end: int | None = None
    bound: str = EXACT
    window: tuple[float, float] | None = None
    visits: int = 0
    best: bool = False
    games: bool = False
    cropped: bool = False
    children: tuple[TreeNode, ...] = ()

    def walk(self) -> Iterator[TreeNode]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def depth(self) -> int:
        """How many plies of moves are recorded below this node."""
        return 1 + max(child.depth for child in self.children) if self.children else 0

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes there are at every ply, the root's first; those that were pruned are counted too."""
        sizes, level = [], [self]
        while level:
            sizes.append(len(level))
            level = [child for node in level for child in node.children]
        return tuple(sizes)

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them, children within."""
        return {
            "column": self.column,
            "kind": self.kind,
            "value": self.value,
            "points": self.points,
            "plies_to_end": self.plies_to_end,
            "bound": None if self.value is None else self.bound,
            "window": None if self.window is None else list(self.window),
            "visits": self.visits,
            "best": self.best,
            "games": self.games,
            "cropped": self.cropped,
            "children": [child.to_json() for child in self.children],
        }
