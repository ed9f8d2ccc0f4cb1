"""Thinking in a thread, so that whoever waits for it can do something else meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from fourcast.search.progress import Progress

Result = TypeVar("Result")


class Thought(Generic[Result]):
    """A question that is being answered in a thread of its own.

    The thread is a daemon: one that cannot be stopped does not keep the process from ending.

    Attributes:
        who: Who is asked: an agent, a solver, or nobody in particular.
    """

    def __init__(self, who: object, question: Callable[[], Result]) -> None:
        """Ask at once.

        Args:
            who: Who is asked. If it has `stop()`, it can be stopped; if it has `progress`, it can be watched.
            question: Asks it.
        """
        self.who = who
        self._question = question
        self._future: Future[Result] = Future()
        self._is_stopped = False
        self._thread = threading.Thread(target=self._run, name="thought", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._future.set_result(self._question())
        except BaseException as error:  # noqa: BLE001  # whoever takes the answer gets it
            self._future.set_exception(error)

    @property
    def is_done(self) -> bool:
        """Whether the answer is there."""
        return self.wait(0.0)

    @property
    def can_stop(self) -> bool:
        """Whether who is asked hears that it shall stop."""
        return hasattr(self.who, "stop")

    @property
    def is_preparing(self) -> bool:
        """Whether compiled code is being loaded or made before the search can begin."""
        return is_preparing(self.who)

    @property
    def progress(self) -> Progress | None:
        """How far it has come; None if it does not show that."""
        return progress_of(self.who)

    def stop(self) -> None:
        """Have it come to an end: its answer will be what is known by then."""
        self._is_stopped = True
        self._tell()

    def wait(self, seconds: float) -> bool:
        """Wait for the answer, so long at most; whether it is there.

        One that was stopped is told so again: it may have been about to begin, and not have heard it.
        """
        if self._is_stopped and not self._future.done():
            self._tell()
        done = bool(wait([self._future], timeout=seconds).done)
        if done:
            self._thread.join()  # it has nothing left to do, and nobody shall find it running
        return done

    def answer(self) -> Result:
        """The answer, once it is there; what the question raised is raised here."""
        return self._future.result()

    def _tell(self) -> None:
        stop: Any = getattr(self.who, "stop", None)
        if stop is not None:
            stop()


def progress_of(who: Any) -> Progress | None:
    """How far somebody's search has come; None of those who do not show it."""
    progress: Progress | None = getattr(who, "progress", None)
    return progress


def is_preparing(who: object) -> bool:
    """Whether it shows its progress and there is none yet: then compiled code is being loaded or made."""
    progress = progress_of(who)
    return progress is not None and not (progress.nodes or progress.simulations)
