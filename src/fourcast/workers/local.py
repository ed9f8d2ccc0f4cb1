"""Work on this machine: in this process, or in several."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from typing import Any

from fourcast.game.errors import WorkersLost
from fourcast.workers.processes import worker_processes
from fourcast.workers.work import Found, Handfuls, Item, Work

HANDFUL = 0.1  # seconds that the items take which are handed out at a time
_AHEAD = 2  # handfuls for each process, so that it never waits


class HereWorkers:
    """This process, one handful after the other: what belongs together, like positions, is done together."""

    def map(self, work: Work[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """Do all, a handful at a time."""
        handfuls = Handfuls(items, HANDFUL, work.most)
        while some := handfuls.next():
            begun = time.perf_counter()
            found = work.do(some)
            handfuls.learn(some, time.perf_counter() - begun)
            yield found


class LocalWorkers:
    """Processes of this machine.

    As a context manager it keeps them from one `map` to the next; else they end with each.

    Attributes:
        jobs: How many.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._stay: ExitStack | None = None
        self._staying: ProcessPoolExecutor | None = None

    def __enter__(self) -> LocalWorkers:
        self._stay = ExitStack()
        return self

    def __exit__(self, *error: object) -> None:
        if self._stay is not None:
            self._stay.close()
        self._stay = self._staying = None

    @contextmanager
    def _processes(self) -> Iterator[ProcessPoolExecutor]:
        if self._stay is None:
            with worker_processes(self.jobs) as pool:
                yield pool
            return
        if self._staying is None:
            self._staying = self._stay.enter_context(worker_processes(self.jobs))
        try:
            yield self._staying
        except BrokenProcessPool:
            self._staying = None
            raise

    def map(self, work: Work[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """Do all; when a process dies, what was in work is done again by others.

        Raises:
            WorkersLost: An item has taken its process with it several times.
            FourcastError: What the function itself finds wrong.
        """
        handfuls = Handfuls(items, HANDFUL, work.most)
        deaths = 0  # in a row, with one and the same item in work
        while True:
            in_work: dict[Future[Any], list[Item]] = {}
            unsent: list[Item] = []
            try:
                with self._processes() as pool:
                    while True:
                        # One in doubt is done while no other is, so that it is clear whose fault it is.
                        while len(in_work) < (1 if handfuls.in_doubt else _AHEAD * self.jobs) and (
                            unsent := handfuls.next()
                        ):
                            in_work[pool.submit(timed, work.function, work.common, unsent)] = unsent
                            unsent = []
                        if not in_work:
                            return
                        done, _ = wait(in_work, return_when=FIRST_COMPLETED)
                        for future in done:
                            seconds, found = future.result()
                            handfuls.learn(in_work.pop(future), seconds)
                            deaths = 0
                            yield found
            except BrokenProcessPool:
                lost = [item for some in in_work.values() for item in some]
                handfuls.put_back(lost + unsent)
                deaths = deaths + 1 if len(lost) == 1 else 0
                if deaths >= work.tries or work.tries == 1:
                    (named, *_) = lost + unsent
                    times = "once" if work.tries == 1 else f"{deaths} times"
                    raise WorkersLost(f"a worker has died {times} {work.named(named)}") from None
            finally:
                for future in in_work:  # those that have not begun, where processes stay
                    future.cancel()


def timed(function: Any, common: object, items: list[Any]) -> tuple[float, Any]:
    """What a process is asked to do: how many seconds it took, and what came of it."""
    begun = time.perf_counter()
    found = function(common, items)
    return time.perf_counter() - begun, found
