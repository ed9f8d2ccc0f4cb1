"""Positions: what they say of the game, and that they are values."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import (
    BadCell,
    BadShape,
    BothWon,
    ColumnFull,
    ColumnOffBoard,
    FloatingDisc,
    GameOver,
    Geometry,
    ImpossibleCounts,
    Outcome,
    PlayedOn,
    Position,
)
from tests import naive
from tests.boards import cells_of_bits, positions, twin


@given(positions())
def test_a_position_says_of_the_game_what_the_naive_twin_says(position: Position) -> None:
    board, grid = twin(position)
    assert position.ply == sum(map(len, grid))
    assert position.turn == naive.turn(grid)
    assert position.legal == tuple(naive.legal(board, grid))
    assert position.is_over == naive.is_over(board, grid)
    for player in (0, 1):
        cells = cells_of_bits(position.geometry, position.winning_cells(player))
        assert cells == naive.winning_cells(board, grid, player)
        now = [(len(grid[column]), column) for column in naive.legal(board, grid)]
        assert list(position.winning_columns(player)) == [c for r, c in now if (r, c) in cells]


@given(positions())
def test_the_outcome_names_the_winner_and_all_cells_of_the_line(position: Position) -> None:
    board, grid = twin(position)
    winners = [player for player in (0, 1) if naive.has_line(board, grid, player)]
    outcome = position.outcome
    if winners:
        assert outcome is not None
        assert outcome.winner == winners[0]
        assert set(outcome.line) == naive.line_cells(board, grid, winners[0])
        assert outcome.plies == position.ply
    elif naive.is_full(board, grid):
        assert outcome == Outcome(None, position.ply)
        assert outcome.is_draw
    else:
        assert outcome is None


@given(positions())
def test_every_legal_move_drops_one_disc_of_the_side_to_move(position: Position) -> None:
    _, grid = twin(position)
    for column in position.legal:
        assert twin(position.play(column))[1] == naive.drop(grid, column)


@given(positions())
def test_all_forms_lead_back_to_the_position(position: Position) -> None:
    geometry = position.geometry
    connect = geometry.connect
    assert Position.from_moves(position.moves, geometry) == position
    assert Position.from_moves(position.columns_played, str(geometry)) == position
    assert Position.from_text(position.to_text(), connect) == position
    assert Position.from_text(position.to_text().lower().replace(".", "_"), connect) == position
    assert Position.from_text(str(position), connect) == position
    assert Position.from_array(position.to_array(), connect) == position
    assert Position.from_array(position.to_array("01-1"), connect) == position
    assert Position.from_array(position.to_array("01-1").astype(float), connect) == position
    assert Position.from_array(position.to_rows(), connect) == position
    assert Position.from_flat(position.to_flat(), geometry) == position
    assert Position.from_flat(np.array(position.to_flat()), geometry) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(Position.from_text(position.to_text(), connect)) == hash(position)
    assert eval(repr(position), {"Position": Position}) == position


@given(positions())
def test_a_drawn_board_finds_an_order_of_moves_that_leads_to_it(position: Position) -> None:
    drawn = Position.from_text(position.to_text(), position.geometry.connect)
    assert Position.from_moves(drawn.moves, position.geometry) == position


@given(positions())
def test_mirror_images_swap_columns_and_share_the_canonical_key(position: Position) -> None:
    image = position.mirror()
    assert twin(image)[1] == naive.mirror(twin(position)[1])
    assert image.mirror() == position
    assert Position.from_moves(image.moves, position.geometry) == image
    assert image.canonical_key == position.canonical_key == min(position.key, image.key)


@given(positions(), st.integers(0, 2**32))
def test_keys_differ_where_positions_differ(position: Position, seed: int) -> None:
    chance = random.Random(seed)
    other = position
    for _ in range(chance.randint(0, 3)):
        if other.legal:
            other = other.play(chance.choice(other.legal))
    back = Position.from_moves(other.columns_played[: position.ply], position.geometry)
    assert (other.key == position.key) == (other == position)
    assert back.key == position.key


def test_the_array_codings_are_the_usual_ones() -> None:
    position = Position.from_moves("445")
    assert position.to_array()[-2:].tolist() == [[0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0]]
    assert position.to_array("01-1")[-2:].tolist() == [[0, 0, 0, -1, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0]]
    assert position.to_flat() == [0] * 31 + [2] + [0] * 6 + [1, 1, 0, 0]
    with pytest.raises(ValueError, match="coding"):
        position.to_array("xo")  # type: ignore[arg-type]


def test_columns_above_nine_are_letters() -> None:
    position = Position.from_moves("9ABc", "5x12x4")
    assert position.columns_played == (8, 9, 10, 11)
    assert position.moves == "9abc"


def test_a_position_cannot_be_changed() -> None:
    position = Position()
    with pytest.raises(AttributeError):
        position.first = 1  # type: ignore[misc]


def test_a_numpy_column_plays_as_well() -> None:
    wide = Position("9x12x4")
    assert wide.play(int(np.int64(11))) == wide.play(np.int64(11))  # type: ignore[arg-type]
    assert wide.play(np.int64(11)).first == 1 << 110  # type: ignore[arg-type]
    assert type(wide.play(np.int64(11)).columns_played[0]) is int  # type: ignore[arg-type]
    assert Position.from_array([list(row) for row in wide.to_array()]) == wide
    assert Position.from_flat(list(np.zeros(42, dtype=np.int8))) == Position()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Position.from_moves("444444" + "4"), ColumnFull, "move 7: column 4 is full"),
        (lambda: Position.from_moves("48"), ColumnOffBoard, "move 2: column '8' is off the board"),
        (lambda: Position.from_moves("1212121" + "3"), GameOver, "move 8: the game is over, first player"),
        (lambda: Position().play(7), ColumnOffBoard, "move 1: there is no column 8 on board 6x7x4"),
        (lambda: Position().play(10**5000), ColumnOffBoard, "there is no column a huge number on board"),
        (lambda: Position().play(-1), ColumnOffBoard, "move 1: there is no column 0"),
        (lambda: Position.from_text("...X/....", 4), FloatingDisc, "row 1, column 4"),
        (lambda: Position.from_text(".X../..../.O../.X..", 4), FloatingDisc, "row 1, column 2"),
        (lambda: Position.from_text("..../XX..", 4), ImpossibleCounts, "2 X and 0 O"),
        (lambda: Position.from_text("..../OXO.", 4), ImpossibleCounts, "1 X and 2 O"),
        (
            lambda: Position.from_text("OOOO/XXXX", 4),
            BothWon,
            "both players have a line: X at row 2, column 1, O at row 1, column 1",
        ),
        (
            lambda: Position.from_text("OOO../XXXX./OOXOX", 4),
            PlayedOn,
            "row 2, column 1: X has a line there, but O has moved since",
        ),
        (lambda: Position.from_text("." * 11 + "Z"), BadCell, "row 1, column c: 'Z'"),
        (lambda: Position.from_text("..../..Z."), BadCell, "row 2, column 3: 'Z'"),
        (lambda: Position.from_text("..../..."), BadShape, "row 2: 3 cells, but row 1 has 4"),
        (lambda: Position.from_text("  \n "), BadShape, "no cells"),
        (lambda: Position.from_array([[0, 0, 3, 0]]), BadCell, "row 1, column 3: 3"),
        (lambda: Position.from_array([[0, 1.5, 0, 0]]), BadCell, "row 1, column 2: 1.5"),
        (lambda: Position.from_array([[0, True, 0, 0]]), BadCell, "row 1, column 2: True"),
        (lambda: Position.from_array([[0, float("nan"), 0, 0]]), BadCell, "row 1, column 2: nan"),
        (lambda: Position.from_array([[0, None, 0, 0]]), BadCell, "row 1, column 2: None"),
        (lambda: Position.from_array([[1, 2, 1, -1]]), BadCell, "row 1, column 4: both 2 and -1"),
        (lambda: Position.from_array([0, 1, 2]), BadShape, "row 1: a row of cells"),
        (lambda: Position.from_array(5), BadShape, "an array of rows was expected, not int"),
        (lambda: Position.from_array([[]]), BadShape, "no cells"),
        (lambda: Position.from_array("XO"), BadShape, "an array of rows was expected, not str"),
        (lambda: Position.from_array(np.zeros((2, 2, 2))), BadCell, "row 1, column 1"),
        (lambda: Position.from_flat([0] * 41), BadShape, "41 cells, but board 6x7x4 has 42"),
        (lambda: Position.from_flat(None), BadShape, "a flat list of cells was expected, not NoneType"),
        (lambda: Position(Geometry(), 1, 1), ImpossibleCounts, "a cell holds a disc of each player"),
        (lambda: Position(Geometry(), 1 << 6), BadShape, "outside board 6x7x4"),
    ],
)
def test_what_is_no_position_is_refused_by_name_and_place(
    make: Callable[[], Position], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
