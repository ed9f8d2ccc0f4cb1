"""What is said of a position without a search is true."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import Geometry, Position
from fourcast.game.bitboard import cells_above
from fourcast.kernels.batch import Batch, whole
from fourcast.kernels.board import Board, board_of, kernel
from fourcast.kernels.quiet import NO_BOUND, NOT_EVEN, answered_bound, settle
from fourcast.kernels.tricks import Stones, completing_cells, read, write
from tests import naive
from tests.boards import play_peacefully, positions, twin

#: Boards that a naive search can finish from the middle on: odd and even heights, one row, long lines.
SOLVABLE = ["4x4x3", "4x4x4", "3x5x3", "5x4x4", "4x5x4", "3x7x3", "2x7x4", "6x3x3", "1x8x3", "8x2x3"]


@kernel
def bounds_of(board: Board, stones: Stones, alphas: npt.NDArray[np.int64]) -> None:
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    wins = completing_cells(board, theirs)
    for index in range(len(alphas)):
        alphas[index] = answered_bound(board, mine, theirs, wins, alphas[index])


@kernel
def settled(board: Board, stones: Stones, ply: int, numbers: npt.NDArray[np.int64]) -> None:
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    wins = completing_cells(board, mine), completing_cells(board, theirs)
    decided, score, mine, theirs, _, _, ply, side = settle(board, mine, theirs, wins[0], wins[1], ply)
    numbers[0], numbers[1], numbers[2], numbers[3] = decided, score, ply, side
    write(board, stones[0], mine)
    write(board, stones[1], theirs)


def wins_now(position: Position) -> bool:
    return bool(position.winning_columns(position.turn))


def is_quiet(position: Position) -> bool:
    """The definition: no win, no block, not lost at the next disc, more than two cells empty."""
    if position.is_over or wins_now(position) or position.winning_columns(1 - position.turn):
        return False
    children = [position.play(column) for column in position.legal]
    return not all(map(wins_now, children)) and position.ply + 2 < position.geometry.cells


@given(positions())
def test_cells_above(position: Position) -> None:
    geometry = position.geometry
    cells = position.mine
    expected = sum(
        1 << (column * geometry.height + row)
        for column in range(geometry.columns)
        for row in range(geometry.rows)
        if any(cells >> (column * geometry.height + below) & 1 for below in range(row))
    )
    assert cells_above(geometry, cells) == expected


@pytest.mark.parametrize("board", ["4x4x4", "5x4x4", "4x5x4", "2x7x4", "8x2x3", "3x6x4", "5x5x5"])
def test_a_bound_is_never_less_than_the_score(board: str) -> None:
    geometry = Geometry.parse(board)
    chance = random.Random(board)
    bounded = 0
    for seed in range(150):
        plies = chance.randint(max(0, geometry.cells - 9), geometry.cells - 3)
        position = play_peacefully(geometry, seed, plies)
        if not is_quiet(position):
            continue
        score = naive.score(*twin(position))
        alphas = np.arange(-6, 6)
        found = alphas.copy()
        bounds_of(board_of(geometry), Batch.of(position).stones[0], found)
        for alpha, bound in zip(alphas, found, strict=True):
            if bound not in (NO_BOUND, NOT_EVEN):
                assert score <= bound <= alpha, f"{position.to_json()}: {score}, not {bound}"
                bounded += 1
    assert bounded > 20, "there was something to look at"


@given(st.sampled_from(SOLVABLE), st.integers(0, 2**32))
def test_forced_moves_lead_to_the_same_score(board: str, seed: int) -> None:
    geometry = Geometry.parse(board)
    position = play_peacefully(geometry, seed, max(0, geometry.cells - 8))
    if position.is_over or wins_now(position):
        return
    stones = Batch.of(position).stones[0]
    numbers = np.zeros(4, dtype=np.int64)
    settled(board_of(geometry), stones, position.ply, numbers)
    decided, score, ply, side = map(int, numbers)
    exact = naive.score(*twin(position))
    if decided:
        assert score == exact
        return
    sides = whole(stones[0]), whole(stones[1])
    turn = ply & 1
    reached = Position(geometry, sides[turn], sides[1 - turn])
    assert reached.ply == ply
    assert is_quiet(reached)
    assert side == (1 if reached.turn == position.turn else -1)
    assert exact == side * naive.score(*twin(reached))
