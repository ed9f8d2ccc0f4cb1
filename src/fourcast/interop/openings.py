"""Where a game of an environment begins, as whoever resets it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fourcast.game.errors import BadOption, GameOver, shown
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position

_MOVES = "moves"


def check_options(options: object, *known: str) -> dict[str, Any]:
    """The options of a reset.

    Raises:
        BadOption: They are no dict, or hold something else than is known.
    """
    if options is None:
        return {}
    has = f"it has: {', '.join(known)}" if known else "it has none"
    if not isinstance(options, Mapping):
        raise BadOption(f"reset's options {shown(options)}: they are a dict, or None")
    for name in options:
        if name not in known:
            raise BadOption(f"reset has no option {shown(name)}; {has}")
    return dict(options)


def opening_of(options: dict[str, Any] | None, geometry: Geometry) -> Position:
    """Where a game begins: after the moves of the options, or with an empty board.

    Raises:
        BadOption: The options are not what they should be.
        BadNotation, IllegalMove: The moves cannot be played, or there is nothing left to play after them.
    """
    moves = check_options(options, _MOVES).get(_MOVES, "")
    try:
        position = Position.from_moves(moves, geometry)
    except TypeError:  # neither a text nor whole numbers
        raise BadOption(f"reset's option moves {shown(moves)}: write it as '4453', or [3, 3, 4, 2]") from None
    if position.is_over:
        raise GameOver(f"the opening {position.moves} leaves nothing to play: {position.outcome}")
    return position


def opening_among(options: dict[str, Any] | None, geometry: Geometry) -> Position:
    """The same where options that nobody knows are ignored, as PettingZoo's own tests want it.

    Raises:
        BadOption, BadNotation, IllegalMove: As with `opening_of`.
    """
    if isinstance(options, Mapping):
        options = {_MOVES: options[_MOVES]} if _MOVES in options else None
    return opening_of(options, geometry)
