"""The questions that `import fourcast as fc` answers in one call: `fc.solve` and `fc.analyze`.

What answers them is imported when they are asked, so that importing Fourcast stays light.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from fourcast.agents import Agent
from fourcast.agents import agent as make_agent
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadLimit, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.solver import Solver

_MOST_SOLVERS = 4  # that are kept; each has a table of 64 MB


def solve(position: Position, *, weak: bool = False, limit: Limit | str | None = None) -> Analysis:
    """The position's exact score, its best column, and best play to the end.

    There is one solver for each board; it keeps what it has proven, and answers one question at a time.
    `fourcast.solver.Solver` has more threads, more memory, and many positions at once.

    Args:
        position: A position whose game goes on.
        weak: Only ask who wins: the answer is in `value` (1 win, 0 draw, -1 loss); no score, no line.
        limit: What it may take, like "10s"; `seconds` and `nodes` count. Where they run out, the answer is
            not `exact`, and `bounds` says what was proven.

    Raises:
        GameOver: There is nothing left to play.
        BadLimit: The limit cannot be read.
    """
    allowed = _read(limit)
    solver, free = _solver_of(position.geometry)
    with free:
        return solver.solve(position, weak=weak, limit=allowed)


def analyze(
    position: Position, agent: Agent | str | None = None, limit: Limit | str | None = None
) -> Analysis:
    """What an agent has to say of a position; without one, the exact score of every column.

    Args:
        position: A position whose game goes on.
        agent: An agent, or what `fourcast.agent` makes one of: "alphabeta:depth=8".
        limit: What it may take: "2s", "nodes=100000", "simulations=800"; what counts is the agent's affair.

    Raises:
        GameOver: There is nothing left to play.
        UnknownPlayer, BadOption, CannotPlay: There is no such agent, or it cannot play here.
        BadLimit: The limit cannot be read.
    """
    allowed = _read(limit)
    if agent is not None:
        player = make_agent(agent, Rules(position.geometry)) if isinstance(agent, str) else agent
        return player.analyze(position, allowed)
    solver, free = _solver_of(position.geometry)
    with free:
        return solver.analyze(position, limit=allowed)


def _read(limit: Limit | str | None) -> Limit:
    if limit is None:
        return Limit()
    if isinstance(limit, str):
        return Limit.parse(limit)
    if not isinstance(limit, Limit):
        raise BadLimit(f"limit {shown(limit)}: it must be a Limit, or a text like '2s'")
    return limit


@lru_cache(maxsize=_MOST_SOLVERS)
def _solver_of(geometry: Geometry) -> tuple[Solver, Lock]:
    """The solver of a board, and a lock for who asks it."""
    from fourcast.solver import Solver

    return Solver(geometry), Lock()
