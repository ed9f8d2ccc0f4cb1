"""The bit tricks of `fourcast.game.bitboard`, compiled, and reading and writing words in arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.game import bitboard, rules
from fourcast.kernels.board import Board, join, kernel
from fourcast.kernels.words import high, low

Stones = npt.NDArray[np.uint64]

playable_cells = kernel(bitboard.playable_cells)
has_line = kernel(bitboard.has_line)
completing_cells = kernel(bitboard.completing_cells)
cells_above = kernel(bitboard.cells_above)
mirrored = kernel(bitboard.mirrored)
position_key = kernel(bitboard.position_key)
aim_shares = kernel(rules.aim_shares)


@kernel
def read(board: Board, halves: Stones) -> int:
    """The word that an array of `board.halves` uint64 holds."""
    return join(board, halves[0], halves[board.halves - 1])


@kernel
def write(board: Board, halves: Stones, word: int) -> None:
    """Put a word into an array of `board.halves` uint64."""
    halves[0] = low(word)
    if board.halves == 2:
        halves[1] = high(word)


@kernel
def folded_key(board: Board, mine: int, occupied: int) -> int:
    """The smaller of a position's key and its mirror image's."""
    key = position_key(board, mine, occupied)
    image = mirrored(board, key)
    return image if image < key else key


@kernel
def mixed(key: int) -> np.uint64:
    """A key's bits mixed into 64; keys of up to 64 bits stay different."""
    return (low(key) ^ (high(key) * np.uint64(0xD6E8FEB86659FD93))) * np.uint64(0x9E3779B97F4A7C15)


@kernel
def is_over(board: Board, mine: int, theirs: int) -> bool:
    """Whether the last disc, one of theirs, made a line or filled the board."""
    return (mine | theirs) == board.full or has_line(board, theirs)
