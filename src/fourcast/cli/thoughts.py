"""What an agent has to say of a position, in words: as a table of columns, and summed up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fourcast.cli.solving import NO_BREAK, entry, whose_turn
from fourcast.game.analysis import Analysis
from fourcast.game.notation import column_name
from fourcast.game.thoughts import best_columns, effort_words, line_of_play
from fourcast.game.words import signed, verdict

Worth = TypeVar("Worth")


def table_of(analysis: Analysis, best: str = "best") -> list[str]:
    """A row for each column, with all that is known of it; none where nothing is known of any.

    Args:
        analysis: What the agent said.
        best: What to call the column that it would play.
    """
    position = analysis.position
    score = analysis.score if analysis.exact else None
    scores = _by_column(analysis, analysis.scores, score)
    kinds = [
        ("value", 5, _column_of(_by_column(analysis, analysis.values, analysis.value), signed)),
        ("share", 6, _column_of(analysis.policy, lambda share: f"{share:.1%}")),
        ("score", 5, _column_of(scores, str)),
    ]
    shown = [kind for kind in kinds if kind[2] is not None]
    if not shown:
        return []
    rows = ["column" + "".join(f"  {title:>{width}}" for title, width, _ in shown)]
    for column in range(position.geometry.columns):
        words = []
        if column not in position.legal:
            words.append("full")
        elif scores and (known := scores[column]) is not None:
            words.append(verdict(position, known))
        if column == analysis.column:
            words.append(best if column in best_columns(analysis) else "played")
        unknown = "" if column not in position.legal else "-"
        cells = "".join(
            f"  {(texts[column] if texts else '') or unknown:>{width}}" for _, width, texts in shown
        )
        rows.append(f"{column_name(column):>6}{cells}  {', '.join(words)}".rstrip())
    return rows


def summary_of(analysis: Analysis, slip: float = 0.0) -> list[str]:
    """What the position is worth, the line of play, and what it took; only what there is."""
    lines = []
    if analysis.exact and analysis.score is not None:
        words = f"{whose_turn(analysis.position)} {verdict(analysis.position, analysis.score)}"
        lines.append(entry("score", f"{analysis.score}: {words}" + (" without slip" if slip else "")))
    if analysis.value is not None:
        lines.append(entry("value", signed(analysis.value)))
    if analysis.points is not None:
        lines.append(entry("points", f"{round(analysis.points, 1) + 0.0:+,.1f}"))
    if analysis.pv:
        lines.append(entry("line", line_of_play(analysis)))
    if taken := effort_words(analysis):
        lines.append(entry("effort", ", ".join(part.replace(" ", NO_BREAK) for part in taken)))
    return lines


def _by_column(
    analysis: Analysis, known: tuple[Worth | None, ...] | None, best: Worth | None
) -> tuple[Worth | None, ...] | None:
    """What is known of each column; of the best one, what is known of the position."""
    if known is not None or best is None:
        return known
    columns = range(analysis.position.geometry.columns)
    return tuple(best if column == analysis.column else None for column in columns)


def _column_of(
    known: tuple[Worth | None, ...] | tuple[Worth, ...] | None, text: Callable[[Worth], str]
) -> list[str] | None:
    return None if known is None else ["" if worth is None else text(worth) for worth in known]
