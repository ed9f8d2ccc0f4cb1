"""Drawings of what a model has learnt, each as SVG and PNG; the same figures make the same files.

Colours can be told apart by the colour-blind, and nothing is said by colour alone. Needs the extra `learn`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.learning.files import data_file
from fourcast.learning.importance import Importance
from fourcast.learning.metrics import Calibration, Report
from fourcast.learning.uci import LABELS

#: By class: colour, mark. Vermilion, grey and blue are of different brightness too.
_CLASS_LOOKS = (("#D55E00", "o"), ("#6B6B6B", "s"), ("#0072B2", "^"))
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#6B6B6B"
_STYLE = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 11,
    "axes.labelsize": 10,
    "figure.titlesize": 12,
    "font.family": "DejaVu Sans",  # which comes with matplotlib, so that all draw alike
    "font.size": 10,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.fontsize": 9,
    "legend.handlelength": 3.2,  # dashes are told apart in it
    "svg.hashsalt": "fourcast",  # names of parts would be drawn by lot otherwise
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
}
_DOTS_PER_INCH = 150


def draw_calibration(report: Report, path: Path) -> tuple[Path, Path]:
    """Draw how often each class happens beside how likely it was said to be, with the counts below.

    Args:
        report: Predictions beside what is so.
        path: Where, with or without an ending; there will be a .svg and a .png.

    Returns:
        The two files.

    Raises:
        BadData: They cannot be written.
    """
    with drawing(path, 9.6, 4.6) as (figure, files):
        figure.suptitle(f"Calibration: how often it is so, by the chance predicted ({_positions(report)})")
        panels = figure.subplots(2, 3, sharex=True, sharey="row", height_ratios=(3, 1))
        most = max(bin_.count for each in report.calibration for bin_ in each.bins)
        for column, calibration in enumerate(report.calibration):
            _calibration_panel(panels[:, column], calibration, column)
            panels[1, column].set_ylim(0.7, 3 * most)
        panels[0, 0].legend(loc="upper left", frameon=False)
        panels[0, 0].set_ylabel("observed share")
        panels[1, 0].set_ylabel("positions")
        figure.align_ylabels()
        figure.supxlabel("predicted chance", fontsize=10)
    return files


def draw_importance(importances: Sequence[Importance], path: Path) -> tuple[Path, Path]:
    """Draw what shuffling each group of features costs, in log-loss and accuracy; bars end with their sd.

    Arguments and errors are those of `draw_calibration`; the first group stands at the top.

    Raises:
        BadData: There is no group.
    """
    if not importances:
        raise BadData("there is no group of features to draw")
    with drawing(path, 9.6, 1.7 + 0.34 * len(importances)) as (figure, files):
        figure.suptitle("What is lost when a group of features is shuffled")
        left, right = figure.subplots(1, 2, sharey=True)
        names = [f"{each.group} ({each.features})" for each in importances]
        _importance_panel(
            left, "rise of log-loss", BLUE, [(each.log_loss, each.log_loss_sd) for each in importances]
        )
        _importance_panel(
            right,
            "loss of accuracy (percentage points)",
            ORANGE,
            [(100 * each.accuracy, 100 * each.accuracy_sd) for each in importances],
        )
        left.set_yticks(range(len(names)), names)
        left.invert_yaxis()
        left.set_ylabel("group (its features)")
    return files


def draw_confusion(report: Report, path: Path) -> tuple[Path, Path]:
    """Draw how many positions of each class are predicted as each; shades are shares of what is so.

    Arguments and errors are those of `draw_calibration`.
    """
    counts = np.array(report.confusion)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    with drawing(path, 5.8, 4.6) as (figure, files):
        panel = figure.subplots()
        panel.grid(visible=False)
        image = panel.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        for row, column in np.ndindex(counts.shape):
            panel.text(
                column,
                row,
                f"{counts[row, column]:,}\n{shares[row, column]:.1%}",
                ha="center",
                va="center",
                color="white" if shares[row, column] > 0.6 else "black",
            )
        panel.set_xticks(range(len(LABELS)), LABELS)
        panel.set_yticks(range(len(LABELS)), LABELS)
        panel.set_xlabel("predicted")
        panel.set_ylabel("true")
        panel.set_title(f"Accuracy {report.accuracy:.1%} of {_positions(report)}")
        bar = figure.colorbar(image, ax=panel, shrink=0.85)
        bar.set_label("share of the row")
        bar.outline.set_visible(False)
    return files


def draw_learning(
    rounds: Sequence[int], train: Sequence[float], held: Sequence[float], path: Path
) -> tuple[Path, Path]:
    """Draw the log-loss by round, of positions learnt from and of those held out, and mark the best round.

    Arguments and errors are those of `draw_calibration`.

    Args:
        rounds: The rounds, rising.
        train: After each of them.
        held: Likewise.
        path: Where.

    Raises:
        BadData: There are no rounds, or not as many of both.
    """
    if not len(train) or len({len(rounds), len(train), len(held)}) > 1:
        raise BadData(f"a learning curve needs as many rounds of both, not {len(train)} and {len(held)}")
    best = int(np.argmin(held))
    with drawing(path, 6.4, 4.0) as (figure, files):
        panel = figure.subplots()
        mark = "." if len(rounds) < 20 else ""
        panel.plot(rounds, train, color=ORANGE, linestyle="--", marker=mark, label="learnt from")
        panel.plot(rounds, held, color=BLUE, marker=mark, label="held out")
        words = f"best held out: {held[best]:.4f}, round {rounds[best]:,}"
        panel.plot([rounds[best]], [held[best]], color="black", marker="o", linestyle="none", label=words)
        ticker = require("matplotlib.ticker", "learn")
        panel.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
        panel.set_xlim(0, 1.02 * rounds[-1] + 1)
        panel.set_xlabel("round")
        panel.set_ylabel("log-loss")
        panel.set_title("Log-loss by round of boosting")
        panel.legend(frameon=False)
    return files


def _calibration_panel(panels: Any, calibration: Calibration, number: int) -> None:
    """One class: shares above, counts below."""
    upper, lower = panels
    colour, mark = _CLASS_LOOKS[number]
    filled = [each for each in calibration.bins if each.count]
    upper.plot([0, 1], [0, 1], color="#444444", linestyle=":", linewidth=1, label="as predicted")
    points = [(each.predicted, each.observed) for each in filled]
    upper.plot(*zip(*points, strict=True), color=colour, marker=mark, clip_on=False)
    upper.set_title(f"{calibration.name} (calibration error {calibration.error:.3f})")
    upper.set_xlim(0, 1)
    upper.set_ylim(-0.03, 1.03)
    width = 1 / len(calibration.bins)
    middles = [(each.low + each.high) / 2 for each in filled]
    lower.bar(middles, [each.count for each in filled], width=0.85 * width, color=colour)
    lower.set_yscale("log")
    lower.yaxis.set_major_formatter("{x:,.0f}")
    lower.minorticks_off()


def _importance_panel(panel: Any, label: str, colour: str, bars: list[tuple[float, float]]) -> None:
    """Bars from the top, each with its sd."""
    means, sds = zip(*bars, strict=True)
    panel.barh(range(len(bars)), means, xerr=sds, color=colour, height=0.7, ecolor="black", capsize=3)
    panel.grid(visible=False, axis="y")
    panel.axvline(0, color="black", linewidth=0.8)
    panel.set_xlabel(label)


def _positions(report: Report) -> str:
    return f"{report.positions:,} position{'s' if report.positions != 1 else ''}"


@contextmanager
def drawing(path: Path, width: float, height: float) -> Iterator[tuple[Any, tuple[Path, Path]]]:
    """An empty figure, in inches, which is then written to the two files that are given with it."""
    stem = path.name.removesuffix(".svg").removesuffix(".png")
    vector, pixels = path.with_name(f"{stem}.svg"), path.with_name(f"{stem}.png")
    matplotlib = require("matplotlib", "learn")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever somebody likes for their own drawings
        matplotlib.rcParams.update(_STYLE)
        # Without pyplot there is no window and nothing to close.
        figure = require("matplotlib.figure", "learn").Figure(figsize=(width, height), layout="constrained")
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)  # inches; less cuts labels off
        yield figure, (vector, pixels)
        with data_file(vector) as fresh_vector, data_file(pixels) as fresh_pixels:
            figure.savefig(fresh_vector, format="svg", metadata={"Date": None})
            figure.savefig(fresh_pixels, format="png", dpi=_DOTS_PER_INCH)
