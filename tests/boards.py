"""Boards and positions for tests, and the bridge between positions and their naive twins."""

from __future__ import annotations

import random
from dataclasses import astuple

from hypothesis import strategies as st

from fourcast import Geometry, Position
from fourcast.evaluators.heuristics import Heuristic
from tests import naive

#: Every shape that has its own traps: published boards, long lines, one row or column, and boards that fill
#: 64 and 128 bits to the last one.
BOARDS = [
    Geometry.parse(board)
    for board in (
        "6x7x4",
        "8x10x5",
        "10x5x4",
        "5x10x4",
        "5x5x3",
        "6x7x3",
        "4x9x4",
        "9x12x4",
        "7x8x4",  # 64 bits
        "15x8x4",  # 128 bits
        "3x32x4",  # 128 bits, as many columns as fit
        "3x3x3",
        "4x4x4",
        "1x8x3",
        "8x1x3",
        "10x10x9",
        "15x8x12",  # a line is longer than the board is wide, and 187 bits long
    )
]

geometries = st.sampled_from(BOARDS)


@st.composite
def positions(draw: st.DrawFn, boards: st.SearchStrategy[Geometry] = geometries) -> Position:
    """A position of a game that may be anywhere from its start to its end."""
    return play_some(draw(boards), draw(st.integers(0, 2**32)))


@st.composite
def batches(draw: st.DrawFn, size: int = 8) -> list[Position]:
    """Positions of one board."""
    geometry = draw(geometries)
    seed = draw(st.integers(0, 2**32))
    return [play_some(geometry, seed + index) for index in range(draw(st.integers(1, size)))]


def play_some(geometry: Geometry, seed: int) -> Position:
    """Some moves of a random game; in half of them nobody wins while there is another move."""
    chance = random.Random(seed)
    plies = chance.randint(0, geometry.cells)
    if chance.random() < 0.5:
        return play_peacefully(geometry, seed, plies)
    position = Position(geometry)
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(chance.choice(position.legal))
    return position


def play_peacefully(geometry: Geometry, seed: int, plies: int) -> Position:
    """A random game of that many plies, or fewer if it ends: who can win does not while it can be helped."""
    chance = random.Random(seed)
    position = Position(geometry)
    for _ in range(plies):
        if position.is_over:
            break
        winning = position.winning_columns(position.turn)
        quiet = [column for column in position.legal if column not in winning]
        position = position.play(chance.choice(quiet or position.legal))
    return position


def twin_board(geometry: Geometry) -> naive.Board:
    return naive.Board(geometry.rows, geometry.columns, geometry.connect)


def twin(position: Position) -> tuple[naive.Board, naive.Grid]:
    """The naive board and grid, read from the drawn position."""
    rows = position.to_text().splitlines()[::-1]
    columns = [[row[column] for row in rows] for column in range(position.geometry.columns)]
    grid = tuple(tuple("XO".index(disc) for disc in column if disc != ".") for column in columns)
    return twin_board(position.geometry), grid


def cells_of_bits(geometry: Geometry, bits: int) -> set[naive.Cell]:
    """The cells of a set of bits, by the layout that Geometry draws."""
    return {
        (row, column)
        for column in range(geometry.columns)
        for row in range(geometry.rows + 1)
        if bits >> (column * (geometry.rows + 1) + row) & 1
    }


def weights_of(chosen: Heuristic, connect: int) -> naive.Weights:
    """What an evaluation counts, in thousandths of a point."""
    windows, *others = astuple(chosen.terms(connect))
    return naive.Weights(
        [round(1000 * weight) for weight in windows], *(round(1000 * weight) for weight in others)
    )
