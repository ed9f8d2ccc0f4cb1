"""Games played on a Ray cluster (extra `cluster`).

A node that is lost costs no game: what it had in work is played somewhere else, and what comes back is kept
once. Every node needs the same version of Fourcast, and foreign agents at the same path as here.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fourcast import __version__
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.workers import Handfuls, Played
from fourcast.extras import require
from fourcast.game.errors import WorkersLost, shown

AUTO = "auto"
_HANDFUL = 0.2  # seconds that the games of a task take: it comes and goes over the network
_AHEAD = 2  # handfuls for each core, so that none waits
_RETRIES = 3  # how often Ray tries again when a worker or its node dies; then games are tried one by one
_PATIENCE = 5.0  # seconds to wait for an answer from the cluster's address
_REHEARSAL_TIME = 10.0  # seconds in which one joins a cluster even from a busy machine
_LOOK = 1.0  # seconds after which it is seen whether there are more cores, and whether the head is there

_SILENT = {"log_to_driver": False, "logging_level": "CRITICAL"}
_REHEARSAL = f"""
import sys, ray
try:
    ray.init(address=sys.argv[1], **{_SILENT!r})
except Exception as error:
    print(error)
    sys.exit(1)
"""

_joined: str | None = None  # the cluster that this process is in; there can be only one


class ClusterWorkers:
    """The cores of a cluster.

    Attributes:
        address: Where its head is: `HOST:PORT`, or `auto` for the cluster that this machine belongs to.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: Nobody answers there, or it is not a cluster that can be used from here.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._ray: Any = require("ray", "cluster")
        if address != AUTO:
            _knock(address)
        if not self._ray.is_initialized():
            self._join()
        elif address not in (AUTO, _joined):
            raise WorkersLost(f"cluster {shown(address)}: this process is in another one already")
        self._head = address if address != AUTO else str(self._ray.get_runtime_context().gcs_address)

    def _join(self) -> None:
        global _joined
        _rehearse(self.address)
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # its core writes to stderr otherwise
        try:
            with _stderr_away(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they speak of Ray's own future
                self._ray.init(address=self.address, **_SILENT)
        except (OSError, RuntimeError, ValueError) as error:
            raise self._lost(error) from None
        # What Ray has to say of nodes and workers that died goes to stdout, and no option stops that.
        self._ray._private.worker.print_to_stdstream = lambda *_, **__: None
        _joined = self.address

    def play(self, conditions: Conditions, fixtures: Iterator[Fixture]) -> Iterator[Played]:
        """Play all; games of a node that is lost are played by the others, and nodes that join are used.

        Who stops asking leaves at most two handfuls for each core in work, which end by themselves, or with
        this process. (To have Ray cancel them is not safe: a result that arrives at the same moment can make
        it abort the whole process, seen with 2.60.)

        Raises:
            WorkersLost: The cluster is gone, a node cannot play, or a game has ended its process each time.
        """
        handfuls = Handfuls(fixtures, _HANDFUL)

        def next_handful() -> tuple[Conditions, list[Fixture]] | None:
            games = handfuls.next()
            return (conditions, games) if games else None

        def lost(work: tuple[Conditions, list[Fixture]]) -> None:
            if len(work[1]) == 1:
                raise self._hopeless(work[1][0]) from None
            handfuls.put_back(work[1])

        for played in self.work("fourcast.arena.roster", "play_some", next_handful, lost):
            handfuls.learn(played)
            yield played

    def work(
        self, module: str, function: str, next_one: Callable[[], Any], lost: Callable[[Any], None]
    ) -> Iterator[Any]:
        """Have a function of Fourcast called on the cores of the cluster, and give back what it returns.

        Args:
            module: Where the function is.
            function: What it is called.
            next_one: Gives the arguments of the next call as a tuple; None when there are no more for now.
            lost: Told the arguments of a call that took its process with it each time; `next_one` may give
                them again.

        Raises:
            WorkersLost: The cluster is gone, or a node cannot do it.
        """
        ray = self._ray
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_task(os.getcwd(), module, function))
        gone = (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.ObjectLostError,
        )
        in_work: dict[Any, Any] = {}
        most, looked = self._cores(), time.monotonic()
        try:
            while True:
                while len(in_work) < _AHEAD * most and (given := next_one()) is not None:
                    in_work[task.remote(pickle.dumps(given))] = given
                if not in_work:
                    return
                done, _ = ray.wait(list(in_work), num_returns=1, timeout=_LOOK, fetch_local=True)
                for one in done:
                    given = in_work.pop(one)
                    try:
                        found = ray.get(one)
                    except gone:
                        lost(given)
                    else:
                        yield found
                if time.monotonic() - looked > _LOOK:
                    most, looked = self._cores(), time.monotonic()
        except ray.exceptions.RayTaskError as error:
            raise self._lost(error.cause) from None
        except ray.exceptions.RayError as error:
            raise self._lost(error) from None

    def _cores(self) -> int:
        """How many cores the cluster has now."""
        _knock(self._head)
        found = sum(int(node["Resources"].get("CPU", 0)) for node in self._ray.nodes() if node["Alive"])
        if not found:
            raise WorkersLost(f"cluster {shown(self.address)}: it has no node left that plays")
        return found

    def _hopeless(self, game: Fixture) -> WorkersLost:
        return WorkersLost(
            f"cluster {shown(self.address)}: a worker has died {1 + _RETRIES} times in game {game.number}, "
            f"{game.players[0]} against {game.players[1]}"
        )

    def _lost(self, error: BaseException) -> WorkersLost:
        reason = " ".join(str(error).split()) or type(error).__name__
        return WorkersLost(f"cluster {shown(self.address)}: {reason}")

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()


def _task(folder: str, module: str, function: str) -> Callable[[bytes], Any]:
    """What a node is given to do.

    It is sent as it stands, so that a node without Fourcast, or with another version, can say so.

    Args:
        folder: Where the paths of foreign agents start.
        module: Where the function is that does it.
        function: What it is called.
    """
    version = __version__

    def play_there(pickled: bytes) -> Any:
        import importlib
        import os
        import pickle
        import platform

        try:
            import fourcast
        except ImportError as error:
            raise RuntimeError(
                f"{platform.node()} has no Fourcast ({error}); install {version} there"
            ) from None
        if fourcast.__version__ != version:
            raise RuntimeError(
                f"{platform.node()} has Fourcast {fourcast.__version__}, and this is {version}; "
                "every node needs the same"
            )
        if os.path.isdir(folder):
            os.chdir(folder)
        return getattr(importlib.import_module(module), function)(*pickle.loads(pickled))

    return play_there


def _read_address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise WorkersLost(f"cluster {shown(address)}: write it as HOST:PORT, or auto")
    return host.strip("[]"), int(port)


def _knock(address: str) -> None:
    """See whether anybody answers at an address; Ray itself would try for a minute."""
    try:
        socket.create_connection(_read_address(address), timeout=_PATIENCE).close()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WorkersLost(f"cluster {shown(address)}: nobody answers there ({reason})") from None


@contextmanager
def _stderr_away() -> Iterator[None]:
    """Let what is written to stderr go: when Ray is told to be silent, it says that it was told so."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _rehearse(address: str) -> None:
    """Join a cluster in another process first.

    Where something else answers, or this machine is none of its nodes, Ray would try for a minute, write to
    stderr meanwhile, and in the end may take the process with it.
    """
    command = [sys.executable, "-c", _REHEARSAL, address]
    try:
        tried = subprocess.run(command, capture_output=True, timeout=_REHEARSAL_TIME, check=False)
    except subprocess.TimeoutExpired:
        raise WorkersLost(
            f"cluster {shown(address)}: no way in; is it a Ray cluster, and this machine one of its nodes?"
        ) from None
    if tried.returncode:
        said = " ".join(tried.stdout.decode(errors="replace").split()) or "it cannot be joined"
        raise WorkersLost(f"cluster {shown(address)}: {said}")
