"""A study's files: a folder of its own with its measurements, data, plots, and its part of the report.

Quick runs have a folder of their own, `NAME-quick`, so that they never get into the full ones.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fourcast.files import check_folder
from fourcast.game.errors import BadData
from fourcast.learning.files import data_file
from fourcast.learning.plots import drawing
from fourcast.study.charts import is_drawn
from fourcast.study.findings import Findings, Plot, Section, Table
from fourcast.study.running import JOURNAL, WORK, Measured
from fourcast.study.study import Settings, Study

PART = "part.json"
QUICK = "-quick"
_FORMAT = "fourcast study part"
_VERSION = 1


def study_folder(out: Path, name: str, *, quick: bool) -> Path:
    """Where a study's files are."""
    return out / (name + (QUICK if quick else ""))


def open_folder(out: Path, name: str, *, quick: bool) -> Path:
    """The study's folder, made if it is not there.

    Raises:
        BadData: It cannot be written to, or has something else in it.
    """
    folder = study_folder(out, name, quick=quick)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        check_folder(folder)
        (folder / WORK).mkdir(exist_ok=True)
        strangers = {each.name for each in folder.iterdir()} - {WORK}
    except OSError as error:
        raise BadData(
            f"{error.filename or folder}: {os.strerror(error.errno) if error.errno else error}"
        ) from None
    if strangers and JOURNAL not in strangers:
        raise BadData(
            f"{folder}: it has files that are not of a study, like {min(strangers)}; take another -o"
        )
    return folder


def write_part(
    folder: Path, study: Study, settings: Settings, measured: Measured, findings: Findings
) -> dict[str, Any]:
    """Write the findings of a study: CSV, JSON, SVG and PNG, and last of all its part of the report.

    Returns:
        The part, as `part.json` has it. Its `faults` say what is wrong with it: tables without their rows,
        plots on which there is nothing, published figures that have none beside them.

    Raises:
        BadData: A file cannot be written.
    """
    faults = list(findings.faults([each.name for each in study.published]))
    for table in findings.tables:
        _write_csv(folder / f"{table.name}.csv", table)
    for plot in findings.plots:
        faults += _draw(folder, plot)
    measured_here = {each.name: each for each in findings.beside}
    part = {
        _FORMAT: _VERSION,
        "study": study.name,
        "title": study.title,
        "about": study.about,
        "quick": settings.quick,
        "seed": settings.seed,
        "command": command_of(study.name, settings),
        "seconds": round(measured.seconds, 3),
        "days": list(measured.days),
        "machines": measured.machines,
        "published": [
            {
                "name": each.name,
                "published": each.figure,
                "measured": measured_here[each.name].measured if each.name in measured_here else "",
                "remark": measured_here[each.name].remark if each.name in measured_here else "",
            }
            for each in study.published
        ],
        "sections": [_section(section) for section in findings.sections],
        "faults": faults,
    }
    _write_json(folder / f"{study.name}.json", _data(part, findings))
    _write_json(folder / PART, part)
    return part


def read_part(path: Path) -> dict[str, Any]:
    """A part that `write_part` has written.

    Raises:
        BadData: It is something else, or cannot be read.
    """
    try:
        part = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}") from None
    except ValueError:
        part = None
    if not isinstance(part, dict) or part.get(_FORMAT) != _VERSION:
        raise BadData(f"{path}: it is damaged, or not of a study; remove it and run the study again")
    return part


def command_of(name: str, settings: Settings) -> str:
    """The command that gives these findings."""
    return f"fourcast study {name}{' --quick' if settings.quick else ''} --seed {settings.seed}"


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "words": list(section.words),
        "items": [_table(each) if isinstance(each, Table) else _plot(each) for each in section.items],
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "table": table.name,
        "title": table.title,
        "columns": [{"name": each.name, "title": each.title, "kind": each.kind} for each in table.columns],
        "rows": [list(row) for row in table.rows],
        "expected": len(table.expected),
        "note": table.note,
        "shown": table.shown,
    }


def _plot(plot: Plot) -> dict[str, Any]:
    return {"plot": plot.name, "title": plot.title, "caption": plot.caption}


def _data(part: dict[str, Any], findings: Findings) -> dict[str, Any]:
    """What programs read: where it is from, the figures, and each table as a list of rows by name."""
    about = ("study", "title", "quick", "seed", "command", "seconds", "days", "machines", "published")
    return {name: part[name] for name in about} | {
        "tables": {
            table.name: [
                dict(zip([each.name for each in table.columns], row, strict=False)) for row in table.rows
            ]
            for table in findings.tables
        }
    }


def _draw(folder: Path, plot: Plot) -> Iterator[str]:
    """Draw a plot as SVG and PNG; what is wrong with it."""
    with drawing(folder / plot.name, plot.width, plot.height) as (figure, _):
        plot.draw(figure)
        if not figure.axes:
            yield f"plot {plot.name}: there is nothing on it"
        for number, panel in enumerate(figure.axes, 1):
            if panel.axison and not is_drawn(panel):
                yield f"plot {plot.name}, panel {number}: there is nothing on it"


def _write_csv(path: Path, table: Table) -> None:
    with data_file(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([column.name for column in table.columns])
        writer.writerows(table.rows)


def _write_json(path: Path, document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    with data_file(path) as fresh:
        fresh.write_text(f"{text}\n", encoding="utf-8")
