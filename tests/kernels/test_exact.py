"""The parts of the exact search that can be looked at by themselves; the whole is in tests/solver."""

from __future__ import annotations

from collections import Counter

import pytest

from fourcast import Geometry
from fourcast.kernels.exact import next_question
from fourcast.kernels.state import cell_worths
from tests import naive
from tests.boards import BOARDS


def test_every_question_narrows_the_score_down() -> None:
    for lower in range(-64, 65):
        for upper in range(lower + 1, 65):
            assert lower <= next_question(lower, upper) < upper, "both answers leave less than there was"


@pytest.mark.parametrize("geometry", BOARDS, ids=str)
def test_a_cell_is_worth_the_lines_through_it(geometry: Geometry) -> None:
    board = naive.Board(geometry.rows, geometry.columns, geometry.connect)
    lines = Counter(cell for window in naive.windows(board) for cell in window)
    worths = cell_worths(geometry)
    assert len(worths) == geometry.bits
    for bit, worth in enumerate(worths):
        column, row = divmod(bit, geometry.height)
        assert worth == lines[row, column]
