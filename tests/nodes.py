"""A cluster of two nodes on this machine."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from fourcast.bench.nodes import end_sessions, free_address, node_command, node_environment, session_processes

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra: cluster)"
)


class Nodes:
    """The nodes of a cluster on this machine, each with its processes in a session of their own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.sessions: list[int] = []
        self.address = free_address()

    def start(self) -> int:
        """Start the head, or another node; each has one core.

        Returns:
            The number of its session.
        """
        with (self.folder / "start.log").open("ab") as log:
            started = subprocess.Popen(
                node_command(self.address, self.folder, head=not self.sessions),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.sessions.append(started.pid)
        assert started.wait(180) == 0, (self.folder / "start.log").read_text()
        return started.pid

    def two(self) -> None:
        """See to it that there are the head and one more node."""
        self.kill(*self.sessions[2:])
        del self.sessions[2:]
        if len(self.sessions) < 2 or not self.processes(self.sessions[1]):
            del self.sessions[1:]
            self.start()

    def processes(self, *sessions: int) -> list[psutil.Process]:
        """All that belong to some nodes."""
        return session_processes(sessions)

    def working(self, *sessions: int) -> list[psutil.Process]:
        """The processes of some nodes, or of all, that have something in work."""
        found = []
        for process in self.processes(*(sessions or self.sessions)):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "ray::work_there" in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def hold(self) -> list[psutil.Process]:
        """Suspend all processes that have something in work, but none that has just come to its end."""
        held = []
        for process in self.working():
            with contextlib.suppress(psutil.NoSuchProcess):
                if process.status() == psutil.STATUS_STOPPED:
                    continue
                process.suspend()
                if "ray::work_there" in " ".join(process.cmdline()):
                    held.append(process)
                else:  # it waits for something to do, and is to take it
                    process.resume()
        return held

    def kill(self, *sessions: int) -> None:
        """Kill -9 all processes of some nodes, workers among them."""
        end_sessions(sessions)


def until(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait for something; False if it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@contextlib.contextmanager
def running_nodes(environment: dict[str, str]) -> Iterator[Nodes]:
    """A cluster of two nodes, which find this source; nothing of it is left in the end.

    Args:
        environment: What else they find in theirs; of `PYTHONPATH`, what comes after the source.
    """
    folder = Path(tempfile.mkdtemp(prefix="ray"))  # sockets do not take long paths
    nodes = Nodes(folder, node_environment({**os.environ, "PYTHONPATH": "", **environment}))
    try:
        nodes.start()
        nodes.start()
        yield nodes
    finally:
        nodes.kill(*nodes.sessions)
        shutil.rmtree(folder, ignore_errors=True)
