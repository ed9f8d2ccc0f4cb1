"""Code that has to be compiled before a search: for which boards and agents, and where that is done.

To compile what a search needs on a new board takes many seconds, in which Python answers nobody else in time.
So a process of its own does it first, at a lower priority, and leaves it on the disk, from where it is loaded
in a second or less. A mark beside it says so to later servers, which then need no process for it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fourcast.agents.registry import read_spec
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.web.faults import TooMuch
from fourcast.web.searches import Search, lower_priority
from fourcast.web.settings import Settings

LEAST = Limit(seconds=0.05, depth=1, nodes=1, simulations=1)
LOOK_EVERY = 0.05  # seconds between looks at whether somebody still waits
MOST_SECONDS = 600.0  # that a process may take to compile
SOLVER = "solver"

#: What the standard board is asked for first: the page's own questions.
USUAL = (None, "perfect:level=5", "mcts", "alphabeta:values=all", "negamax:values=all")


class NotPrepared(Exception):
    """Nobody waits any longer for code that is being compiled."""


class Preparing:
    """What was compiled or loaded since the server began.

    Attributes:
        settings: How many boards there may be.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._boards: set[Geometry] = {STANDARD}
        self._done: set[tuple[Any, ...]] = set()
        self._lock = threading.Lock()
        self._compiling = threading.Lock()  # one at a time: it is the machine's heaviest work
        self._left: tuple[tuple[Any, ...], subprocess.Popen[bytes]] | None = None  # what compiles, for what
        self._closed = False

    def check(self, geometry: Geometry) -> None:
        """Count a board among those that are searched on.

        Raises:
            TooMuch: There are as many others as may be.
        """
        with self._lock:
            if geometry not in self._boards and len(self._boards) >= self.settings.boards:
                boards = ", ".join(map(str, sorted(self._boards)))
                raise TooMuch(f"board {geometry}: this server has as many boards as it may: {boards}")
            self._boards.add(geometry)

    def is_done(self, rules: Rules, spec: str | None) -> bool:
        """Whether the code that a search needs is loaded."""
        return _kind(rules, spec, {}) in self._done

    def prepare(
        self, search: Search[Any] | None, rules: Rules, spec: str | None, options: dict[str, Any]
    ) -> None:
        """Have the code loaded that a search needs, in its thread; the first time it is compiled.

        Args:
            search: Told that this goes on.
            rules: The board and slip.
            spec: Who is asked; None for the solver.
            options: What it is told besides.

        Raises:
            NotPrepared: The search was stopped, or the server is about to end, before it was done.
        """
        key = _kind(rules, spec, options)
        if key in self._done:
            return
        if search is not None:
            search.prepare()
        while not self._compiling.acquire(timeout=LOOK_EVERY):
            self._go_on(search)
        try:
            if key not in self._done:
                mark = _mark(key)
                if not mark.exists():
                    given = [f"{name}={value}" for name, value in options.items()]
                    self._compile(search, key, str(rules.geometry), str(rules.slip), spec or SOLVER, *given)
                load(rules, spec, options)
                self._done.add(key)
                with suppress(OSError):  # where nothing can be written, nothing was kept either
                    mark.touch()
        finally:
            self._compiling.release()

    def _go_on(self, search: Search[Any] | None) -> None:
        """Raise NotPrepared if nobody wants to wait any longer."""
        if self._closed or (search is not None and search.is_stopped):
            raise NotPrepared

    def _compile(self, search: Search[Any] | None, key: tuple[Any, ...], *arguments: str) -> None:
        """Have a process compile it; if that fails, it is compiled here.

        Who waits for it may leave, like a visitor who makes the next move; it goes on, and who asks for the
        same later finds it done or well on its way. It ends when something else has to be compiled.
        """
        process = self._begin(key, arguments)
        end = time.monotonic() + MOST_SECONDS
        while process.poll() is None and time.monotonic() < end:
            self._go_on(search)
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_EVERY)
        self._end_left()
        self._go_on(search)  # it may have ended because the server does

    def _begin(self, key: tuple[Any, ...], arguments: tuple[str, ...]) -> subprocess.Popen[bytes]:
        """The process that compiles this: one that was left, or a new one."""
        if self._left is not None and self._left[0] == key:
            return self._left[1]
        self._end_left()
        process = subprocess.Popen(
            [sys.executable, "-m", "fourcast.web.compiling", *arguments],
            stdin=subprocess.PIPE,  # closed when this process ends, however that comes
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._left = key, process
        return process

    def _end_left(self) -> None:
        """End what compiles, if anything does; what is on the disk by then need not be compiled again."""
        left, self._left = self._left, None  # in one go: the server may end at the same time
        if left is None:
            return
        process = left[1]
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()

    def warm(self) -> None:
        """Have the standard board's code loaded, in the background."""

        def work() -> None:
            lower_priority()
            with suppress(NotPrepared):
                for spec in USUAL:
                    options = {"tree": 0} if spec is not None and not spec.startswith("perfect") else {}
                    self.prepare(None, Rules(STANDARD), spec, options)

        threading.Thread(target=work, name="warm", daemon=True).start()

    def close(self) -> None:
        """Compile no more: whoever waits for it goes on, and leaves no process behind."""
        self._closed = True
        self._end_left()


def _kind(rules: Rules, spec: str | None, options: dict[str, Any]) -> tuple[Any, ...]:
    """What decides which code a question needs: not how deep or how long a search is."""
    if spec is None:
        return rules.geometry, None
    entry, given = read_spec(spec)
    words = {name: value for name, value in (given | options).items() if isinstance(value, str)}
    counts = bool(options.get("tree")), bool(given.get("tactics")), "level" in given
    return rules.geometry, rules.slip > 0, entry.name, *counts, tuple(sorted(words.items()))


def _mark(key: tuple[Any, ...]) -> Path:
    """A file beside the compiled code that says that this was compiled before, by the same versions."""
    from fourcast.kernels import board

    folder = os.environ.get("NUMBA_CACHE_DIR") or Path(board.__file__).parent / "__pycache__"
    versions = f"{sys.version} {version('numba')} {board.DIGEST} {key}"
    return Path(folder) / f"prepared-{hashlib.blake2b(versions.encode(), digest_size=12).hexdigest()}"


def load(rules: Rules, spec: str | None, options: dict[str, Any]) -> None:
    """Ask the least there is to ask, which loads what is compiled, or compiles it."""
    from fourcast.agents import agent

    position = Position(rules.geometry)
    if spec is None:
        from fourcast.solver import Solver

        Solver(rules.geometry).prepare()
        return
    asked = agent(spec, rules, **options)
    prepare: Callable[[Position], None] | None = getattr(asked, "prepare", None)
    if prepare is not None:
        prepare(position)
    asked.analyze(position, LEAST)
