"""What every player has in common."""

from __future__ import annotations

from typing import Protocol

from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position


class Agent(Protocol):
    """A player. Every position that it is asked about comes whole.

    What it answers depends on the position, the limit and its seed, not on what it was asked before. An agent
    that does keep something for the rest of a game has a method `new_game()`, which makes it forget; see
    `new_game` in this module. One that leaves something to chance has its `seed`. One that searches has
    `stop()` and `progress` for other threads. One that has something to do before it can be asked, and that
    should not count as its time, does it in `prepare(position)`.
    """

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """Look at a position whose game goes on; the answer's `column` is legal.

        Raises:
            GameOver: There is nothing left to play.
        """
        ...


def new_game(agent: Agent, seed: int | None = None) -> None:
    """Tell an agent that a new game begins, if it has an ear for it.

    Args:
        agent: Whom to tell; it forgets what it knows of the last game.
        seed: Where its chance is to start from now on; None leaves it as it is.
    """
    if seed is not None and hasattr(agent, "seed"):
        agent.seed = seed
    begin = getattr(agent, "new_game", None)
    if begin is not None:
        begin()
