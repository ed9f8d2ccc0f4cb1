"""A position: who has stones where, and whose turn it is."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from fourcast.game import bitboard, notation
from fourcast.game.errors import (
    ColumnFull,
    ColumnOffBoard,
    GameOver,
    IllegalMove,
    UnreachablePosition,
    shown,
)
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.outcome import FIRST, SECOND, Cell, Outcome
from fourcast.game.soundness import check_stones

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Coding = Literal["012", "01-1"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Position:
    """An immutable position; equal and hashed by board and stones, however it was reached.

    Make one with `from_moves`, `from_text`, `from_array` or `from_flat`, or play on from the empty board
    `Position(geometry)`. The bits of `first` and `second` are laid out as `Geometry` draws them.

    Attributes:
        geometry: The board.
        first: The stones of the player who moved first.
        second: The other player's stones.
        ply: How many discs have been dropped.

    Raises:
        BadBoard: The stones are not a position (a kind of it: `FloatingDisc`, `ImpossibleCounts`, ...).
    """

    geometry: Geometry
    first: int
    second: int
    ply: int = field(compare=False)
    _played: tuple[int, ...] | None = field(compare=False)
    _over: bool | None = field(compare=False)  # None until somebody asks

    def __init__(self, geometry: Geometry | str = STANDARD, first: int = 0, second: int = 0) -> None:
        geometry = Geometry.of(geometry)
        check_stones(geometry, first, second)
        occupied = first | second
        _fill(self, geometry, first, second, occupied.bit_count(), None if occupied else ())

    # --- from the forms that people and programs use ---

    @classmethod
    def from_moves(cls, moves: str | Iterable[int], geometry: Geometry | str = STANDARD) -> Position:
        """The position after these moves from the empty board.

        Args:
            moves: A move string such as "4453" (columns from 1, above 9 as letters), or 0-based columns.
            geometry: The board.

        Raises:
            BadNotation: A character of the string names no column.
            IllegalMove: A move cannot be played; the message says which.
        """
        position = cls(Geometry.of(geometry))
        columns = notation.parse_moves(moves, position.geometry) if isinstance(moves, str) else moves
        for column in columns:
            position = position.play(column)
        return position

    @classmethod
    def from_text(cls, text: str, connect: int = 4) -> Position:
        """The position that a drawn board shows, its size taken from the drawing.

        `.` or `_` is empty, `X` or `x` the first player, `O` or `o` the second; top row first.

        Raises:
            BadBoard: The drawing is not a position; the message names the place.
        """
        return cls._from_rows(notation.rows_from_text(text), connect)

    @classmethod
    def from_array(cls, array: Sequence[Sequence[int]] | Any, connect: int = 4) -> Position:
        """The position in a 2-D array or nested list, top row first.

        0 is empty, 1 the first player, 2 or -1 the second.

        Raises:
            BadBoard: The array is not a position; the message names the place.
        """
        return cls._from_rows(notation.rows_from_array(array), connect)

    @classmethod
    def from_flat(cls, cells: Sequence[int] | Any, geometry: Geometry | str = STANDARD) -> Position:
        """The position in a flat list, row by row from the top, as Kaggle's `observation.board` is.

        Raises:
            BadBoard: The list is not a position; the message names the place.
        """
        geometry = Geometry.of(geometry)
        return cls._from_rows(notation.rows_from_flat(cells, geometry), geometry.connect)

    @classmethod
    def _from_rows(cls, rows: notation.Rows, connect: int) -> Position:
        geometry = Geometry(len(rows), len(rows[0]), connect)
        stones = [0, 0]
        for row, cells in enumerate(reversed(rows)):
            for column, owner in enumerate(cells):
                if owner:
                    stones[owner - 1] |= 1 << (column * geometry.height + row)
        return cls(geometry, *stones)

    # --- and back to them ---

    @property
    def columns_played(self) -> tuple[int, ...]:
        """The 0-based columns that lead here: as played, or for a drawn board some order that works.

        Raises:
            UnreachablePosition: No order of moves leads to this board, or none was found.
        """
        if self._played is None:
            from fourcast.game.retrace import retrace

            object.__setattr__(self, "_played", retrace(self))
        assert self._played is not None
        return self._played

    @property
    def moves(self) -> str:
        """`columns_played` as a move string, "4453"."""
        return notation.moves_text(self.columns_played)

    def to_rows(self) -> notation.Rows:
        """The cells as lists, top row first: 0 empty, 1 first player, 2 second."""
        height = self.geometry.height
        return [
            [
                (self.first >> (column * height + row) & 1) + 2 * (self.second >> (column * height + row) & 1)
                for column in range(self.geometry.columns)
            ]
            for row in reversed(range(self.geometry.rows))
        ]

    def to_text(self) -> str:
        """The cells as lines of `.`, `X` and `O`, top row first."""
        return "\n".join("".join(".XO"[owner] for owner in row) for row in self.to_rows())

    def to_array(self, coding: Coding = "012") -> npt.NDArray[np.int8]:
        """The cells as an int8 array of shape (rows, columns), top row first.

        Args:
            coding: "012" writes the second player's discs as 2, "01-1" as -1.
        """
        import numpy as np

        array = np.array(self.to_rows(), dtype=np.int8)
        if coding == "01-1":
            array[array == 2] = -1
        elif coding != "012":
            raise ValueError(f"coding {coding!r} is neither '012' nor '01-1'")
        return array

    def to_flat(self) -> list[int]:
        """The cells as a flat list, row by row from the top, as Kaggle's `observation.board` is."""
        return [owner for row in self.to_rows() for owner in row]

    def to_json(self) -> dict[str, Any]:
        """As JSON: the board, the moves that lead to it (null if none do), and the rows as text."""
        try:
            moves: str | None = self.moves
        except UnreachablePosition:
            moves = None
        return {"board": str(self.geometry), "moves": moves, "text": self.to_text().splitlines()}

    # --- the game ---

    @property
    def occupied(self) -> int:
        """The cells that hold a disc of either side."""
        return self.first | self.second

    @property
    def turn(self) -> int:
        """Whose turn it is (or would be, had the game not ended): 0 the first player's, 1 the second's."""
        return self.ply & 1

    @property
    def mine(self) -> int:
        """The stones of the side to move."""
        return self.second if self.turn else self.first

    @property
    def theirs(self) -> int:
        """The stones of the side that is not to move."""
        return self.first if self.turn else self.second

    def stones(self, player: int) -> int:
        """The stones of one player: 0 the first, 1 the second."""
        return self.second if player == SECOND else self.first

    @property
    def is_over(self) -> bool:
        """Whether the last disc made a line or the board is full."""
        over = self._over
        if over is None:
            full = self.ply == self.geometry.cells
            over = full or (
                self.ply >= 2 * self.geometry.connect - 1  # or else nobody has enough discs for a line
                and bitboard.has_line(self.geometry, self.theirs)
            )
            object.__setattr__(self, "_over", over)
        return over

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        line = bitboard.line_cells(self.geometry, self.theirs)
        if line:
            return Outcome(1 - self.turn, self.ply, self.cells_of(line))
        if self.ply == self.geometry.cells:
            return Outcome(None, self.ply)
        return None

    @property
    def legal(self) -> tuple[int, ...]:
        """The columns that may be played, from the left; none when the game is over."""
        if self.is_over:
            return ()
        geometry, occupied = self.geometry, self.occupied
        return tuple(
            column
            for column in range(geometry.columns)
            if not occupied >> (column * geometry.height + geometry.rows - 1) & 1
        )

    def play(self, column: int) -> Position:
        """The position after the side to move drops a disc into the column.

        Raises:
            ColumnOffBoard, ColumnFull, GameOver: It cannot; the message says which move it would have been.
        """
        column = self.check_move(column)
        geometry, first, second, ply = self.geometry, self.first, self.second, self.ply
        occupied = first | second
        disc = (occupied + (1 << column * geometry.height)) & ~occupied
        played = None if self._played is None else (*self._played, column)
        if ply & 1 == FIRST:
            return _unchecked(geometry, first | disc, second, ply + 1, played)
        return _unchecked(geometry, first, second | disc, ply + 1, played)

    def check_move(self, column: int) -> int:
        """The column, as a plain integer, if it can be played.

        Raises:
            ColumnOffBoard, ColumnFull, GameOver: It cannot.
        """
        column = operator.index(column)  # a NumPy integer would overflow the shift below
        geometry = self.geometry
        if not 0 <= column < geometry.columns:
            why: IllegalMove = ColumnOffBoard(f"there is no column {shown(column + 1)} on board {geometry}")
        elif self.is_over:
            why = GameOver(f"the game is over, {self.outcome}")
        elif (self.first | self.second) >> (column * geometry.height + geometry.rows - 1) & 1:
            why = ColumnFull(f"column {notation.column_name(column)} is full")
        else:
            return column
        raise type(why)(f"move {self.ply + 1}: {why}")

    def winning_cells(self, player: int) -> int:
        """The empty cells, reachable now or not, where one more disc makes this player a line."""
        cells = bitboard.completing_cells(self.geometry, self.stones(player))
        return cells & self.geometry.full & ~self.occupied

    def winning_columns(self, player: int) -> tuple[int, ...]:
        """The columns where this player's disc would make a line now, were it that player's turn."""
        if self.is_over or self.stones(player).bit_count() < self.geometry.connect - 1:
            return ()
        playable = bitboard.playable_cells(self.geometry, self.occupied)
        return tuple(cell.column for cell in self.cells_of(self.winning_cells(player) & playable))

    def cells_of(self, bits: int) -> tuple[Cell, ...]:
        """The cells of a set of bits, column by column from the left, each from the bottom."""
        cells = []
        while bits:
            lowest = bits & -bits
            column, row = divmod(lowest.bit_length() - 1, self.geometry.height)
            cells.append(Cell(row, column))
            bits ^= lowest
        return tuple(cells)

    # --- the same position, seen otherwise ---

    def mirror(self) -> Position:
        """The position seen in a mirror, left for right."""
        geometry = self.geometry
        last = geometry.columns - 1
        return _unchecked(
            geometry,
            bitboard.mirrored(geometry, self.first),
            bitboard.mirrored(geometry, self.second),
            self.ply,
            None if self._played is None else tuple(last - column for column in self._played),
        )

    @property
    def key(self) -> int:
        """A number that no other position of this geometry has."""
        return bitboard.position_key(self.geometry, self.mine, self.occupied)

    @property
    def canonical_key(self) -> int:
        """The key that a position shares with its mirror image and with no other: the lesser of the two."""
        return min(self.key, bitboard.mirrored(self.geometry, self.key))

    def draw(self, *, colour: bool = False) -> str:
        """The board as lines for a terminal, in colour (ANSI codes) or plain."""
        from fourcast.game.drawing import draw

        return draw(self, colour=colour)

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        if self._played is None:
            text = "/".join(self.to_text().splitlines())
            return f"Position.from_text({text!r}, connect={self.geometry.connect})"
        return f"Position.from_moves({self.moves!r}, {str(self.geometry)!r})"

    def _repr_svg_(self) -> str:
        from fourcast.game.drawing import svg

        return svg(self)


def _unchecked(
    geometry: Geometry, first: int, second: int, ply: int, played: tuple[int, ...] | None
) -> Position:
    """A position whose stones are known to be sound."""
    position = object.__new__(Position)
    _fill(position, geometry, first, second, ply, played)
    return position


def _fill(
    position: Position,
    geometry: Geometry,
    first: int,
    second: int,
    ply: int,
    played: tuple[int, ...] | None,
    fill: Callable[[object, str, object], None] = object.__setattr__,
) -> None:
    fill(position, "geometry", geometry)
    fill(position, "first", first)
    fill(position, "second", second)
    fill(position, "ply", ply)
    fill(position, "_played", played)
    fill(position, "_over", None)
