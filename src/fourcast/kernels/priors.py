"""From what a network says of columns to how likely each of them is to be played."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.tricks import Stones, is_over, read

Logits = npt.NDArray[np.float32]
Shares = npt.NDArray[np.float64]


@kernel
def write_priors(board: Board, stones: Stones, logits: Logits, mirror: bool, priors: Shares) -> None:
    """Fill in how likely each column is: the open ones sum to 1; where the game is over, all are 0.

    Args:
        board: The geometry.
        stones: The positions, as a Batch has them.
        logits: float32 of shape (positions, columns), or, with `mirror`, (2 * positions, columns): those of
            the mirror images come after.
        mirror: Whether to take the mean with the mirror image.
        priors: float64 of shape (positions, columns).
    """
    count = len(stones)
    for index in range(count):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        for column in range(board.columns):
            priors[index, column] = 0.0
        if is_over(board, mine, theirs):
            continue
        free = board.top & ~(mine | theirs)
        for image in range(2 if mirror else 1):
            most, total = -np.inf, 0.0
            for column in range(board.columns):
                if free & (board.lane << (column * board.height)):
                    most = max(most, np.float64(logits[index + image * count, _turned(board, column, image)]))
            for column in range(board.columns):
                if free & (board.lane << (column * board.height)):
                    total += math.exp(logits[index + image * count, _turned(board, column, image)] - most)
            for column in range(board.columns):
                if free & (board.lane << (column * board.height)):
                    liked = math.exp(logits[index + image * count, _turned(board, column, image)] - most)
                    priors[index, column] += liked / total / (2.0 if mirror else 1.0)


@kernel
def _turned(board: Board, column: int, image: int) -> int:
    """Where a column is in the mirror image, if it is one."""
    return board.columns - 1 - column if image else column
