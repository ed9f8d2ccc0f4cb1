"""Openings: random, fair, always the same, and never twice."""

from __future__ import annotations

from itertools import islice

import pytest

from fourcast import BadOption, Position, Rules
from fourcast.arena.openings import Openings, is_solvable
from fourcast.solver import Solver


def starts(openings: Openings, count: int, rules: Rules | None = None) -> list[Position]:
    rules = rules or Rules()
    return [Position.from_moves(each, rules.geometry) for each in islice(openings.starts(rules), count)]


@pytest.mark.slow
def test_openings_are_drawn_and_all_different() -> None:
    found = starts(Openings(), 60)
    assert {start.ply for start in found} <= set(range(9))
    assert len({start.ply for start in found}) > 3
    solver = Solver()
    assert {solver.solve(start).score for start in found} == {0}
    assert len({start.canonical_key for start in found}) == 60, "mirror images are the same opening"


def test_the_same_seed_gives_the_same_openings() -> None:
    assert starts(Openings(seed=3), 10) == starts(Openings(seed=3), 10)
    assert starts(Openings(seed=3), 10) != starts(Openings(seed=4), 10)


def test_a_number_of_openings_comes_round_again() -> None:
    found = starts(Openings(count=3), 7)
    assert found[:3] == found[3:6]
    assert found[6] == found[0]


def test_plies_are_kept_and_nobody_has_won_or_can_at_once() -> None:
    rules = Rules("5x5x3", 0.2)
    for start in starts(Openings((2, 4), fair=False), 50, rules):
        assert not start.is_over
        assert not start.winning_columns(start.turn)
        assert start.ply <= 4
    assert {start.ply for start in starts(Openings((6, 6), fair=False), 20)} == {6}
    assert starts(Openings((0, 0)), 3) == [Position()] * 3


@pytest.mark.slow
def test_where_no_opening_is_drawn_any_will_do() -> None:
    rules = Rules("4x4x3")  # the first player wins
    assert is_solvable(rules)
    found = starts(Openings((0, 1)), 5, rules)
    assert all(start.ply <= 1 for start in found)


@pytest.mark.slow
def test_a_board_that_is_too_large_and_slip_are_not_solved() -> None:
    assert is_solvable(Rules())
    assert not is_solvable(Rules(slip=0.1))
    assert not is_solvable(Rules("8x10x5"))
    assert len(starts(Openings(), 5, Rules("8x10x5"))) == 5


def test_plies_that_make_no_sense() -> None:
    with pytest.raises(BadOption, match="openings of 5 to 3 plies"):
        Openings((5, 3))
