"""A Ray cluster of nodes on this machine, to measure with and to try things on."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

import fourcast
from fourcast.extras import require
from fourcast.game.errors import WorkersLost

_PATIENCE = 180.0  # seconds until a node is there; Ray takes its time to load where a machine is busy
_ENDING = 20.0  # seconds until it has ended by itself


class LocalNodes:
    """Nodes with one core each, which find this source; they end with `close`.

    Attributes:
        address: Of the head, the first one: `HOST:PORT`.
    """

    def __init__(self) -> None:
        self._ray = require("ray", "cluster")
        self._folder = Path(tempfile.mkdtemp(prefix="ray"))  # sockets do not take long paths
        self._nodes: list[subprocess.Popen[bytes]] = []
        self.address = free_address()

    def add(self) -> None:
        """Start the head, or one more node, and wait until it is there.

        Raises:
            WorkersLost: It has ended, or does not come.
        """
        with (self._folder / "nodes.log").open("ab") as log:
            node = subprocess.Popen(
                [*node_command(self.address, self._folder, head=not self._nodes), "--block"],
                env=node_environment(os.environ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us
            )
        self._nodes.append(node)
        wanted, end = len(self._nodes), time.monotonic() + _PATIENCE
        while not (self._answers() and (wanted == 1 or self._alive() >= wanted)):
            if node.poll() is not None or time.monotonic() > end:
                raise WorkersLost("a node of Ray does not start on this machine")
            time.sleep(0.1)

    def _answers(self) -> bool:
        host, port = self.address.split(":")
        with socket.socket() as knocking:
            knocking.settimeout(1)
            return knocking.connect_ex((host, int(port))) == 0

    def _alive(self) -> int:
        """How many nodes there are, as the cluster says to this process, which has joined it."""
        return sum(bool(node["Alive"]) for node in self._ray.nodes())

    def close(self) -> None:
        """End all of them; nothing stays."""
        for node in reversed(self._nodes):
            node.terminate()
        for node in self._nodes:
            with suppress(subprocess.TimeoutExpired):
                node.wait(_ENDING)
        # Ray's own daemons outlive a node that was slow to end, and workers notice it only after a while.
        end_sessions([node.pid for node in self._nodes])
        for node in self._nodes:
            node.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def session_processes(sessions: Collection[int]) -> list[psutil.Process]:
    """All that runs in some sessions; each node has one, its workers have process groups of their own."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getsid(process.pid) in sessions and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def end_sessions(sessions: Collection[int]) -> None:
    """Kill all that runs in some sessions, also what is started meanwhile; none of it is left.

    Raises:
        WorkersLost: Something of it cannot be ended.
    """
    end = time.monotonic() + _ENDING
    while left := session_processes(sessions):
        if time.monotonic() > end:
            raise WorkersLost(f"a process of a node cannot be ended: {left[0].pid}")
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=1)


def free_address() -> str:
    """An address on this machine where nobody is yet."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def node_command(address: str, folder: Path, *, head: bool) -> list[str]:
    """What starts a node with one core.

    Args:
        address: Of the head: `HOST:PORT`.
        folder: Where the head keeps what belongs to the cluster.
        head: Whether it is the head; else it joins that.
    """
    host, port = address.split(":")
    which = ["--address", address]
    if head:
        which = ["--head", "--node-ip-address", host, "--port", port, "--temp-dir", str(folder)]
        which += ["--include-dashboard", "false", "--disable-usage-stats"]
    sizes = ["--num-cpus", "1", "--object-store-memory", "80000000"]
    ports = ["--min-worker-port", "0", "--max-worker-port", "0"]
    return [str(Path(sys.executable).with_name("ray")), "start", *which, *sizes, *ports]


def node_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a node that finds this source before any other."""
    paths = [str(Path(fourcast.__file__).parents[1]), environment.get("PYTHONPATH")]
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextmanager
def local_nodes() -> Iterator[LocalNodes]:
    """Nodes on this machine, none at first.

    Raises:
        MissingExtra: Ray is not installed.
    """
    nodes = LocalNodes()
    try:
        yield nodes
    finally:
        nodes.close()
