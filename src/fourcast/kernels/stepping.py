"""Many games stepped together, as those who learn by playing want them: a disc in each, all in one call.

Each game has a random stream of its own, for slip, for an opponent who plays any open column, and for who
begins. So a game does not depend on its neighbours.

What a player sees of a game is a view, as PettingZoo has it for its connect_four: zeros and ones of shape
(rows, columns, 2), top row first, the player's own discs and then the other side's; and a mask of shape
(columns,) of those that are not full, nothing of it in a game that is over. Without an opponent the view is
that of the side to move, with one it is always the player's.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.chance import next_column, next_number, stream_of
from fourcast.kernels.playouts import landing
from fourcast.kernels.tricks import Stones, has_line, playable_cells, read, write
from fourcast.kernels.words import low

FIRST, SECOND, EITHER = range(3)  # which side the player has against an opponent; EITHER is drawn by lot
NOBODY = -1  # in place of an opponent's column: no disc was dropped
FORFEIT = -1  # in place of a player's: the column was full, and the game is lost

Flags = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int8]


@kernel
def begin_games(
    board: Board,
    stones: Stones,
    streams: npt.NDArray[np.uint64],
    seed: np.uint64,
    seeded: bool,
    side: int,
    answers: bool,
    views: Cells,
    masks: Cells,
) -> None:
    """Begin every game anew.

    Args:
        board: The geometry.
        stones: Filled with the positions, shape (games, 2, halves), the side to move first.
        streams: The games' random streams.
        seed: Where the streams start.
        seeded: Whether they start there now; else they go on.
        side: `FIRST`, `SECOND` or `EITHER`: the player's, if there is an opponent.
        answers: Whether there is an opponent.
        views: Filled with what is seen, shape (games, rows, columns, 2).
        masks: Filled with the columns that may be played, shape (games, columns).
    """
    for index in range(len(stones)):
        state = stream_of(seed, index) if seeded else streams[index]
        mine, theirs, state = _opening(board, side, answers, state)
        write(board, stones[index, 0], mine)
        write(board, stones[index, 1], theirs)
        streams[index] = state
        _write_view(board, mine, theirs, views[index])
        _write_mask(board, mine | theirs, masks[index])


@kernel
def first_wrong(
    board: Board, stones: Stones, over: Flags, columns: npt.NDArray[np.int64], forfeits: bool
) -> int:
    """The first game that goes on and whose column cannot be played, or -1.

    A full column does not count where it forfeits the game.
    """
    for index in range(len(stones)):
        if over[index]:
            continue
        column = columns[index]
        if column < 0 or column >= board.columns:
            return index
        if not forfeits:
            occupied = read(board, stones[index, 0]) | read(board, stones[index, 1])
            if not (playable_cells(board, occupied) & (board.lane << (column * board.height))):
                return index
    return -1


@kernel
def step_games(
    board: Board,
    stones: Stones,
    over: Flags,
    streams: npt.NDArray[np.uint64],
    columns: npt.NDArray[np.int64],
    slip: float,
    side: int,
    answers: bool,
    at_once: bool,
    views: Cells,
    masks: Cells,
    rewards: npt.NDArray[np.float32],
    ended: Flags,
    landed: Cells,
    last_views: Cells,
) -> None:
    """Drop a disc in every game, and an opponent's after it if there is one.

    Args:
        board: The geometry.
        stones: The positions, shape (games, 2, halves), the side to move first; those after the step follow.
        over: Which games are over and begin anew at this step, whatever their column; kept up to date.
        streams: The games' random streams.
        columns: One for each game, on the board; a full one forfeits the game.
        slip: The chance that a disc lands in another open column.
        side: `FIRST`, `SECOND` or `EITHER`: the player's, if there is an opponent.
        answers: Whether an opponent drops a disc in any open column, each equally likely. Its discs need not
            slip: where they land is as uniform as where they are aimed.
        at_once: Whether a game that ends begins anew at once; else at the next step.
        views: Filled with what is seen after the step, shape (games, rows, columns, 2).
        masks: Filled with the columns that may be played then, shape (games, columns).
        rewards: Filled with what it was worth to the player who dropped the disc: 1, 0 or -1.
        ended: Filled with which games ended at this step.
        landed: Filled with the columns of both discs, shape (games, 2): the player's or `FORFEIT`, the
            opponent's or `NOBODY`.
        last_views: Filled, where `at_once`, with the last view of the games that ended; as `views`.
    """
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        state = streams[index]
        reward, done = 0, False
        fell, answer = FORFEIT, NOBODY
        waits = False  # whether the side to move is the opponent, for a player who has ended the game
        if over[index]:
            over[index] = False
            mine, theirs, state = _opening(board, side, answers, state)
        else:
            occupied = mine | theirs
            column = columns[index]
            cell = playable_cells(board, occupied) & (board.lane << (column * board.height))
            if not cell:
                reward, done = -1, True
            else:
                if slip > 0.0:
                    column, state = landing(board, occupied, column, slip, state)
                    cell = playable_cells(board, occupied) & (board.lane << (column * board.height))
                fell = column
                mine, theirs = theirs, mine | cell
                occupied = mine | theirs
                if has_line(board, theirs):
                    reward, done, waits = 1, True, answers
                elif occupied == board.full:
                    done, waits = True, answers
                elif answers:
                    answer, cell, state = _any_column(board, occupied, state)
                    mine, theirs = theirs, mine | cell
                    if has_line(board, theirs):
                        reward, done = -1, True
                    elif (mine | theirs) == board.full:
                        done = True
        if done:
            if at_once:
                _write_view(board, theirs if waits else mine, mine if waits else theirs, last_views[index])
                mine, theirs, state = _opening(board, side, answers, state)
                waits = False
            else:
                over[index] = True
        write(board, stones[index, 0], mine)
        write(board, stones[index, 1], theirs)
        streams[index] = state
        rewards[index] = np.float32(reward)
        ended[index] = done
        landed[index, 0] = np.int8(fell)
        landed[index, 1] = np.int8(answer)
        _write_view(board, theirs if waits else mine, mine if waits else theirs, views[index])
        _write_mask(board, board.full if done and not at_once else mine | theirs, masks[index])


@kernel
def draw_columns(
    board: Board, stones: Stones, streams: npt.NDArray[np.uint64], columns: npt.NDArray[np.int64]
) -> None:
    """Fill `columns` with an open one for each position, each equally likely, and 0 for a full board."""
    for index in range(len(stones)):
        occupied = read(board, stones[index, 0]) | read(board, stones[index, 1])
        columns[index] = 0
        if occupied != board.full:
            column, _cell, state = _any_column(board, occupied, streams[index])
            columns[index] = column
            streams[index] = state


@kernel
def seed_streams(board: Board, seed: np.uint64, streams: npt.NDArray[np.uint64]) -> None:  # noqa: ARG001  # kernels with a board are kept on disk
    """Start the streams of as many games anew."""
    for index in range(len(streams)):
        streams[index] = stream_of(seed, index)


@kernel
def _opening(board: Board, side: int, answers: bool, state: np.uint64) -> tuple[int, int, np.uint64]:
    """Where a game begins for its player, and the stream's next state."""
    opponent_begins = answers and side == SECOND
    if answers and side == EITHER:
        state, number = next_number(state)
        opponent_begins = (number >> np.uint64(63)) == np.uint64(1)
    if opponent_begins:
        _column, cell, state = _any_column(board, board.zero, state)
        return board.zero, cell, state
    return board.zero, board.zero, state


@kernel
def _any_column(board: Board, occupied: int, state: np.uint64) -> tuple[int, int, np.uint64]:
    """Any open column of a board that is not full, each equally likely, its cell, and the stream's state."""
    fraction, left = np.uint64(0), 0
    playable = playable_cells(board, occupied)
    while True:
        column, state, fraction, left = next_column(board, state, fraction, left)
        cell = playable & (board.lane << (column * board.height))
        if cell:
            return column, cell, state


@kernel
def _write_view(board: Board, own: int, other: int, view: Cells) -> None:
    for row in range(board.rows):  # in the order of memory, which is what takes the time here
        mine, theirs = own >> (board.rows - 1 - row), other >> (board.rows - 1 - row)
        for column in range(board.columns):
            view[row, column, 0] = np.int8(low((mine >> (column * board.height)) & board.one))
            view[row, column, 1] = np.int8(low((theirs >> (column * board.height)) & board.one))


@kernel
def _write_mask(board: Board, occupied: int, mask: Cells) -> None:
    free = board.top & ~occupied
    for column in range(board.columns):
        mask[column] = np.int8(bool(free & (board.lane << (column * board.height))))
