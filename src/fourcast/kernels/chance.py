"""Chance in compiled code: a seeded stream, and the columns drawn from it.

The stream is SplitMix64 (Steele, Lea and Flood, 2014). A random uint64 is a fraction in [0, 1); multiplied by
the number of columns it yields a column in its whole part and a fresh fraction in the rest. One number serves
for `board.draws` columns, which leaves at least 32 bits of it for the last: no column is favoured by more
than a part in 10^8.
"""

from __future__ import annotations

import operator

import numpy as np

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.words import multiply_wide

MASK = (1 << 64) - 1


def stream_seed(seed: int) -> np.uint64:
    """Any integer as the start of a stream."""
    return np.uint64(operator.index(seed) & MASK)


@kernel
def next_number(state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The stream's next state, and a random uint64."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, mixed ^ (mixed >> np.uint64(31))


@kernel
def stream_of(seed: np.uint64, index: int) -> np.uint64:
    """The start of the stream that belongs to one position of a batch."""
    return next_number(seed ^ next_number(np.uint64(index))[1])[1]


@kernel
def next_column(
    board: Board, state: np.uint64, fraction: np.uint64, left: int
) -> tuple[int, np.uint64, np.uint64, int]:
    """A column, each equally likely, and the stream's state, fraction and columns left in the fraction."""
    if left == 0:
        state, fraction = next_number(state)
        left = board.draws
    whole, fraction = multiply_wide(fraction, np.uint64(board.columns))
    return np.int64(whole), state, fraction, left - 1  # type: ignore[return-value]
