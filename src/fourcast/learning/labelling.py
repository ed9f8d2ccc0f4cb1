"""Labels of positions: exact ones by the solver, or what an agent thinks of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from fourcast.agents import Agent, new_game
from fourcast.agents.registry import read_spec
from fourcast.arena.roster import player_here
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadLimit, BadOption
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import drop, legal_columns, lines
from fourcast.kernels.tricks import Stones
from fourcast.learning.labelled import Flags, Worths, best_of
from fourcast.solver import Solver
from fourcast.workers import Work, Workers

SOLVER = "solver"
PERFECT = "perfect"  # the agent that is the solver
SOLVER_LIMIT = Limit(seconds=60)  # for a position, its moves included
AGENT_LIMIT = Limit()  # what the agent itself allows
PERFECT_SECONDS = 60.0  # for a position of `perfect`, which allows itself all the time that there is

_QUICK, _SLOW = 0.2, 1.0  # seconds for a handful, after which the next one is larger, or smaller
_MOST_AT_ONCE = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels of some positions, seen from the side to move.

    Attributes:
        labels: float64 of shape (positions,): exact scores, or an agent's values in [-1, 1].
        best: bool of shape (positions, columns): the columns to play; None where they were not asked for.
        columns: float64 of shape (positions, columns): what each of them is worth, not a number where it is
            full or that is not known; None likewise.
    """

    labels: npt.NDArray[np.float64]
    best: Flags | None = None
    columns: Worths | None = None

    @classmethod
    def together(cls, parts: Sequence[Labels]) -> Labels:
        """Several as one; at least one."""
        best = [each.best for each in parts if each.best is not None]
        columns = [each.columns for each in parts if each.columns is not None]
        return cls(
            np.concatenate([each.labels for each in parts]),
            np.concatenate(best) if best else None,
            np.concatenate(columns) if columns else None,
        )


@dataclass(frozen=True, slots=True)
class Labelling:
    """Which labels are wanted.

    Attributes:
        rules: The game.
        labels: `solver`, or the spec of an agent.
        moves: Whether the columns are wanted.
        seed: Where an agent's chance starts, at every position anew.
        limit: What a position may take.
    """

    rules: Rules
    labels: str
    moves: bool
    seed: int
    limit: Limit


def labels_by(
    workers: Workers, wanted: Labelling, batch: Batch
) -> Iterator[tuple[npt.NDArray[np.int64], Labels]]:
    """Labels as workers have them: of which positions of the batch, and what they are, in any order.

    Raises:
        BadLimit, BadOption: As those of `exact_labels` and `agent_labels`; what is done is yielded before.
        WorkersLost: Those who work are gone, or a position has taken its process with it several times.
        FourcastError: The agent cannot be had there, or fails.
    """
    labelling = Work(_label_some, wanted, _named)
    for where, found, wrong in workers.map(labelling, enumerate(batch.stones)):
        if found:
            some = Labels.together(found)
            yield np.array(where[: len(some.labels)]), some
        if wrong is not None:
            raise wrong


def _named(item: tuple[int, Stones]) -> str:
    return f"at position {item[0] + 1} of those to label"


def _label_some(
    wanted: Labelling, handful: list[tuple[int, Stones]]
) -> tuple[list[int], list[Labels], BadLimit | BadOption | None]:
    """What workers are asked to do: which positions, their labels up to the first that has none, and why."""
    batch = Batch(wanted.rules.geometry, np.stack([stones for _, stones in handful]))
    moves, limit = wanted.moves, wanted.limit
    if wanted.labels == SOLVER:
        labels = exact_labels(batch, moves=moves, limit=limit, solver=_solver_here(batch.geometry))
    else:
        player = player_here(wanted.labels, wanted.rules)
        labels = agent_labels(batch, player, wanted.labels, moves=moves, seed=wanted.seed, limit=limit)
    found: list[Labels] = []
    wrong = None
    try:
        found.extend(labels)
    except (BadLimit, BadOption) as error:
        wrong = error
    return [index for index, _ in handful], found, wrong


@cache
def _solver_here(geometry: Geometry) -> Solver:
    """This process's solver, where it works for another one."""
    return Solver(geometry)


def exact_labels(
    batch: Batch, *, moves: bool, threads: int = 1, limit: Limit, solver: Solver | None = None
) -> Iterator[Labels]:
    """Exact scores, those of the columns too, a handful of positions after the other.

    Args:
        batch: Positions whose games go on.
        moves: Whether the columns are wanted; without them it is several times faster.
        threads: How many threads solve.
        solver: Who solves instead, if there is one already.
        limit: `seconds` and `nodes` that a position may take.

    Raises:
        BadLimit: A position takes more; those before it have been yielded.
    """
    if not len(batch):
        return
    solver = solver or Solver(batch.geometry, threads=threads)
    solver.prepare()  # loading compiled code is not part of any limit
    start, size = 0, 1
    while start < len(batch):
        some = Batch(batch.geometry, batch.stones[start : start + size])
        begun = time.monotonic()
        found = _scored_moves(solver, some, limit) if moves else _scored(solver, some, limit)
        if found is not None:
            yield found
            start += len(some)
        elif len(some) == 1:
            ply = int(np.bitwise_count(some.stones).sum())
            raise BadLimit(
                f"a position of ply {ply} was not solved within {limit}: set a higher limit, "
                f"or have an agent give the labels, like mcts"
            )
        seconds = time.monotonic() - begun
        if found is None or seconds > _SLOW:
            size = max(len(some) // 2, 1)
        elif seconds < _QUICK:
            size = min(2 * size, _MOST_AT_ONCE)


def _scored(solver: Solver, batch: Batch, limit: Limit) -> Labels | None:
    """The positions' scores; None if they are not proven within the limit."""
    found = solver.solve_many(batch, limit=limit)
    return Labels(found.scores.astype(np.float64)) if found.exact.all() else None


def _scored_moves(solver: Solver, batch: Batch, limit: Limit) -> Labels | None:
    """The same, from the scores of all that can be played."""
    geometry = batch.geometry
    legal = legal_columns(batch)
    index, column = np.nonzero(legal)
    after = drop(Batch(geometry, batch.stones[index]), column)
    plies = np.bitwise_count(batch.stones[index]).sum(axis=(1, 2), dtype=np.int64)
    won = lines(after)[:, 1]
    going = np.flatnonzero(~won & (plies + 1 < geometry.cells))
    scores = np.where(won, (geometry.cells + 1 - plies) // 2, 0)  # the winner's discs left, this one counted
    if len(going):
        found = solver.solve_many(Batch(geometry, after.stones[going]), limit=limit)
        if not found.exact.all():
            return None
        scores[going] = -found.scores
    columns = np.full(legal.shape, np.nan)
    columns[index, column] = scores
    return Labels(np.nanmax(columns, axis=1), best_of(columns), columns)


def agent_labels(
    batch: Batch, player: Agent, spec: str, *, moves: bool, seed: int, limit: Limit
) -> Iterator[Labels]:
    """What an agent thinks each position worth and the column that it plays, one position after the other.

    Args:
        batch: Positions whose games go on.
        player: The agent.
        spec: What it is called.
        moves: Whether the columns are wanted.
        seed: Where its chance starts, at every position anew.
        limit: What it may spend on a position.

    Raises:
        BadLimit: It is `perfect`, and cannot solve a position within `PERFECT_SECONDS`.
        BadOption: The agent does not say what a position is worth.
        FourcastError: The agent fails.
    """
    for position in batch:
        new_game(player, seed)
        found = answer_of(player, spec, position, limit)
        best = np.zeros((1, batch.geometry.columns), dtype=np.bool_)
        best[0, position.check_move(found.column)] = True
        value = np.array([_worth(found, spec)])
        yield Labels(value, best, _column_worths(found, spec)) if moves else Labels(value)


def answer_of(player: Agent, spec: str, position: Position, limit: Limit = AGENT_LIMIT) -> Analysis:
    """What an agent that teaches says of a position.

    Without a limit `perfect` would search for years on a large board: it is stopped when its time is up.

    Args:
        player: The agent.
        spec: What it is called.
        position: A position whose game goes on.
        limit: What it may spend.

    Raises:
        BadLimit: It is `perfect`, and cannot solve the position within `PERFECT_SECONDS`.
        FourcastError: The agent fails.
    """
    if limit != AGENT_LIMIT or read_spec(spec)[0].name != PERFECT:
        return player.analyze(position, limit)
    _load_solver(position.geometry)
    stop: Callable[[], None] = getattr(player, "stop")  # noqa: B009  # not every agent has it, `perfect` does
    late = threading.Event()

    def give_up() -> None:
        late.set()
        stop()

    patience = threading.Timer(PERFECT_SECONDS, give_up)
    patience.start()
    try:
        found = player.analyze(position, limit)
    finally:
        patience.cancel()
    if (
        found.exact or not late.is_set()
    ):  # below its highest level, and by a guard, it plays what is not exact
        return found
    raise BadLimit(
        f"a position of ply {position.ply} was not solved by {spec} within {PERFECT_SECONDS:g}s: "
        "have another agent teach, like montecarlo or mcts"
    )


@cache
def _load_solver(geometry: Geometry) -> None:
    """Load what is compiled, which is no part of anybody's time."""
    Solver(geometry, table_mb=8).prepare()


def _column_worths(found: Analysis, spec: str) -> Worths:
    """What an agent thinks each column worth, in [-1, 1]; not a number where it does not say."""
    columns = np.full((1, found.position.geometry.columns), np.nan)
    for column in found.position.legal:
        value = None if found.values is None else found.values[column]
        if value is not None:
            columns[0, column] = _checked(float(value), spec)
    return columns


def _worth(found: Analysis, spec: str) -> float:
    """What an agent thinks a position worth, in [-1, 1]."""
    value = found.value
    if value is None and found.score is not None:
        value = float(np.sign(found.score))
    if value is None:
        raise BadOption(f"agent {spec} does not say what a position is worth: have another give the labels")
    return _checked(float(value), spec)


def _checked(value: float, spec: str) -> float:
    if not -1 <= value <= 1:
        raise BadOption(f"agent {spec} gives the value {value}, which is not in [-1, 1]")
    return value
