"""What is seen of a run of self-play: a live table on a terminal, a line for each generation elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcast.learning.selfplay.generation import Generation
    from fourcast.learning.selfplay.run import Budget

MOST_ROWS = 16
_HEADS = ("gen", "games", "plies", "lessons", "policy", "value", "gate", "good", "perfect", "error", "s")

Advance = Callable[[str, int, int], None]
Seen = Callable[["Generation"], None]


def row_of(each: Generation) -> list[str]:
    """A generation as a row: grades are those of the beginning, the middle and the end."""
    stages = [each.grades[name] for name in ("beginning", "middle", "end") if name in each.grades]
    share = "" if each.share is None else f"{each.share:.0%} {'+' if each.accepted else '-'}"
    return [
        str(each.number),
        f"{each.games:,}",
        f"{each.plies_per_game:.1f}",
        f"{each.positions:,}",
        f"{each.policy_loss:.3f}",
        f"{each.value_error:.3f}",
        share,
        "/".join(f"{100 * stage.good:.0f}" for stage in stages),
        "/".join(f"{100 * stage.perfect:.0f}" for stage in stages),
        "/".join(_error(stage.error) for stage in stages),
        f"{each.took:.0f}",
    ]


def _error(error: float) -> str:
    """An error in three letters."""
    return f"{error:.2f}"[1:] if error < 0.995 else f"{error:.1f}"


def line_of(each: Generation) -> str:
    """A generation in one line of text."""
    words = [
        f"generation {each.number}: {each.games:,} games of {each.plies_per_game:.1f} plies",
        f"{each.positions:,} positions",
        f"loss {each.policy_loss:.3f}, value {each.value_error:.3f}",
    ]
    if each.share is not None:
        words.append(f"gate {each.share:.0%} of {2 * each.pairs} games, {'in' if each.accepted else 'out'}")
    if "all" in each.grades:
        grades = each.grades["all"]
        staged = row_of(each)[7:10]
        words.append(
            f"good {grades.good:.1%} ({staged[0]}), perfect {grades.perfect:.1%} ({staged[1]}), "
            f"error {grades.error:.2f} ({staged[2]})"
        )
    return "; ".join([*words, f"{each.took:.1f} s"])


@contextmanager
def watched(done: list[Generation], budget: Budget) -> Iterator[tuple[Advance, Seen]]:
    """Show how a run goes, on stderr.

    Args:
        done: The generations from before; the list grows.
        budget: How long it goes on.

    Yields:
        Who is told of the work in hand, and who is told of a generation that is done.
    """
    if not sys.stderr.isatty():

        def say(each: Generation) -> None:
            print(line_of(each), file=sys.stderr, flush=True)

        yield lambda _what, _done, _total: None, say
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    rows = list(done)
    pace = _Pace()
    with Live(
        console=Console(stderr=True), refresh_per_second=4, redirect_stdout=False, redirect_stderr=False
    ) as live:

        def show(*, at_once: bool = True) -> None:
            lines = [*table_lines(rows), "", f"{pace.words}{_left(budget, rows)}"]
            live.update(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"), refresh=at_once)

        def advance(what: str, count: int, total: int) -> None:
            show(at_once=pace.see(what, count, total))

        def seen(each: Generation) -> None:
            rows.append(each)
            show()

        show()
        yield advance, seen
        pace.words = ""
        show()


class _Pace:
    """The work in hand, and how fast it goes."""

    def __init__(self) -> None:
        self.words = ""
        self._what, self._start, self._first = "", 0.0, 0

    def see(self, what: str, count: int, total: int) -> bool:
        """Take note of how far it has come; whether it is something else than before."""
        kind = what.partition(":")[0]
        is_new = kind != self._what
        if is_new:
            self._what, self._start, self._first = kind, time.monotonic(), count
        took = time.monotonic() - self._start
        rate = f", {(count - self._first) / took:,.0f}/s" if took > 0.5 and count > self._first else ""
        self.words = f"{what}: {count:,} of {total:,}{rate}"
        return is_new


def _left(budget: Budget, rows: list[Generation]) -> str:
    left = budget.left(rows)
    if left is None:
        return ""
    return f"; about {left / 60:.0f} min left" if left >= 90 else f"; about {left:.0f} s left"


def table_lines(rows: list[Generation]) -> list[str]:
    """The generations as lines of text of at most 80 columns; the first and the last of many."""
    shown = rows if len(rows) <= MOST_ROWS else [*rows[:4], *rows[4 - MOST_ROWS :]]
    cells = [list(_HEADS), *(row_of(each) for each in shown)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(_HEADS))]
    return [" ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in cells]
