"""Waiting for an answer: what Ctrl-C does meanwhile, and a live line on stderr."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from fourcast.game.notation import column_name
from fourcast.session.thought import Thought, is_preparing, progress_of

if TYPE_CHECKING:
    from fourcast.search.progress import Progress

Result = TypeVar("Result")

LOOK_EVERY = 0.02  # seconds between looks at whether Ctrl-C was pressed
SHOWN_AFTER = 0.3  # seconds before there is a live line: what is sooner needs none
SHOWN_EVERY = 0.1  # seconds between two versions of it

_CARET_C = 2  # cells that a terminal fills when Ctrl-C is pressed
_USUAL_WIDTH = 80


class LiveLine:
    """A line on stderr that is rewritten in place while somebody thinks, and erased when they are done.

    Where stderr is no terminal, there is none. Use it as a context manager, and call `look` again and again.

    Attributes:
        name: Whom the line is about.
        who: A searching agent, which has `progress`; of anybody else only the time is shown.
    """

    def __init__(self, name: str, who: object) -> None:
        self.name = name
        self.who = who
        self._wanted = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._is_shown = False
        self._start = self._next = 0.0
        self._was_preparing = False

    def __enter__(self) -> LiveLine:
        self._start = time.monotonic()
        self._next = self._start + SHOWN_AFTER
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write("")

    def look(self) -> None:
        """Show how far it has come, if it is time."""
        now = time.monotonic()
        if self._wanted and now >= self._next:
            self._next = now + SHOWN_EVERY
            self._write(self._text(now))

    def _text(self, now: float) -> str:
        preparing = is_preparing(self.who)
        if self._was_preparing and not preparing:  # the search begins only now
            self._start = now
        self._was_preparing = preparing
        seconds = f"{now - self._start:.1f} s"
        if preparing:
            return f"{self.name}: preparing, {seconds}"
        return f"{self.name} thinks: {', '.join([*_so_far(progress_of(self.who)), seconds])}"

    def _write(self, text: str) -> None:
        if text or self._is_shown:
            sys.stderr.write(f"\r{text[: _width() - 1 - _CARET_C]}\x1b[K")
            sys.stderr.flush()
            self._is_shown = bool(text)


def ask(
    who: object, question: Callable[[], Result], announcement: str = "", live: LiveLine | None = None
) -> tuple[Result, bool]:
    """Ask somebody something; Ctrl-C ends the search, and the answer is what is known by then.

    Args:
        who: Who is asked. If it has `stop()`, Ctrl-C calls that and waits for the answer.
        question: Asks it, in a thread of its own.
        announcement: What to print before; whoever has seen it may press Ctrl-C.
        live: What to show meanwhile.

    Returns:
        The answer, and whether Ctrl-C was pressed.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed where no answer can be had for it: `who` cannot be stopped or
            is still being prepared, or it was pressed again. The thread goes on until the process ends.
    """
    with _ctrl_c() as presses, live or nullcontext():
        if announcement:
            print(announcement)
        sys.stdout.flush()
        return _await(Thought(who, question), presses, live), bool(presses)


def await_thought(thought: Thought[Result], live: LiveLine | None = None) -> tuple[Result, bool]:
    """Wait for what somebody thinks already, as `ask` does."""
    with _ctrl_c() as presses, live or nullcontext():
        sys.stdout.flush()
        return _await(thought, presses, live), bool(presses)


def _await(thought: Thought[Result], presses: list[int], live: LiveLine | None) -> Result:
    while not thought.wait(LOOK_EVERY):
        if presses:
            if not thought.can_stop or len(presses) > 1 or thought.is_preparing:
                raise KeyboardInterrupt
            thought.stop()
        if live:
            live.look()
    return thought.answer()


@contextmanager
def _ctrl_c() -> Iterator[list[int]]:
    """Count how often Ctrl-C is pressed, and let it do nothing else; unless it is to be ignored anyway.

    Yields:
        An entry for each time.
    """
    presses: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda number, _frame: presses.append(number))
    try:
        yield presses
    finally:
        signal.signal(signal.SIGINT, before)


def _so_far(progress: Progress | None) -> list[str]:
    """What a search has done, a few words each."""
    if progress is None:
        return []
    parts = [f"depth {progress.depth}"] if progress.depth else []
    if progress.simulations:
        parts.append(f"{progress.simulations:,} simulations")
    else:
        parts.append(f"{progress.nodes:,} nodes")
    if progress.column is not None:
        parts.append(f"best {column_name(progress.column)}")
    return parts


def _width() -> int:
    """Cells of a line of the terminal that stderr is."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_WIDTH
    except OSError:
        return _USUAL_WIDTH
