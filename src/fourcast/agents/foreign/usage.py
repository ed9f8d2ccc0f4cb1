"""What the processes of a foreign agent use, read from the system."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from fourcast.agents.foreign.keeper import descendants

_HAS_PROC = Path("/proc/self/statm").is_file()
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_SHARE = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)
_PEAK = re.compile(rb"^VmHWM:\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a tree of processes uses at a moment.

    Attributes:
        processes: How many are alive.
        ended: How many have ended and were not asked for their status.
        memory: Bytes in memory, those that several share counted for each.
        pids: Who they are.
    """

    processes: int
    ended: int
    memory: int
    pids: tuple[int, ...]


def usage(keeper: int) -> Usage:
    """What all descendants of a keeper use."""
    pids = descendants(keeper)
    sizes = [_resident(pid) for pid in pids]
    alive = [size for size in sizes if size]
    return Usage(len(alive), len(sizes) - len(alive), sum(alive), tuple(pids))


def shared_out(pids: tuple[int, ...]) -> int:
    """Bytes of these processes in memory, each page counted once: slow, but right about forked copies."""
    return sum(_field(pid, "smaps_rollup", _SHARE, _resident(pid)) for pid in pids)


def peak(pid: int) -> int:
    """The most bytes that a process ever had in memory; 0 where that is not known."""
    return _field(pid, "status", _PEAK, 0)


def _field(pid: int, file: str, field: re.Pattern[bytes], otherwise: int) -> int:
    """Kilobytes that a file of the system tells about a process, as bytes."""
    try:
        with open(f"/proc/{pid}/{file}", "rb") as lines:
            found = field.search(lines.read())
    except OSError:
        found = None
    return 1024 * int(found[1]) if found else otherwise


def _resident(pid: int) -> int:
    """Bytes of a process in memory; 0 for one that has ended, asked for its status or not."""
    if _HAS_PROC:
        try:
            with open(f"/proc/{pid}/statm", "rb") as pages:
                return int(pages.read().split()[1]) * _PAGE
        except (OSError, IndexError):
            return 0
    import psutil

    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
