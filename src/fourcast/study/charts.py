"""Charts that can be read in black and white: every series has its colour, mark, dashes and hatching.

What is drawn on is a matplotlib panel (`Axes`); `study.files` makes the figure and writes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fourcast.extras import require
from fourcast.study.wording import number_text, seconds_text

Numbers = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Look:
    """How a series is drawn."""

    colour: str
    mark: str
    line: Any
    hatch: str


#: In the order in which they are used. The colour-blind can tell the colours apart.
LOOKS = (
    Look("#0072B2", "o", "-", ""),
    Look("#D55E00", "s", (0, (5, 2)), "////"),
    Look("#111111", "^", (0, (1, 1.4)), "...."),
    Look("#009E73", "D", (0, (5, 1.5, 1, 1.5)), "xxxx"),
    Look("#CC79A7", "v", (0, (8, 2)), "\\\\\\\\"),
    Look("#6B6B6B", "P", (0, (3, 1, 1, 1, 1, 1)), "----"),
    Look("#E69F00", "X", (0, (2, 2)), "++++"),
    Look("#56B4E9", "*", (0, (10, 2, 2, 2)), "oooo"),
)


def draw_lines(
    panel: Any,
    at: Sequence[float],
    series: Mapping[str, Numbers],
    *,
    errors: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    apart: float = 0.0,
) -> None:
    """Draw series as lines with marks, by name; where there is nothing (None), nothing is drawn.

    Args:
        panel: Where.
        at: Where the points stand.
        series: The numbers of each series, as many as `at`.
        errors: The low and the high end of each point's interval, by series.
        apart: How far each series stands to the right of the one before, so that intervals can be told apart.
    """
    for index, (look, (name, numbers)) in enumerate(zip(LOOKS, series.items(), strict=False)):
        shift = apart * (index - (len(series) - 1) / 2)
        places = [place + shift for place in at]
        points = [
            (place, number) for place, number in zip(places, numbers, strict=True) if number is not None
        ]
        if not points:
            continue
        spread = None
        if errors and name in errors:
            ends = [end for end, number in zip(errors[name], numbers, strict=True) if number is not None]
            spread = [
                [number - low for (_, number), (low, _) in zip(points, ends, strict=True)],
                [high - number for (_, number), (_, high) in zip(points, ends, strict=True)],
            ]
        panel.errorbar(
            [place for place, _ in points],
            [number for _, number in points],
            yerr=spread,
            color=look.colour,
            marker=look.mark,
            linestyle=look.line,
            markersize=6,
            capsize=3,
            label=name,
        )


def draw_bars(
    panel: Any,
    labels: Sequence[str],
    series: Mapping[str, Numbers],
    *,
    errors: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    words: Callable[[float], str] | None = number_text,
    flat: bool = False,
) -> None:
    """Draw groups of bars, one group a label, one bar of it a series.

    Args:
        panel: Where.
        labels: What each group is called.
        series: The numbers of each series, as many as there are labels.
        errors: The low and the high end of each bar's interval, by series.
        words: How the number at the end of each bar is written; None leaves it out.
        flat: Whether bars lie, with the first label at the top: for long labels.
    """
    width = 0.8 / max(len(series), 1)
    for index, (look, (name, numbers)) in enumerate(zip(LOOKS, series.items(), strict=False)):
        shift = (index - (len(series) - 1) / 2) * width
        places = [place + shift for place in range(len(labels))]
        heights = [math.nan if number is None else number for number in numbers]
        style = {
            "color": "white" if look.hatch else _light(look.colour),
            "edgecolor": look.colour,
            "hatch": look.hatch,
        }
        bars = (panel.barh if flat else panel.bar)(places, heights, 0.92 * width, label=name, **style)
        ends = errors[name] if errors and name in errors else None
        if ends is not None:
            spread = [
                [max(height - low, 0) for height, (low, _) in zip(heights, ends, strict=True)],
                [max(high - height, 0) for height, (_, high) in zip(heights, ends, strict=True)],
            ]
            lines = {"color": "black", "linestyle": "none", "capsize": 3}
            if flat:
                panel.errorbar(heights, places, xerr=spread, **lines)
            else:
                panel.errorbar(places, heights, yerr=spread, **lines)
        if words is not None:
            texts = ["" if math.isnan(height) else words(height) for height in heights]
            if ends is not None:  # beside the interval, not in it
                for place, text, (_, high) in zip(places, texts, ends, strict=True):
                    spot = (high, place) if flat else (place, high)
                    align = {"ha": "left", "va": "center"} if flat else {"ha": "center", "va": "bottom"}
                    shift_by = (4, 0) if flat else (0, 3)
                    panel.annotate(text, spot, shift_by, textcoords="offset points", fontsize=8, **align)
            else:
                panel.bar_label(bars, texts, padding=2, fontsize=8)
    if flat:
        panel.set_yticks(range(len(labels)), labels)
        panel.invert_yaxis()
        panel.grid(visible=False, axis="y")
        panel.margins(x=0.14)
    else:
        panel.set_xticks(range(len(labels)), labels)
        panel.grid(visible=False, axis="x")
        panel.margins(y=0.12)


def _light(colour: str) -> tuple[float, float, float]:
    """The colour of a bar without hatching: so light that an interval can be seen on it, on any printer."""
    red, green, blue = require("matplotlib.colors", "learn").to_rgb(colour)
    return (1 + red) / 2, (1 + green) / 2, (1 + blue) / 2


def finish(panel: Any, x: str = "", y: str = "", *, title: str = "", legend: bool | str = True) -> None:
    """The words round a panel.

    Args:
        panel: Which.
        x: What lies along its lower edge.
        y: What lies along its left edge.
        title: Above it, where a figure has several panels.
        legend: Whether there is one; or where, in matplotlib's words.
    """
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    if title:
        panel.set_title(title)
    if legend and panel.get_legend_handles_labels()[1]:
        panel.legend(frameon=False, loc="best" if legend is True else legend)


def legend_below(figure: Any, columns: int = 4) -> None:
    """One legend for all panels, below them: where it covers nothing.

    Args:
        figure: The figure, whose panels have the same series.
        columns: How many stand side by side.
    """
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)


def from_nought(panel: Any) -> None:
    """A left edge that begins with 0, with room for marks at either end."""
    _, top = panel.dataLim.intervaly
    panel.set_ylim(-0.03 * top, 1.06 * top)


def whole_steps(panel: Any) -> None:
    """Whole numbers only along the lower edge."""
    ticker = require("matplotlib.ticker", "learn")
    panel.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


def log_counts(panel: Any) -> None:
    """A logarithmic left edge with counts written out."""
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(lambda number, _: f"{number:,.0f}" if number >= 1 else f"{number:g}")


def log_seconds(panel: Any) -> None:
    """A logarithmic left edge with times."""
    panel.set_yscale("log")
    panel.yaxis.set_major_formatter(lambda number, _: round_time(number))


def round_time(seconds: float) -> str:
    """A time as an axis has it: 10 ms, without digits that say nothing."""
    digits, unit = seconds_text(seconds * 1.0000001).split(" ")
    return f"{float(digits):g} {unit}"


def is_drawn(panel: Any) -> bool:
    """Whether there is anything on a panel but its frame."""
    import numpy as np

    for line in panel.get_lines():
        if np.isfinite(np.asarray(line.get_ydata(), dtype=float)).any():
            return True
    for patch in panel.patches:
        box = patch.get_path().get_extents(patch.get_transform())
        if np.isfinite([box.width, box.height]).all() and max(box.width, box.height) > 0.5:
            return True
    return bool(panel.images) or any(len(each.get_paths()) for each in panel.collections)
