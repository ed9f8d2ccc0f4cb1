"""An idea changes what a score costs, and never the score."""

from __future__ import annotations

import random

import pytest

from fourcast import Position
from fourcast.kernels.ideas import IDEAS
from fourcast.solver import Solver
from fourcast.solver.leaving_out import LessSolver

BOARD = "5x5x4"


def positions(count: int) -> list[Position]:
    chance = random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        position = Position(BOARD)
        for _ in range(chance.randint(4, 16)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("left_out", [0, *IDEAS, sum(IDEAS)], ids=["nothing", *IDEAS.values(), "everything"])
def test_the_score_is_the_same_without(left_out: int) -> None:
    asked = positions(100)
    wanted = Solver(BOARD, book=False).solve_many(asked, fresh=True)
    solver = LessSolver(asked[0], left_out)
    counts = [solver.count(position) for position in asked]
    assert [each.score for each in counts] == wanted.lower.tolist()
    same = [each.nodes for each in counts] == wanted.nodes.tolist()
    if not left_out:
        assert same, "with all ideas it is the solver itself"


@pytest.mark.slow
def test_nodes_can_run_out() -> None:
    solver = LessSolver(Position(BOARD), sum(IDEAS))
    counted = solver.count(Position(BOARD), 1000)
    assert counted.score is None
    assert counted.nodes == 1000
    assert solver.count(positions(1)[0]).score is not None
