"""Who plays: this process, several processes of this machine, or the cores of a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

from fourcast.game.errors import WorkersLost
from fourcast.learning.selfplay.table import GateTask, Harvest, PlayTask, sit_down
from fourcast.processes import worker_processes

Task = PlayTask | GateTask
Played = tuple[int, Harvest | list[float]]

_TRIES = 3  # how often a table may take its process with it


class Crew(Protocol):
    """Somebody who plays the games of tables."""

    def play(self, tasks: Sequence[Task]) -> Iterator[Played]:
        """Play all; the number of each in the list and what came of it, as they end, each exactly once."""
        ...


class HereCrew:
    """This process, one table after the other."""

    def play(self, tasks: Sequence[Task]) -> Iterator[Played]:
        """Play all."""
        for index, task in enumerate(tasks):
            yield index, sit_down(task)


class LocalCrew:
    """Processes of this machine, which stay from generation to generation.

    Attributes:
        jobs: How many.
    """

    def __init__(self, jobs: int, stack: ExitStack) -> None:
        self.jobs = jobs
        self._stack = stack
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return self._stack.enter_context(worker_processes(self.jobs))

    def play(self, tasks: Sequence[Task]) -> Iterator[Played]:
        """Play all; when a process dies, what was in work is played again by others.

        Raises:
            WorkersLost: That has happened several times without a table being done.
        """
        left = deque(range(len(tasks)))
        lost = 0
        while left:
            in_work: dict[Future[Any], int] = {}
            try:
                while left or in_work:
                    while left and len(in_work) < 2 * self.jobs:
                        index = left[0]
                        in_work[self._pool.submit(sit_down, tasks[index])] = index
                        left.popleft()
                    done, _ = wait(in_work, return_when=FIRST_COMPLETED)
                    for future in done:
                        found = future.result()
                        lost = 0
                        yield in_work.pop(future), found
            except BrokenProcessPool:
                lost += 1
                if lost >= _TRIES:
                    raise WorkersLost(f"the processes that play have died {_TRIES} times") from None
                left.extendleft(sorted(in_work.values(), reverse=True))
                self._pool = self._start()


class ClusterCrew:
    """The cores of a Ray cluster (extra `cluster`).

    Args:
        address: Where its head is: `HOST:PORT`, or `auto`.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: Nobody answers there, or it is not a cluster that can be used from here.
    """

    def __init__(self, address: str) -> None:
        from fourcast.arena.cluster import ClusterWorkers

        self._workers = ClusterWorkers(address)

    def play(self, tasks: Sequence[Task]) -> Iterator[Played]:
        """Play all; what a lost node had in work is played somewhere else.

        Raises:
            WorkersLost: The cluster is gone, a node cannot play, or a table has ended its process each time.
        """
        left = deque(enumerate(tasks))

        def lost(work: tuple[int, Task]) -> None:
            raise WorkersLost(f"the cluster's workers have died again and again at table {work[0] + 1}")

        yield from self._workers.work(
            __name__, sit_down_at.__name__, lambda: left.popleft() if left else None, lost
        )


def sit_down_at(index: int, task: Task) -> Played:
    """What a node is asked to do."""
    return index, sit_down(task)


@contextmanager
def crew_of(jobs: int, cluster: str | None) -> Iterator[Crew]:
    """Who plays, as it is asked for.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: There is no cluster at the address.
    """
    with ExitStack() as stack:
        if cluster is not None:
            yield ClusterCrew(cluster)
        elif jobs == 1:
            yield HereCrew()
        else:
            yield LocalCrew(jobs, stack)
