"""Who works, as it is asked for on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fourcast.workers.local import HereWorkers, LocalWorkers
from fourcast.workers.processes import cores
from fourcast.workers.work import Workers


@contextmanager
def find_workers(jobs: int | None, cluster: str | None) -> Iterator[Workers]:
    """This process if one is enough, several processes, or a cluster; what was started ends here.

    Args:
        jobs: Processes of this machine, one a core if None; without meaning on a cluster.
        cluster: The address of a Ray cluster's head, `HOST:PORT`, or `auto`; None to work here.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: There is no cluster at the address.
    """
    with find_cluster(cluster) as there:
        jobs = cores() if jobs is None else jobs
        if there is not None:
            yield there
        elif jobs == 1:
            yield HereWorkers()
        else:
            with LocalWorkers(jobs) as here:
                yield here


@contextmanager
def find_cluster(cluster: str | None) -> Iterator[Workers | None]:
    """A cluster, which is left here; None if none is asked for.

    Raises:
        MissingExtra: Ray is not installed.
        WorkersLost: There is no cluster at the address.
    """
    if cluster is None:
        yield None
        return
    from fourcast.workers.cluster import ClusterWorkers

    with ClusterWorkers(cluster) as there:
        yield there
