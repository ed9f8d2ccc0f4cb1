"""Who works: this process, several processes of this machine, or the cores of a cluster."""

from fourcast.workers.choice import find_cluster, find_workers
from fourcast.workers.local import HereWorkers, LocalWorkers
from fourcast.workers.work import Work, Workers

__all__ = ["HereWorkers", "LocalWorkers", "Work", "Workers", "find_cluster", "find_workers"]
