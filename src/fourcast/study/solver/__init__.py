"""The exact solver: what it takes, what its ideas bring, and what small boards are worth."""

from __future__ import annotations

from fourcast.study.solver.findings import PUBLISHED, findings_of
from fourcast.study.solver.measuring import tasks_of
from fourcast.study.study import Study

STUDY = Study(
    "solver",
    "The exact solver",
    "How many nodes and how much time does a position take, by stage and difficulty; what does each idea of "
    "the search bring; how does it go with threads and with the size of the table; and what are small boards "
    "worth?",
    tasks_of,
    findings_of,
    PUBLISHED,
)
