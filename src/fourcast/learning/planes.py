"""Positions as a network sees them: planes of numbers, one for each thing that can be said of a cell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadOption, shown
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of
from fourcast.kernels.moves import winning_cells
from fourcast.kernels.tricks import Stones

Planes = npt.NDArray[np.float32]
_Bits = npt.NDArray[np.bool_]


def planes_of(batch: Batch, names: tuple[str, ...]) -> Planes:
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
    for index, name in enumerate(names):
        if name not in _PLANES:
            raise BadOption(f"there is no plane {shown(name)}; known: {', '.join(_PLANES)}")
        planes[:, index] = _PLANES[name](batch)
    return planes


def _cells(batch: Batch, words: Stones) -> _Bits:
    """The cells of words, one for each position: bool of shape (positions, rows, columns)."""
    geometry = batch.geometry
    bits = np.arange(geometry.columns) * geometry.height + np.arange(geometry.rows)[:, np.newaxis]
    halves, shifts = bits // 64, (bits % 64).astype(np.uint64)
    assert words.shape[1] == halves_of(geometry)
    cells: _Bits = (words[:, halves] >> shifts & np.uint64(1)).astype(np.bool_)
    return cells


def _playable(batch: Batch) -> _Bits:
    occupied = _cells(batch, batch.stones[:, 0] | batch.stones[:, 1])
    rests = np.ones_like(occupied)
    rests[:, 1:] = occupied[:, :-1]
    playable: _Bits = rests & ~occupied
    return playable


def _turn(batch: Batch) -> npt.NDArray[np.bool_]:
    first = np.bitwise_count(batch.stones).sum(axis=(1, 2)) % 2 == 0
    turn: npt.NDArray[np.bool_] = first[:, np.newaxis, np.newaxis]
    return turn


def _odd(batch: Batch) -> npt.NDArray[np.bool_]:
    odd: npt.NDArray[np.bool_] = (np.arange(batch.geometry.rows) % 2 == 0)[:, np.newaxis]
    return odd


_PLANES: dict[str, Callable[[Batch], npt.NDArray[np.bool_]]] = {
    "own": lambda batch: _cells(batch, batch.stones[:, 0]),
    "other": lambda batch: _cells(batch, batch.stones[:, 1]),
    "own_wins": lambda batch: _cells(batch, winning_cells(batch)[:, 0]),
    "other_wins": lambda batch: _cells(batch, winning_cells(batch)[:, 1]),
    "playable": _playable,
    "turn": _turn,
    "odd": _odd,
    "inside": lambda _batch: np.ones((1, 1), dtype=np.bool_),
}
PLANES = tuple(_PLANES)
