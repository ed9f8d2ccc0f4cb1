"""Options that several verbs share, and the position that they describe."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from fourcast.game.errors import BadBoard, BadShape, Unreadable, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.position import Position

EMPTY = "."  # the empty board, where nothing at all is easily overlooked
MOST_TEXT = 100_000  # characters of a drawn board that are read; the largest board needs some 300

MovesArgument = Annotated[
    str, typer.Argument(metavar="MOVES", help="Columns played so far, like 4453 (above 9: a, b, ...).")
]
BoardOption = Annotated[
    str | None,
    typer.Option("--board", "-b", metavar="RxCxK", help="Rows x columns x discs in line; 6x7x4 by default."),
]
TextOption = Annotated[
    str | None,
    typer.Option("--text", metavar="FILE", help="Read a drawn board instead of MOVES; - is stdin."),
]
SlipOption = Annotated[
    float, typer.Option("--slip", metavar="P", help="Chance that a disc lands in another column.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", metavar="N", help="Repeat the same chances.")]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Use the cores of this Ray cluster: HOST:PORT, auto (extra: cluster).",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write one JSON document to stdout.")]


def read_position(moves: str, board: str | None = None, text: str | None = None) -> Position:
    """The position after the moves, or the one drawn in a file (`-`: on stdin).

    Args:
        moves: A move string.
        board: The board; without it 6x7x4 for moves, and for a drawing its own size with connect 4.
        text: The drawing's file.

    Raises:
        FourcastError: The moves, the board or the drawing are not sound, or the file cannot be read.
    """
    geometry = Geometry.parse(board) if board is not None else STANDARD
    if text is None:
        return Position.from_moves("" if moves == EMPTY else moves, geometry)
    if moves:
        raise BadBoard("give either MOVES or --text, not both")
    position = Position.from_text(_read_text(text), connect=geometry.connect)
    if board is not None and position.geometry != geometry:
        raise BadShape(f"the drawing is a board {position.geometry}, not {geometry}")
    return position


def _read_text(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.read(MOST_TEXT)
        with Path(name).open(encoding="utf-8") as file:
            return file.read(MOST_TEXT)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable(f"cannot read {shown(name)}: {reason}") from error
