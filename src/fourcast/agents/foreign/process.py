"""A supervised process that answers questions, one line each."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress

from fourcast.agents.foreign import keeper
from fourcast.agents.foreign.fence import Fence
from fourcast.agents.foreign.usage import peak, shared_out, usage
from fourcast.game.errors import AgentFailed, CannotPlay

LOOK_EVERY = 0.01  # seconds between looks at memory and processes
AFTER_CLOSING = 0.1  # seconds in which one that closes its output may turn out to have ended
TAIL = 4096  # bytes of standard error that are kept
LOST = "lost"  # how an agent ended whose keeper was killed
WHILE_STARTING = (
    16  # processes until the first answer: what pyenv and its like put before a program needs some
)
UNBURIED = 64  # ended processes that an agent may leave lying about

#: What an agent gets to see of our environment.
KEPT = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"),
    *("PYTHONPATH", "VIRTUAL_ENV", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
    *("XDG_CACHE_HOME", "NUMBA_CACHE_DIR"),  # where it finds what it compiled before
)


class Process:
    """A program that reads questions from its standard input and answers each with one line.

    It is watched while it is waited for: the clock, its memory and processes, how much it writes. Whatever is
    wrong is an `AgentFailed`, after which the process is of no use any more and should be closed. While
    `stopped` is set, by any thread, questions fail at once.

    Attributes:
        fence: What it may use.
        memory: The most bytes that it was seen to have in memory, all its processes together.
    """

    def __init__(
        self, command: Sequence[str], folder: str, fence: Fence, stopped: threading.Event | None = None
    ) -> None:
        if os.name != "posix":
            raise CannotPlay("foreign agents run on Linux and macOS only")
        self.fence = fence
        self.memory = 0
        self._stopped = stopped or threading.Event()
        self._pid: int | None = None
        self._ending: str | None = None  # what the keeper said about how it ended
        self._closed_output: float | None = None
        self._processes = max(WHILE_STARTING, fence.processes)
        self._said = self._errors = self._news = b""
        self._chatter = 0
        ours, theirs = socket.socketpair()
        flags = ["-I", "-S"] if sys.platform == "linux" else ["-I"]  # elsewhere the keeper needs psutil
        try:
            self._keeper = subprocess.Popen(
                [
                    *(sys.executable, *flags, keeper.__file__),
                    *(str(os.getpid()), str(theirs.fileno()), str(2 * fence.memory), folder),
                    *command,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env={name: os.environ[name] for name in KEPT if name in os.environ},
            )
        except OSError as error:
            ours.close()
            raise AgentFailed("start", f"no process can be started: {error.strerror}") from None
        finally:
            theirs.close()
        self._channel = ours
        # However this object goes out of use, at the end of the program too, nothing of the agent stays.
        self._end = weakref.finalize(self, _end, os.getpid(), self._keeper, ours)
        self._selector = selectors.DefaultSelector()
        pipes = (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr)
        self._input, self._output, self._error = (pipe.fileno() for pipe in pipes if pipe is not None)
        for readable in (self._output, self._error, ours.fileno()):
            os.set_blocking(readable, False)
            self._selector.register(readable, selectors.EVENT_READ)
        os.set_blocking(self._input, False)

    @property
    def tail(self) -> str:
        """What it last wrote to its standard error."""
        return self._errors.decode(errors="replace").strip()

    def begin_game(self) -> None:
        """Count what it writes to its standard error anew."""
        self._chatter = 0

    def tell(self, line: str) -> None:
        """Send a line that is not answered.

        Raises:
            AgentFailed: It does not read what it is told.
        """
        try:
            os.write(self._input, f"{line}\n".encode())
        except BlockingIOError:
            raise AgentFailed("timeout", "it does not read what it is told") from None
        except OSError:  # it has ended, or reads no more: the answer that does not come will tell
            pass

    def ask(self, question: str, seconds: float) -> str:
        """Send a line, and wait for the line that answers it.

        Args:
            question: What to send.
            seconds: How long the answer may take; the margin of the fence comes on top.

        Raises:
            AgentFailed: There is no answer in time, or something else is wrong.
        """
        deadline = time.monotonic() + seconds + self.fence.margin
        self._read_output()
        if self._said:
            raise AgentFailed("output", f"it said {shortened(self._said)} without being asked")
        self.tell(question)
        next_look = time.monotonic() + LOOK_EVERY
        while b"\n" not in self._said:
            now = time.monotonic()
            if self._stopped.is_set():
                raise AgentFailed("stopped", "it was stopped before it answered")
            if now >= deadline:
                raise AgentFailed("timeout", f"no answer within {seconds:g} s")
            if now >= next_look:
                self._look()
                next_look = time.monotonic() + LOOK_EVERY
            self._wait(max(0.0, min(next_look, deadline) - now))
            self._check_alive()
        self._look()  # what it did in the last moment counts, too
        answer, _, rest = self._said.partition(b"\n")
        if rest:
            raise AgentFailed("output", f"it said {shortened(rest)} after its answer {shortened(answer)}")
        self._said = b""
        self._processes = self.fence.processes
        return answer.decode(errors="replace").strip()

    def close(self, farewell: str = "") -> None:
        """End the process and all that it has started.

        Args:
            farewell: Something to tell it before; then it has a moment to end by itself.
        """
        if self._end.alive and farewell and self._ending is None:
            with suppress(AgentFailed, OSError):  # it goes anyway
                self.tell(farewell)
                if self._keeper.stdin is not None:
                    self._keeper.stdin.close()
                deadline = time.monotonic() + self.fence.farewell
                while self._ending is None and time.monotonic() < deadline:
                    self._wait(LOOK_EVERY)
        if self._end.alive:
            with suppress(AgentFailed):  # too much of it; what it failed by is known already
                self._read_last_errors()
        if self._ending == LOST and self._pid is not None:
            with suppress(OSError):  # the keeper cannot do it: at least the agent's own group
                os.killpg(self._pid, signal.SIGKILL)
        self._selector.close()
        self._end()

    # --- what is watched ---

    def _wait(self, seconds: float) -> None:
        """Wait until something is to be read, and read it."""
        ready = {key.fd for key, _ in self._selector.select(seconds)}
        if self._error in ready:
            self._read_error()
        if self._channel.fileno() in ready:
            self._read_news()
        if self._output in ready or self._ending is not None:  # what it said before it ended is still there
            self._read_output()

    def _read_output(self) -> None:
        """Read what it says, one line and no more."""
        while self._closed_output is None:
            try:
                piece = os.read(self._output, 65536)
            except BlockingIOError:
                return
            if not piece:
                self._closed_output = time.monotonic()
                self._selector.unregister(self._output)
                return
            self._said += piece
            if len(self._said) > self.fence.reply:
                raise AgentFailed(
                    "output", f"its answer is longer than {self.fence.reply} bytes: {shortened(self._said)}"
                )

    def _read_error(self) -> None:
        """Read what it complains about, and keep the end of it."""
        try:
            piece = os.read(self._error, 65536)
        except BlockingIOError:
            return
        if not piece:
            self._selector.unregister(self._error)
            return
        self._errors = (self._errors + piece)[-TAIL:]
        self._chatter += len(piece)
        if self._chatter > self.fence.chatter:
            raise AgentFailed(
                "output", f"it wrote more than {self.fence.chatter} bytes to standard error in a game"
            )

    def _read_news(self) -> None:
        """Read what the keeper tells."""
        try:
            piece = os.read(self._channel.fileno(), 4096)
        except BlockingIOError:
            return
        except ConnectionResetError:
            piece = b""
        *lines, self._news = (self._news + piece).split(b"\n")
        for line in lines:
            word, _, rest = line.decode().partition(" ")
            if word == "agent":
                self._pid = int(rest)
            elif self._ending is None:
                self._ending = f"{word} {rest}"
        if not piece:
            self._ending = self._ending or LOST
            self._selector.unregister(self._channel)

    def _check_alive(self) -> None:
        """See that there is somebody who can answer.

        Raises:
            AgentFailed: It has ended, or has closed its output.
        """
        if b"\n" in self._said:
            return
        if self._ending is not None:
            self._read_last_errors()
            word, _, rest = self._ending.partition(" ")
            if word == "ended":
                raise _failure_of(int(rest), self.tail)
            if word == "failed":
                raise AgentFailed("start", f"it cannot be run: {rest}")
            raise AgentFailed("exit", "its keeper was killed")
        if self._closed_output is not None and time.monotonic() > self._closed_output + AFTER_CLOSING:
            raise AgentFailed("exit", "it closed its standard output")

    def _read_last_errors(self) -> None:
        for _ in range(4):
            if self._error in self._selector.get_map():
                self._read_error()

    def _look(self) -> None:
        """See what it uses.

        Raises:
            AgentFailed: It is too much.
        """
        now = usage(self._keeper.pid)
        if now.processes > self._processes or now.ended > UNBURIED:
            raise AgentFailed(
                "processes",
                f"it has {now.processes + now.ended} processes at once; {self._processes} are allowed",
            )
        memory = now.memory
        if memory > self.fence.memory and now.processes > 1:
            memory = shared_out(now.pids)
        if self._pid is not None and self._ending is None:
            memory = max(memory, peak(self._pid))
        self.memory = max(self.memory, memory)
        if memory > self.fence.memory:
            raise AgentFailed(
                "memory", f"it takes {memory >> 20} MB of memory; {self.fence.memory >> 20} are allowed"
            )


def _end(owner: int, process: subprocess.Popen[bytes], channel: socket.socket) -> None:
    """Have the keeper kill everything, wait for it, and close all pipes."""
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    if os.getpid() != owner:  # a fork of ours, which has got the pipes but not the children
        channel.close()
        return
    with suppress(OSError):  # the keeper was killed
        channel.shutdown(socket.SHUT_RDWR)
    channel.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        keeper.kill([*keeper.descendants(process.pid), process.pid])
        process.wait()


def _failure_of(status: int, tail: str) -> AgentFailed:
    """How a process ended that should not have: by a status of its own, or by a signal (negative)."""
    last = tail.splitlines()[-1:]
    said = f"; it last wrote {shortened(last[0])}" if last else ""
    if status >= 0:
        return AgentFailed("exit", f"it ended with status {status}{said}")
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return AgentFailed("crash", f"it was ended by {name}{said}")


def shortened(said: str | bytes) -> str:
    """What an agent said, for a message of one line."""
    text = said[:200].decode(errors="replace") if isinstance(said, bytes) else said[:200]
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = " ".join(text.split())
    return repr(text if len(text) <= 100 else f"{text[:97]}...")
