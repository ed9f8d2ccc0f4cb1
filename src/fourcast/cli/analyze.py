"""`fourcast analyze`: the exact score of every column."""

from __future__ import annotations

from functools import partial

from fourcast.cli import FINE, FOUND_WRONG, INTERRUPTED
from fourcast.cli.options import BoardOption, JsonOption, MovesArgument, TextOption, read_position
from fourcast.cli.screen import wants_colour, write_json
from fourcast.cli.solving import (
    TABLE_MB,
    THREADS,
    BookOption,
    LimitOption,
    NoBookOption,
    TableOption,
    ThreadsOption,
    ask,
    check_going_on,
    effort,
    entry,
    line_of_play,
    make_solver,
    read_limit,
    verdict,
    whose_turn,
)
from fourcast.game.analysis import Analysis
from fourcast.game.notation import column_name


def analyze(
    moves: MovesArgument = "",
    board: BoardOption = None,
    text: TextOption = None,
    no_book: NoBookOption = False,
    book: BookOption = None,
    threads: ThreadsOption = THREADS,
    table_mb: TableOption = TABLE_MB,
    limit: LimitOption = None,
    as_json: JsonOption = False,
) -> int:
    """Say of every column how the game ends with best play after it.

    "Wins in N moves" counts the moves of whoever wins, the winning one included. A score is that of the
    side to move: 0 is a draw, n > 0 a win with n of the winner's discs left (the winning one counted), n < 0
    a loss.

    Ctrl-C stops and prints the columns that are proven. Exit code 1: not all are.
    """
    position = check_going_on(read_position(moves, board, text))
    allowed = read_limit(limit)
    solver = make_solver(position.geometry, book=book, no_book=no_book, threads=threads, table_mb=table_mb)
    drawing = position.draw(colour=wants_colour())
    title = f"{drawing}\n\nMove {position.ply + 1}: {whose_turn(position)} to play.\n"
    question = partial(solver.analyze, position, limit=allowed)
    analysis, interrupted = ask(solver, question, "" if as_json else title)
    if as_json:
        write_json(analysis.to_json())
    else:
        print("\n".join([*_table(analysis), "", *_summary(analysis, interrupted)]))
    if interrupted:
        return INTERRUPTED
    return FINE if analysis.exact else FOUND_WRONG


def _table(analysis: Analysis) -> list[str]:
    """A row for each column."""
    position = analysis.position
    rows = ["column  score"]
    for column, score in enumerate(analysis.scores or ()):
        name = column_name(column)
        if score is not None:
            mark = ", best" if analysis.exact and column == analysis.column else ""
            rows.append(f"{name:>6}  {score:>5}  {verdict(position, score)}{mark}")
        else:
            rows.append(f"{name:>6}         {'not solved' if column in position.legal else 'full'}")
    return rows


def _summary(analysis: Analysis, interrupted: bool) -> list[str]:
    """The best column and its line, or what is proven without them; and what it took."""
    lines = [entry("effort", effort(analysis))]
    if analysis.exact:
        lines.insert(0, entry("line", line_of_play(analysis)))
        return lines
    unless = "before it was stopped" if interrupted else "within the limit"
    proven = [score for score in analysis.scores or () if score is not None]
    least = f": the score is at least {max(proven)}" if proven else ""
    return [entry("score", f"not solved {unless}{least}"), *lines]
