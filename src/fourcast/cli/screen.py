"""What goes to the terminal: colour, progress, JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Advance = Callable[[str, int, int], None]


def wants_colour() -> bool:
    """Whether to colour stdout: if it is a terminal, unless NO_COLOR is set (FORCE_COLOR: anyway)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def write_json(document: Any) -> None:
    """Write one JSON document to stdout."""
    print(json.dumps(document))


@contextmanager
def progress() -> Iterator[Advance]:
    """A progress bar on stderr if that is a terminal, nothing otherwise.

    Yields:
        A function that takes what is being done, how much of it is done, and how much there is. What follows
        a colon may change without the bar beginning anew: "training: log-loss 0.31".
    """
    if not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    # Rich would otherwise catch what is meant for stdout, which may be a pipe.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=None)

        def advance(what: str, done: int, total: int) -> None:
            if bar.tasks[0].description.partition(":")[0] != what.partition(":")[0]:
                bar.reset(task, total=total)
            bar.update(task, description=what, completed=done, total=total)

        yield advance
