"""The questions that `import fourcast as fc` answers in one call: `fc.solve`, `fc.analyze` and `fc.match`.

What answers them is imported when they are asked, so that importing Fourcast stays light.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING

from fourcast.agents import Agent
from fourcast.agents import agent as make_agent
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit, check_count
from fourcast.game.position import Position
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.arena.report import MatchReport
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
    allowed = Limit.of(limit)
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
    allowed = Limit.of(limit)
    if agent is not None:
        player = make_agent(agent, Rules(position.geometry)) if isinstance(agent, str) else agent
        return player.analyze(position, allowed)
    solver, free = _solver_of(position.geometry)
    with free:
        return solver.analyze(position, limit=allowed)


def match(
    first: str,
    second: str,
    *,
    games: int = 100,
    limit: Limit | str | None = None,
    rules: Rules | Geometry | str | None = None,
    plies: tuple[int, int] = (0, 8),
    seed: int = 0,
    jobs: int = 1,
    out: str | Path | None = None,
    grade: int = 0,
) -> MatchReport:
    """Play a match between two agents; results are seen from the first.

    Args:
        first: An agent as a spec, like "mcts:simulations=800".
        second: The other one.
        games: How many, in pairs: each opening twice, with the sides changed.
        limit: What a move may take: "50ms", "nodes=10000".
        rules: The board and its slip, or only the board; the standard game by default.
        plies: The least and the most random moves of an opening; (0, 0) begins with the empty board.
        seed: Where chance starts.
        jobs: Processes that play; more than one only under `if __name__ == "__main__":`.
        out: A file that the games are kept in; what is there of the same match is not played again.
        grade: How many games the solver grades, on the standard board without slip.

    Raises:
        UnknownPlayer, BadOption, CannotPlay: There is no such agent, or it cannot play here.
        BadStore: The file cannot be used.
    """
    from fourcast import __version__
    from fourcast.arena.match import MatchPlan, MatchTally, play_match
    from fourcast.arena.openings import Openings
    from fourcast.arena.referee import Conditions
    from fourcast.arena.report import report_of
    from fourcast.arena.store import Store
    from fourcast.workers import HereWorkers, LocalWorkers

    played = rules if isinstance(rules, Rules) else Rules(rules or STANDARD)
    openings = Openings(plies, fair=plies[1] > 0, seed=seed)
    plan = MatchPlan((first, second), Conditions(played, Limit.of(limit)), games, openings, seed=seed)
    tally = MatchTally(plan)
    workers = HereWorkers() if check_count("jobs", jobs) == 1 else LocalWorkers(jobs)
    with (
        TemporaryDirectory() as folder,
        Store(Path(folder) / "games.db" if out is None else Path(out)) as store,
    ):
        play_match(tally, store, store.run("match", plan.settings, __version__), workers)
    return report_of(tally, grade)


@lru_cache(maxsize=_MOST_SOLVERS)
def _solver_of(geometry: Geometry) -> tuple[Solver, Lock]:
    """The solver of a board, and a lock for who asks it."""
    from fourcast.solver import Solver

    return Solver(geometry), Lock()
