"""What a position is worth by its windows: the evaluation at the end of a search that cannot see further.

Evaluations differ in their weights only. The weights are int64, in thousandths of a point: one for each
number of discs that a side has in a window which the other side has none in (0 to `connect`), and one for
each disc in the centre.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.batch import Batch
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.memory import address_of, load_signed
from fourcast.kernels.tricks import Stones, read
from fourcast.kernels.words import popcount

Weights = npt.NDArray[np.int64]


def points(batch: Batch, weights: Weights) -> npt.NDArray[np.int64]:
    """What each position is worth to its side to move, in thousandths of a point: int64, (positions,).

    Args:
        batch: The positions, finished ones too.
        weights: int64 of shape (connect + 2,): by discs in a window, and last that of a disc in the centre.
    """
    found = np.zeros(len(batch), dtype=np.int64)
    _points(batch.board, batch.stones, np.uint64(address_of(weights.view(np.uint64))), found)
    return found


@kernel
def _points(board: Board, stones: Stones, weights: np.uint64, found: npt.NDArray[np.int64]) -> None:
    for index in range(len(stones)):
        found[index] = evaluate(board, weights, read(board, stones[index, 0]), read(board, stones[index, 1]))


@kernel
def evaluate(board: Board, weights: np.uint64, mine: int, theirs: int) -> int:
    """What a position is worth to the side to move; the other side would see the same with the other sign."""
    middle = (board.lane << ((board.columns // 2) * board.height)) | (
        board.lane << (((board.columns - 1) // 2) * board.height)
    )
    discs = popcount(mine & middle) - popcount(theirs & middle)
    total = discs * load_signed(weights, board.connect + 1)
    total += windows_worth(board, weights, mine, theirs) - windows_worth(board, weights, theirs, mine)
    return total


@kernel
def windows_worth(board: Board, weights: np.uint64, own: int, other: int) -> int:
    """The sum of the weights of one side's windows.

    All windows of a direction are counted at once, see `kernels.windows`. A line is at most 127 long, hence
    seven binary digits; those that `connect` does not need are compiled away.
    """
    height = board.height
    total = 0
    for stride in (1, height - 1, height, height + 1):
        free = board.full  # windows that lie on the board and hold no disc of the other side
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
        for number in range(1, board.connect + 1):
            weight = load_signed(weights, number)
            if weight:
                match = free & (ones if number & 1 else ~ones)
                match = match & (twos if number & 2 else ~twos)
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
                total += weight * popcount(match)
    return total
