"""The charts of the exact solver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from fourcast.extras import require
from fourcast.study.charts import LOOKS, draw_bars, draw_lines, finish, round_time
from fourcast.study.wording import count_text, seconds_text, times_text

Draw = Callable[[Any], None]

WINNERS = ("first player", "nobody", "second player")
AT_LEAST = "\u2265 "
_ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}  # so that no line runs through words


def sets(means: Mapping[str, tuple[float, float]]) -> Draw:
    """Mean nodes and mean seconds of each set."""

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2, sharey=True)
        names = list(means)
        nodes, seconds = ([each[index] for each in means.values()] for index in (0, 1))
        draw_bars(left, names, {"nodes": nodes}, words=count_text, flat=True)
        draw_bars(right, names, {"seconds": seconds}, words=seconds_text, flat=True)
        right.invert_yaxis()  # they share it, and each has turned it
        for panel, words, values in (
            (left, "nodes a position", nodes),
            (right, "CPU time a position", seconds),
        ):
            panel.set_xscale("log")
            panel.set_xlim(min(values) / 3, max(values) * 12)
            finish(panel, words, legend=False)
        left.xaxis.set_major_formatter(lambda number, _: count_text(number))
        right.xaxis.set_major_formatter(lambda number, _: round_time(number))
        for panel in (left, right):
            panel.xaxis.set_major_locator(require("matplotlib.ticker", "learn").LogLocator(base=100))
            panel.minorticks_off()

    return draw


def ideas(
    labels: Sequence[str],
    ratios: Mapping[str, Mapping[str, float]],
    bounds: Collection[tuple[str, str]] = (),
) -> Draw:
    """How many times as many nodes it takes without each idea, by set.

    Args:
        labels: The ideas.
        ratios: The figures of each set, by idea.
        bounds: Sets and ideas whose figure is a lower bound.
    """

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        series = {name: [each[label] for label in labels] for name, each in ratios.items()}
        draw_bars(panel, labels, series, words=None, flat=True)
        for bars, (name, numbers) in zip(panel.containers, series.items(), strict=True):
            texts = [
                f"{AT_LEAST if (name, label) in bounds else ''}{times_text(number)}"
                for label, number in zip(labels, numbers, strict=True)
            ]
            panel.bar_label(bars, texts, padding=2, fontsize=8, bbox=_ON_WHITE)
        highest = max(max(each) for each in series.values())
        panel.set_xscale("log")
        panel.set_xlim(0.7, highest * 2)
        panel.axvline(1, color="black", linewidth=0.8)
        panel.xaxis.set_major_locator(require("matplotlib.ticker", "learn").LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(lambda number, _: f"{number:g}x")
        panel.minorticks_off()
        finish(panel, "nodes, beside the whole solver", legend=False)
        figure.legend(*panel.get_legend_handles_labels(), loc="outside upper right", ncols=3, frameon=False)

    return draw


def threads(counts: Sequence[int], speedups: Sequence[float], nodes: Sequence[float]) -> Draw:
    """Speed-up and nodes by threads, beside what would be perfect."""

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        draw_lines(
            panel,
            counts,
            {"speed-up": list(speedups), "nodes, beside one thread": list(nodes), "perfect": list(counts)},
        )
        panel.set_xticks(counts)
        panel.set_ylim(bottom=0)
        finish(panel, "threads", "times one thread", legend="upper left")

    return draw


def tables(sizes: Sequence[int], series: Mapping[str, tuple[list[float], list[float]]]) -> Draw:
    """Nodes and seconds by the size of the table, beside those with the largest."""

    def draw(figure: Any) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        for index, (panel, words) in enumerate(zip(panels, ("nodes", "CPU time"), strict=True)):
            shares = {name: [each / both[index][-1] for each in both[index]] for name, both in series.items()}
            draw_lines(panel, sizes, shares)
            panel.set_xscale("log", base=2)
            panel.set_xticks(sizes, [str(size) for size in sizes])
            panel.minorticks_off()
            finish(panel, "table (MB)", f"{words}, beside the largest table", legend=not index)
        highest = max(each / numbers[-1] for both in series.values() for numbers in both for each in numbers)
        panels[0].set_ylim(0, 1.15 * highest)

    return draw


def boards(points: Sequence[tuple[str, str, float, int]]) -> Draw:
    """Nodes of each board, the easiest first: its name, who wins, the nodes, and the ply on which it ends."""

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        ranked = sorted(points, key=lambda point: point[2])
        for look, winner in zip(LOOKS, WINNERS, strict=False):
            chosen = [index for index, point in enumerate(ranked) if point[1] == winner]
            if chosen:
                style = {"color": "white" if look.hatch else look.colour, "edgecolor": look.colour}
                numbers = [ranked[index][2] for index in chosen]
                panel.barh(chosen, numbers, 0.72, hatch=look.hatch, label=f"{winner} wins", **style)
        for index, (_, _, nodes, ends) in enumerate(ranked):
            words = f"{count_text(nodes)}, ends on ply {ends}"
            panel.annotate(
                words, (nodes, index), (4, 0), textcoords="offset points", fontsize=8, va="center", ha="left"
            )
        panel.set_yticks(range(len(ranked)), [point[0] for point in ranked])
        panel.invert_yaxis()
        panel.grid(visible=False, axis="y")
        panel.set_xscale("log")
        panel.set_xlim(min(point[2] for point in points) / 3, max(point[2] for point in points) * 60)
        panel.xaxis.set_major_locator(require("matplotlib.ticker", "learn").LogLocator(base=100))
        panel.xaxis.set_major_formatter(lambda number, _: count_text(number) if number >= 1 else "")
        panel.minorticks_off()
        finish(panel, "nodes", legend=False)
        figure.legend(*panel.get_legend_handles_labels(), loc="outside upper right", ncols=3, frameon=False)

    return draw
