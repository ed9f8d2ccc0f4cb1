"""Positions as cells: what models and data files look at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.batch import Batch

Cells = npt.NDArray[np.int8]


def cells_of(batch: Batch) -> Cells:
    """Who has a disc in each cell, seen from the side to move.

    Returns:
        int8 of shape (positions, columns, rows), row 0 at the bottom: 1 the side to move, -1 the other side,
        0 empty.
    """
    geometry = batch.geometry
    bits = np.arange(geometry.columns)[:, np.newaxis] * geometry.height + np.arange(geometry.rows)
    halves, shifts = bits // 64, (bits % 64).astype(np.uint64)
    own = (batch.stones[:, 0][:, halves] >> shifts & np.uint64(1)).astype(np.int8)
    other = (batch.stones[:, 1][:, halves] >> shifts & np.uint64(1)).astype(np.int8)
    cells: Cells = own - other
    return cells


def mirrored(cells: Cells) -> Cells:
    """The same positions, left for right."""
    return cells[:, ::-1]
