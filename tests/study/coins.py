"""A study in little: coins are thrown, and what comes up is compared with what was published."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fourcast.study.charts import draw_bars, draw_lines, finish
from fourcast.study.findings import Beside, Column, Findings, Plot, Section, Table
from fourcast.study.study import Desk, Found, Published, Settings, Study, Task

HANDS = ("left", "right", "both")


def throw(arguments: dict[str, Any], desk: Desk) -> Found:
    """Throw coins; a file in the folder counts how often that was asked."""
    log = desk.folder / "thrown"
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{arguments['hand']}\n")
    chance = random.Random(f"{arguments['hand']} {arguments['seed']}")
    before = sum(each["heads"] for each in desk.earlier.values())
    return {"heads": before + sum(chance.random() < 0.5 for _ in range(arguments["throws"]))}


def tasks(settings: Settings) -> Sequence[Task]:
    throws = settings.choose(10, 100)
    asked = [{"hand": hand, "throws": throws, "seed": settings.seed} for hand in HANDS]
    return [
        Task("left", throw, asked[0], alone=False),
        Task("right", throw, asked[1], alone=False),
        Task("both", throw, asked[2], needs=("left", "right")),
    ]


def findings(_settings: Settings, found: Mapping[str, Found]) -> Findings:
    heads = {hand: found[hand]["heads"] for hand in HANDS}

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        draw_lines(left, [1, 2, 3], {"heads": list(heads.values())})
        finish(left, "hand", "heads")
        draw_bars(right, HANDS, {"heads": list(heads.values())})

    table = Table(
        "heads",
        "Heads by hand",
        (Column("hand", "hand"), Column("heads", "heads", "count")),
        [*heads.items()],
        HANDS,
    )
    words = ["Thrown with `random`; 1 < 2 & no more."]
    return Findings(
        [Section("Throws", words, [table, Plot("throws", "Heads", draw, "By hand.")])],
        [Beside("heads", str(heads["both"]), "About half, as must be.")],
    )


STUDY = Study(
    "coins", "Coins <thrown>", "How often is it heads?", tasks, findings, (Published("heads", "always"),)
)


def thrown(folder: Path) -> list[str]:
    """Which hands have thrown, in that order."""
    log = folder / "work" / "thrown"
    return log.read_text(encoding="utf-8").split() if log.exists() else []


def without(**changes: Any) -> Study:
    """The study with something else in it."""
    return replace(STUDY, **changes)
