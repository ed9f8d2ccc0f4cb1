"""Positions as cells: what models and data files look at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.game.geometry import Geometry
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of

Cells = npt.NDArray[np.int8]


def cells_of(batch: Batch) -> Cells:
    """Who has a disc in each cell, seen from the side to move.

    Returns:
        int8 of shape (positions, columns, rows), row 0 at the bottom: 1 the side to move, -1 the other side,
        0 empty.
    """
    halves, shifts = _places(batch.geometry)
    own = (batch.stones[:, 0][:, halves] >> shifts & np.uint64(1)).astype(np.int8)
    other = (batch.stones[:, 1][:, halves] >> shifts & np.uint64(1)).astype(np.int8)
    cells: Cells = own - other
    return cells


def mirrored(cells: Cells) -> Cells:
    """The same positions, left for right."""
    return cells[:, ::-1]


def batch_of(geometry: Geometry, cells: Cells) -> Batch:
    """The positions that have these cells; the way back from `cells_of`."""
    halves, shifts = _places(geometry)
    stones = np.zeros((len(cells), 2, halves_of(geometry)), dtype=np.uint64)
    for half in range(stones.shape[2]):
        here = halves == half
        weights = np.uint64(1) << shifts[here]
        for side, disc in enumerate((1, -1)):
            stones[:, side, half] = (cells[:, here] == disc) @ weights
    return Batch(geometry, stones)


def image_is_lesser(cells: Cells) -> npt.NDArray[np.bool_]:
    """Which positions have a mirror image whose key is the lesser one: bool of shape (positions,)."""
    columns, rows = cells.shape[1:]
    if columns == 1:  # its own image, and a column that may be too high for 64 bits
        return np.zeros(len(cells), dtype=np.bool_)
    one = np.uint64(1)
    heights = (cells != 0).sum(axis=2).astype(np.uint64)
    lanes = (cells == 1) @ (one << np.arange(rows, dtype=np.uint64)) | one << heights  # of the key, by column
    images = lanes[:, ::-1]
    differs = lanes != images
    first = columns - 1 - np.argmax(differs[:, ::-1], axis=1)  # the last column counts most
    each = np.arange(len(cells))
    lesser: npt.NDArray[np.bool_] = images[each, first] < lanes[each, first]
    return lesser


def _places(geometry: Geometry) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """In which half of a word each cell's bit is, and where in it: two arrays of shape (columns, rows)."""
    bits = np.arange(geometry.columns)[:, np.newaxis] * geometry.height + np.arange(geometry.rows)
    return bits // 64, (bits % 64).astype(np.uint64)
