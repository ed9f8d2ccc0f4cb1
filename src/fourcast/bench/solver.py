"""How fast the solver is, beside BitBully: every position by itself, with an empty table and no book."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import nullcontext
from functools import partial

import numpy as np
import numpy.typing as npt

from fourcast.bench.peer import Peer, PeerAnswer
from fourcast.bench.sets import SetFigures
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.kernels.background import LOOK_EVERY
from fourcast.kernels.batch import Batch
from fourcast.kernels.exact import bisect, bisect_each
from fourcast.kernels.memory import address_of
from fourcast.kernels.state import TABLES
from fourcast.kernels.table import EPOCH, EPOCHS
from fourcast.solver import Solver
from fourcast.solver.position_sets import Advance, PositionSet
from fourcast.solver.team import bisect_together

TINY = 100e-6  # CPU seconds: positions that take less are asked many at once
AT_ONCE = 250  # positions; for EPOCHS - 2 the tables can be emptied by counting on
ROUNDS = 5  # of asking many at once
WARM_UP = Limit(nodes=500_000)  # enough to touch every page of the table

_FAR = 127  # beyond any score


def measure(
    sets: Iterable[PositionSet], *, peers: bool, two_threads: bool, advance: Advance
) -> Iterator[SetFigures]:
    """Measure one set after the other; the figures of each come when it is done.

    Args:
        sets: The sets.
        peers: Whether to ask BitBully the same positions, in turn with ours.
        two_threads: Whether to ask two threads too.
        advance: Told which set is being measured, how many of its positions are done, and how many it has.

    Raises:
        MissingExtra: The peer is not installed.
    """
    with Peer() if peers else nullcontext() as peer, ThreadPoolExecutor(1) as pool:
        stopwatch = Stopwatch(pool)
        for each in sets:
            yield _measure_set(each, stopwatch, peer, two_threads, advance)


def _measure_set(
    chosen: PositionSet, stopwatch: Stopwatch, peer: Peer | None, two_threads: bool, advance: Advance
) -> SetFigures:
    size = len(chosen)
    scores = np.zeros(size, dtype=np.int64)
    nodes = np.zeros(size)
    alone, walls, together, at_once = (np.full(size, np.nan) for _ in range(4))
    answers: list[PeerAnswer] = []

    def ask_at_once(start: int) -> None:
        batch = chosen.positions[start : start + AT_ONCE]
        at_once[start : start + AT_ONCE] = stopwatch.at_once(batch) / len(batch)

    for index, position in enumerate(chosen.positions):
        advance(chosen.name, index, size)
        scores[index], nodes[index], alone[index], walls[index] = stopwatch.alone(position)
        if peer:
            answers.append(peer.ask(position))
        mean = float(alone[: index + 1].mean())
        if two_threads:
            together[index] = stopwatch.together(position)
        if index % AT_ONCE == AT_ONCE - 1 and mean < TINY:
            ask_at_once(index + 1 - AT_ONCE)
    # What the set is like as a whole is known now; some of it may have looked otherwise.
    tiny = alone.mean() < TINY
    for start in range(0, size, AT_ONCE):
        if tiny and np.isnan(at_once[start]):
            ask_at_once(start)
    advance(chosen.name, size, size)
    return SetFigures(
        name=chosen.name,
        positions=size,
        asked="many" if tiny else "single",
        seconds=float((at_once if tiny else alone).mean()),
        p99=float(np.quantile(alone, 0.99, method="inverted_cdf")),
        nodes=float(nodes.mean()),
        wrong=_count_wrong(chosen, scores),
        peer=peer.name if peer else None,
        peer_seconds=float(np.mean([each.seconds for each in answers])) if peer else None,
        peer_nodes=float(np.mean([each.nodes for each in answers])) if peer else None,
        disagree=int((scores != [each.score for each in answers]).sum()) if peer else None,
        one_thread=float(walls.mean()) if two_threads else None,
        two_threads=float(together.mean()) if two_threads else None,
    )


def _count_wrong(chosen: PositionSet, scores: npt.NDArray[np.int64]) -> int | None:
    known = [
        (int(ours), score) for ours, score in zip(scores, chosen.scores, strict=True) if score is not None
    ]
    return sum(ours != score for ours, score in known) if known else None


class Stopwatch:
    """Our solver, asked with empty tables and timed.

    What is timed is the kernel, as it is called from Python, and not the emptying of the tables. It runs in a
    thread of its own, so that Ctrl-C is heard; always the same one, because a new one starts cold. CPU time
    is that of this thread alone, so that a progress bar does not count.
    """

    def __init__(self, pool: Executor) -> None:
        """Set solvers for one and for two threads up, with everything compiled and every page touched.

        Args:
            pool: The thread.
        """
        self._pool = pool
        self._single = Solver(book=False)
        self._double = Solver(book=False, threads=2)
        start, middle = Position(), Position.from_moves("4444441111117777")  # enough for two threads
        for solver in (self._single, self._double):
            solver.solve_many([start], limit=WARM_UP, fresh=True)
        self.alone(middle)
        self.together(middle)
        self.at_once((middle,))

    def alone(self, position: Position) -> tuple[int, int, float, float]:
        """Ask one position in one thread: its score, the nodes, and the seconds by CPU and by the clock."""
        memory = self._single._memory
        batch = Batch.of(position)
        bounds = _open_bounds(1)
        self._single.clear()
        memory.begin(None)
        cpu, wall = self._time(
            self._single, partial(bisect, batch.board, memory.addresses[0], batch.stones[0], bounds[0])
        )
        return int(bounds[0, 0]), memory.nodes, cpu, wall

    def together(self, position: Position) -> float:
        """Ask one position in two threads: the seconds by the clock."""
        memory = self._double._memory
        stones = Batch.of(position).stones[0]
        bounds = _open_bounds(1)
        self._double.clear()
        memory.begin(None)
        return self._time(self._double, partial(bisect_together, memory, stones, bounds[0]))[1]

    def at_once(self, positions: tuple[Position, ...]) -> float:
        """Ask up to `AT_ONCE` positions in one crossing: the CPU seconds of all, the mean of some rounds.

        The tables are wiped before, so that emptying them before each position is only counting on.
        """
        memory = self._single._memory
        batch = Batch.of(positions)
        nodes = np.zeros(len(batch), dtype=np.int64)
        seconds = 0.0
        for _ in range(ROUNDS):
            bounds = _open_bounds(len(batch))
            taken = np.zeros(1, dtype=np.uint64)
            memory.states[0, TABLES + EPOCH] = EPOCHS - 1
            self._single.clear()
            memory.begin(None)
            where = memory.addresses[0], batch.stones, True, bounds, nodes, np.uint64(address_of(taken))
            seconds += self._time(self._single, partial(bisect_each, batch.board, *where))[0]
        return seconds / ROUNDS

    def _time(self, solver: Solver, work: Callable[[], object]) -> tuple[float, float]:
        """The CPU seconds and the seconds by the clock that some work of a solver takes."""

        def timed() -> tuple[float, float]:
            clock, cpu = time.perf_counter(), time.thread_time()
            work()
            return time.thread_time() - cpu, time.perf_counter() - clock

        try:
            future = self._pool.submit(timed)
            while not wait([future], timeout=LOOK_EVERY).done:
                pass
            return future.result()
        finally:
            solver.stop()


def _open_bounds(positions: int) -> npt.NDArray[np.int64]:
    return np.full((positions, 2), (-_FAR, _FAR), dtype=np.int64)
