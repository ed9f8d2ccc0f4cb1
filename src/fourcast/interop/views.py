"""What a player sees of one position, and how an environment shows it: as text, or as a picture.

The observation has PettingZoo's form for its connect_four: zeros and ones of shape (rows, columns, 2), top
row first, one's own discs and then the other side's, with a mask of the columns that may be played.
"""

from __future__ import annotations

import sys
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadOption, shown
from fourcast.game.geometry import MOST_BITS, Geometry
from fourcast.game.outcome import Cell
from fourcast.game.position import Position

RENDER_MODES = ("human", "ansi", "rgb_array")
FRAMES_A_SECOND = 2

_CELL, _RADIUS, _LINE = 40, 16, 4  # pixels: of a cell, of a disc, of the ring round a winning one
_FRAME, _EMPTY, _RING = (0x24, 0x56, 0xA6), (0xF4, 0xF6, 0xFB), (0xFF, 0xFF, 0xFF)
_DISCS = ((0xD7, 0x26, 0x3D), (0xF6, 0xC4, 0x31))


class Observation(TypedDict):
    """What a player sees: int8 of shape (rows, columns, 2), and int8 of shape (columns,)."""

    observation: npt.NDArray[np.int8]
    action_mask: npt.NDArray[np.int8]


def observation_of(position: Position, player: int, *, may_play: bool) -> Observation:
    """What a player sees of a position.

    Args:
        position: The position.
        player: Who looks: 0 the first player, 1 the second.
        may_play: Whether the mask has the open columns; else it has none, as of a game that is over.
    """
    geometry = position.geometry
    seen = np.empty((geometry.rows, geometry.columns, 2), dtype=np.int8)
    seen[..., 0] = _cells(geometry, position.stones(player))
    seen[..., 1] = _cells(geometry, position.stones(1 - player))
    mask = np.zeros(geometry.columns, dtype=np.int8)
    if may_play:
        mask[list(position.legal)] = 1
    return {"observation": seen, "action_mask": mask}


def _cells(geometry: Geometry, stones: int) -> npt.NDArray[np.uint8]:
    """The stones as zeros and ones of shape (rows, columns), top row first."""
    octets = np.frombuffer(stones.to_bytes(MOST_BITS // 8, "little"), dtype=np.uint8)
    bits = np.unpackbits(octets, count=geometry.bits, bitorder="little")
    return bits.reshape(geometry.columns, geometry.height)[:, geometry.rows - 1 :: -1].T


def check_render_mode(mode: str | None) -> str | None:
    """The way to show positions.

    Raises:
        BadOption: There is none of that name.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"render mode {shown(mode)}: it is {', '.join(RENDER_MODES)} or None")
    return mode


def show(position: Position, mode: str) -> str | npt.NDArray[np.uint8] | None:
    """A position as a text ("ansi"), as a picture ("rgb_array"), or printed for people ("human")."""
    if mode == "rgb_array":
        return picture(position)
    if mode == "ansi":
        return position.draw()
    print(position.draw(colour=sys.stdout.isatty()), flush=True)
    return None


def picture(position: Position) -> npt.NDArray[np.uint8]:
    """The board from the front, 40 pixels a cell: uint8 of shape (height, width, 3)."""
    outcome = position.outcome
    line = outcome.line if outcome else ()
    rows, columns = position.geometry.rows, position.geometry.columns
    pixels = np.empty((rows * _CELL, columns * _CELL, 3), dtype=np.uint8)
    for row, owners in enumerate(position.to_rows()):
        for column, owner in enumerate(owners):
            fill = _DISCS[owner - 1] if owner else _EMPTY
            won = Cell(rows - 1 - row, column) in line
            tile = pixels[row * _CELL : (row + 1) * _CELL, column * _CELL : (column + 1) * _CELL]
            tile[:] = _FRAME
            tile[_DISTANCE <= _RADIUS] = _RING if won else fill
            tile[_DISTANCE <= _RADIUS - _LINE] = fill
    return pixels


_axis = np.arange(_CELL) - (_CELL - 1) / 2
_DISTANCE = np.hypot(_axis[:, None], _axis[None, :])  # of each pixel of a cell from its centre
