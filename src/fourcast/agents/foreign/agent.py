"""Agents that are programs of their own: `file:path/to/agent.py` and `exec:command`."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from fourcast.agents.foreign import protocol, runner
from fourcast.agents.foreign.fence import MB, Fence
from fourcast.agents.foreign.process import Process
from fourcast.agents.options import text, whole
from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.errors import AgentFailed, BadOption, GameOver, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

MEMORY = whole(
    "memory_mb", 1024, "MB for all its processes together; by name, in Python", least=16, most=2**20
)
AGAIN = 0.02  # seconds between two attempts to stop a question
PROCESSES = whole("processes", 4, "how many it may have at once; by name, in Python", most=1024)


class ForeignAgent:
    """A program in a process of its own, which is asked over its standard input and output.

    The process is started by the first question, and serves one game after the other. After a failure it is
    killed, and the next question starts another.

    Attributes:
        name: What it is called in messages.
        rules: The game that it plays.
        seed: Where its chance starts.
        fence: What it may use.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        folder: str,
        rules: Rules,
        seed: int | None,
        fence: Fence | None = None,
    ) -> None:
        self.name = name
        self.rules = rules
        self.seed = seed
        self.fence = fence or Fence()
        self._command = list(command)
        self._folder = folder
        self._process: Process | None = None
        self._game: tuple[Geometry, int] | None = None  # the board and side of the game that it was told of
        self._asking = threading.Lock()
        self._stopped = threading.Event()

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """Ask for a move: within the seconds of the limit, or those of the fence if it names none.

        The answer has the column, the seconds that it took, and the most memory that the process ever had.

        Raises:
            GameOver: There is nothing left to play.
            AgentFailed: It gave no move that can be played.
        """
        if position.is_over:
            raise GameOver(f"the game is over, {position.outcome}")
        seconds = self.fence.seconds if limit.seconds is None else limit.seconds
        with self._asking:
            self._stopped.clear()
            try:
                process = self._prepared(position)
                line = protocol.move_line(position, seconds)
                start = time.perf_counter()
                answer = process.ask(line, seconds)
                taken = time.perf_counter() - start
                column = protocol.read_move(answer, position)
            except AgentFailed as failure:
                raise self._ended_by(failure) from None
            except BaseException:  # Ctrl-C while it was waited for: an answer would be taken for the next
                self._drop()
                raise
        return Analysis(position, column, pv=(column,), seconds=taken, memory=process.memory)

    def prepare(self, position: Position) -> None:
        """Start the process and tell it of the game, if that is not done yet: what need not count as a move.

        Args:
            position: One where it will be asked.

        Raises:
            AgentFailed: It does not get ready.
        """
        with self._asking:
            self._stopped.clear()
            try:
                self._prepared(position)
            except AgentFailed as failure:
                raise self._ended_by(failure) from None
            except BaseException:
                self._drop()
                raise

    def new_game(self) -> None:
        """The next question belongs to another game."""
        with self._asking:
            if self._game is not None and self._process is not None:
                try:
                    self._process.tell(protocol.END)
                except AgentFailed:
                    self._drop()
            self._game = None

    def stop(self) -> None:
        """Give up the question that is being waited for, from another thread: it fails."""
        self._stopped.set()

    def close(self) -> None:
        """End the process, if there is one."""
        while not self._asking.acquire(timeout=AGAIN):
            self.stop()  # again and again, in case that a question was about to be asked
        try:
            if self._process is not None:
                self._process.close(farewell=protocol.QUIT)
            self._process = self._game = None
        finally:
            self._asking.release()

    def __enter__(self) -> ForeignAgent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _prepared(self, position: Position) -> Process:
        """The process, which knows of the game that the position belongs to."""
        if self._process is None:
            self._game = None
            self._process = Process(self._command, self._folder, self.fence, self._stopped)
            self._get_ready(self._process, protocol.HELLO)
        game = (position.geometry, position.turn)
        if game != self._game:
            rules = Rules(position.geometry, self.rules.slip)
            self._process.begin_game()
            self._get_ready(self._process, protocol.game_line(rules, position.turn, self.seed))
            self._game = game
        return self._process

    def _get_ready(self, process: Process, line: str) -> None:
        try:
            protocol.check_ready(process.ask(line, self.fence.startup))
        except AgentFailed as failure:
            if failure.reason in ("timeout", "exit", "crash"):
                raise AgentFailed("start", f"before it was ready: {failure}") from None
            raise

    def _ended_by(self, failure: AgentFailed) -> AgentFailed:
        """The failure as others are told of it, after it has ended the process."""
        detail = self._drop()
        return AgentFailed(
            failure.reason, f"agent {self.name} failed ({failure.reason}): {failure}", detail, str(failure)
        )

    def _drop(self) -> str:
        """Kill the process.

        Returns:
            What it last wrote to its standard error.
        """
        process, self._process, self._game = self._process, None, None
        if process is None:
            return ""
        process.close()
        return process.tail


@register(
    "file",
    text("path", "everything after the colon: the file", "the path of a Python file"),
    MEMORY,
    PROCESSES,
    guard=False,
    raw=True,
    foreign=True,
)
def file_agent(
    rules: Rules, seed: int | None = None, *, path: str | None, memory_mb: int, processes: int
) -> ForeignAgent:
    """Somebody's agent in a Python file: a function as on Kaggle, or a class with make_move."""
    if path is None:
        raise BadOption("agent file: say which, as in file:path/to/agent.py")
    place = Path(os.path.expanduser(path))
    if not os.path.exists(place):  # Path.exists raises what a name of thousands of letters leads to
        raise BadOption(f"agent file: there is no file {shown(path)}")
    if not place.is_file() or place.suffix != ".py":
        raise BadOption(f"agent file: {shown(path)} is not a Python file (NAME.py)")
    if not os.access(place, os.R_OK):
        raise BadOption(f"agent file: {shown(path)} cannot be read")
    place = place.resolve()
    command = [sys.executable, runner.__file__, str(place)]
    fence = Fence(memory=memory_mb * MB, processes=processes)
    return ForeignAgent(f"file:{place.name}", command, str(place.parent), rules, seed, fence)


@register(
    "exec",
    text("command", "everything after the colon: program and arguments", "a command, without a shell"),
    MEMORY,
    PROCESSES,
    guard=False,
    raw=True,
    foreign=True,
)
def exec_agent(
    rules: Rules, seed: int | None = None, *, command: str | None, memory_mb: int, processes: int
) -> ForeignAgent:
    """A program of any language that speaks the lines of docs/foreign.md."""
    if command is None:
        raise BadOption("agent exec: say which program, as in exec:./agent --fast")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadOption(f"agent exec: {shown(command)} cannot be read: {str(error).lower()}") from None
    if not words:
        raise BadOption("agent exec: say which program, as in exec:./agent --fast")
    program = shutil.which(os.path.expanduser(words[0]))
    if program is None:
        raise BadOption(f"agent exec: there is no program {shown(words[0])} that can be run")
    fence = Fence(memory=memory_mb * MB, processes=processes)
    name = f"exec:{Path(words[0]).name}"
    return ForeignAgent(name, [os.path.abspath(program), *words[1:]], os.getcwd(), rules, seed, fence)
