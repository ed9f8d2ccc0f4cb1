"""How strong a network became, generation by generation, drawn as SVG and PNG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.learning.plots import BLUE, GREY, ORANGE, drawing
from fourcast.learning.selfplay.generation import STAGES, Generation
from fourcast.learning.selfplay.grader import ALL

_LOOKS = dict(
    zip((*STAGES, ALL), ((ORANGE, "--"), (BLUE, "-."), ("#009E73", ":"), ("black", "-")), strict=True)
)


def draw_strength(done: Sequence[Generation], path: Path, title: str) -> tuple[Path, Path]:
    """Draw the shares of good and of perfect moves and the value's error, by stage of the game.

    Where nothing was graded, the losses and what each network took from the champion are drawn instead.

    Args:
        done: The generations.
        path: Where, with or without an ending; there will be a .svg and a .png.
        title: What was trained.

    Returns:
        The two files.

    Raises:
        BadData: There are no generations, or the files cannot be written.
    """
    if not done:
        raise BadData("a chart of strength needs a generation")
    games = sum(each.games for each in done)
    minutes = sum(each.took for each in done) / 60
    with drawing(path, 12.0, 4.0) as (figure, files):
        figure.suptitle(f"{title}: {games:,} games against itself, {minutes:.0f} minutes")
        panels = figure.subplots(1, 3)
        if any(each.grades for each in done):
            _draw_grades(panels, done)
        else:
            _draw_losses(panels, done)
        ticker = require("matplotlib.ticker", "learn")
        for panel in panels:
            panel.set_xlabel("generation")
            panel.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    return files


def _draw_grades(panels: Any, done: Sequence[Generation]) -> None:
    graded = [each for each in done if each.grades]
    for panel, name, words, scale in zip(
        panels,
        ("good", "perfect", "error"),
        ("good moves without search (%)", "perfect moves without search (%)", "error of the value"),
        (100, 100, 1),
        strict=True,
    ):
        for stage, (colour, line) in _LOOKS.items():
            shown = [each for each in graded if stage in each.grades]
            if not shown:
                continue
            values = [scale * getattr(each.grades[stage], name) for each in shown]
            last = f"{values[-1]:.1f}%" if scale == 100 else f"{values[-1]:.2f}"
            panel.plot(
                [each.number for each in shown],
                values,
                color=colour,
                linestyle=line,
                marker="." if len(shown) < 20 else "",
                label=f"{stage}: {last}",
            )
        panel.set_ylabel(words)
        panel.legend(frameon=False)


def _draw_losses(panels: Any, done: Sequence[Generation]) -> None:
    numbers = [each.number for each in done]
    for panel, words, values in zip(
        panels,
        ("loss of the policy", "error of the value", "points against the champion (%)"),
        (
            [each.policy_loss for each in done],
            [each.value_error for each in done],
            [math.nan if each.share is None else 100 * each.share for each in done],
        ),
        strict=True,
    ):
        panel.plot(numbers, values, color=BLUE, marker=".")
        panel.set_ylabel(words)
    panels[2].axhline(50, color=GREY, linewidth=1)
