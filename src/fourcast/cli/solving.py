"""What the verbs that solve positions share: their options, the solver, and scores in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import complain
from fourcast.cli.thinking import ask
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadBook, BadLimit
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.outcome import DISCS, PLAYERS
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.words import counted

if TYPE_CHECKING:
    from fourcast.solver import Book, Solver

TABLE_MB, THREADS = 64, 1
NO_BREAK = "\u00a0"

BookOption = Annotated[
    str | None, typer.Option("--book", metavar="FILE", help="Use this opening book, not the shipped one.")
]
NoBookOption = Annotated[bool, typer.Option("--no-book", help="Use no opening book.")]
ThreadsOption = Annotated[int, typer.Option("--threads", metavar="N", help="Threads that search.")]
TableOption = Annotated[
    int, typer.Option("--table-mb", metavar="MB", help="Memory for the table of what is proven.")
]
LimitOption = Annotated[
    str | None,
    typer.Option("--limit", metavar="LIMIT", help="What a position may take: 10s, 500ms, nodes=1000000."),
]


def read_limit(text: str | None) -> Limit:
    """What may be spent on a position; nothing given means no limit.

    Raises:
        BadLimit: It cannot be read, or limits something that the solver does not count.
    """
    limit = Limit() if text is None else Limit.parse(text)
    if limit.depth or limit.simulations:
        raise BadLimit(f"limit {limit}: exact solving takes a time or nodes=, nothing else")
    return limit


def check_going_on(position: Position) -> Position:
    """The position, if there is anything left to solve in it.

    Raises:
        GameOver: There is not.
    """
    check_question(position, position.geometry)
    return position


def make_solver(
    geometry: Geometry,
    *,
    book: str | None = None,
    no_book: bool = False,
    threads: int = THREADS,
    table_mb: int = TABLE_MB,
) -> Solver:
    """A solver as the options want it, its compiled code loaded, so that no question has to wait for it.

    A book that cannot be used is one line on stderr, and the solver does without.

    Args:
        geometry: The board.
        book: A book's file; None for the one that is shipped.
        no_book: Use none at all.
        threads: How many threads work on a question.
        table_mb: The size of the table.

    Raises:
        BadLimit: The table cannot be had, or there is no thread.
        BadBook: A book was both given and refused.
    """
    if book is not None and no_book:
        raise BadBook("give either --book or --no-book, not both")
    from fourcast.solver import Solver

    chosen = None if no_book else _find_book(geometry, book)
    solver = Solver(geometry, table_mb, threads, book=False if chosen is None else chosen)
    ask(None, solver.prepare)  # so that Ctrl-C does not wait for the seconds that this may take
    return solver


def _find_book(geometry: Geometry, name: str | None) -> Book | None:
    from fourcast.solver.book import Book, shipped_book

    try:
        if name is None:
            return shipped_book(geometry)
        book = Book.load(Path(name))
        if book.geometry != geometry:
            raise BadBook(f"book {name}: it is of board {book.geometry}, not {geometry}")
    except BadBook as error:
        complain(f"{error}; going on without it")
        return None
    return book


def whose_turn(position: Position) -> str:
    """The side to move: "X (first player)"."""
    return f"{DISCS[position.turn]} ({PLAYERS[position.turn]} player)"


def effort(analysis: Analysis) -> str:
    """What the answer has taken."""
    return f"{counted(analysis.nodes, 'node')} in {analysis.seconds:,.3f} s"


def entry(label: str, text: str, width: int = 80) -> str:
    """A labelled text, over several lines where one is not wide enough; none breaks at a `NO_BREAK`."""
    room = width - 8
    parts: list[str] = [""]
    for word in text.split(" "):
        pieces = [word[start : start + room] for start in range(0, len(word), room)]
        for piece in pieces:
            if parts[-1] and len(parts[-1]) + 1 + len(piece) > room:
                parts.append("")
            parts[-1] += f" {piece}" if parts[-1] else piece
    lines = (f"{label if not index else '':<8}{part}" for index, part in enumerate(parts))
    return "\n".join(lines).replace(NO_BREAK, " ")
