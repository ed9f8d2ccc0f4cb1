"""The state of searches that deepen, and the order in which they try moves.

Moves are tried in this order: the one that the table remembers, two that cut off elsewhere at the same ply
(*killers*), and then those that make most winning cells, and whose cells have cut off most often (*history*),
which begins with how many windows a cell is part of.

A search's state goes on from that of `kernels.lookahead`: after the lines of play come the table's words,
the history, the killers, and the ranks of each ply's moves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.drafts import DRAFT_WORDS
from fourcast.kernels.lookahead import line_of, lines_at
from fourcast.kernels.memory import load, store
from fourcast.kernels.tricks import completing_cells
from fourcast.kernels.words import lowest_bit, popcount

_FIRST, _KILLER = 1 << 62, 1 << 60  # ranks of the table's move and of killers
_MOST_HISTORY = 1 << 40


def table_at(geometry: Geometry) -> int:
    """Where the words of the table begin, after the lines of play."""
    return lines_at(geometry) + (geometry.cells + 2) * (geometry.cells + 1)


def history_at(geometry: Geometry) -> int:
    """Where the history begins: a word for each bit, for the first player's discs and then the second's."""
    return table_at(geometry) + DRAFT_WORDS


def killers_at(geometry: Geometry) -> int:
    """Where the killers begin: two words for each ply below the root, 1 + a column, or 0."""
    return history_at(geometry) + 2 * geometry.bits


def state_words(geometry: Geometry) -> int:
    """How many words a search's state takes; last come the ranks of each ply's moves."""
    return killers_at(geometry) + (geometry.cells + 2) * (2 + geometry.columns)


@kernel
def table_of(board: Board, state: np.uint64) -> np.uint64:
    """The address of the words of the table."""
    return line_of(board, state, board.cells + 2)


@kernel
def _history(board: Board, state: np.uint64, side: int) -> np.uint64:
    return table_of(board, state) + np.uint64(8 * (DRAFT_WORDS + side * board.bits))


@kernel
def _killers(board: Board, state: np.uint64, ply: int) -> np.uint64:
    return _history(board, state, 2) + np.uint64(16 * ply)


@kernel
def _ranks(board: Board, state: np.uint64, ply: int) -> np.uint64:
    return _killers(board, state, board.cells + 2) + np.uint64(8 * ply * board.columns)


@kernel
def rank_moves(
    board: Board, state: np.uint64, moves: int, mine: int, empty: int, side: int, ply: int, first: int
) -> None:
    """Give each of the moves a rank: 0 for columns that are none."""
    ranks, history, killers = (
        _ranks(board, state, ply),
        _history(board, state, side),
        _killers(board, state, ply),
    )
    for column in range(board.columns):
        cell = moves & (board.lane << (column * board.height))
        rank = np.uint64(0)
        if cell:
            made = popcount(completing_cells(board, mine | cell) & empty)
            rank = load(history, lowest_bit(cell)) + np.uint64(1) + (np.uint64(made) << np.uint64(50))
            if column == first:
                rank = np.uint64(_FIRST)
            elif load(killers, 0) == np.uint64(column + 1):
                rank = np.uint64(_KILLER + 1)
            elif load(killers, 1) == np.uint64(column + 1):
                rank = np.uint64(_KILLER)
        store(ranks, column, rank)


@kernel
def next_move(board: Board, state: np.uint64, ply: int) -> int:
    """The column of the highest rank, which it loses; of equals the most central; -1 if none is left."""
    ranks = _ranks(board, state, ply)
    best, found = np.uint64(0), -1
    for step in range(board.columns):  # from the centre out: 0, -1, 1, -2, 2 ... to the middle
        away = (step + 1) // 2
        column = (board.columns - 1) // 2 + (away if step & 1 == 1 else -away)
        if load(ranks, column) > best:
            best, found = load(ranks, column), column
    if found >= 0:
        store(ranks, found, np.uint64(0))
    return found


@kernel
def praise(board: Board, state: np.uint64, cell: int, column: int, side: int, ply: int, depth: int) -> None:
    """Remember a move that has cut off."""
    killers, history = _killers(board, state, ply), _history(board, state, side)
    if load(killers, 0) != np.uint64(column + 1):
        store(killers, 1, load(killers, 0))
        store(killers, 0, np.uint64(column + 1))
    bit = lowest_bit(cell)
    store(history, bit, min(load(history, bit) + np.uint64(depth * depth + 1), np.uint64(_MOST_HISTORY)))


@kernel
def forget_good_moves(board: Board, state: np.uint64, worths: npt.NDArray[np.uint64]) -> None:
    """Begin the history anew, with what each cell is worth by its bit, and without killers."""
    for side in range(2):
        history = _history(board, state, side)
        for bit in range(board.bits):
            store(history, bit, worths[bit])
    for ply in range(board.cells + 2):
        store(_killers(board, state, ply), 0, np.uint64(0))
        store(_killers(board, state, ply), 1, np.uint64(0))
