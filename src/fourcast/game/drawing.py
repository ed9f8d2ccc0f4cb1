"""Positions as people see them: lines for a terminal, SVG for a notebook or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS

if TYPE_CHECKING:
    from fourcast.game.position import Position

_ANSI = {1: "\x1b[91m", 2: "\x1b[93m"}  # bright red, bright yellow
_ANSI_LINE, _ANSI_DIM, _ANSI_RESET = "\x1b[1;7m", "\x1b[2m", "\x1b[0m"

_SIZE = 40  # of a cell, in SVG units
_FILLS = {0: "#f4f6fb", 1: "#d7263d", 2: "#f6c431"}
_RINGS = {1: "#8f1426", 2: "#b0820a"}


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
    rows, columns = position.geometry.rows, position.geometry.columns
    line = _line(position)
    width, board_height = columns * _SIZE + 16, rows * _SIZE + 16
    total = board_height + 22
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}" '
        f'height="{total}" role="img" font-family="sans-serif" text-anchor="middle">',
        f"<title>{_title(position)}</title>",
        f'<rect width="{width}" height="{board_height}" rx="12" fill="#2456a6"/>',
    ]
    for row, owners in zip(reversed(range(rows)), position.to_rows(), strict=True):
        y = 8 + (rows - 1 - row) * _SIZE + _SIZE // 2
        for column, owner in enumerate(owners):
            x = 8 + column * _SIZE + _SIZE // 2
            won = (row, column) in line
            stroke = "#ffffff" if won else _RINGS.get(owner, "#1b4079")
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="16" fill="{_FILLS[owner]}" stroke="{stroke}" '
                f'stroke-width="{4 if won else 2}"/>'
            )
            if owner:
                ink = "#ffffff" if owner == 1 else "#4a3600"
                parts.append(
                    f'<text x="{x}" y="{y + 5}" font-size="14" fill="{ink}">{DISCS[owner - 1]}</text>'
                )
    for column in range(columns):
        x = 8 + column * _SIZE + _SIZE // 2
        parts.append(
            f'<text x="{x}" y="{total - 6}" font-size="13" fill="#6b7280">{column_name(column)}</text>'
        )
    return "\n".join([*parts, "</svg>"])


def _line(position: Position) -> frozenset[tuple[int, int]]:
    outcome = position.outcome
    return frozenset(outcome.line) if outcome else frozenset()


def _title(position: Position) -> str:
    outcome = position.outcome
    state = str(outcome) if outcome else f"{DISCS[position.turn]} to move"
    return f"Connect Four {position.geometry}, {position.ply} discs, {state}"
