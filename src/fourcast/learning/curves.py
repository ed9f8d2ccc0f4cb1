"""Learning curves of networks, drawn as SVG and PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.learning.course_state import Epoch
from fourcast.learning.plots import BLUE, GREY, ORANGE, drawing


def draw_course(curve: Sequence[Epoch], path: Path, title: str) -> tuple[Path, Path]:
    """Draw the loss and the share of good and perfect moves by epoch.

    Args:
        curve: The epochs.
        path: Where, with or without an ending; there will be a .svg and a .png.
        title: What was trained.

    Returns:
        The two files.

    Raises:
        BadData: There are no epochs, or the files cannot be written.
    """
    if not curve:
        raise BadData("a learning curve needs an epoch")
    epochs = [each.epoch for each in curve]
    mark = "." if len(curve) < 20 else ""
    with drawing(path, 9.6, 4.0) as (figure, files):
        figure.suptitle(f"Learning: {title} ({curve[-1].held.positions:,} positions held out)")
        left, right = figure.subplots(1, 2)
        learnt, judged = [each.loss for each in curve], [each.held.loss for each in curve]
        left.plot(epochs, learnt, color=ORANGE, linestyle="--", marker=mark, label="learnt from")
        left.plot(epochs, judged, color=BLUE, marker=mark, label="held out")
        left.set_ylabel("loss")
        left.set_ylim(bottom=0)
        differs = any(each.held.good != each.held.perfect for each in curve)
        name = "perfect" if differs else "as was meant"
        shares = [(name, BLUE, "-", [each.held.perfect for each in curve])]
        if differs:
            shares.append(("good", GREY, "--", [each.held.good for each in curve]))
        for label, colour, line, values in shares:
            percent = [100 * value for value in values]
            words = f"{label}: {percent[-1]:.1f}%"
            right.plot(epochs, percent, color=colour, linestyle=line, marker=mark, label=words)
        right.set_ylabel("moves held out (%)")
        ticker = require("matplotlib.ticker", "learn")
        for panel in (left, right):
            panel.set_xlabel("epoch")
            panel.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
            panel.legend(frameon=False)
    return files
