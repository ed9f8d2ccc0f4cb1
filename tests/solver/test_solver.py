"""Exact scores: against a naive search on small boards, and against themselves everywhere."""

from __future__ import annotations

import threading
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadLimit, BadShape, GameOver, Geometry, Limit, Position
from fourcast.game.analysis import plies_to_end
from fourcast.solver import Solver
from tests import naive
from tests.boards import play_peacefully, play_some, twin

SMALL = ["4x4x3", "4x5x4", "5x4x4", "3x7x3", "4x4x4", "3x3x3", "1x8x3", "8x1x3"]
#: Late positions of boards whose keys take one word, two and three in the table.
LARGE = ["6x7x4", "7x8x4", "8x10x5", "9x12x4", "15x8x12", "5x10x4", "10x5x4"]


@cache
def solver(board: str) -> Solver:
    return Solver(board, table_mb=8, book=False)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["4x4x3", "3x5x3", "3x3x3", "1x8x3", "8x1x3", "4x4x4", "2x7x4"])
def test_small_boards_from_the_start(board: str) -> None:
    position = Position(board)
    assert solver(board).solve(position).score == naive.score(*twin(position))


@pytest.mark.slow
@settings(max_examples=100)
@given(st.sampled_from(SMALL + LARGE), st.integers(0, 2**32))
def test_scores_are_those_of_the_naive_search(board: str, seed: int) -> None:
    geometry = Geometry.parse(board)
    most = 11 if board in LARGE else 9
    position = play_peacefully(geometry, seed, max(geometry.cells - most, 0))
    if position.is_over:
        return
    grid = twin(position)
    analysis = solver(board).analyze(position)
    assert analysis.exact
    assert analysis.score == naive.score(*grid)
    for column, score in enumerate(analysis.scores or ()):
        if column in position.legal:
            assert score == -naive.score(grid[0], naive.drop(grid[1], column))
        else:
            assert score is None


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_what_solve_says_hangs_together(seed: int) -> None:
    position = play_some(Geometry(6, 7, 4), seed)
    if position.is_over or position.ply < 14:
        return
    ask = solver("6x7x4")
    solved = ask.solve(position)
    assert solved.score is not None
    analysis = ask.analyze(position)
    assert solved.score == analysis.score == max(s for s in analysis.scores or () if s is not None)
    assert ask.solve(position.mirror()).score == solved.score
    assert ask.solve(position, weak=True).value == (solved.score > 0) - (solved.score < 0)
    assert (analysis.scores or ())[solved.column] == solved.score
    end = position
    for column in solved.pv:
        end = end.play(column)
    assert end.is_over
    assert len(solved.pv) == plies_to_end(position, solved.score)


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("4x4x4", 0),
        ("4x5x4", 0),
        ("5x4x4", 0),
        ("5x5x4", 0),
        ("4x6x4", -1),
        ("4x7x4", 0),
        ("5x6x4", 0),
        ("6x5x4", 0),
    ],
)
@pytest.mark.slow
def test_published_outcomes_of_empty_boards(board: str, value: int) -> None:
    answer = Solver(board, table_mb=16).solve(Position(board), weak=True)
    assert answer.exact
    assert answer.value == value


def test_a_limit_is_kept_and_says_what_was_proven() -> None:
    ask = Solver(table_mb=8, book=False)
    answer = ask.solve(Position(), limit=Limit(nodes=20_000))
    assert not answer.exact
    assert answer.nodes == 20_000
    assert ask.solve(Position(), limit=Limit(nodes=3)).nodes == 3
    assert answer.bounds is not None
    assert answer.bounds[0] <= 1 <= answer.bounds[1], "the first player wins with the last disc but one"
    assert answer.column == 3
    timed = ask.solve(Position(), limit=Limit(seconds=0.2))
    assert not timed.exact
    partly = ask.analyze(Position(), limit=Limit(nodes=20_000))
    assert not partly.exact
    assert partly.score is None
    weakly = ask.solve(Position.from_moves("444"), weak=True, limit=Limit(nodes=20_000))
    assert weakly.bounds in ((-21, 21), (-21, 0), (0, 21)), "of the score, not of its sign"


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "seen_there"), [("424242", {"win"}), ("44444355", {"no win"})])
def test_an_analysis_cut_short_plays_a_win_that_it_has_seen(moves: str, seen_there: set[str]) -> None:
    position = Position.from_moves(moves)
    whole = Solver(table_mb=8, book=False).analyze(position)
    assert whole.exact
    seen = set()
    for nodes in range(1, whole.nodes, whole.nodes // 40):
        cut = Solver(table_mb=8, book=False).analyze(position, limit=Limit(nodes=nodes))
        known = [score for score in cut.scores or () if score is not None]
        assert cut.bounds is not None
        assert cut.bounds[0] <= (whole.score or 0) <= cut.bounds[1]
        if known:
            assert cut.bounds[0] == max(known)
            if max(known) > 0:
                assert (cut.scores or ())[cut.column] == max(known)
                seen.add("win")
            elif not cut.exact:
                assert (cut.scores or ())[cut.column] is None, "not a column that is known to be no good"
                seen.add("no win")
    assert seen == seen_there


def test_a_limit_that_ends_between_score_and_line_leaves_what_is_proven() -> None:
    """Many numbers of nodes on the way to the full answer."""
    position = Position.from_moves("4444433522")
    whole = Solver(table_mb=1, book=False).solve(position)
    sides = Solver(table_mb=1, book=False).solve(position, weak=True)
    assert whole.score is not None
    seen = set()
    for nodes in range(1, whole.nodes + 1, whole.nodes // 90):
        cut = Solver(table_mb=1, book=False).solve(position, limit=Limit(nodes=nodes))
        assert cut.bounds is not None
        assert cut.bounds[0] <= whole.score <= cut.bounds[1]
        assert cut.score in (None, whole.score)
        if cut.exact:
            assert cut.column == whole.column
            assert cut.pv == whole.pv[: len(cut.pv)]
        seen.add((cut.exact, cut.score is None))
        weak = Solver(table_mb=1, book=False).solve(position, weak=True, limit=Limit(nodes=nodes))
        assert weak.score is None
        assert weak.value in (None, sides.value)
    assert seen == {(False, True), (False, False), (True, False)}, "cut before, between and after"


def test_another_thread_can_stop_it() -> None:
    ask = Solver(table_mb=8, book=False)
    threading.Timer(0.3, ask.stop).start()
    assert not ask.solve(Position()).exact
    assert ask.solve(Position.from_moves("1212121"[:6])).exact, "the next question is answered again"


def test_the_table_is_kept_until_it_is_cleared() -> None:
    position = Position.from_moves("4444433522")
    ask = Solver(table_mb=8, book=False)
    first, again = ask.solve(position).nodes, ask.solve(position).nodes
    ask.clear()
    assert again < first == ask.solve(position).nodes


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(GameOver, match="the game is over"):
        Solver(table_mb=1, book=False).solve(Position.from_moves("1212121"))
    with pytest.raises(BadShape, match="the solver is for 6x7x4"):
        Solver(table_mb=1, book=False).solve(Position("5x5x4"))
    with pytest.raises(BadLimit, match="table_mb 0"):
        Solver(table_mb=0)
    with pytest.raises(BadLimit, match="on board 9x12x4 it must be 2 or more"):
        Solver("9x12x4", table_mb=1)
    with pytest.raises(BadLimit, match="not that much memory"):
        Solver(table_mb=2**40)
