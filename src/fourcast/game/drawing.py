"""Positions as people see them: lines for a terminal, SVG for a notebook or a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS

if TYPE_CHECKING:
    from fourcast.game.position import Position

_ANSI = {1: "\x1b[91m", 2: "\x1b[93m"}  # bright red, bright yellow
_ANSI_LINE, _ANSI_DIM, _ANSI_RESET = "\x1b[1;7m", "\x1b[2m", "\x1b[0m"

CELL, EDGE, NAMES = 40, 8, 22  # in SVG units: a cell, the frame round them, the names of the columns below
_RADIUS = 16
_FRONT, _HOLE = "#33427c", ("#141b38", "#26325f")
# The faces, edges and inks of both players' discs, which are those of the page.
FACES, RIMS, INKS = ("#f6b436", "#86a8ff"), ("#c98410", "#4d73d9"), ("#5a3600", "#10215c")
WON = "#ffffff"
_GREY = "#6b7280"  # is seen on white and on black


def draw(position: Position, *, colour: bool = False) -> str:
    """The board in a frame with the column names below; `Position.from_text` reads it back when plain.

    In colour the discs are red and yellow, and those of a winning line stand out in reverse.
    """
    columns = range(position.geometry.columns)
    line = _line(position)
    edge, floor = " |", " +" + "-" * (2 * len(columns) + 1) + "+"
    names = "   " + " ".join(column_name(column) for column in columns)
    if colour:
        edge, floor = (f"{_ANSI_DIM}{part}{_ANSI_RESET}" for part in (edge, floor))
    lines = []
    for row, owners in zip(reversed(range(position.geometry.rows)), position.to_rows(), strict=True):
        cells = []
        for column, owner in zip(columns, owners, strict=True):
            disc = ".XO"[owner]
            if colour:
                style = _ANSI.get(owner, _ANSI_DIM) + (_ANSI_LINE if (row, column) in line else "")
                disc = f"{style}{disc}{_ANSI_RESET}"
            cells.append(disc)
        lines.append(f"{edge} {' '.join(cells)}{edge}")
    return "\n".join([*lines, floor, names])


def svg(position: Position) -> str:
    """The board as one SVG element: discs with the player's letter, the winning line ringed."""
    width, height = board_size(position)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="sans-serif" text-anchor="middle">',
            f"<title>{title_of(position)}</title>",
            *board_parts(position),
            "</svg>",
        ]
    )


def board_size(position: Position) -> tuple[int, int]:
    """Width and height of a drawn board, in SVG units; the names of the columns included."""
    geometry = position.geometry
    return geometry.columns * CELL + 2 * EDGE, geometry.rows * CELL + 2 * EDGE + NAMES


def column_x(column: int) -> int:
    """The middle of a column, from the left edge of a drawn board."""
    return EDGE + column * CELL + CELL // 2


def board_parts(
    position: Position,
    *,
    numbers: Mapping[tuple[int, int], int] | None = None,
    slipped: Mapping[tuple[int, int], str] | None = None,
) -> list[str]:
    """The board's SVG elements, for an element whose texts are anchored in their middle.

    Args:
        position: What is on the board.
        numbers: What to write on the disc in each cell (row from the bottom, column) instead of the player's
            letter; the second player's discs then have a ring, so that they are not told by colour alone.
        slipped: The cells whose disc was aimed elsewhere, and a few words about that; they get a dashed ring.
    """
    rows, columns = position.geometry.rows, position.geometry.columns
    line = _line(position)
    width, height = board_size(position)
    parts = [f'<rect width="{width}" height="{height - NAMES}" rx="12" fill="{_FRONT}"/>']
    marks = []
    for row, owners in zip(reversed(range(rows)), position.to_rows(), strict=True):
        y = EDGE + (rows - 1 - row) * CELL + CELL // 2
        for column, owner in enumerate(owners):
            x, cell = column_x(column), (row, column)
            won = cell in line
            fill, stroke = (FACES[owner - 1], RIMS[owner - 1]) if owner else _HOLE
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{fill}" stroke="{WON if won else stroke}" '
                f'stroke-width="{4 if won else 2}"/>'
            )
            if not owner:
                continue
            words, size = DISCS[owner - 1], 14
            if numbers is not None:
                words, size = str(numbers[cell]), 12
                if owner == 2:
                    parts.append(_ring(x, y, 12, RIMS[1]))
            ink = INKS[owner - 1]
            parts.append(f'<text x="{x}" y="{y + 5}" font-size="{size}" fill="{ink}">{words}</text>')
            if slipped and cell in slipped:
                marks.append(_ring(x, y, 18.5, WON, slipped[cell]))
    for column in range(columns):
        at = f'x="{column_x(column)}" y="{height - 6}"'
        marks.append(f'<text {at} font-size="13" fill="{_GREY}">{column_name(column)}</text>')
    return [*parts, *marks]


def _ring(x: int, y: int, radius: float, colour: str, words: str = "") -> str:
    """A thin circle; one that has something to say is dashed, and says it to who points at it."""
    start = f'<circle cx="{x}" cy="{y}" r="{radius:g}" fill="none" stroke="{colour}" stroke-width="1.5"'
    return f'{start} stroke-dasharray="4 3"><title>{words}</title></circle>' if words else f"{start}/>"


def _line(position: Position) -> frozenset[tuple[int, int]]:
    outcome = position.outcome
    return frozenset(outcome.line) if outcome else frozenset()


def title_of(position: Position) -> str:
    """What a drawing of the position shows, for those who do not see it."""
    outcome = position.outcome
    state = str(outcome) if outcome else f"{DISCS[position.turn]} to move"
    return f"Connect Four {position.geometry}, {position.ply} discs, {state}"
