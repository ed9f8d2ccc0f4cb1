"""Expectimax: what is to be expected where discs slip, by the definition."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import GameOver, Geometry, Limit, Position, Rules, agent
from fourcast.search.expectimax import Expectimax
from tests import naive
from tests.boards import play_peacefully, play_some, twin

SLIPS = [0.1, 0.2, 0.5, 0.9]
#: Boards that a naive search can play to the end from this ply on.
FROM = {"4x4x3": 7, "5x5x3": 17, "6x7x4": 35, "8x10x5": 74, "1x8x3": 2}


@cache
def search(board: str, slip: float, *, whole: bool) -> Expectimax:
    """One search for each question, asked again and again; it looks to the end of the game."""
    return Expectimax(Rules(board, slip), 2, solve=128, whole=whole, table_mb=4)


def aims(position: Position, slip: float) -> dict[int, float]:
    """What each column is worth to aim at."""
    board, grid = twin(position)
    return {column: naive.aim_worth(board, grid, column, slip) for column in position.legal}


def check(position: Position, slip: float) -> None:
    wanted = aims(position, slip)
    best = max(wanted.values())
    for whole in (True, False):
        found = search(str(position.geometry), slip, whole=whole).search(position, Limit())
        assert found.exact
        assert found.depth == position.geometry.cells - position.ply
        assert found.value == pytest.approx(best, abs=1e-6)
        assert wanted[found.column] == pytest.approx(best, abs=1e-6)
        assert found.values is not None
        for column, value in enumerate(found.values):
            if column in wanted and (whole or value is not None):
                assert value == pytest.approx(wanted[column], abs=1e-6)
            else:
                assert value is None
        assert found.values[found.column] == found.value


@pytest.mark.parametrize("slip", SLIPS)
def test_a_tiny_board_from_every_early_position(slip: float) -> None:
    for grids in naive.opening_grids(naive.Board(3, 3, 3), 3):
        for grid in grids:
            drawn = [
                ["." if row >= len(column) else "XO"[column[row]] for column in grid] for row in (2, 1, 0)
            ]
            check(Position.from_text("\n".join("".join(row) for row in drawn), 3), slip)


@settings(max_examples=60)
@given(
    st.sampled_from(list(FROM)),
    st.integers(0, 2**32),
    st.sampled_from(SLIPS),
    st.integers(0, 2),
)
def test_late_positions_are_worth_what_the_naive_twin_says(
    board: str, seed: int, slip: float, more: int
) -> None:
    position = play_peacefully(Geometry.parse(board), seed, FROM[board] + more)
    if not position.is_over:
        check(position, slip)


@pytest.mark.parametrize(
    ("board", "value"),
    [("4x4x3", 0.462625), ("4x4x4", 0.003227), ("4x5x3", 0.559892), ("4x5x4", 0.004070)],
)
def test_the_published_values_of_empty_boards(board: str, value: float) -> None:
    found = agent("expectimax", Rules(board, 0.2)).analyze(Position(board), Limit())
    assert found.exact
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.score is None, "a score is of the game without slip"


def test_where_most_discs_slip_one_aims_elsewhere() -> None:
    """With two open columns and nine discs of ten going astray, the other column is the better aim."""
    seen = 0
    for seed in range(400):
        position = play_some(Geometry(4, 4, 3), seed)
        winning = position.winning_columns(position.turn)
        if len(position.legal) == 2 and len(winning) == 1:
            found = search("4x4x3", 0.9, whole=False).search(position, Limit())
            assert found.value is not None
            assert found.value >= 0.8 - 1e-9
            if found.value < 1:  # otherwise it does not matter
                assert found.column not in winning
                seen += 1
    assert seen > 3


def test_values_lie_between_a_loss_and_a_win_where_the_end_is_not_seen() -> None:
    for seed in range(40):
        position = play_some(Geometry(6, 7, 4), seed)
        if position.is_over:
            continue
        for slip in (0.2, 0.9):
            found = Expectimax(Rules("6x7x4", slip), 3, whole=True, table_mb=1).search(position, Limit())
            assert found.values is not None
            known = [value for value in found.values if value is not None]
            assert len(known) == len(position.legal)
            assert all(-1 <= value <= 1 for value in known)
            assert found.value == max(known) == found.values[found.column]


def test_pruning_does_not_change_the_column() -> None:
    for seed in range(60):
        position = play_some(Geometry(6, 7, 4), seed)
        if position.is_over or position.ply > 30:
            continue
        one, all_of_them = (
            Expectimax(Rules("6x7x4", 0.2), 3, whole=whole, table_mb=1).search(position, Limit())
            for whole in (False, True)
        )
        assert one.column == all_of_them.column
        assert one.value is not None
        assert all_of_them.value is not None
        assert abs(one.value - all_of_them.value) < 0.1, "of the other landings it has an earlier estimate"


def test_it_looks_to_the_end_only_when_it_is_near() -> None:
    search = Expectimax(Rules("5x5x3", 0.2), 2, solve=6, table_mb=1)
    far, near = (play_peacefully(Geometry(5, 5, 3), 10, plies) for plies in (15, 20))
    assert not far.is_over
    assert not near.is_over
    assert (search.search(far, Limit()).depth, search.search(far, Limit()).exact) == (2, False)
    found = search.search(near, Limit())
    assert (found.depth, found.exact) == (25 - near.ply, True)
    assert search.search(near, Limit(depth=3)).depth == 2, "a limit keeps it from it"


def test_a_finished_game_is_not_searched() -> None:
    with pytest.raises(GameOver, match="the game is over, first player"):
        search("6x7x4", 0.2, whole=True).search(Position.from_moves("1212121"), Limit())
