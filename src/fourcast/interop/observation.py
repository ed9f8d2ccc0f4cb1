"""Positions as Kaggle's ConnectX and contests hand them to a player."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from fourcast.game.errors import (
    BadCell,
    BadGeometry,
    BadLimit,
    BadShape,
    ImpossibleCounts,
    UnknownPlayer,
    shown,
)
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.position import Position
from fourcast.game.question import check_question


def field(record: Any, name: str, default: Any = None) -> Any:
    """What a record has under a name, be it an item or an attribute."""
    return record.get(name, default) if isinstance(record, Mapping) else getattr(record, name, default)


def seconds_field(record: Any, name: str, default: float) -> float:
    """An amount of time that a record has under a name; 0 is one.

    Raises:
        BadLimit: It is not a number, or negative.
    """
    found = field(record, name)
    if found is None:
        return default
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found < math.inf:
        raise BadLimit(f"{name} is a number of seconds, not {shown(found)}")
    return float(found)


def kaggle_position(observation: Any, configuration: Any) -> Position:
    """The position that a ConnectX agent is asked about.

    Args:
        observation: Has `board`, the cells row by row from the top (0 empty, 1 and 2 players), and `mark`,
            which of the players is asked.
        configuration: Has `rows`, `columns` and `inarow`.

    Raises:
        BadGeometry: The configuration is not of a board that can be played here.
        BadBoard: The cells are not a position on it whose turn is the mark's (a kind of it).
        UnknownPlayer: The mark is neither 1 nor 2.
        GameOver: There is nothing left to play.
    """
    sizes = [field(configuration, name) for name in ("rows", "columns", "inarow")]
    if None in sizes:
        raise BadGeometry("the configuration has to say rows, columns and inarow")
    geometry = Geometry(*sizes)
    cells = field(observation, "board")
    if cells is None:
        raise BadShape("the observation has no board")
    return _position(_flat(cells), field(observation, "mark"), geometry)


def contest_position(state: Any, player: Any) -> Position:
    """The position that a contest's player is asked about.

    Args:
        state: The cells as an array of shape (6, 7), top row first: 0 empty, 1 and 2 the players.
        player: Which of them is asked.

    Raises:
        BadBoard: It is not a position of the standard board whose turn is the player's (a kind of it).
        UnknownPlayer: The player is neither 1 nor 2.
        GameOver: There is nothing left to play.
    """
    rows = [row.tolist() if hasattr(row, "tolist") else row for row in _flat(state)]  # of arrays, perhaps
    if not rows or not all(isinstance(row, Sequence) for row in rows):
        raise BadShape(f"a state is an array of {STANDARD.rows} rows, not {shown(state)}")
    sizes = {len(row) for row in rows}
    if len(rows) != STANDARD.rows or sizes != {STANDARD.columns}:
        wide = "/".join(map(str, sorted(sizes)))
        raise BadShape(f"the state is {len(rows)}x{wide}, and the board {STANDARD.rows}x{STANDARD.columns}")
    return _position([cell for row in rows for cell in row], player, STANDARD)


def _flat(cells: Any) -> list[Any]:
    """An array, or any sequence, as a list; rows of an array are lists too."""
    cells = cells.tolist() if hasattr(cells, "tolist") else cells
    if not isinstance(cells, Sequence) or isinstance(cells, str):
        raise BadShape(f"a board is a list of cells, not {shown(cells)}")
    return list(cells)


def player_of(mark: Any) -> int:
    """Which player is meant: 1 or 2, be it Python's or NumPy's.

    Raises:
        UnknownPlayer: It is neither.
    """
    if isinstance(mark, bool) or not hasattr(mark, "__index__") or operator.index(mark) not in (1, 2):
        raise UnknownPlayer(f"a player is 1 or 2, not {shown(mark)}")
    return operator.index(mark)


def _position(cells: list[Any], mark: Any, geometry: Geometry) -> Position:
    """The position whose side to move has this mark. Either may have begun."""
    mark = player_of(mark)
    for index, cell in enumerate(cells):
        if isinstance(cell, bool) or not isinstance(cell, Real) or cell not in (0, 1, 2):
            raise BadCell(f"cell {index + 1}: {shown(cell)} is neither 0, 1 nor 2")
    mine = cells.count(mark)
    theirs = cells.count(3 - mark)
    if theirs - mine not in (0, 1):
        raise ImpossibleCounts(f"it is not the turn of player {mark}, who has {mine} discs against {theirs}")
    first = mark if mine == theirs else 3 - mark
    order = {0: 0, first: 1, 3 - first: 2}
    position = Position.from_flat([order[cell] for cell in cells], geometry)
    check_question(position, geometry)
    return position
