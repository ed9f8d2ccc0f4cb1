"""Searches in threads: so many at a time, so many waiting, each to be watched and stopped."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Generic, TypeVar

from fourcast.game.limit import Limit
from fourcast.search.progress import Progress
from fourcast.web.faults import Busy
from fourcast.web.settings import Settings

Result = TypeVar("Result")

LOOK_EVERY = 0.05  # seconds between looks at a search that nobody has stopped
PRESS_EVERY = 0.01  # seconds between two calls of `stop`: one that comes before a search has begun is lost
GRACE = 0.5  # seconds beyond the most, before a search is stopped that does not keep to its limit
MOST_RETRY = 30  # seconds after which anybody may try again
NICER = 5  # how much lower the priority of searches is than that of who answers


class Search(Generic[Result]):
    """One search, from the moment it is asked for.

    Attributes:
        id: What it is called by who wants to stop it.
        seconds: Most time that it may take once it has begun.
        answer: Is done when the search is.
        preparing: Whether code is being compiled for it; that time does not count.
    """

    def __init__(self, seconds: float) -> None:
        self.id = secrets.token_urlsafe(12)
        self.seconds = seconds
        self.answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.preparing = False
        self._begun: float | None = None  # once there is somebody to ask
        self._who: Any = None
        self._stopped = False
        self._gone = False

    def ask(self, who: object) -> None:
        """Say who is asked from now on, from the thread of the search; the clock starts."""
        self.preparing = False
        self._who = who
        self._begun = time.monotonic()

    def prepare(self) -> None:
        """Say that the clock has to wait, from the thread of the search."""
        self.preparing = True

    def stop(self) -> None:
        """End it; the answer is the best so far."""
        self._stopped = True
        self.press()

    def leave(self) -> None:
        """End it; nobody waits for the answer any more."""
        self._gone = True
        self.stop()

    def press(self) -> None:
        """Tell who is asked to stop, if it is to be."""
        end = getattr(self._who, "stop", None)
        if self._stopped and end is not None and not self.preparing:
            end()

    @property
    def is_stopped(self) -> bool:
        """Whether it is to end, or has ended early."""
        return self._stopped

    @property
    def is_gone(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._gone

    @property
    def is_overdue(self) -> bool:
        """Whether it takes longer than it may; the time in which code is compiled does not count."""
        if self._begun is None:
            return False
        seen = self._seen()
        if seen is not None and not (seen.nodes or seen.simulations):
            self._begun = time.monotonic()
        return time.monotonic() - self._begun > self.seconds + GRACE

    def _seen(self) -> Progress | None:
        """How far who is asked has come; None if that cannot be seen."""
        seen: Progress | None = getattr(self._who, "progress", None)
        if seen is None and hasattr(self._who, "nodes"):
            seen = Progress(nodes=int(self._who.nodes))
        return seen

    def progress_json(self) -> dict[str, Any]:
        """How far it has come; whether it still waits for its turn, or for code to be compiled."""
        if self._begun is None:
            return {"preparing": True} if self.preparing else {"waiting": True}
        seen = self._seen()
        if seen is None or not (seen.nodes or seen.simulations):
            return {"preparing": True}
        seconds = time.monotonic() - self._begun
        return {
            "preparing": False,
            "depth": seen.depth,
            "nodes": seen.nodes,
            "nodes_per_second": round(seen.nodes / max(seconds, 0.001)),
            "simulations": seen.simulations,
            "seconds": round(seconds, 3),
            "column": seen.column,
        }


class Searches:
    """All searches of the server.

    Attributes:
        settings: How many may run and wait, and how long.
        running: How many run.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.running = 0
        self._turns = asyncio.Semaphore(settings.searches)
        self._threads = ThreadPoolExecutor(settings.searches, "search", lower_priority)
        self._here: dict[str, Search[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self._usual = 0.1  # seconds that searches take, the latest ones above all

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._here) - self.running

    def begin(
        self, work: Callable[[Search[Result]], Result], limit: Limit, seconds: float | None = None
    ) -> Search[Result]:
        """Have a search done as soon as it is its turn.

        Args:
            work: Does it, in a thread of its own; it says by `Search.ask` whom it asks.
            limit: What it may take; where it has no time, the settings' most counts.
            seconds: Most time of all, where it is not the settings'.

        Raises:
            Busy: Too many wait already, or the server is about to end.
        """
        if self._closing:
            raise Busy("the server is about to end")
        if len(self._here) >= self.settings.searches + self.settings.waiting:
            raise Busy(f"{len(self._here)} searches run or wait here, and no more may", self._retry_after())
        search: Search[Result] = Search(seconds or limit.seconds or self.settings.seconds)
        self._here[search.id] = search
        task = asyncio.get_running_loop().create_task(self._see_through(search, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return search

    async def _see_through(self, search: Search[Result], work: Callable[[Search[Result]], Result]) -> None:
        """Wait for its turn, run it, and see that it ends when it should."""
        try:
            try:
                async with asyncio.timeout(self.settings.wait_seconds):
                    await self._turns.acquire()
            except TimeoutError:
                raise Busy(
                    "too many searches run here: it was not its turn in time", self._retry_after()
                ) from None
            try:
                self.running += 1
                if not search.is_gone:
                    await self._watch(search, work)
            finally:
                self.running -= 1
                self._turns.release()
        except Exception as error:  # noqa: BLE001  # whatever it is, who asked is to hear of it
            if not search.answer.done():
                search.answer.set_exception(error)
            if search.is_gone:
                search.answer.exception()  # nobody will look
        finally:
            del self._here[search.id]
            if not search.answer.done():
                search.answer.cancel()

    async def _watch(self, search: Search[Result], work: Callable[[Search[Result]], Result]) -> None:
        loop, begin = asyncio.get_running_loop(), time.monotonic()
        running = loop.run_in_executor(self._threads, work, search)
        while True:
            every = PRESS_EVERY if search.is_stopped else LOOK_EVERY
            done, _ = await asyncio.wait({running}, timeout=every)
            if done:
                break
            if search.is_overdue:
                search.stop()
            search.press()
        self._usual += (time.monotonic() - begin - self._usual) / 10
        result = running.result()
        if not search.answer.done():
            search.answer.set_result(result)

    def stop(self, name: str) -> bool:
        """End a search with the best so far; False if there is none of that name."""
        search = self._here.get(name)
        if search is None:
            return False
        search.stop()
        return True

    def close(self) -> None:
        """End all searches, and begin no more."""
        self._closing = True
        for search in self._here.values():
            search.stop()

    async def ended(self, seconds: float) -> bool:
        """Wait for all searches to end; False if some have not in that time."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        self._threads.shutdown(wait=False, cancel_futures=True)
        return not self._tasks

    def _retry_after(self) -> int:
        """Seconds after which it is worth trying again: when some of those that wait have had their turn."""
        return min(max(round(self.waiting * self._usual / self.settings.searches), 1), MOST_RETRY)


def lower_priority(by: int = NICER) -> None:
    """Let the threads of searches give way to the one that answers requests, where the system can do that.

    Threads that they start inherit it.
    """
    with suppress(AttributeError, OSError):  # not on Linux, or not allowed
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + by)
