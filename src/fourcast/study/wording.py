"""Numbers as people read them, in tables and beside plots."""

from __future__ import annotations

from collections.abc import Callable

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns"))
_SIZES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
UNKNOWN = "-"


def count_text(count: float) -> str:
    """A number of things: 1,234,567; a mean of such numbers keeps one digit while it is small."""
    return f"{count:,.0f}" if count == int(count) or abs(count) >= 100 else f"{count:,.1f}"


def number_text(number: float) -> str:
    """A number in three digits at least: 0.0123, 1.23, 12.3, 1,235."""
    if number == 0:
        return "0"
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:#.3g}".rstrip(".")


def share_text(share: float) -> str:
    """A share of 1 as a percentage: 12.3%."""
    return f"{100 * share:.1f}%"


def seconds_text(seconds: float) -> str:
    """A time in three digits and the unit that suits it."""
    if seconds >= 600:
        return f"{seconds / 60:,.0f} min"
    for size, unit in _TIMES:
        if seconds >= size:
            digits = f"{seconds / size:#.3g}" if seconds < 99.95 * size else f"{seconds / size:.0f}"
            return f"{digits.rstrip('.')} {unit}"
    return "0 s"


def bytes_text(size: float) -> str:
    """A size in three digits and the unit that suits it."""
    for least, unit in _SIZES:
        if size >= least:
            return f"{size / least:.3g} {unit}"
    return f"{size:.0f} B"


def times_text(times: float) -> str:
    """How many times as much: 1.25x."""
    return f"{number_text(times)}x"


def yes_text(yes: object) -> str:
    """Yes or no."""
    return "yes" if yes else "no"


def interval_text(share: float, low: float, high: float) -> str:
    """A share with its interval: 93.1% (91.0 to 94.8)."""
    return f"{100 * share:.1f}% ({100 * low:.1f} to {100 * high:.1f})"


#: How the cells of a column are written, by its kind.
KINDS: dict[str, Callable[..., str]] = {
    "text": str,
    "count": count_text,
    "number": number_text,
    "share": share_text,
    "seconds": seconds_text,
    "bytes": bytes_text,
    "times": times_text,
    "yes": yes_text,
}


def cell_text(kind: str, cell: object) -> str:
    """A cell of a table; "-" where there is nothing."""
    return UNKNOWN if cell is None else KINDS[kind](cell)
