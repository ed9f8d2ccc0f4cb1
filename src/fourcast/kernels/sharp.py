"""Sharp playouts: games finished by players who see two discs ahead and otherwise choose by chance."""

from __future__ import annotations

import numpy as np

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.chance import next_column, next_number
from fourcast.kernels.tricks import completing_cells, playable_cells


@kernel
def play_sharply(
    board: Board,
    mover: int,
    waiter: int,
    ply: int,
    last: int,
    slip: float,
    state: np.uint64,
    fraction: np.uint64,
    left: int,
) -> tuple[int, int, int, bool, np.uint64, np.uint64, int]:
    """Go on with a game that is not over until somebody wins or the last ply is reached.

    Who can win does, and who must block does; where several columns need it, the leftmost. Otherwise any open
    column is as likely as another, but for those that would let the other side win right after, and, if there
    are others, for those that would let it take a winning cell away. Every disc may slip.

    Args:
        board: The geometry.
        mover: The stones of the side to move.
        waiter: The other side's.
        ply: How many discs they are.
        last: The ply at which to stop.
        slip: The chance that a disc lands in another open column.
        state: The random stream.
        fraction: What is left of its last number.
        left: How many columns are left in that.

    Returns:
        The stones of the side that would move next and of the other, the ply, whether the other has won, and
        the stream's state, fraction and columns left.
    """
    wins, threats = completing_cells(board, mover), completing_cells(board, waiter)
    while ply < last:
        occupied = mover | waiter
        playable = playable_cells(board, occupied)
        sure = wins & playable
        if not sure:
            sure = threats & playable
        cell = sure & ~(sure - board.one)
        safe = playable & ~((threats & ~occupied) >> 1)
        choice = safe & ~((wins & ~occupied) >> 1)
        if not choice:
            choice = safe
        if not choice:
            choice = playable
        if slip > 0.0 and (playable & (playable - board.one)):
            while not cell:  # with slip, an aim has to be chosen before it is known where the disc lands
                drawn, state, fraction, left = next_column(board, state, fraction, left)
                cell = choice & (board.lane << (drawn * board.height))
            state, number = next_number(state)
            if np.float64(number >> np.uint64(11)) * 2.0**-53 < slip:
                choice, cell = playable ^ cell, board.zero
        while not cell:
            drawn, state, fraction, left = next_column(board, state, fraction, left)
            cell = choice & (board.lane << (drawn * board.height))
        won = bool(wins & cell)
        mover, waiter = waiter, mover | cell
        ply += 1
        if won:
            return mover, waiter, ply, True, state, fraction, left
        wins, threats = threats, completing_cells(board, waiter)
    return mover, waiter, ply, False, state, fraction, left
