"""Moves, lines and threats of whole batches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import IllegalMove
from fourcast.kernels.batch import Batch, column_each
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.tricks import (
    Stones,
    completing_cells,
    has_line,
    is_over,
    mirrored,
    playable_cells,
    read,
    write,
)


def legal_columns(batch: Batch) -> npt.NDArray[np.bool_]:
    """Which columns may be played.

    Returns:
        bool of shape (positions, columns); a finished game has none.
    """
    legal = np.zeros((len(batch), batch.geometry.columns), dtype=np.bool_)
    _legal_columns(batch.board, batch.stones, legal)
    return legal


def drop(batch: Batch, columns: npt.ArrayLike) -> Batch:
    """The positions after a disc in each one's column.

    Args:
        batch: The positions.
        columns: One 0-based column a position.

    Raises:
        BadShape: There is not one whole number for every position.
        IllegalMove: A column cannot be played; the message says where.
    """
    chosen = column_each(batch, columns)
    after = np.empty_like(batch.stones)
    wrong = _drop(batch.board, batch.stones, chosen, after)
    if wrong >= 0:
        position = next(iter(Batch(batch.geometry, batch.stones[wrong : wrong + 1])))
        try:
            position.check_move(int(chosen[wrong]))
        except IllegalMove as error:
            raise type(error)(f"position {wrong}: {error}") from None
    return Batch(batch.geometry, after)


def lines(batch: Batch) -> npt.NDArray[np.bool_]:
    """Who has a line.

    Returns:
        bool of shape (positions, 2): the side to move, the other side.
    """
    found = np.zeros((len(batch), 2), dtype=np.bool_)
    _lines(batch.board, batch.stones, found)
    return found


def winning_cells(batch: Batch) -> npt.NDArray[np.uint64]:
    """The empty cells, reachable now or not, where one more disc makes a line.

    Returns:
        uint64 of shape (positions, 2, halves): for the side to move, for the other side.
    """
    cells = np.zeros_like(batch.stones)
    _winning_cells(batch.board, batch.stones, cells)
    return cells


def mirror_batch(batch: Batch) -> Batch:
    """The mirror images of the positions."""
    images = np.empty_like(batch.stones)
    _mirror_batch(batch.board, batch.stones, images)
    return Batch(batch.geometry, images)


@kernel
def _legal_columns(board: Board, stones: Stones, legal: npt.NDArray[np.bool_]) -> None:
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        if not is_over(board, mine, theirs):
            free = board.top & ~(mine | theirs)
            for column in range(board.columns):
                legal[index, column] = bool(free & (board.lane << (column * board.height)))


@kernel
def _drop(board: Board, stones: Stones, columns: npt.NDArray[np.int64], after: Stones) -> int:
    """Fill `after`; return the index of the first position whose column cannot be played, or -1."""
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        column = columns[index]
        if column < 0 or column >= board.columns or is_over(board, mine, theirs):
            return index
        cell = playable_cells(board, mine | theirs) & (board.lane << (column * board.height))
        if not cell:
            return index
        write(board, after[index, 0], theirs)
        write(board, after[index, 1], mine | cell)
    return -1


@kernel
def _lines(board: Board, stones: Stones, found: npt.NDArray[np.bool_]) -> None:
    for index in range(len(stones)):
        for side in range(2):
            found[index, side] = has_line(board, read(board, stones[index, side]))


@kernel
def _winning_cells(board: Board, stones: Stones, cells: Stones) -> None:
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        free = board.full & ~(mine | theirs)
        write(board, cells[index, 0], completing_cells(board, mine) & free)
        write(board, cells[index, 1], completing_cells(board, theirs) & free)


@kernel
def _mirror_batch(board: Board, stones: Stones, images: Stones) -> None:
    for index in range(len(stones)):
        for side in range(2):
            write(board, images[index, side], mirrored(board, read(board, stones[index, side])))
