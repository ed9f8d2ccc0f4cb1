"""What goes to the terminal: colour, progress, JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Advance = Callable[[str, int, int], None]

_BESIDE = 4 + 4 + 7 + 3  # letters of the shortest bar, the share, the time left, and what is between them


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
    from rich.table import Column

    # Where there is little room it is the bar that becomes shorter, and then the words; never the figures.
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(table_column=Column(no_wrap=True)),
        TimeRemainingColumn(table_column=Column(no_wrap=True)),
    )
    console = Console(stderr=True)
    # Rich would otherwise catch what is meant for stdout, which may be a pipe.
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task, kind = bar.add_task("", total=None), ""

        def advance(what: str, done: int, total: int) -> None:
            nonlocal kind
            if kind != what.partition(":")[0]:
                kind = what.partition(":")[0]
                bar.reset(task, total=total)
            room = max(console.width - _BESIDE, 1)
            words = what if len(what) <= room else f"{what[: room - 1]}…"
            bar.update(task, description=words, completed=done, total=total)

        yield advance
