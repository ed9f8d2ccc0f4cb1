"""What somebody has to say of a position, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from fourcast.game.analysis import Analysis
from fourcast.game.notation import column_name
from fourcast.game.words import counted, signed, verdict


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


def line_of_play(analysis: Analysis) -> str:
    """The best line as a move string; dots at its end where the limit has cut it short."""
    plies = analysis.plies_to_end
    cut = plies is not None and len(analysis.pv) < plies
    return "".join(map(column_name, analysis.pv)) + ("..." if cut else "")


def effort_words(analysis: Analysis) -> list[str]:
    """The effort, as far as there was any: "4,160 nodes", "depth 6", "0.022 s"."""
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


def best_columns(analysis: Analysis) -> tuple[int, ...]:
    """The columns that nothing is known to be better than; where nothing is known, the one that is played."""
    for known in (analysis.scores, analysis.values):
        worths: Sequence[float | None] = known or ()
        if analysis.column < len(worths) and worths[analysis.column] is not None:
            best = max(worth for worth in worths if worth is not None)
            return tuple(column for column, worth in enumerate(worths) if worth == best)
    return (analysis.column,)


def size(number: int) -> str:
    """A number of bytes: "312 B", "4.2 kB", "64.0 MB"."""
    amount, units = float(number), ["B", "kB", "MB", "GB", "TB"]
    while amount >= 999.95 and len(units) > 1:
        amount /= 1000
        units.pop(0)
    return f"{amount:.0f} {units[0]}" if units[0] == "B" else f"{amount:.1f} {units[0]}"


def _seconds(analysis: Analysis) -> str:
    return f"{analysis.seconds:,.3f} s"
