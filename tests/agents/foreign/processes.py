"""Which processes belong to a test, whoever their parent is by now."""

from __future__ import annotations

import os
import time
from pathlib import Path


def processes_of(folder: Path) -> list[int]:
    """Those that were started with this folder in their command, ended but unburied ones too."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                named = str(folder).encode() in (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if named:
                found.append(int(entry.name))
    return found


def zombies() -> list[int]:
    """Our own children that have ended and were not buried."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state == "Z" and int(parent) == os.getpid():
                found.append(int(entry.name))
    return found


def wait_until_gone(folder: Path, seconds: float = 5) -> list[int]:
    """Wait until none of a test's processes are left; those that are, after that time."""
    deadline = time.monotonic() + seconds
    while (left := processes_of(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left
