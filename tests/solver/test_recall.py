"""The book alone says what the solver says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.solver import Solver
from fourcast.solver.book import Book, shipped_book
from fourcast.solver.recall import recall

LAST = 7  # discs of the positions whose columns are all in the book


def book() -> Book:
    found = shipped_book(Position().geometry)
    assert found is not None
    return found


@given(st.lists(st.integers(0, 6), max_size=LAST))
def test_it_says_of_every_column_what_the_solver_says(columns: list[int]) -> None:
    position = Position()
    for column in columns:
        if column in position.legal:  # none when the game is over
            position = position.play(column)
    if position.is_over:
        return
    recalled = recall(book(), position)
    solved = Solver(position.geometry, 16).analyze(position, limit=Limit(), line=Limit(depth=1))
    assert recalled is not None
    assert (recalled.scores, recalled.score, recalled.column) == (solved.scores, solved.score, solved.column)
    score = recalled.score
    assert score is not None
    for column in recalled.pv[:-1]:  # every move of the line keeps the score
        position, score = position.play(column), -score
        assert book().score(position) == score


def test_beyond_the_book_it_says_nothing() -> None:
    position = Position.from_moves("1234567")
    assert recall(book(), position) is not None
    assert recall(book(), position.play(0)) is None


def test_a_win_at_once_is_in_it() -> None:
    recalled = recall(book(), Position.from_moves("435362"))
    assert recalled is not None
    assert (recalled.column, recalled.score, recalled.pv) == (6, 18, (6,))
