"""Games played on a Ray cluster (extra `cluster`).

A node that is lost costs no game: Ray plays what it had in work somewhere else, and what comes back is kept
once. Every node needs the same version of Fourcast.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.roster import play_some
from fourcast.arena.workers import Handfuls, Played
from fourcast.extras import require
from fourcast.game.errors import WorkersLost, shown

_AHEAD = 2  # handfuls for each core, so that none waits
_PATIENCE = 5.0  # seconds to wait for an answer from the cluster's address
_LOOK = 1.0  # seconds after which it is seen whether there are more cores


class ClusterWorkers:
    """The cores of a cluster.

    Attributes:
        address: Where its head is: `HOST:PORT`, or `auto` for the cluster that this machine belongs to.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: Nobody answers there.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._ray: Any = require("ray", "cluster")
        if address != "auto":
            _knock(address)
        try:
            self._ray.init(
                address=address,
                ignore_reinit_error=True,
                log_to_driver=False,
                logging_level="ERROR",
                configure_logging=True,
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise WorkersLost(f"cluster {shown(address)}: {reason}") from None

    def play(self, conditions: Conditions, fixtures: Iterator[Fixture]) -> Iterator[Played]:
        """Play all; games of a node that is lost are played by the others.

        Raises:
            WorkersLost: The cluster is gone.
        """
        ray = self._ray
        remote = ray.remote(max_retries=-1, num_cpus=1)(play_some)
        shared = ray.put(conditions)
        handfuls = Handfuls(fixtures)
        in_work: list[Any] = []
        try:
            while True:
                most = _AHEAD * max(int(ray.cluster_resources().get("CPU", 1)), 1)
                while len(in_work) < most and (games := handfuls.next()):
                    in_work.append(remote.remote(shared, games))
                if not in_work:
                    return
                done, in_work = ray.wait(in_work, num_returns=1, timeout=_LOOK)
                for played in ray.get(done):
                    handfuls.learn(played)
                    yield played
        except ray.exceptions.RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise WorkersLost(f"cluster {shown(self.address)}: {reason}") from None
        finally:
            for task in in_work:
                ray.cancel(task, force=True)

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()


def _knock(address: str) -> None:
    """See whether anybody answers at an address; Ray itself would try for a minute."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise WorkersLost(f"cluster {shown(address)}: write it as HOST:PORT, or auto")
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except OSError as error:
        raise WorkersLost(
            f"cluster {shown(address)}: nobody answers there ({error.strerror or error})"
        ) from None
