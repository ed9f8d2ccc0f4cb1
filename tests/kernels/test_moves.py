"""Moves, lines, threats and windows: every kernel against its naive twin, on every board."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import BadShape, ColumnFull, ColumnOffBoard, GameOver, Geometry, Position
from fourcast.kernels.batch import Batch, whole
from fourcast.kernels.moves import drop, legal_columns, lines, mirror_batch, winning_cells
from fourcast.kernels.windows import window_counts
from tests import naive
from tests.boards import batches, cells_of_bits, twin


@given(batches())
def test_a_batch_holds_its_positions(positions: list[Position]) -> None:
    assert list(Batch.of(positions)) == positions


@given(batches())
def test_legal_columns(positions: list[Position]) -> None:
    legal = legal_columns(Batch.of(positions))
    for position, row in zip(positions, legal, strict=True):
        assert list(np.flatnonzero(row)) == naive.legal(*twin(position))


@given(batches(), st.integers(0, 2**32))
def test_drops(positions: list[Position], seed: int) -> None:
    chance = random.Random(seed)
    going_on = [position for position in positions if position.legal]
    if not going_on:
        return
    columns = [chance.choice(position.legal) for position in going_on]
    after = list(drop(Batch.of(going_on), columns))
    for position, column, child in zip(going_on, columns, after, strict=True):
        assert twin(child)[1] == naive.drop(twin(position)[1], column)


@given(batches())
def test_mirror_images(positions: list[Position]) -> None:
    images = list(mirror_batch(Batch.of(positions)))
    for position, image in zip(positions, images, strict=True):
        assert twin(image)[1] == twin(position)[1][::-1]


@given(batches())
def test_lines(positions: list[Position]) -> None:
    found = lines(Batch.of(positions))
    for position, (mine, theirs) in zip(positions, found, strict=True):
        board, grid = twin(position)
        assert mine == naive.has_line(board, grid, position.turn)
        assert theirs == naive.has_line(board, grid, 1 - position.turn)


@given(batches())
def test_winning_cells(positions: list[Position]) -> None:
    cells = winning_cells(Batch.of(positions))
    for position, sides in zip(positions, cells, strict=True):
        board, grid = twin(position)
        for side, halves in enumerate(sides):
            player = position.turn if side == 0 else 1 - position.turn
            found = cells_of_bits(position.geometry, whole(halves))
            assert found == naive.winning_cells(board, grid, player)


@pytest.mark.slow
@given(batches())
def test_window_counts(positions: list[Position]) -> None:
    counts = window_counts(Batch.of(positions))
    for position, sides in zip(positions, counts, strict=True):
        board, grid = twin(position)
        for side, row in enumerate(sides):
            player = position.turn if side == 0 else 1 - position.turn
            assert row.tolist() == naive.window_counts(board, grid, player)


def test_windows_as_long_as_a_line_can_be() -> None:
    """Seven binary digits of the count are in use from 64 discs in line on."""
    tall = Geometry(127, 1, 100)
    batch = Batch.of(Position(tall))
    assert window_counts(batch)[0, 0].tolist() == [28] + [0] * 100
    full = Batch(tall, np.array([[[2**64 - 1, 2**63 - 1], [0, 0]]], dtype=np.uint64))
    assert window_counts(full)[0].tolist() == [[0] * 100 + [28], [0] * 101]
    part = Batch(tall, np.array([[[2**64 - 1, 0], [0, 2**36]]], dtype=np.uint64))
    counts = window_counts(part)[0, 0]
    assert counts[64] == 1, "discs in rows 1 to 64, the other side's in row 101"
    assert counts.sum() == 1


@pytest.mark.parametrize(
    ("moves", "column", "error", "message"),
    [
        ("44", 7, ColumnOffBoard, "position 1: move 3: there is no column 8"),
        ("44", -1, ColumnOffBoard, "move 3: there is no column 0"),
        ("444444", 3, ColumnFull, "move 7: column 4 is full"),
        ("1212121", 3, GameOver, "move 8: the game is over"),
    ],
)
def test_a_drop_that_cannot_be_made_is_named(
    moves: str, column: int, error: type[Exception], message: str
) -> None:
    batch = Batch.of([Position(), Position.from_moves(moves)])
    with pytest.raises(error, match=message):
        drop(batch, [0, column])


def test_what_is_no_batch_is_refused() -> None:
    with pytest.raises(BadShape, match="at least one"):
        Batch.of([])
    with pytest.raises(BadShape, match="position 1 is on board 5x5x4"):
        Batch.of([Position(), Position("5x5x4")])
    with pytest.raises(BadShape, match="must be uint64"):
        Batch(Geometry(), np.zeros((3, 2, 2), dtype=np.uint64))
    with pytest.raises(BadShape, match="must be uint64"):
        Batch(Geometry(), np.zeros((3, 2, 1)))  # type: ignore[arg-type]
    for columns in ([0, 1], [[0]], [0.5], 3):
        with pytest.raises(BadShape, match="as many whole columns"):
            drop(Batch.of(Position()), columns)
