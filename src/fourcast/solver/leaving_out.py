"""Solving without one of the exact search's ideas, to see what it brings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from fourcast.game.position import Position
from fourcast.kernels.background import run_watched
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import Board, LessBoard
from fourcast.kernels.exact import bisect_each
from fourcast.kernels.memory import address_of
from fourcast.solver.memory import Memory

TABLE_MB = 64
_FAR = 127  # beyond any score


@dataclass(frozen=True, slots=True)
class Counted:
    """What a position took.

    Attributes:
        score: The exact score; None if the nodes were used up before it was proven.
        nodes: Positions visited.
    """

    score: int | None
    nodes: int


class LessSolver:
    """The exact search in one thread, without a book and some ideas; each question finds the tables empty.

    Attributes:
        left_out: The ideas that it does without, a sum of those in `kernels.ideas`; 0 for none.
    """

    def __init__(self, position: Position, left_out: int = 0) -> None:
        """Set it up, with its code compiled.

        Args:
            position: A position of the board that it is for.
            left_out: What it does without.
        """
        self.left_out = left_out
        less = LessBoard(position.geometry, left_out)
        self._board = cast(Board, less if left_out else position.geometry)
        self._memory = Memory(position.geometry, TABLE_MB, 1)
        self.count(position, 1)

    def count(self, position: Position, most: int | None = None) -> Counted:
        """Solve a position whose game goes on, with so many nodes at most; Ctrl-C is heard meanwhile."""
        batch = Batch.of(position)
        bounds = np.full((1, 2), (-_FAR, _FAR), dtype=np.int64)
        nodes, taken = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.uint64)
        self._memory.begin(most)
        work = partial(
            bisect_each,
            self._board,
            self._memory.addresses[0],
            batch.stones,
            True,
            bounds,
            nodes,
            np.uint64(address_of(taken)),
        )
        run_watched(lambda _: work(), stop=self._memory.stop)
        lower, upper = (int(bound) for bound in bounds[0])
        return Counted(lower if lower == upper else None, int(nodes[0]))
