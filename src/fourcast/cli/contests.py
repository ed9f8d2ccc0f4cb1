"""What `match` and `tournament` share: their options, the store, who plays, and the progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.game.errors import BadOption, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.rules import Rules

if TYPE_CHECKING:
    from fourcast.arena.openings import Openings
    from fourcast.arena.referee import Conditions
    from fourcast.arena.store import Run, Store

STORE = Path("games.db")

LimitOption = Annotated[
    str | None,
    typer.Option(
        "--limit",
        metavar="LIMIT",
        help="What a move may take: 0.1s, nodes=1000, depth=6; else the agent's own.",
    ),
]
OpeningsOption = Annotated[
    str | None,
    typer.Option(
        "--openings", metavar="N|none", help="N openings over and over, or none; else always a new one."
    ),
]
PliesOption = Annotated[
    str | None,
    typer.Option("--plies", metavar="A-B", help="Random moves of an opening; 0-8 by default."),
]
AnyOpeningOption = Annotated[
    bool, typer.Option("--any-opening", help="Take openings that are won for one side, too.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Where chance starts.")]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", metavar="N", min=1, help="Processes that play; one a core by default.")
]
OnTimeoutOption = Annotated[
    str,
    typer.Option("--on-timeout", metavar="WHAT", help="Too slow: forfeit the game, or have a random move."),
]
OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where the games are kept.")]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Forget the games of the same command; play anew.")
]


def read_conditions(board: str | None, slip: float, limit: str | None, on_timeout: str) -> Conditions:
    """The rules and the time, as the options have them.

    Raises:
        FourcastError: One of them cannot be read.
    """
    from fourcast.arena.referee import ON_TIMEOUT, Conditions

    if on_timeout not in ON_TIMEOUT:
        raise BadOption(f"--on-timeout {shown(on_timeout)}: it is one of {', '.join(ON_TIMEOUT)}")
    rules = Rules(Geometry.parse(board) if board is not None else Geometry(6, 7, 4), slip)
    return Conditions(rules, Limit() if limit is None else Limit.parse(limit), on_timeout)


def read_openings(openings: str | None, plies: str | None, any_opening: bool, seed: int) -> Openings:
    """How games begin, as the options have it.

    Raises:
        BadOption: One of them cannot be read.
    """
    from fourcast.arena.openings import PLIES, Openings

    if openings == "none":
        if plies is not None:
            raise BadOption("--plies does not go with --openings none")
        return Openings((0, 0), fair=False, seed=seed)
    count = None
    if openings is not None:
        if (
            not openings.isascii()
            or not openings.isdigit()
            or not 0 < len(openings) < 10
            or not int(openings)
        ):
            raise BadOption(f"--openings {shown(openings)}: it is a whole number, 1 or more, or none")
        count = int(openings)
    return Openings(PLIES if plies is None else read_plies(plies), not any_opening, count, seed)


def read_plies(text: str) -> tuple[int, int]:
    """The least and the most plies, as they are typed: 0-8, or 4.

    Raises:
        BadOption: It is something else.
    """
    least, dash, most = text.partition("-")
    parts = [least.strip(), most.strip() if dash else least.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise BadOption(f"--plies {shown(text)}: write it like 0-8, or 4")
    return int(parts[0]), int(parts[1])


@contextmanager
def open_run(out: Path, kind: str, settings: dict[str, object], fresh: bool) -> Iterator[tuple[Store, Run]]:
    """The store, and the run that these settings ask for.

    Raises:
        BadStore: The file cannot be used.
    """
    from fourcast import __version__
    from fourcast.arena.store import Store

    with Store(out) as store:
        run = store.run(kind, settings, __version__)
        if fresh:
            store.forget(run)
            run = store.run(kind, settings, __version__)
        yield store, run


Report = Callable[[int, str], None]


@contextmanager
def games_bar(total: int, begun: int) -> Iterator[Report]:
    """A progress bar on stderr, if that is a terminal: games, games a second, time left, and how it stands.

    Args:
        total: Games in all.
        begun: Those that were played before.

    Yields:
        A function that takes how many games are done, and how it stands in a few words.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _stands: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        MofNCompleteColumn(),
        TextColumn("games"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[stands]}"),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=total, completed=begun, rate="", stands="")

        def report(done: int, stands: str) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{(done - begun) / elapsed:,.3g}/s" if elapsed > 0.5 and done > begun else ""
            bar.update(task, completed=done, rate=rate, stands=stands)

        yield report


def where_kept(out: Path, run: Run) -> str:
    """Where the games are, for a last line."""
    return f"Games are in run {run.number} of {out}"


def go_on(done: int, total: int, out: Path) -> str:
    """What to say after Ctrl-C."""
    return f"stopped after {done:,} of {total:,} games, kept in {out}; the same command goes on from there"
