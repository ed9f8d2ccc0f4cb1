"""Perft and distinct positions: the published figures, and the naive twin on every board."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fourcast import BadLimit, Geometry, Position
from fourcast.kernels.distinct import distinct_counts
from fourcast.kernels.perft import perft
from tests import naive
from tests.boards import BOARDS, play_peacefully, positions, twin

SEQUENCES = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
DISTINCT = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623]


def test_move_sequences_of_the_standard_board() -> None:
    assert [perft(Position(), depth) for depth in range(10)] == SEQUENCES


def test_distinct_positions_of_the_standard_board() -> None:
    assert list(distinct_counts(Position(), 10)) == DISTINCT


@settings(max_examples=60)
@given(positions(), st.integers(0, 4))
def test_sequences_from_anywhere(position: Position, depth: int) -> None:
    board, grid = twin(position)
    assume(len(position.legal) ** depth <= 3000)
    assert perft(position, depth) == naive.perft(board, grid, depth)


@settings(max_examples=60)
@given(positions(), st.integers(0, 4))
def test_distinct_positions_from_anywhere(position: Position, depth: int) -> None:
    board, grid = twin(position)
    assume(len(position.legal) ** depth <= 3000)
    assert list(distinct_counts(position, depth)) == naive.distinct(board, grid, depth)


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_from_the_empty_board(geometry: Geometry) -> None:
    board = naive.Board(geometry.rows, geometry.columns, geometry.connect)
    depth = next(depth for depth in range(5, 0, -1) if geometry.columns**depth <= 4000)
    position = Position(geometry)
    assert [perft(position, n) for n in range(depth + 1)] == [
        naive.perft(board, naive.empty(board), n) for n in range(depth + 1)
    ]
    assert list(distinct_counts(position, depth)) == naive.distinct(board, naive.empty(board), depth)


def late_positions() -> list[Position]:
    """On 8x10x5: lines nearly made, or columns nearly full, so that both happen within a few plies."""
    return [
        Position.from_moves("1a1a1a1a", "8x10x5"),  # four on four in the outer columns
        Position.from_moves("22334455", "8x10x5"),  # four on four along the bottom
        *(play_peacefully(Geometry(8, 10, 5), seed, plies=68) for seed in range(4)),
    ]


@pytest.mark.parametrize("position", late_positions(), ids=lambda position: position.moves)
def test_wins_and_full_columns_are_counted_on_the_large_board(position: Position) -> None:
    board, grid = twin(position)
    depth = 4
    assert [perft(position, n) for n in range(depth + 1)] == [
        naive.perft(board, grid, n) for n in range(depth + 1)
    ]
    assert list(distinct_counts(position, depth)) == naive.distinct(board, grid, depth)


def test_the_large_board_has_wins_and_full_columns_in_reach() -> None:
    """Else the test above would prove nothing."""
    for position in late_positions():
        open_columns = len(position.legal)
        assert perft(position, 4) < open_columns**4, "a game ended or a column filled within four plies"
    assert any(position.winning_columns(0) for position in late_positions())
    assert any(len(position.legal) < 10 for position in late_positions())


def test_all_games_of_a_small_board_are_counted_to_the_end() -> None:
    board = naive.Board(3, 3, 3)
    wanted = [naive.perft(board, naive.empty(board), n) for n in range(11)]
    assert [perft(Position("3x3x3"), n) for n in range(11)] == wanted
    assert wanted[9] > 0 == wanted[10]
    assert list(distinct_counts(Position("3x3x3"), 11)) == naive.distinct(board, naive.empty(board), 11)


def test_mirror_images_are_folded_only_where_the_start_is_its_own_image() -> None:
    for moves in ("", "4", "44", "3", "12", "35"):
        position = Position.from_moves(moves)
        assert list(distinct_counts(position, 4)) == naive.distinct(*twin(position), 4)


def test_a_finished_game_goes_no_further() -> None:
    won = Position.from_moves("1212121")
    assert [perft(won, n) for n in range(5)] == [1, 0, 0, 0, 0]
    assert list(distinct_counts(won, 3)) == [1, 0, 0, 0]


def test_depths_are_whole_numbers_from_0() -> None:
    for depth in (-1, 4.0, True):
        with pytest.raises(BadLimit, match="depth"):
            perft(Position(), depth)  # type: ignore[arg-type]
        with pytest.raises(BadLimit, match="depth"):
            list(distinct_counts(Position(), depth))  # type: ignore[arg-type]


def test_a_ply_that_does_not_fit_in_memory_says_so_after_those_that_do() -> None:
    counting = distinct_counts(Position(), 12, megabytes=1)
    assert list(islice(counting, 7)) == DISTINCT[:7]
    with pytest.raises(BadLimit, match=r"ply \d+: its positions take more than 1 MB"):
        list(counting)
