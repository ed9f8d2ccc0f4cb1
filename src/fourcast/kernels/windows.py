"""Counting windows: the `connect` cells in line that heuristics weigh."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.batch import Batch
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.tricks import Stones, read
from fourcast.kernels.words import popcount

Counts = npt.NDArray[np.int32]
Digits = tuple[int, int, int, int, int, int, int]


def window_counts(batch: Batch) -> Counts:
    """How many windows only one side occupies, by how many discs it has there.

    A window is `connect` cells in line. `counts[i, side, n]` is the number of windows that hold n >= 1 discs
    of that side and none of the other's; `counts[i, side, 0]` is the number of empty windows, the same for
    both sides.

    Returns:
        int32 of shape (positions, 2, connect + 1), the side to move first.
    """
    counts = np.zeros((len(batch), 2, batch.geometry.connect + 1), dtype=np.int32)
    _window_counts(batch.board, batch.stones, counts)
    return counts


@kernel
def _window_counts(board: Board, stones: Stones, counts: Counts) -> None:
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        count_windows(board, mine, theirs, counts[index, 0])
        count_windows(board, theirs, mine, counts[index, 1])


@kernel
def count_windows(board: Board, own: int, other: int, counts: npt.NDArray[np.int32]) -> None:
    """Add one side's windows to `counts`, shape (connect + 1,)."""
    height = board.height
    for stride in (1, height - 1, height, height + 1):
        free, digits = add_up(board, own, other, stride)
        for number in range(board.connect + 1):
            counts[number] += popcount(free & holding(board, digits, number))


@kernel
def add_up(board: Board, own: int, other: int, stride: int) -> tuple[int, Digits]:
    """Count one side's discs in all windows of a direction at once.

    Returns:
        The windows that lie on the board and hold no disc of the other side, by their first cell; and the
        number of own discs in each, as binary digits: bit i of the first word is the lowest digit for the
        window that starts at cell i. A line is at most 127 long, hence seven digits; those that `connect`
        does not need are compiled away.
    """
    free = board.full
    ones = twos = fours = eights = sixteens = thirtytwos = sixtyfours = board.zero
    for step in range(board.connect):
        free = free & ((board.full & ~other) >> (stride * step))
        carry = own >> (stride * step)
        ones, carry = ones ^ carry, ones & carry
        twos, carry = twos ^ carry, twos & carry
        if board.connect >= 4:
            fours, carry = fours ^ carry, fours & carry
        if board.connect >= 8:
            eights, carry = eights ^ carry, eights & carry
        if board.connect >= 16:
            sixteens, carry = sixteens ^ carry, sixteens & carry
        if board.connect >= 32:
            thirtytwos, carry = thirtytwos ^ carry, thirtytwos & carry
        if board.connect >= 64:
            sixtyfours = sixtyfours ^ carry
    return free, (ones, twos, fours, eights, sixteens, thirtytwos, sixtyfours)


@kernel
def holding(board: Board, digits: Digits, number: int) -> int:
    """The windows that hold this number of discs, by what `add_up` has counted."""
    ones, twos, fours, eights, sixteens, thirtytwos, sixtyfours = digits
    match = (ones if number & 1 else ~ones) & (twos if number & 2 else ~twos)
    if board.connect >= 4:
        match = match & (fours if number & 4 else ~fours)
    if board.connect >= 8:
        match = match & (eights if number & 8 else ~eights)
    if board.connect >= 16:
        match = match & (sixteens if number & 16 else ~sixteens)
    if board.connect >= 32:
        match = match & (thirtytwos if number & 32 else ~thirtytwos)
    if board.connect >= 64:
        match = match & (sixtyfours if number & 64 else ~sixtyfours)
    return match
