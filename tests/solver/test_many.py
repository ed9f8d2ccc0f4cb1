"""Many positions in one crossing, and several threads."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadLimit, BadShape, GameOver, Geometry, Limit, Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.state import LEAVE
from fourcast.kernels.teamwork import help_out
from fourcast.solver import Solver
from tests import naive
from tests.boards import play_peacefully, twin

HARD = Position.from_moves("4444433522")  # some ten thousands of nodes


@cache
def solver(board: str, threads: int) -> Solver:
    return Solver(board, table_mb=8, threads=threads, book=False)


def late_positions(board: str, seed: int, count: int = 6) -> list[Position]:
    geometry = Geometry.parse(board)
    plies = max(geometry.cells - 7, 0)
    games = (play_peacefully(geometry, seed + index, plies) for index in range(count))
    return [position for position in games if not position.is_over]


@pytest.mark.slow
@settings(max_examples=20)
@given(
    st.sampled_from(["4x4x4", "4x5x4", "3x7x3", "6x7x4", "7x8x4", "8x10x5"]),
    st.integers(0, 2**32),
    st.sampled_from([1, 2, 3]),
)
def test_scores_of_many_are_those_of_the_naive_search(board: str, seed: int, threads: int) -> None:
    positions = late_positions(board, seed)
    if not positions:
        return
    exact = [naive.score(*twin(position)) for position in positions]
    found = solver(board, threads).solve_many(positions)
    assert found.exact.all()
    assert found.scores.tolist() == exact
    weak = solver(board, threads).solve_many(Batch.of(positions), weak=True)
    assert weak.scores.tolist() == np.sign(exact).tolist()


def test_each_can_find_the_table_empty() -> None:
    ask = Solver(table_mb=8, book=False)
    warm = ask.solve_many([HARD, HARD])
    assert warm.nodes[1] < warm.nodes[0] / 10
    cold = ask.solve_many([HARD] * 5, fresh=True)
    assert set(cold.nodes) == {warm.nodes[0]}
    assert set(cold.scores) == {warm.scores[0]}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_for_many_marks_those_that_are_not_done(threads: int) -> None:
    ask = Solver(table_mb=8, threads=threads, book=False)
    positions = [Position.from_moves("7" * 6), HARD, Position(), Position.from_moves("4")]
    found = ask.solve_many(positions, limit=Limit(nodes=200_000))
    assert not found.exact[2:].any()
    assert (found.lower[2:] < found.upper[2:]).all()
    assert found.lower[2] <= 1 <= found.upper[2]
    assert found.nodes.sum() <= 200_000
    assert not ask.solve_many([Position()], limit=Limit(seconds=0.1)).exact.any()


def test_what_cannot_be_solved_is_refused_by_its_number() -> None:
    with pytest.raises(GameOver, match="position 1: the game is over"):
        solver("6x7x4", 1).solve_many([HARD, Position.from_moves("1212121")])
    with pytest.raises(BadShape, match="at least one"):
        solver("6x7x4", 1).solve_many([])
    with pytest.raises(BadShape, match="the solver is for 6x7x4"):
        solver("6x7x4", 1).solve_many([Position("5x5x4")])
    with pytest.raises(BadLimit, match="threads 0"):
        Solver(threads=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "moves"),
    [
        ("6x7x4", "4444433522"),
        ("6x7x4", "332"),
        ("7x7x4", "4444445555"),
        ("8x9x4", "12444712355595883175795197863164115699422423"),
    ],
)
def test_threads_agree_with_one_thread(board: str, moves: str) -> None:
    position = Position.from_moves(moves, board)
    limit = Limit(nodes=20_000_000)
    alone = Solver(board, table_mb=16, book=False).solve(position, limit=limit)
    for threads in (2, 3):
        ask = Solver(board, table_mb=16, threads=threads, book=False)
        for _ in range(3):
            together = ask.solve(position, limit=limit)
            assert together.exact
            assert together.score == alone.score
            ask.clear()


def test_a_helper_that_is_late_does_not_disturb_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Solver(table_mb=8, threads=2, book=False)
    helped = []

    def late(*where: Any) -> None:
        help_out(*where)
        ask._memory.states[0, LEAVE] = 1
        helped.append(True)

    monkeypatch.setattr("fourcast.solver.team.help_out", late)
    ask.solve(Position.from_moves("4444433522"))
    assert helped
    assert ask._memory.states[0, LEAVE] == 0


def test_threads_share_out_the_nodes_of_a_limit() -> None:
    ask = Solver(table_mb=8, threads=2, book=False)
    answer = ask.solve(Position(), limit=Limit(nodes=300_000))
    assert not answer.exact
    assert 150_000 <= answer.nodes <= 300_000
    assert answer.bounds is not None
    assert answer.bounds[0] <= 1 <= answer.bounds[1]


def test_threads_use_up_the_nodes_of_a_limit_over_many_questions() -> None:
    ask = Solver(table_mb=8, threads=2, book=False)
    answer = ask.analyze(Position.from_moves("4444433522"), limit=Limit(nodes=100_000))
    assert not answer.exact
    assert 80_000 <= answer.nodes <= 100_000


def test_threads_can_be_stopped() -> None:
    ask = Solver(table_mb=8, threads=2, book=False)
    ask.prepare()
    threading.Timer(0.5, ask.stop).start()
    assert not ask.solve(Position()).exact, "it takes seconds"
    assert ask.solve(HARD).exact, "the next question is answered again"
