"""What every player has in common."""

from __future__ import annotations

from typing import Protocol

from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position


class Agent(Protocol):
    """A player. Agents keep no game: each position they are asked about comes whole."""

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """Look at a position whose game goes on; the answer's `column` is legal.

        Raises:
            GameOver: There is nothing left to play.
        """
        ...
