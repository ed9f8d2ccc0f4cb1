"""Files that are written whole or not at all: beside their places, and put there when they are complete.

And files that one process has to itself, so that two do not go on with the same work.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


def claim(file: IO[Any]) -> None:
    """Have a file to oneself as long as it is open; where the system has no such locks, nothing happens.

    Raises:
        OSError: Another one has it.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError(errno.EBUSY, "another process is at work on it") from None


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Have a name to oneself as long as the block lasts, by a file that is gone afterwards.

    Raises:
        OSError: Another process has it, or the file cannot be made.
    """
    with path.open("ab") as file:
        claim(file)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def in_place(path: Path) -> Iterator[Path]:
    """A file to write to, which takes its place when the block is done; if it fails, what was there stays.

    Raises:
        OSError: It cannot be written, or what is there is not a file.
    """
    with all_in_place(path) as (fresh,):
        yield fresh


@contextmanager
def all_in_place(*paths: Path) -> Iterator[tuple[Path, ...]]:
    """Files to write to, which take their places in turn when all of them are safely on the disk.

    Raises:
        OSError: One cannot be written, or what is there is not a file; then none is in its place.
    """
    for path in paths:
        check_place(path)
    fresh = tuple(path.with_name(path.name + ".new") for path in paths)
    try:
        yield fresh
        for each in fresh:
            with each.open("r+b") as file:
                os.fsync(file.fileno())
        for each, path in zip(fresh, paths, strict=True):
            each.replace(path)
    finally:
        for each in fresh:
            with suppress(OSError):  # as the folder may not be one
                each.unlink(missing_ok=True)


def check_place(path: Path) -> None:
    """Say whether a file could be written there, before it takes time to make it.

    Raises:
        OSError: What is there is not a file, or there is no folder for it that can be written to.
    """
    if path.exists() and not path.is_file():  # a device or a pipe would be gone, and a file be there
        raise OSError(errno.EINVAL, "it is a folder" if path.is_dir() else "it is not a file", str(path))
    check_folder(path.parent)


def check_folder(folder: Path) -> None:
    """Say whether files could be written to a folder.

    Raises:
        OSError: It is not there, is not a folder, or cannot be written to.
    """
    if not folder.is_dir():
        code = errno.ENOTDIR if folder.exists() else errno.ENOENT
        raise OSError(code, os.strerror(code), str(folder))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
