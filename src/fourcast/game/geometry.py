"""The board: how many rows and columns, and how many discs in line win."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from functools import cached_property

from fourcast.game.errors import BadGeometry, UnsupportedGeometry, shown

MOST_BITS = 128
MOST_COLUMNS = 35  # columns are named 1-9 and a-z
LEAST_CONNECT = 3

_WRITTEN = re.compile(r"([0-9]+)x([0-9]+)x([0-9]+)", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Geometry:
    """A board of `rows` x `columns` on which `connect` discs in line win; written `6x7x4`.

    A position on it is kept as bits, one column after the other, each with an empty cell on top that no
    disc ever occupies, so that no line can run on from one column's top into the next column's bottom:

        row 6 (the sentinel)   6 13 20 27 34 41 48
        row 5 (top)            5 12 19 26 33 40 47
        ...                    .  .  .  .  .  .  .
        row 0 (bottom)         0  7 14 21 28 35 42
                       column  0  1  2  3  4  5  6

    Raises:
        BadGeometry: The numbers do not describe a board that can be played.
        UnsupportedGeometry: The board needs more than 128 bits or 35 columns.
    """

    rows: int = 6
    columns: int = 7
    connect: int = 4

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "connect"):
            number = getattr(self, name)
            if isinstance(number, bool) or not hasattr(number, "__index__"):
                raise BadGeometry(f"board: {name} must be a whole number, not {shown(number)}")
            number = operator.index(number)
            if number > MOST_BITS:
                raise UnsupportedGeometry(
                    f"board: {name} is {shown(number)}, and {MOST_BITS} bits is the most"
                )
            object.__setattr__(self, name, number)
        if self.rows < 1 or self.columns < 1:
            raise BadGeometry(f"board {self}: it needs at least one row and one column")
        if self.connect < LEAST_CONNECT:
            raise BadGeometry(f"board {self}: connect must be at least {LEAST_CONNECT}")
        if self.connect > max(self.rows, self.columns):
            raise BadGeometry(
                f"board {self}: a line of {self.connect} is longer than the board is wide or high"
            )
        if self.bits > MOST_BITS:
            raise UnsupportedGeometry(
                f"board {self}: columns * (rows + 1) = {self.bits} bits, and {MOST_BITS} is the most"
            )
        if self.columns > MOST_COLUMNS:
            raise UnsupportedGeometry(
                f"board {self}: {self.columns} columns, and {MOST_COLUMNS} (1-9, a-z) is the most"
            )

    @classmethod
    def parse(cls, text: str) -> Geometry:
        """Read a board as it is written, `ROWSxCOLUMNSxCONNECT`.

        Raises:
            BadGeometry: The text is not of that form, or names a board that cannot be played.
        """
        written = _WRITTEN.fullmatch(text.strip())
        if written is None:
            raise BadGeometry(f"board {shown(text)}: write it as ROWSxCOLUMNSxCONNECT, like 6x7x4")
        if any(len(number) > 9 for number in written.groups()):
            raise UnsupportedGeometry(f"board {shown(text)}: {MOST_BITS} bits is the most")
        rows, columns, connect = (int(number) for number in written.groups())
        return cls(rows, columns, connect)

    @classmethod
    def of(cls, board: Geometry | str) -> Geometry:
        """The geometry itself, or the one that the text describes.

        Raises:
            BadGeometry: It is neither, or names a board that cannot be played.
        """
        if isinstance(board, str):
            return cls.parse(board)
        if not isinstance(board, Geometry):
            raise BadGeometry(f"a board was expected, like 6x7x4, not {shown(board)}")
        return board

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}x{self.connect}"

    @property
    def cells(self) -> int:
        """How many discs fill the board."""
        return self.rows * self.columns

    @cached_property
    def height(self) -> int:
        """Bits in a column: its rows and the sentinel above them."""
        return self.rows + 1

    @property
    def bits(self) -> int:
        """Bits that a side's stones take."""
        return self.columns * (self.rows + 1)

    @cached_property
    def bottom(self) -> int:
        """The lowest cell of every column, as bits."""
        return sum(1 << column * self.height for column in range(self.columns))

    @cached_property
    def top(self) -> int:
        """The highest cell of every column, as bits."""
        return self.bottom << (self.rows - 1)

    @cached_property
    def full(self) -> int:
        """Every cell of the board, as bits."""
        return self.bottom * ((1 << self.rows) - 1)

    @cached_property
    def lane(self) -> int:
        """Column 0 with its sentinel, as bits."""
        return (1 << self.height) - 1


STANDARD = Geometry(6, 7, 4)
