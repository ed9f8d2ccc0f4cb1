"""Positions as a network sees them: planes of numbers, one for each thing that can be said of a cell.

Each plane is a set of cells, so one word of the board; a cell is 1 where it is in the set, and 0 elsewhere:

    own, other              discs of the side to move, and of the other side
    own_wins, other_wins    empty cells where one more disc of that side makes a line
    playable                the lowest empty cell of each column that is not full
    turn                    every cell where the first player is to move, none where the second is
    odd                     the 1st, 3rd, 5th, ... row from the bottom
    inside                  every cell: tells the board from what a network thinks of around it
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadOption, shown
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import Board, kernel
from fourcast.kernels.tricks import Stones, completing_cells, playable_cells, read
from fourcast.kernels.words import low, popcount

PLANES = ("own", "other", "own_wins", "other_wins", "playable", "turn", "odd", "inside")
_OWN, _OTHER, _OWN_WINS, _OTHER_WINS, _PLAYABLE, _TURN, _ODD, _INSIDE = range(len(PLANES))

Planes = npt.NDArray[np.float32]


def plane_codes(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """Planes by number, which is how compiled code knows them.

    Raises:
        BadOption: There is none of such a name.
    """
    for name in names:
        if name not in PLANES:
            raise BadOption(f"there is no plane {shown(name)}; known: {', '.join(PLANES)}")
    return np.array([PLANES.index(name) for name in names], dtype=np.int64)


def planes_of(batch: Batch, names: Sequence[str]) -> Planes:
    """The planes of positions.

    Args:
        batch: The positions.
        names: Which planes, in this order.

    Returns:
        float32 of shape (positions, planes, rows, columns), row 0 at the bottom.

    Raises:
        BadOption: There is no plane of such a name.
    """
    geometry = batch.geometry
    planes = np.empty((len(batch), len(names), geometry.rows, geometry.columns), dtype=np.float32)
    write_planes(batch.board, batch.stones, plane_codes(names), planes)
    return planes


@kernel
def write_planes(board: Board, stones: Stones, codes: npt.NDArray[np.int64], planes: Planes) -> None:
    """Fill the planes of as many positions as there are stones; the array may have room for more."""
    odd = board.zero
    for row in range(0, board.rows, 2):
        odd = odd | (board.bottom << row)
    for index in range(len(stones)):
        mine, theirs = read(board, stones[index, 0]), read(board, stones[index, 1])
        occupied = mine | theirs
        for plane in range(len(codes)):
            code = codes[plane]
            if code == _OWN:
                cells = mine
            elif code == _OTHER:
                cells = theirs
            elif code == _OWN_WINS:
                cells = completing_cells(board, mine) & ~occupied
            elif code == _OTHER_WINS:
                cells = completing_cells(board, theirs) & ~occupied
            elif code == _PLAYABLE:
                cells = playable_cells(board, occupied)
            elif code == _TURN:
                cells = board.zero if popcount(occupied) & 1 else board.full
            elif code == _ODD:
                cells = odd
            else:
                cells = board.full
            for column in range(board.columns):
                lane = cells >> (column * board.height)
                for row in range(board.rows):
                    planes[index, plane, row, column] = np.float32(low((lane >> row) & board.one))
