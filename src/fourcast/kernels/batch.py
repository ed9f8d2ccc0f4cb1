"""Many positions of one geometry as an array, which is how they cross into compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadShape
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position
from fourcast.kernels.board import Board, board_of, halves_of

_HALF = (1 << 64) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Positions of one geometry. An array that is handed in is not looked into: it must hold positions.

    Attributes:
        geometry: The board.
        stones: uint64, shape (positions, 2, halves): the stones of the side to move and of the other side,
            in one or two halves, the lower first.
    """

    geometry: Geometry
    stones: npt.NDArray[np.uint64]

    def __post_init__(self) -> None:
        shape = (len(self.stones), 2, halves_of(self.geometry))
        if self.stones.shape != shape or self.stones.dtype != np.uint64:
            raise BadShape(
                f"stones of {self.geometry} must be uint64 of shape {shape}, "
                f"not {self.stones.dtype} of {self.stones.shape}"
            )

    @classmethod
    def of(cls, positions: Position | Sequence[Position]) -> Batch:
        """The positions, all of one geometry, as a batch.

        Raises:
            BadShape: There are none, or they are on different boards.
        """
        if isinstance(positions, Position):
            positions = [positions]
        if not positions:
            raise BadShape("a batch needs at least one position")
        geometry = positions[0].geometry
        for index, position in enumerate(positions):
            if position.geometry != geometry:
                raise BadShape(f"position {index} is on board {position.geometry}, the first on {geometry}")
        words = [word for position in positions for word in (position.mine, position.theirs)]
        return cls(geometry, split(words, geometry).reshape(len(positions), 2, -1))

    @property
    def board(self) -> Board:
        """The first argument of every kernel."""
        return board_of(self.geometry)

    def __len__(self) -> int:
        return len(self.stones)

    def __iter__(self) -> Iterator[Position]:
        """The positions; raises a `BadBoard` at one that is not sound."""
        for mine, theirs in self.stones:
            sides = [whole(mine), whole(theirs)]
            turn = (sides[0] | sides[1]).bit_count() & 1
            yield Position(self.geometry, sides[turn], sides[1 - turn])


def column_each(batch: Batch, columns: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """One column for each position of a batch, as an array.

    Raises:
        BadShape: There is not one whole number for every position.
    """
    chosen = np.asarray(columns)
    if chosen.shape != (len(batch),) or chosen.dtype.kind not in "iu":
        raise BadShape(
            f"{len(batch)} positions need as many whole columns, not {chosen.dtype} {chosen.shape}"
        )
    return chosen.astype(np.int64)


def split(words: Iterable[int], geometry: Geometry) -> npt.NDArray[np.uint64]:
    """Words as uint64 of shape (words, halves)."""
    halves = halves_of(geometry)
    return np.array(
        [[word >> 64 * half & _HALF for half in range(halves)] for word in words], dtype=np.uint64
    )


def whole(halves: npt.NDArray[np.uint64]) -> int:
    """The word that its halves make."""
    return sum(int(half) << 64 * index for index, half in enumerate(halves))
