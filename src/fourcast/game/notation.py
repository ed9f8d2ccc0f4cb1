"""Columns by name, and boards as text, arrays and flat lists.

Readers take what people and programs have; each says by row and column (from 1, rows from the top as they
are written) what it could not read. They yield the cells as rows of 0 (empty), 1 (first player), 2 (second),
top row first; `Position` makes the bits and checks that they are a position.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

from fourcast.game.errors import BadCell, BadNotation, BadShape, ColumnOffBoard, shown
from fourcast.game.geometry import Geometry

COLUMN_NAMES = "123456789" + string.ascii_lowercase

Rows = list[list[int]]

_TEXT_CELLS = {".": 0, "_": 0, "X": 1, "x": 1, "O": 2, "o": 2}
_NUMBER_CELLS: dict[object, int] = {0: 0, 1: 1, 2: 2, -1: 2}


def column_name(column: int) -> str:
    """What players call the column: 0 is "1", 9 is "a"; one beyond "z" goes by its number."""
    return COLUMN_NAMES[column] if column < len(COLUMN_NAMES) else str(column + 1)


def moves_text(columns: Iterable[int]) -> str:
    """The columns as a move string."""
    return "".join(COLUMN_NAMES[column] for column in columns)


def parse_moves(moves: str, geometry: Geometry) -> list[int]:
    """The columns that a move string names; whether they can be played is not looked at.

    Raises:
        BadNotation: A character names no column.
        ColumnOffBoard: A character names a column that this board does not have.
    """
    columns = []
    for number, character in enumerate(moves.strip(), start=1):
        column = COLUMN_NAMES.find(character.lower()) if character.isascii() else -1
        if column < 0:
            raise BadNotation(f"move {number}: {character!r} is not a column (1-9, then a-z)")
        if column >= geometry.columns:
            raise ColumnOffBoard(
                f"move {number}: column {character!r} is off the board, which has {geometry.columns} columns"
            )
        columns.append(column)
    return columns


def parse_column(text: str, geometry: Geometry) -> int:
    """The 0-based column that a person names: by number ("7", "12") or by letter ("c" is 12).

    Raises:
        BadNotation: The text names no column.
        ColumnOffBoard: The board does not have that column.
    """
    name = text.strip().lower()
    if name.isascii() and name.isdigit() and len(name) < 4:
        column = int(name) - 1
    else:
        column = COLUMN_NAMES.find(name) if len(name) == 1 else -1
        if column < 0:
            raise BadNotation(f"{shown(text)} is not a column")
    if not 0 <= column < geometry.columns:
        raise ColumnOffBoard(f"there is no column {name} on board {geometry}")
    return column


def rows_from_text(text: str) -> Rows:
    """Read a drawn board: `.` or `_` empty, `X` or `x` first player, `O` or `o` second, top row first.

    Rows stand on lines of their own or are parted by `/`. Blanks between cells, the frame and the column
    names that `Position.draw` adds are passed over.

    Raises:
        BadCell: A character is none of these.
        BadShape: There are no rows, or they differ in length.
    """
    lines = [
        "".join(line.split()).strip("|")
        for line in text.removeprefix("\ufeff").replace("/", "\n").splitlines()
        if line.strip()
    ]
    lines = [line for line in lines if line.strip("+-")]
    if len(lines) > 1 and lines[-1] == COLUMN_NAMES[: len(lines[0])]:
        lines.pop()
    rows: Rows = []
    for number, line in enumerate(lines, start=1):
        row = []
        for column, character in enumerate(line):
            if character not in _TEXT_CELLS:
                place = f"row {number}, column {column_name(column)}"
                raise BadCell(f"{place}: {character!r} is none of . X O (or _ x o)")
            row.append(_TEXT_CELLS[character])
        rows.append(row)
    _check_rectangle(rows)
    return rows


def rows_from_array(array: Sequence[Sequence[int]] | Any) -> Rows:
    """Read a 2-D array or nested list, top row first: 0 empty, 1 first player, 2 or -1 second.

    Raises:
        BadCell: A cell holds something else, or 2 and -1 both occur.
        BadShape: It is not a rectangle of cells.
    """
    nested = array.tolist() if hasattr(array, "tolist") else array
    if not isinstance(nested, Sequence) or isinstance(nested, str):
        raise BadShape(f"an array of rows was expected, not {type(array).__name__}")
    rows: Rows = []
    second: int | None = None
    for number, cells in enumerate(nested, start=1):
        if hasattr(cells, "tolist"):
            cells = cells.tolist()
        if not isinstance(cells, Sequence) or isinstance(cells, str):
            raise BadShape(f"row {number}: a row of cells was expected, not {shown(cells)}")
        row = []
        for column, cell in enumerate(cells):
            place = f"row {number}, column {column_name(column)}"
            owner = _owner(cell, place)
            if owner == 2:
                if second is not None and cell != second:
                    raise BadCell(f"{place}: both 2 and -1 stand for the second player's discs")
                second = cell
            row.append(owner)
        rows.append(row)
    _check_rectangle(rows)
    return rows


def rows_from_flat(cells: Sequence[int] | Any, geometry: Geometry) -> Rows:
    """Read a flat list of cells, row by row from the top, as Kaggle's ConnectX keeps its board.

    Raises:
        BadCell: A cell is not 0, 1 or 2.
        BadShape: The list is not `rows * columns` long.
    """
    flat = cells.tolist() if hasattr(cells, "tolist") else cells
    if not isinstance(flat, Sequence) or isinstance(flat, str):
        raise BadShape(f"a flat list of cells was expected, not {type(cells).__name__}")
    if len(flat) != geometry.cells:
        raise BadShape(f"{len(flat)} cells, but board {geometry} has {geometry.cells}")
    columns = geometry.columns
    return rows_from_array([flat[start : start + columns] for start in range(0, len(flat), columns)])


def _owner(cell: object, place: str) -> int:
    """Whose disc a number stands for: 0 nobody's, 1 the first player's, 2 the second's.

    Raises:
        BadCell: It is not 0, 1, 2 or -1.
    """
    if isinstance(cell, bool) or not isinstance(cell, Real) or cell not in _NUMBER_CELLS:
        raise BadCell(f"{place}: {shown(cell)} is none of 0, 1, 2 (or -1)")
    return _NUMBER_CELLS[cell]


def _check_rectangle(rows: Rows) -> None:
    if not rows or not rows[0]:
        raise BadShape("the board has no cells")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise BadShape(f"row {number}: {len(row)} cells, but row 1 has {len(rows[0])}")
