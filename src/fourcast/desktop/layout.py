"""Where everything is in a window: the board as large as can be, the panel beside or below it."""

from __future__ import annotations

from pygame import Rect

from fourcast.game.geometry import Geometry

LEAST_SIZE = (240, 220)  # of what is laid out; a smaller window shows a part of it
_LEAST_BESIDE = 520  # pixels of width from which the panel may be beside the board
_LEAST_PANEL, _MOST_PANEL, _SHARE = 210, 300, 0.3  # what it is wide there: in pixels, and of the window
_LEAST_CELL = 8

# In cells: the frame of the board, the discs that are held over it, what columns are worth, their names.
_EDGE, _HOLD, _WORTH, _NAMES = 0.14, 0.92, 0.62, 0.42


class Layout:
    """The places of things, in pixels of the window.

    Attributes:
        size: Width and height of the window.
        geometry: The board.
        beside: Whether the panel is to the right of the board, and not below.
        cell: What a cell measures.
        board: The front of the board.
        panel: Where the players, the status, the buttons and the moves are.
        worth: Where the columns' worth is written.
    """

    def __init__(self, size: tuple[int, int], geometry: Geometry) -> None:
        width, height = (max(given, least) for given, least in zip(size, LEAST_SIZE, strict=True))
        self.size = (width, height)
        self.geometry = geometry
        pad = 8 if min(width, height) < 480 else 18
        beside, below = _beside(width, height, pad), _below(width, height, pad)
        self.beside = width >= _LEAST_BESIDE and self._cell_in(beside[0]) >= self._cell_in(below[0])
        room, self.panel = beside if self.beside else below
        self.cell = self._cell_in(room)
        self.edge = max(int(_EDGE * self.cell), 2)
        self.hold = int(_HOLD * self.cell)
        wide = geometry.columns * self.cell + 2 * self.edge
        high = geometry.rows * self.cell + 2 * self.edge
        worth, names = int(_WORTH * self.cell), int(_NAMES * self.cell)
        top = room.top + max((room.height - (worth + self.hold + high + names)) // 2, 0)
        left = room.left + max((room.width - wide) // 2, 0)
        self.worth = Rect(left, top, wide, worth)
        self.board = Rect(left, top + worth + self.hold, wide, high)
        self.names = Rect(left, self.board.bottom, wide, names)

    def _cell_in(self, room: Rect) -> int:
        """What a cell can measure in some room."""
        across = self.geometry.columns + 2 * _EDGE
        down = self.geometry.rows + 2 * _EDGE + _HOLD + _WORTH + _NAMES
        return max(int(min(room.width / across, room.height / down)), _LEAST_CELL)

    @property
    def radius(self) -> int:
        """Of a disc, and of the holes."""
        return max(int(0.41 * self.cell), 2)

    def x(self, column: int) -> int:
        """The middle of a column."""
        return self.board.left + self.edge + column * self.cell + self.cell // 2

    def y(self, row: int) -> int:
        """The middle of a row; 0 is the lowest."""
        return self.board.top + self.edge + (self.geometry.rows - 1 - row) * self.cell + self.cell // 2

    @property
    def held_y(self) -> int:
        """The middle of a disc that is held over the board."""
        return self.board.top - self.hold // 2

    def column_at(self, point: tuple[int, int]) -> int | None:
        """The column that a point is in, or above; None beside the board."""
        x, y = point
        if not self.worth.top <= y < self.names.bottom:
            return None
        column = (x - self.board.left - self.edge) // self.cell
        return column if 0 <= column < self.geometry.columns else None


def _beside(width: int, height: int, pad: int) -> tuple[Rect, Rect]:
    """The room for the board, and a panel beside it."""
    wide = min(max(int(width * _SHARE), _LEAST_PANEL), _MOST_PANEL)
    panel = Rect(width - wide - pad, pad, wide, height - 2 * pad)
    return Rect(pad, pad, panel.left - 2 * pad, height - 2 * pad), panel


def _below(width: int, height: int, pad: int) -> tuple[Rect, Rect]:
    """The room for the board, and a panel below it."""
    high = 156
    if height < 420:
        high = 58 if width >= 440 else 86
    panel = Rect(pad, height - high - pad // 2, width - 2 * pad, high)
    return Rect(pad, pad // 2, width - 2 * pad, panel.top - pad), panel
