"""Sensible columns where nothing is known."""

from __future__ import annotations

from fourcast.game.position import Position


def centre_first(position: Position) -> list[int]:
    """The open columns, those nearest to the centre first, and of two equally near the left one."""
    last = position.geometry.columns - 1
    return sorted(position.legal, key=lambda column: abs(2 * column - last))


def guess(position: Position) -> int:
    """A column without any search: win, block, or else the one nearest to the centre."""
    for player in (position.turn, 1 - position.turn):
        if winning := position.winning_columns(player):
            return winning[0]
    return centre_first(position)[0]
