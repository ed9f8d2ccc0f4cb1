"""Random playouts: games finished by players who choose any open column, each equally likely."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.game.limit import check_count
from fourcast.game.rules import check_slip
from fourcast.kernels.background import STOP, Control, Signals, run_watched
from fourcast.kernels.batch import Batch, column_each
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.chance import next_column, next_number, stream_of, stream_seed
from fourcast.kernels.moves import legal_columns
from fourcast.kernels.sharp import play_sharply
from fourcast.kernels.tricks import Stones, has_line, playable_cells, read
from fourcast.kernels.words import popcount

WINS, DRAWS, LOSSES, UNFINISHED, PLIES = range(5)
AT_RANDOM = -1

_WORTH_WATCHING = 100_000  # games; fewer are over before anybody could stop them

Tally = npt.NDArray[np.int64]


def playouts(
    batch: Batch,
    count: int,
    *,
    seed: int = 0,
    slip: float = 0.0,
    cap: int | None = None,
    columns: npt.ArrayLike | None = None,
    sharp: bool = False,
) -> Tally:
    """Play every position out `count` times.

    With slip, every disc may land in another open column. For a player who chooses at random that changes
    nothing: the landing column is as uniform as the chosen one. So slip is drawn only for the disc that
    `columns` aims, and playouts with slip cost no more.

    Args:
        batch: The positions. One whose game is over counts as `count` games of no moves.
        count: Playouts of each position.
        seed: The same seed gives the same tally; each position of the batch has its own stream.
        slip: The chance that a disc lands in another open column.
        cap: Most plies of a playout; one that is cut off there counts as unfinished.
        columns: One 0-based column a position where the first disc is aimed, -1 for any; all any by default.
        sharp: Whether both sides win and block where they can, and otherwise choose by chance, as
            `kernels.sharp` has it; then every disc may slip.

    Returns:
        int64 of shape (positions, 5), seen from the side to move: `WINS`, `DRAWS`, `LOSSES`, `UNFINISHED`,
        and the sum of the `PLIES` played.

    Raises:
        BadSlip, BadLimit, BadShape: An argument is not what it should be.
        IllegalMove: A disc cannot be aimed there.
    """
    count = check_count("playouts", count)
    plies = batch.geometry.cells if cap is None else min(check_count("cap", cap), batch.geometry.cells)
    slip = check_slip(slip)
    aims = np.full(len(batch), AT_RANDOM) if columns is None else _aims(batch, columns)
    tally = np.zeros((len(batch), 5), dtype=np.int64)

    def play(control: Control) -> None:
        _playouts(
            batch.board,
            batch.stones,
            aims,
            count,
            stream_seed(seed),
            slip,
            plies,
            sharp,
            control.signals,
            tally,
        )

    if count * len(batch) < _WORTH_WATCHING:
        play(Control())
    else:
        run_watched(play)
    return tally


def _aims(batch: Batch, columns: npt.ArrayLike) -> npt.NDArray[np.int64]:
    aims = column_each(batch, columns)
    inside = (aims >= 0) & (aims < batch.geometry.columns)
    legal = legal_columns(batch)[np.arange(len(batch)), np.where(inside, aims, 0)]
    for index in np.flatnonzero((aims != AT_RANDOM) & ~(inside & legal)):
        position = next(iter(Batch(batch.geometry, batch.stones[index : index + 1])))
        position.check_move(int(aims[index]))
    return aims


@kernel
def _playouts(
    board: Board,
    stones: Stones,
    aims: npt.NDArray[np.int64],
    count: int,
    seed: np.uint64,
    slip: float,
    cap: int,
    sharp: bool,
    signals: Signals,
    tally: Tally,
) -> None:
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        before = popcount(mine | theirs)
        if has_line(board, theirs):
            tally[index, LOSSES] = count
        elif before == board.cells:
            tally[index, DRAWS] = count
        else:
            last = min(before + cap, board.cells)
            stream = stream_of(seed, index)
            play_out(
                board,
                mine,
                theirs,
                before,
                last,
                aims[index],
                count,
                stream,
                slip,
                sharp,
                signals,
                tally[index],
            )


@kernel
def play_out(
    board: Board,
    mine: int,
    theirs: int,
    before: int,
    last: int,
    aim: int,
    count: int,
    state: np.uint64,
    slip: float,
    sharp: bool,
    signals: Signals,
    tally: Tally,
) -> None:
    """Add `count` playouts of a game that is not over to `tally`, shape (5,).

    Args:
        board: The geometry.
        mine: The stones of the side to move.
        theirs: The other side's.
        before: How many discs they are.
        last: The ply at which to stop.
        aim: The column of the first disc, or `AT_RANDOM`.
        count: How many playouts.
        state: The random stream.
        slip: The chance that the aimed disc lands elsewhere.
        sharp: Whether both sides see two discs ahead.
        signals: Stops the playing when `STOP` is set.
        tally: What `playouts` returns for one position.
    """
    fraction, left = np.uint64(0), 0
    for game in range(count):
        if game & 1023 == 0 and signals[STOP]:
            return
        mover, waiter = mine, theirs
        ply = before
        won = False
        if aim >= 0 and ply < last:
            column = aim
            if slip > 0.0:
                column, state = landing(board, mine | theirs, aim, slip, state)
            waiter = mine | (playable_cells(board, mine | theirs) & (board.lane << (column * board.height)))
            mover = theirs
            ply += 1
            won = has_line(board, waiter)
        if not won and sharp:
            mover, waiter, ply, won, state, fraction, left = play_sharply(
                board, mover, waiter, ply, last, slip, state, fraction, left
            )
        elif not won:
            mover, waiter, ply, won, state, fraction, left = play_on(
                board, mover, waiter, ply, last, state, fraction, left
            )
        tally[PLIES] += ply - before
        if won:
            tally[WINS if (ply - before) & 1 else LOSSES] += 1
        elif ply == board.cells:
            tally[DRAWS] += 1
        else:
            tally[UNFINISHED] += 1


@kernel
def play_on(
    board: Board,
    mover: int,
    waiter: int,
    ply: int,
    last: int,
    state: np.uint64,
    fraction: np.uint64,
    left: int,
) -> tuple[int, int, int, bool, np.uint64, np.uint64, int]:
    """Go on with a game that is not over, by chance, until somebody wins or the last ply is reached.

    Args:
        board: The geometry.
        mover: The stones of the side to move.
        waiter: The other side's.
        ply: How many discs they are.
        last: The ply at which to stop.
        state: The random stream.
        fraction: What is left of its last number.
        left: How many columns are left in that.

    Returns:
        The stones of the side that would move next and of the other, the ply, whether the other has won, and
        the stream's state, fraction and columns left.
    """
    while ply < last:
        occupied = mover | waiter
        cell = board.zero
        while not cell:
            drawn, state, fraction, left = next_column(board, state, fraction, left)
            cell = playable_cells(board, occupied) & (board.lane << (drawn * board.height))
        mover, waiter = waiter, mover | cell
        ply += 1
        if ply >= 2 * board.connect - 1 and has_line(board, waiter):  # nobody has enough discs earlier
            return mover, waiter, ply, True, state, fraction, left
    return mover, waiter, ply, False, state, fraction, left


@kernel
def landing(board: Board, occupied: int, aim: int, slip: float, state: np.uint64) -> tuple[int, np.uint64]:
    """Where a disc aimed at a column lands, and the stream's next state."""
    state, number = next_number(state)
    open_columns = popcount(board.top & ~occupied)
    if (number >> np.uint64(11)) * 2.0**-53 >= slip or open_columns == 1:
        return aim, state
    fraction, left = np.uint64(0), 0
    while True:
        column, state, fraction, left = next_column(board, state, fraction, left)
        cell = playable_cells(board, occupied) & (board.lane << (column * board.height))
        if cell and column != aim:
            return column, state
