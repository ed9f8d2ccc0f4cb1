"""Kernels that run as plain Python give the answers of the compiled ones, node for node."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

# Runs here, compiled, and in a process that has no Numba.
QUESTIONS = """
import random
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.search.deepening import Deepening
from fourcast.solver import Solver
from fourcast.solver.recall import recall


def positions(geometry, count, ply):
    chance = random.Random(7)
    while count:
        position = Position(geometry)
        while position.ply < ply and not position.is_over:
            position = position.play(chance.choice(position.legal))
        if not position.is_over:
            count -= 1
            yield position


def answers(board, early, late):
    geometry = Geometry.parse(board)
    solver, search = Solver(geometry, book=False), Deepening(geometry, evaluation="threats", whole=True)
    found = []
    for position in positions(geometry, 6, late):
        solved = solver.solve(position, limit=Limit(nodes=3000))
        found.append([solved.score, solved.bounds, solved.column, solved.pv, solved.nodes])
    for position in positions(geometry, 4, early):
        seen = search.search(position, Limit(depth=4))
        found.append([seen.column, seen.values, seen.pv, seen.nodes, seen.cutoffs, seen.table_hits])
    known = Solver(geometry).book
    if known:
        for position in positions(geometry, 20, 5):
            found.append([known.score(position), recall(known, position).scores])
    return found
"""

WITHOUT_NUMBA = """
import sys, json
sys.modules["numba"] = sys.modules["llvmlite"] = None
from fourcast.kernels.plain import stand_in
stand_in()
"""


def compiled(*question: Any) -> Any:
    names: dict[str, Any] = {}
    exec(QUESTIONS, names)
    return json.loads(json.dumps(names["answers"](*question)))


def plain(*question: Any) -> Any:
    script = f"{WITHOUT_NUMBA}{QUESTIONS}\nprint(json.dumps(answers(*{question!r})))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_standard_board() -> None:
    question = ("6x7x4", 9, 25)
    assert plain(*question) == compiled(*question)


@pytest.mark.slow
@pytest.mark.parametrize("question", [("8x10x5", 12, 66), ("5x5x4", 4, 10), ("8x7x4", 9, 44)])
def test_boards_of_other_widths(question: tuple[str, int, int]) -> None:
    assert plain(*question) == compiled(*question)


def test_it_comes_before_the_first_kernel_or_not_at_all() -> None:
    from fourcast.kernels import tricks
    from fourcast.kernels.plain import stand_in

    with pytest.raises(RuntimeError, match="is in use"):
        stand_in()
    assert hasattr(tricks.has_line, "py_func")  # Numba's still
