"""The search trees of minimax and alpha-beta, and a game."""

from __future__ import annotations

from fourcast.study.study import Study
from fourcast.study.tree.findings import findings_of
from fourcast.study.tree.measuring import tasks_of

STUDY = Study(
    "tree",
    "Search trees, side by side",
    "What do minimax and alpha-beta look at, what is left out, and what does that look like over a whole "
    "game?",
    tasks_of,
    findings_of,
)
