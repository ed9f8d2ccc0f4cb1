"""All positions one ply later: each once, and only those that a sensible player would allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import Geometry, Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.distinct import distinct_counts
from fourcast.kernels.frontier import FULL, LOSES, NOBODY, OPEN, WINS, back_up, fates_of, next_ply
from tests import naive_frontier
from tests.boards import batches, play_peacefully, twin

FATES = {
    naive_frontier.OPEN: OPEN,
    naive_frontier.WINS: WINS,
    naive_frontier.FULL: FULL,
    naive_frontier.LOSES: LOSES,
}
MANY = 10_000


def without_lines(positions: list[Position]) -> list[Position]:
    """Those that nobody has won."""
    return [each for each in positions if each.outcome is None or each.outcome.winner is None]


@given(batches())
def test_a_glance_tells_who_wins_at_once_and_what_is_full(positions: list[Position]) -> None:
    positions = without_lines(positions)
    if positions:
        batch = Batch.of(positions)
        expected = [FATES[naive_frontier.fate(*twin(position))] for position in positions]
        assert fates_of(batch.geometry, batch.stones).tolist() == expected


@pytest.mark.slow
@given(batches())
def test_the_next_ply_is_that_of_the_naive_twin(positions: list[Position]) -> None:
    positions = without_lines(positions)
    if not positions:
        return
    batch = Batch.of(positions)
    found = next_ply(batch.geometry, batch.stones, fates_of(batch.geometry, batch.stones), MANY)
    assert found is not None
    stones, fates, children = found
    later = [twin(position) for position in Batch(batch.geometry, stones)]
    expected = [naive_frontier.children(*twin(position)) for position in positions]
    grids = {grid for each in expected for grid in each.values()}
    assert len(later) == len(grids), "each of them once"
    assert {grid for _, grid in later} == grids
    assert fates.tolist() == [FATES[naive_frontier.fate(*each)] for each in later]
    for row, each in zip(children.tolist(), expected, strict=True):
        led = {column: later[child][1] for column, child in enumerate(row) if child != NOBODY}
        assert led == each


@pytest.mark.parametrize(("board", "plies"), [("6x7x4", 5), ("9x12x4", 4), ("3x32x4", 3)])
def test_different_ways_to_a_position_lead_to_one(board: str, plies: int) -> None:
    """While nobody can win yet, these are all positions that there are."""
    start = Position(board)
    stones = Batch.of(start).stones
    for count in list(distinct_counts(start, plies))[1:]:
        found = next_ply(start.geometry, stones, fates_of(start.geometry, stones), 50_000)
        assert found is not None
        stones = found[0]
        assert len(stones) == count
        assert len({each.tobytes() for each in stones}) == count


@given(st.integers(0, 200), st.integers(1, 60))
def test_a_ply_that_is_too_large_is_not_finished(seed: int, most: int) -> None:
    position = play_peacefully(Geometry(6, 7, 4), seed, seed % 30)
    batch = Batch.of([position, *(position.play(column) for column in position.legal)])
    batch = Batch.of(without_lines(list(batch)))
    fates = fates_of(batch.geometry, batch.stones)
    whole = next_ply(batch.geometry, batch.stones, fates, MANY)
    assert whole is not None
    bounded = next_ply(batch.geometry, batch.stones, fates, most)
    if len(whole[0]) > most:
        assert bounded is None
    else:
        assert bounded is not None
        assert [each.tolist() for each in bounded] == [each.tolist() for each in whole]


def test_open_positions_are_worth_their_best_column_and_others_stay_as_they_are() -> None:
    children = np.array([[0, 1, -1], [-1, -1, -1], [2, 0, 1], [-1, -1, 2]], dtype=np.int32)
    assert NOBODY == -1
    fates = np.array([OPEN, WINS, OPEN, OPEN], dtype=np.int8)
    values = np.array([0.0, 9.0, 0.0, 0.0])
    back_up(children, fates, np.array([0.5, -0.25, -1.0]), values)
    assert values.tolist() == [0.25, 9.0, 1.0, 1.0]
