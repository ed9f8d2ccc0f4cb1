"""Work on a Ray cluster (extra `cluster`).

A node that is lost costs nothing: what it had in work is done somewhere else, and what comes back is given
back once. Every node needs the same version of Fourcast, and foreign agents at the same path as here.
"""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from fourcast import __version__
from fourcast.extras import require
from fourcast.game.errors import FourcastError, WorkersLost, shown
from fourcast.workers.work import Found, Handfuls, Item, Work

AUTO = "auto"
_HANDFUL = 0.2  # seconds that a handful takes: it comes and goes over the network
_AHEAD = 2  # handfuls for each core, so that none waits
_RETRIES = 3  # how often Ray tries again when a worker or its node dies; then items are tried one by one
_PATIENCE = 5.0  # seconds to wait for an answer from the cluster's address
_REHEARSAL_TIME = 10.0  # seconds in which one joins a cluster even from a busy machine, once Ray is loaded
_LOOK = 1.0  # seconds after which it is seen whether there are more cores, and whether the head is there

_SILENT = {"log_to_driver": False, "logging_level": "CRITICAL"}
_REHEARSAL = f"""
import sys, ray
print("loaded", flush=True)
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

    def __enter__(self) -> ClusterWorkers:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def map(self, work: Work[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """Do all; what a lost node had in work is done by the others, and nodes that join are used.

        Who stops asking leaves at most two handfuls for each core in work, which end by themselves, or with
        this process. (To have Ray cancel them is not safe: a result that arrives at the same moment can make
        it abort the whole process, seen with 2.60.)

        Raises:
            WorkersLost: The cluster is gone, a node cannot do it, or an item has ended its process each time.
            FourcastError: What the function itself finds wrong.
        """
        ray = self._ray
        there = _task(os.getcwd(), work.function.__module__, work.function.__name__)
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(there)
        gone = (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.ObjectLostError,
        )
        handfuls = Handfuls(items, _HANDFUL, work.most)
        in_work: dict[Any, list[Item]] = {}
        most, looked = self._cores(), time.monotonic()
        try:
            while True:
                while len(in_work) < _AHEAD * most and (some := handfuls.next()):
                    in_work[task.remote(pickle.dumps((work.common, some)))] = some
                if not in_work:
                    return
                done, _ = ray.wait(list(in_work), num_returns=1, timeout=_LOOK, fetch_local=True)
                for one in done:
                    some = in_work.pop(one)
                    try:
                        seconds, found = ray.get(one)
                    except gone:
                        if len(some) == 1:
                            raise self._hopeless(work.named(some[0])) from None
                        handfuls.put_back(some)
                    else:
                        handfuls.learn(some, seconds)
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
            raise WorkersLost(f"cluster {shown(self.address)}: it has no node left that works")
        return found

    def _hopeless(self, named: str) -> WorkersLost:
        return WorkersLost(f"cluster {shown(self.address)}: a worker has died {1 + _RETRIES} times {named}")

    def _lost(self, error: BaseException) -> FourcastError:
        """What to raise of something that went wrong there; what Fourcast itself has found keeps its type."""
        reason = " ".join(str(error).split()) or type(error).__name__
        message = f"cluster {shown(self.address)}: {reason}"
        if isinstance(error, FourcastError):
            error.args = (message,)
            return error
        return WorkersLost(message)

    def close(self) -> None:
        """Leave the cluster."""
        global _joined
        self._ray.shutdown()
        _joined = None


def _task(folder: str, module: str, function: str) -> Callable[[bytes], tuple[float, Any]]:
    """What a node is given to do.

    It is sent as it stands, so that a node without Fourcast, or with another version, can say so.

    Args:
        folder: Where the paths of foreign agents start.
        module: Where the function is that does it.
        function: What it is called.

    Returns:
        A function of pickled arguments: how many seconds it took, and what came of it.
    """
    version = __version__

    def work_there(pickled: bytes) -> tuple[float, Any]:
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
        from fourcast.workers.local import timed

        if os.path.isdir(folder):
            os.chdir(folder)
        return timed(getattr(importlib.import_module(module), function), *pickle.loads(pickled))

    return work_there


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
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as trying:
        try:
            assert trying.stdout is not None
            trying.stdout.readline()
            told, _ = trying.communicate(timeout=_REHEARSAL_TIME)
        except subprocess.TimeoutExpired:
            asked = "is it a Ray cluster, and this machine one of its nodes?"
            raise WorkersLost(f"cluster {shown(address)}: no way in; {asked}") from None
        finally:
            trying.kill()
    if trying.returncode:
        said = " ".join(told.decode(errors="replace").split()) or "it cannot be joined"
        raise WorkersLost(f"cluster {shown(address)}: {said}")
