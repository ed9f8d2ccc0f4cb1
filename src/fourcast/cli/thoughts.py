"""What an agent has to say of a position, in words: in a line, and as a table of columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fourcast.cli.solving import NO_BREAK, entry, line_of_play, whose_turn
from fourcast.game.analysis import Analysis
from fourcast.game.notation import column_name
from fourcast.game.words import counted, signed, verdict

Worth = TypeVar("Worth")


def thought(analysis: Analysis, slip: float = 0.0) -> str:
    """The most important of it in a few words: what it is worth, and what that took; it may be nothing.

    Args:
        analysis: What the agent said.
        slip: That of the game; a score is always that of the game without.
    """
    parts = []
    score = analysis.score if analysis.exact else None
    if score is None and analysis.scores is not None:
        score = analysis.scores[analysis.column]  # of one that does not play its best
    if score is not None:
        parts.append(verdict(analysis.position, score) + (" without slip" if slip else ""))
    elif analysis.value is not None:
        parts.append(f"value {signed(analysis.value)}")
    elif analysis.bounds is not None:
        parts.append("not solved")
    if analysis.simulations:
        parts.append(counted(analysis.simulations, "simulation"))
    elif analysis.nodes:
        parts.append(counted(analysis.nodes, "node"))
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    if analysis.seconds:
        parts.append(_seconds(analysis))
    return ", ".join(parts)


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
            words.append(best if _is_best(analysis) else "played")
        unknown = "" if column not in position.legal else "-"
        cells = "".join(
            f"  {(texts[column] if texts else '') or unknown:>{width}}" for _, width, texts in shown
        )
        rows.append(f"{column_name(column):>6}{cells}  {', '.join(words)}".rstrip())
    return rows


def _is_best(analysis: Analysis) -> bool:
    """Whether nothing is better than the column that is played, as far as anything is known of it."""
    for known in (analysis.scores, analysis.values):
        worth = known[analysis.column] if known else None
        if worth is not None:
            return worth >= max(each for each in known or () if each is not None)
    return True


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
    if taken := _taken(analysis):
        lines.append(entry("effort", ", ".join(part.replace(" ", NO_BREAK) for part in taken)))
    return lines


def size(number: int) -> str:
    """A number of bytes: "312 B", "4.2 kB", "64.0 MB"."""
    amount, units = float(number), ["B", "kB", "MB", "GB", "TB"]
    while amount >= 999.95 and len(units) > 1:
        amount /= 1000
        units.pop(0)
    return f"{amount:.0f} {units[0]}" if units[0] == "B" else f"{amount:.1f} {units[0]}"


def _taken(analysis: Analysis) -> list[str]:
    """The effort, as far as there was any."""
    counts = [
        (analysis.nodes, "node"),
        (analysis.leaves, "leaf"),
        (analysis.cutoffs, "cutoff"),
        (analysis.table_hits, "table hit"),
        (analysis.simulations, "simulation"),
    ]
    parts = [counted(count, thing).replace("leafs", "leaves") for count, thing in counts if count]
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    if analysis.memory:
        parts.append(size(analysis.memory))
    if analysis.seconds:
        parts.append(_seconds(analysis))
    return parts


def _seconds(analysis: Analysis) -> str:
    return f"{analysis.seconds:,.3f} s"


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
