"""The studies, by name."""

from __future__ import annotations

import importlib

from fourcast.game.errors import BadOption, shown
from fourcast.study.study import Study

#: In the order of the report. Each is the module, or the package, `fourcast.study.NAME`, with `STUDY` in it.
NAMES: tuple[str, ...] = (
    "search",
    "tree",
    "robots",
    "hybrid",
    "slip",
    "contest",
    "solver",
    "learning",
)


def find_study(name: str) -> Study:
    """The study of that name.

    Raises:
        BadOption: There is none.
    """
    if name not in NAMES:
        raise BadOption(f"there is no study {shown(name)}: it is one of {', '.join(NAMES)}, or all")
    study: Study = importlib.import_module(f"fourcast.study.{name}").STUDY
    return study
