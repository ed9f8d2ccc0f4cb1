"""`fourcast study`: published results, measured again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fourcast.cli import FOUND_WRONG, Stopped, complain
from fourcast.cli.ctrl_c import remembered
from fourcast.cli.options import JsonOption
from fourcast.cli.screen import progress, write_json
from fourcast.game.errors import BadOption

ALL, LIST = "all", "list"


def study(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Studies by name; all of them; or list, to see them."),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Less of everything: each is done within two minutes.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for data, plots and report.")
    ] = Path("study"),
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Where chance starts.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", min=1, help="Processes to use; one a core by default."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure again what was published, and write it down: tables, plots and one report.

    Every measurement is kept as soon as it is made. Ctrl-C stops, and the same command goes on.
    Needs the extra: learn.
    """
    if names == [LIST]:
        _list(as_json)
        return
    if LIST in names or (ALL in names and len(names) > 1):
        raise BadOption("NAME: give list or all alone, or names of studies")
    from fourcast.study.conducting import conduct
    from fourcast.study.registry import NAMES, find_study
    from fourcast.study.report import REPORT
    from fourcast.study.study import Settings
    from fourcast.workers.processes import cores

    studies = [find_study(name) for name in dict.fromkeys(NAMES if names == [ALL] else names)]
    settings = Settings(quick, seed)
    parts: list[dict[str, Any]] = []
    try:
        with remembered() as heeding, progress() as shown:
            advance = heeding(shown)
            parts.extend(conduct(studies, settings, out, jobs=jobs or cores(), advance=advance))
    except KeyboardInterrupt:
        raise Stopped(f"stopped; what is measured is in {out}, and the same command goes on") from None
    report = out / REPORT
    if as_json:
        write_json({"report": str(report), "studies": parts})
    else:
        for part in parts:
            print(_words(part))
        print(report)
    faults = [f"{part['study']}: {fault}" for part in parts for fault in part["faults"]]
    for fault in faults:
        complain(fault)
    if faults:
        raise typer.Exit(FOUND_WRONG)


def _list(as_json: bool) -> None:
    from fourcast.study.registry import NAMES, find_study

    studies = [find_study(name) for name in NAMES]
    if as_json:
        write_json(
            [
                {
                    "study": each.name,
                    "title": each.title,
                    "about": each.about,
                    "published": [{"name": one.name, "published": one.figure} for one in each.published],
                }
                for each in studies
            ]
        )
        return
    for each in studies:
        print(f"{each.name:<10}{each.title}"[:80])


def _words(part: dict[str, Any]) -> str:
    """What was done for a study, in a line."""
    from fourcast.study.wording import seconds_text

    items = [item for section in part["sections"] for item in section["items"]]
    tables, plots = (sum(kind in item for item in items) for kind in ("table", "plot"))
    figures = len(part["published"])
    took = seconds_text(part["seconds"])
    return f"{part['study']}: {tables} tables, {plots} plots, {figures} published figures beside ours, {took}"
