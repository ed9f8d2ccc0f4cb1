"""Positions as cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fourcast import Geometry
from fourcast.kernels.batch import Batch
from fourcast.learning.cells import cells_of, mirrored
from tests.boards import play_some, twin


@given(st.sampled_from(["6x7x4", "8x10x5", "15x8x4", "1x8x3"]), st.integers(0, 2**32))
def test_cells_are_those_of_the_drawn_board(board: str, seed: int) -> None:
    positions = [play_some(Geometry.parse(board), seed + index) for index in range(3)]
    cells = cells_of(Batch.of(positions))
    geometry = positions[0].geometry
    assert cells.shape == (3, geometry.columns, geometry.rows)
    for position, found in zip(positions, cells, strict=True):
        _, grid = twin(position)
        for column in range(geometry.columns):
            for row in range(geometry.rows):
                owner = grid[column][row] if row < len(grid[column]) else None
                expected = 0 if owner is None else 1 if owner == position.turn else -1
                assert found[column, row] == expected
    images = cells_of(Batch.of([position.mirror() for position in positions]))
    assert (mirrored(cells) == images).all()
