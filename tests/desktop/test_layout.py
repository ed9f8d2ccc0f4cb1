"""Where things are in windows of all sizes, on boards of all kinds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygame import Rect

from fourcast.desktop.layout import LEAST_SIZE, Layout
from fourcast.desktop.overlays import BOARDS
from fourcast.game.geometry import Geometry

SIZES = st.tuples(st.integers(LEAST_SIZE[0], 3000), st.integers(LEAST_SIZE[1], 2000))


@given(SIZES, st.sampled_from(BOARDS))
def test_board_and_panel_are_in_the_window_and_apart(size: tuple[int, int], board: str) -> None:
    layout = Layout(size, Geometry.parse(board))
    window = Rect((0, 0), size)
    for place in (layout.board, layout.worth, layout.names, layout.panel):
        assert window.contains(place), place
        assert place is layout.panel or not place.colliderect(layout.panel)
    for column in range(layout.geometry.columns):
        for row in (0, layout.geometry.rows - 1):
            assert layout.column_at((layout.x(column), layout.y(row))) == column
            assert layout.board.contains(Rect(layout.x(column) - 1, layout.y(row) - 1, 2, 2))


@pytest.mark.parametrize("size", [(1, 1), (0, 5000)])
def test_windows_that_are_too_small_are_laid_out_all_the_same(size: tuple[int, int]) -> None:
    assert Layout(size, Geometry.parse("9x12x5")).cell > 0
