"""The bit tricks that the whole program leans on, each written once.

`stones` is a set of cells in the layout that `Geometry` draws. These functions use nothing but shifts, sums
and masks on it, so the same source serves Python's integers here and, compiled for one geometry, the machine
words of `fourcast.kernels`. None of them calls another: compiled code could not follow.
"""

# ruff: noqa: D102

from __future__ import annotations

from typing import Protocol


class Board(Protocol):
    """What the tricks need to know of a geometry."""

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def connect(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def bottom(self) -> int: ...
    @property
    def full(self) -> int: ...
    @property
    def top(self) -> int: ...
    @property
    def lane(self) -> int: ...


def playable_cells(board: Board, occupied: int) -> int:
    """The cell that the next disc would take in each column that is not full."""
    return (occupied + board.bottom) & board.full


def has_line(board: Board, stones: int) -> bool:
    """Whether `connect` of the stones stand in line."""
    height = board.height
    for stride in (1, height - 1, height, height + 1):
        starts = stones
        run = 1
        while run < board.connect:  # here `starts` are the cells that begin a run of `run` stones
            step = min(run, board.connect - run)
            starts = starts & (starts >> (stride * step))
            run += step
        if starts:
            return True
    return False


def line_cells(board: Board, stones: int) -> int:
    """The stones that are part of a line; 0 when there is none."""
    height = board.height
    cells = stones ^ stones
    for stride in (1, height - 1, height, height + 1):
        starts = stones
        for step in range(1, board.connect):
            starts = starts & (stones >> (stride * step))
        for step in range(board.connect):
            cells = cells | (starts << (stride * step))
    return cells


def completing_cells(board: Board, stones: int) -> int:
    """The cells where one more stone makes a line, whether or not they are empty or can be reached."""
    height = board.height
    under = board.full
    for step in range(1, board.connect):
        under = under & (stones << step)
    cells = under
    for stride in (height - 1, height, height + 1):
        for before in range(board.connect):
            gap = board.full
            for step in range(1, before + 1):
                gap = gap & (stones << (stride * step))
            for step in range(1, board.connect - before):
                gap = gap & (stones >> (stride * step))
            cells = cells | gap
    return cells


def cells_above(board: Board, cells: int) -> int:
    """Every cell that lies above one of these in its column.

    In each column the sentinel minus the cells leaves the lowest of them and turns round what is above it.
    """
    return (((((board.top << 1) - cells) | cells) & board.full) << 1) & board.full


def mirrored(board: Board, word: int) -> int:
    """The word with its columns in reverse order, sentinels included."""
    height = board.height
    image = word ^ word
    for index in range(board.columns):
        image = image | (((word >> (index * height)) & board.lane) << ((board.columns - 1 - index) * height))
    return image


def position_key(board: Board, mine: int, occupied: int) -> int:
    """A number that no other position of this geometry has.

    In each column the lowest empty cell is marked (the sentinel when the column is full), and below it the
    stones of the side to move.
    """
    return mine | (occupied + board.bottom)
