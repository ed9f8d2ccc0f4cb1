"""What every search asks of a position before it looks at it."""

from __future__ import annotations

from fourcast.game.errors import BadShape, GameOver
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position


def check_question(position: Position, geometry: Geometry) -> None:
    """See that a position is on this board and that its game goes on.

    Raises:
        BadShape: It is on another board.
        GameOver: There is nothing left to play.
    """
    if position.geometry != geometry:
        raise BadShape(f"the position is on board {position.geometry}, the agent plays {geometry}")
    if position.is_over:
        raise GameOver(f"the game is over, {position.outcome}")
