"""What a position is worth by its windows: the evaluation at the end of a search that cannot see further.

Evaluations differ in their weights only. The weights are int64, in thousandths of a point: one for each
number of discs that a side has in a window which the other side has none in (0 to `connect`), and then those
of `CENTRE` to `FORK`, counted from `connect + 1`.

A *threat* is an empty cell, out of reach as yet, where one more disc makes a line. It is *timely* if the
other side has to play the cell below it once everything else is full.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.batch import Batch
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.memory import address_of, load_signed
from fourcast.kernels.tricks import Stones, cells_above, completing_cells, playable_cells, read
from fourcast.kernels.windows import add_up, holding
from fourcast.kernels.words import popcount

Weights = npt.NDArray[np.int64]

# What is weighed besides windows: a disc in the centre; a timely threat that has no timely one below it in
# its column; another threat that has none below it either; a threat with another right on top of it; having
# the move; a cell where the other side could win at once; each further one of those.
CENTRE, TIMELY, UNTIMELY, DOUBLE, TEMPO, DANGER, FORK, EXTRA_WEIGHTS = range(8)


def points(batch: Batch, weights: Weights) -> npt.NDArray[np.int64]:
    """What each position is worth to its side to move, in thousandths of a point: int64, (positions,).

    Args:
        batch: The positions, finished ones too.
        weights: int64 of shape (connect + 1 + EXTRA_WEIGHTS,).
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
    """What a position is worth to the side to move."""
    middle = (board.lane << ((board.columns // 2) * board.height)) | (
        board.lane << (((board.columns - 1) // 2) * board.height)
    )
    discs = popcount(mine & middle) - popcount(theirs & middle)
    total = discs * load_signed(weights, board.connect + 1 + CENTRE)
    total += windows_worth(board, weights, mine, theirs) - windows_worth(board, weights, theirs, mine)
    if (
        load_signed(weights, board.connect + 1 + TIMELY)
        or load_signed(weights, board.connect + 1 + UNTIMELY)
        or load_signed(weights, board.connect + 1 + DOUBLE)
    ):
        total += threats_worth(board, weights, mine, theirs)
    danger = load_signed(weights, board.connect + 1 + DANGER)
    fork = load_signed(weights, board.connect + 1 + FORK)
    if danger or fork:
        wins = popcount(completing_cells(board, theirs) & playable_cells(board, mine | theirs))
        if wins:
            total += danger + (wins - 1) * fork
    return total + load_signed(weights, board.connect + 1 + TEMPO)


@kernel
def threats_worth(board: Board, weights: np.uint64, mine: int, theirs: int) -> int:
    """What the side to move has by its threats, less what the other side has."""
    occupied = mine | theirs
    far = board.full & ~occupied & ~playable_cells(board, occupied)
    my_threats, their_threats = completing_cells(board, mine) & far, completing_cells(board, theirs) & far
    if not my_threats | their_threats:
        return 0
    firsts = board.zero  # cells whose turn comes to the first player, when all other columns are full
    for row in range(board.rows):
        if (board.cells - board.rows + row) & 1 == 0:
            firsts = firsts | (board.bottom << row)
    my_time = firsts if popcount(occupied) & 1 == 0 else ~firsts
    my_timely, their_timely = my_threats & my_time, their_threats & ~my_time
    low = ~cells_above(board, my_timely | their_timely)
    timely = popcount(my_timely & low) - popcount(their_timely & low)
    untimely = popcount(my_threats & ~my_time & low) - popcount(their_threats & my_time & low)
    double = popcount(my_threats & (my_threats >> 1)) - popcount(their_threats & (their_threats >> 1))
    return (
        timely * load_signed(weights, board.connect + 1 + TIMELY)
        + untimely * load_signed(weights, board.connect + 1 + UNTIMELY)
        + double * load_signed(weights, board.connect + 1 + DOUBLE)
    )


@kernel
def windows_worth(board: Board, weights: np.uint64, own: int, other: int) -> int:
    """The sum of the weights of one side's windows."""
    height = board.height
    total = 0
    for stride in (1, height - 1, height, height + 1):
        free, digits = add_up(board, own, other, stride)
        for number in range(1, board.connect + 1):
            weight = load_signed(weights, number)
            if weight:
                total += weight * popcount(free & holding(board, digits, number))
    return total
