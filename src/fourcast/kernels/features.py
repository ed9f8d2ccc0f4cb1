"""What models look at besides the cells: windows, potentials, threats, columns, parity.

Each kernel fills one group of numbers for every position of a batch, always the side to move first and then
the other side. `evaluators.features` gives the numbers their names.

A cell is *due* to a side if that side would have to play it once all other columns were full. A *threat* is
an empty cell where one more disc makes a line.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.tricks import Stones, cells_above, completing_cells, playable_cells, read
from fourcast.kernels.words import popcount

Numbers = npt.NDArray[np.int16]

DIRECTIONS = 4
NOWHERE = -1  # stands for a cell that is not on the board
_MOST = 32767


@kernel
def cells_into(board: Board, stones: Stones, into: Numbers) -> None:
    """Who has each cell: 1, -1, or 0 for nobody. Column by column, from the bottom."""
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        for column in range(board.columns):
            for row in range(board.rows):
                cell = board.one << (column * board.height + row)
                into[index, column * board.rows + row] = bool(mine & cell) - bool(theirs & cell)


@kernel
def windows_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By direction and side: the windows with 1, 2, ... connect - 1 discs of that side and none of the other.

    The directions are up, falling, across, rising.
    """
    numbers = board.connect - 1
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        into[index] = 0
        for direction in range(DIRECTIONS):
            stride = _stride(board, direction)
            window = _window(board, stride)
            for start in range(board.bits):
                if not _fits(board, window, start, stride):
                    continue
                own, other = popcount(mine & (window << start)), popcount(theirs & (window << start))
                if 0 < own < board.connect and not other:
                    into[index, (2 * direction) * numbers + own - 1] += 1
                if 0 < other < board.connect and not own:  # a line has no place: the game is over
                    into[index, (2 * direction + 1) * numbers + other - 1] += 1


@kernel
def patterns_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By direction and first cell, what is in each window: own discs, or the other side's below 0.

    A window that both sides are in counts `connect`, which no other does.
    """
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        number = 0
        for direction in range(DIRECTIONS):
            stride = _stride(board, direction)
            window = _window(board, stride)
            for start in range(board.bits):
                if not _fits(board, window, start, stride):
                    continue
                own, other = popcount(mine & (window << start)), popcount(theirs & (window << start))
                into[index, number] = board.connect if own and other else own - other
                number += 1


@kernel
def potential_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By side and cell: what the windows through an empty cell are worth that the other side is not in.

    Each counts 1 if it is empty, and four times as much for every disc in it, up to four of them.
    """
    for index in range(len(stones)):
        _potentials(board, read(board, stones[index, 0]), read(board, stones[index, 1]), into[index])


@kernel
def _potentials(board: Board, mine: int, theirs: int, into: npt.NDArray[np.int16]) -> None:
    into[:] = 0
    for direction in range(DIRECTIONS):
        stride = _stride(board, direction)
        window = _window(board, stride)
        for start in range(board.bits):
            if not _fits(board, window, start, stride):
                continue
            own, other = popcount(mine & (window << start)), popcount(theirs & (window << start))
            if own and other:
                continue
            for step in range(board.connect):
                bit = start + step * stride
                if (mine | theirs) & (board.one << bit):
                    continue
                cell = bit // board.height * board.rows + bit % board.height
                if not other:
                    into[cell] = min(_MOST, into[cell] + (1 << (2 * min(own, 4))))
                if not own:
                    cell += board.cells
                    into[cell] = min(_MOST, into[cell] + (1 << (2 * min(other, 4))))


@kernel
def moves_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By column: both sides' potential in the cell that can be played, and in the one above it."""
    potential = np.zeros(2 * board.cells, dtype=np.int16)
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        _potentials(board, mine, theirs, potential)
        for column in range(board.columns):
            height = _height_of(board, mine | theirs, column)
            for step in range(2):
                cell = column * board.rows + height + step
                for side in range(2):
                    on_board = height + step < board.rows
                    into[index, 4 * column + 2 * step + side] = (
                        potential[side * board.cells + cell] if on_board else NOWHERE
                    )


@kernel
def threats_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By side: its threats within reach; of the others those in odd and in even rows, timely and not.

    Then those with another right on top, and the row of the lowest timely one, 0 without any. A threat is
    timely if its cell is due to the side itself; of those above one another in a column only one counts.
    """
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        occupied = mine | theirs
        playable = playable_cells(board, occupied)
        due = _due(board, occupied)
        odd = _odd_rows(board)
        for side in range(2):
            threats = completing_cells(board, theirs if side else mine) & board.full & ~occupied
            far = threats & ~playable
            timely = far & (~due if side else due)
            first = 7 * side
            into[index, first] = popcount(threats & playable)
            into[index, first + 1] = popcount(far & odd)
            into[index, first + 2] = popcount(far & ~odd)
            into[index, first + 3] = popcount(timely & ~cells_above(board, timely))
            into[index, first + 4] = popcount(far & ~timely)
            into[index, first + 5] = popcount(threats & (threats >> 1))
            into[index, first + 6] = _lowest_row(board, timely)


@kernel
def ladders_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By column and side: the row of its lowest threat, and how far that is above the discs; 0 without."""
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        occupied = mine | theirs
        for side in range(2):
            threats = completing_cells(board, theirs if side else mine) & board.full & ~occupied
            for column in range(board.columns):
                row = _lowest_row(board, (threats >> (column * board.height)) & board.lane)
                into[index, 4 * column + 2 * side] = row
                into[index, 4 * column + 2 * side + 1] = (
                    row - _height_of(board, occupied, column) if row else 0
                )


@kernel
def columns_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By column its height, and whether that is odd; then the number of odd ones."""
    for index in range(len(stones)):
        occupied = read(board, stones[index, 0]) | read(board, stones[index, 1])
        odd = 0
        for column in range(board.columns):
            height = _height_of(board, occupied, column)
            into[index, column] = height
            into[index, board.columns + column] = height & 1
            odd += height & 1
        into[index, 2 * board.columns] = odd


@kernel
def parity_into(board: Board, stones: Stones, into: Numbers) -> None:
    """By direction but up and side: windows that it gets if every cell goes to whom it is due, by discs.

    Those with 0, 1, ... connect - 1 of its discs; all their empty cells are due to it.
    """
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        due = _due(board, mine | theirs)
        into[index] = 0
        for direction in range(1, DIRECTIONS):
            stride = _stride(board, direction)
            window = _window(board, stride)
            for start in range(board.bits):
                if not _fits(board, window, start, stride):
                    continue
                here = window << start
                first = 2 * (direction - 1) * board.connect
                if theirs & here == board.zero and here & ~mine & ~due == board.zero:
                    number = popcount(mine & here)
                    if number < board.connect:
                        into[index, first + number] += 1
                if mine & here == board.zero and here & ~theirs & due == board.zero:
                    number = popcount(theirs & here)
                    if number < board.connect:
                        into[index, first + board.connect + number] += 1


@kernel
def control_into(board: Board, stones: Stones, into: Numbers) -> None:
    """Discs more than the other side's: by column, by row, in the middle zone; then neighbours by direction.

    The middle zone leaves out a quarter of the columns on each side, and of the rows below and above.
    Neighbours are pairs of discs next to each other.
    """
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        zone = 0
        for row in range(board.rows):
            into[index, board.columns + row] = 0
        for column in range(board.columns):
            total = 0
            for row in range(board.rows):
                cell = board.one << (column * board.height + row)
                disc = bool(mine & cell) - bool(theirs & cell)
                total += disc
                into[index, board.columns + row] += disc
                if (
                    board.columns // 4 <= column < board.columns - board.columns // 4
                    and board.rows // 4 <= row < board.rows - board.rows // 4
                ):
                    zone += disc
            into[index, column] = total
        first = board.columns + board.rows
        into[index, first] = zone
        for direction in range(DIRECTIONS):
            stride = _stride(board, direction)
            into[index, first + 1 + 2 * direction] = popcount(mine & (mine >> stride))
            into[index, first + 2 + 2 * direction] = popcount(theirs & (theirs >> stride))


@kernel
def clock_into(board: Board, stones: Stones, into: Numbers) -> None:
    """Discs on the board, who moves (0 the first player), and open columns."""
    for index in range(len(stones)):
        occupied = read(board, stones[index, 0]) | read(board, stones[index, 1])
        into[index, 0] = popcount(occupied)
        into[index, 1] = popcount(occupied) & 1
        into[index, 2] = popcount(board.top & ~occupied)


@kernel
def _stride(board: Board, direction: int) -> int:
    """Bits from a cell to the next: up, falling, across, rising."""
    return 1 if direction == 0 else board.height + direction - 2


@kernel
def _window(board: Board, stride: int) -> int:
    """The window that starts at bit 0."""
    window = board.zero
    for step in range(board.connect):
        window = window | (board.one << (step * stride))
    return window


@kernel
def _fits(board: Board, window: int, start: int, stride: int) -> bool:
    """Whether the window that starts there lies on the board."""
    if start + (board.connect - 1) * stride >= board.bits:
        return False
    return (window << start) & board.full == window << start


@kernel
def _due(board: Board, occupied: int) -> int:
    """The cells that are due to the side to move."""
    firsts = board.zero
    for row in range(board.rows):
        if (board.cells - board.rows + row) & 1 == 0:
            firsts = firsts | (board.bottom << row)
    return firsts if popcount(occupied) & 1 == 0 else board.full & ~firsts


@kernel
def _odd_rows(board: Board) -> int:
    """The lowest row, the third, and so on."""
    odd = board.zero
    for row in range(0, board.rows, 2):
        odd = odd | (board.bottom << row)
    return odd


@kernel
def _height_of(board: Board, occupied: int, column: int) -> int:
    return popcount(occupied & (board.lane << (column * board.height)))


@kernel
def _lowest_row(board: Board, cells: int) -> int:
    """The lowest row, counted from 1, that has one of these cells; 0 if there are none."""
    for row in range(board.rows):
        if cells & (board.bottom << row):
            return row + 1
    return 0
