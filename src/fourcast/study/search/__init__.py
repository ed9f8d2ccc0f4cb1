"""Minimax against alpha-beta, and what helps alpha-beta."""

from __future__ import annotations

from fourcast.study.search.findings import PUBLISHED, findings_of
from fourcast.study.search.measuring import tasks_of
from fourcast.study.study import Study

STUDY = Study(
    "search",
    "Minimax against alpha-beta",
    "How many nodes and how much time does alpha-beta save, by depth, position and stage of the game; does "
    "it always play what minimax plays; and what do the order of moves, iterative deepening and a "
    "transposition table bring?",
    tasks_of,
    findings_of,
    PUBLISHED,
)
