"""From a study to its files: measure, find, write, join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fourcast.extras import require
from fourcast.study.files import open_folder, write_part
from fourcast.study.registry import NAMES
from fourcast.study.report import check_report, parts_of, write_report
from fourcast.study.running import measure_study
from fourcast.study.study import Advance, Settings, Study

Part = dict[str, Any]


def conduct(
    studies: Sequence[Study],
    settings: Settings,
    out: Path,
    *,
    jobs: int = 1,
    advance: Advance = lambda _what, _done, _total: None,
) -> Iterator[Part]:
    """Conduct studies, one after the other; the report is written anew after each.

    Args:
        studies: Which.
        settings: What is asked of them.
        out: The folder for all of it, made if it is not there.
        jobs: How many processes may be used.
        advance: Told how far each is.

    Yields:
        The part of each, as `study.files.write_part` has it, when the report has it.

    Raises:
        BadData: The folder cannot be written to, or has something else in it; nothing was measured then.
        MissingExtra: A package is missing that one of them needs; nothing was measured then.
    """
    for study in studies:
        for module, extra in (("matplotlib", "learn"), *study.extras):
            require(module, extra)
    check_report(out)
    parts_of(out, NAMES)
    folders = [open_folder(out, study.name, quick=settings.quick) for study in studies]
    for study, folder in zip(studies, folders, strict=True):
        measured = measure_study(study, settings, folder, jobs, advance)
        part = write_part(folder, study, settings, measured, study.findings(settings, measured.found))
        write_report(out, NAMES)
        yield part
