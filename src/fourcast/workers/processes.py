"""Processes that share work: they leave Ctrl-C to whoever started them, and end when it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process

_LET_GO = 1.0  # seconds in which a pool gives back what it has from the system, when its processes are gone


@contextmanager
def worker_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes to hand work to; what they are doing when they are left is not waited for.

    They start fresh, with nothing of this process in their memory.
    """
    others, threads = set(active_children()), set(threading.enumerate())
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _follow_the_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.terminate()
        for thread in set(threading.enumerate()) - threads:  # the pool's own, which hold its semaphores
            thread.join(_LET_GO)


def _follow_the_parent() -> None:
    """Leave Ctrl-C to the parent, and end when it ends, however that comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent

    def end_with_it() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=end_with_it, daemon=True).start()


def cores() -> int:
    """How many processes this machine has room for."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1
