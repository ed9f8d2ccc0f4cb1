"""`fourcast solve`: exact scores, with best play to the end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import FINE, FOUND_WRONG, INTERRUPTED
from fourcast.cli.options import EMPTY, BoardOption, JsonOption
from fourcast.cli.screen import write_json
from fourcast.cli.solve_lines import solve_lines
from fourcast.cli.solving import (
    TABLE_MB,
    THREADS,
    BookOption,
    LimitOption,
    NoBookOption,
    TableOption,
    ThreadsOption,
    check_going_on,
    effort,
    entry,
    make_solver,
    read_limit,
    whose_turn,
)
from fourcast.cli.thinking import ask
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadNotation, FourcastError, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit
from fourcast.game.notation import column_name
from fourcast.game.position import Position
from fourcast.game.thoughts import line_of_play
from fourcast.game.words import verdict

if TYPE_CHECKING:
    from fourcast.solver import Solver


def solve(
    moves: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MOVES",
            help="Columns played, like 4453; . is the empty board; - alone reads lines from stdin.",
            show_default=False,
        ),
    ] = None,
    board: BoardOption = None,
    weak: Annotated[bool, typer.Option("--weak", help="Only ask who wins; that is faster.")] = False,
    no_book: NoBookOption = False,
    book: BookOption = None,
    threads: ThreadsOption = THREADS,
    table_mb: TableOption = TABLE_MB,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> int:
    """Solve positions: exact score, best column, best play to the end.

    The score is that of the side to move: 0 is a draw, n > 0 a win with n of the winner's discs left (the
    winning one counted), n < 0 a loss. "In N moves" counts those of the winner.

    With - as MOVES it reads a position a line, MOVES or MOVES SCORE, and writes MOVES SCORE NODES
    MICROSECONDS for each; where a given SCORE is wrong, "expected N" is added.

    Ctrl-C stops and prints what is proven. Exit code 1: not all is solved, or a given score is wrong.
    """
    geometry = Geometry.parse(board) if board is not None else STANDARD
    allowed = read_limit(limit)
    names = moves or [""]
    from_stdin = names == ["-"]
    positions = [] if from_stdin else _read(names, geometry)
    solver = make_solver(geometry, book=book, no_book=no_book, threads=threads, table_mb=table_mb)
    if from_stdin:
        return solve_lines(solver, weak=weak, limit=allowed, as_json=as_json)
    return _solve_each(solver, positions, weak, allowed, as_json)


def _read(names: list[str], geometry: Geometry) -> list[Position]:
    """The positions that were named; with several, an error says which it is about."""
    positions = []
    for number, name in enumerate(names, start=1):
        if name == "-":
            raise BadNotation("- reads from stdin; give it alone, without other MOVES")
        try:
            moves = "" if name == EMPTY else name
            positions.append(check_going_on(Position.from_moves(moves, geometry)))
        except FourcastError as error:
            place = f"position {number}, {shown(name)}: " if len(names) > 1 else ""
            raise type(error)(f"{place}{error}") from None
    return positions


def _solve_each(solver: Solver, positions: list[Position], weak: bool, limit: Limit, as_json: bool) -> int:
    """Solve one after the other, and write each down as it comes; JSON is one document at the end."""
    found: list[Analysis] = []
    interrupted = False
    for position in positions:
        title = ("\n" if found else "") + entry("moves", position.moves or "none, the empty board")
        question = partial(solver.solve, position, weak=weak, limit=limit)
        analysis, interrupted = ask(solver, question, "" if as_json else title)
        found.append(analysis)
        if not as_json:
            print("\n".join(_in_words(analysis, weak, interrupted)), flush=True)
        if interrupted:
            break
    if as_json:
        documents = [analysis.to_json() for analysis in found]
        write_json(documents[0] if len(positions) == 1 else {"positions": documents})
    if interrupted:
        return INTERRUPTED
    return FINE if all(analysis.exact for analysis in found) else FOUND_WRONG


def _in_words(analysis: Analysis, weak: bool, interrupted: bool) -> list[str]:
    """What is proven, for people."""
    unless = "before it was stopped" if interrupted else "within the limit"
    if analysis.exact:
        best = f"column {column_name(analysis.column)}"
    else:
        best = f"not found {unless}; column {column_name(analysis.column)} is a guess"
    lines = [_result(analysis, weak, unless), entry("best", best)]
    if analysis.pv:
        lines.append(entry("line", line_of_play(analysis)))
    return [*lines, entry("effort", effort(analysis))]


def _result(analysis: Analysis, weak: bool, unless: str) -> str:
    position, score = analysis.position, analysis.score
    side = whose_turn(position)
    if weak:
        if analysis.value is None:
            return entry("value", f"not solved {unless}")
        value = int(analysis.value)
        return entry("value", f"{value}: " + ("draw", f"{side} wins", f"{side} loses")[value])
    if score is None:
        least, most = analysis.bounds or (None, None)
        return entry("score", f"not solved {unless}: the score is between {least} and {most}")
    if score == 0:
        return entry("score", "0: draw")
    end = position.ply + (analysis.plies_to_end or 0)
    return entry("score", f"{score}: {side} {verdict(position, score)}, on move {end} of the game")
