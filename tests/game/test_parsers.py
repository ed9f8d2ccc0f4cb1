"""The parsers meet anything at all: they read it or refuse it by name."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import (
    BadGeometry,
    BadLimit,
    BadNotation,
    ColumnOffBoard,
    FourcastError,
    Geometry,
    Limit,
    Position,
    Rules,
    UnsupportedGeometry,
)
from fourcast.game.notation import parse_column
from tests.boards import geometries

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.just(10**400),
    st.just(10**5000),
)


@given(st.text(), geometries)
def test_any_text_is_a_move_string_or_an_error(text: str, geometry: Geometry) -> None:
    try:
        position = Position.from_moves(text, geometry)
    except FourcastError as error:
        assert "move " in str(error)
    else:
        assert position.moves == text.strip().lower()


@given(st.text(alphabet=string.digits + "abcxyz-+ ", max_size=60), geometries)
def test_nearly_sound_move_strings(text: str, geometry: Geometry) -> None:
    test_any_text_is_a_move_string_or_an_error.hypothesis.inner_test(text, geometry)  # type: ignore[attr-defined]


@given(st.one_of(st.text(), st.text(alphabet=".XOxo_/|\n 123+-", max_size=200)), st.integers(-2, 9))
def test_any_text_is_a_board_or_an_error(text: str, connect: int) -> None:
    try:
        position = Position.from_text(text, connect)
    except FourcastError as error:
        assert "\n" not in str(error)
    else:
        assert Position.from_text(position.to_text(), connect) == position


@given(st.lists(st.lists(st.one_of(st.sampled_from([0, 1, 2, -1]), anything), max_size=8), max_size=8))
def test_any_nested_list_is_a_board_or_an_error(cells: list[list[object]]) -> None:
    try:
        position = Position.from_array(cells)
    except FourcastError as error:
        assert "\n" not in str(error)
    else:
        assert Position.from_array(position.to_rows()) == position


@given(st.one_of(anything, st.lists(st.one_of(st.sampled_from([0, 1, 2]), anything), max_size=60)))
def test_any_flat_list_is_a_board_or_an_error(cells: object) -> None:
    try:
        position = Position.from_flat(cells, "2x4x3")
    except FourcastError as error:
        assert "\n" not in str(error)
    else:
        assert Position.from_flat(position.to_flat(), "2x4x3") == position


@given(st.one_of(st.text(), st.from_regex(r"\A[0-9]{1,4}x[0-9]{1,4}x[0-9]{1,4}\Z")))
def test_any_text_is_a_geometry_or_an_error(text: str) -> None:
    try:
        geometry = Geometry.parse(text)
    except BadGeometry as error:
        assert "\n" not in str(error)
    else:
        assert Geometry.parse(str(geometry)) == geometry
        assert geometry.bits <= 128


@given(st.one_of(st.text(), st.from_regex(r"\A(depth|nodes|seconds)=[0-9.e-]{1,6}(,[0-9.]{1,4}m?s)?\Z")))
def test_any_text_is_a_limit_or_an_error(text: str) -> None:
    try:
        limit = Limit.parse(text)
    except BadLimit as error:
        assert "\n" not in str(error)
    else:
        assert limit != Limit()
        assert Limit.parse(str(limit)) == limit


@given(anything)
def test_any_slip_is_a_chance_or_an_error(slip: object) -> None:
    try:
        rules = Rules(slip=slip)  # type: ignore[arg-type]
    except FourcastError as error:
        assert "slip" in str(error)
    else:
        assert 0 <= rules.slip < 1


@pytest.mark.parametrize("text", ["44?3", "4 4", "40", "4\u00b2", "4\uff14", "44\x00", "é"])
def test_strange_characters_are_named_with_their_move(text: str) -> None:
    with pytest.raises(BadNotation, match=r"move \d: .* is not a column"):
        Position.from_moves(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("6x7", BadGeometry),
        ("6x7x4x2", BadGeometry),
        ("0x7x4", BadGeometry),
        ("6x0x4", BadGeometry),
        ("6x7x2", BadGeometry),
        ("6x7x8", BadGeometry),
        ("-6x7x4", BadGeometry),
        ("6x7x4\u0661", BadGeometry),
        ("9" * 5000 + "x7x4", UnsupportedGeometry),
        ("6x7x" + "9" * 5000, UnsupportedGeometry),
        ("200x1x4", UnsupportedGeometry),
        ("10x12x4", UnsupportedGeometry),
        ("2x36x4", UnsupportedGeometry),
    ],
)
def test_boards_that_cannot_be_played_are_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        Geometry.parse(text)
    assert type(caught.value) is error
    assert "board" in str(caught.value)


def test_a_geometry_takes_whole_numbers_only() -> None:
    assert Geometry(np.int64(6), 7, 4) == Geometry(6, 7, 4)  # type: ignore[arg-type]
    assert type(Geometry(np.int64(6), 7, 4).rows) is int  # type: ignore[arg-type]
    with pytest.raises(UnsupportedGeometry, match="rows is a huge number"):
        Geometry(10**5000, 7, 4)
    for board in (None, (6, 7, 4), 6):
        with pytest.raises(BadGeometry, match="a board was expected"):
            Position(board)  # type: ignore[arg-type]
    for number in (6.0, True, "6", None):
        with pytest.raises(BadGeometry, match="rows must be a whole number"):
            Geometry(number, 7, 4)  # type: ignore[arg-type]


def test_the_largest_boards_fit() -> None:
    assert Geometry(9, 12, 4).bits == 120
    assert Geometry(7, 16, 4).bits == 128
    assert Geometry(127, 1, 127).bits == 128


def test_people_name_columns_by_number_or_letter() -> None:
    wide = Geometry(5, 12, 4)
    assert [parse_column(text, wide) for text in ("1", "10", " 12 ", "a", "C")] == [0, 9, 11, 9, 11]
    for text in ("0", "13", "d", "999"):
        with pytest.raises(ColumnOffBoard, match="no column"):
            parse_column(text, wide)
    for text in ("", "ab", "-1", "1.5", "\u0664", "9999"):
        with pytest.raises(BadNotation, match="not a column"):
            parse_column(text, wide)
