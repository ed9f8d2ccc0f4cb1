"""What agents that search have in common."""

from __future__ import annotations

from typing import Protocol

from fourcast.agents.options import one_of, whole
from fourcast.evaluators.heuristics import HEURISTICS
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.search.progress import Progress

EVAL = one_of("eval", "windows", tuple(HEURISTICS), "what a position is worth where the search ends")
TREE = whole("tree", 0, "plies down to which the search tree is kept", least=0, most=20)
VALUES = one_of("values", "best", ("best", "all"), "all: an exact value for every column, in more time")


class Search(Protocol):
    """A search of one board."""

    def search(self, position: Position, limit: Limit) -> Analysis:
        """The best column as far as it sees."""
        ...

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        ...

    @property
    def progress(self) -> Progress:
        """How far it has come; another thread may ask."""
        ...


class SearchingAgent:
    """An agent that answers with what a search finds.

    Attributes:
        rules: The game that it plays.
        seed: Where its chance starts.
    """

    def __init__(self, rules: Rules, seed: int | None, search: Search) -> None:
        self.rules = rules
        self.seed = seed
        self._search = search

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """What the search finds within the limit."""
        return self._search.search(position, limit)

    def stop(self) -> None:
        """End the search that is running, from another thread; its answer is the best so far."""
        self._search.stop()

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        return self._search.progress
