"""Scores and numbers in words."""

from __future__ import annotations

from fourcast.game.analysis import plies_to_end
from fourcast.game.position import Position


def verdict(position: Position, score: int) -> str:
    """A score in words, of the side to move: "wins in 5 moves", "draw", "loses in 8 moves".

    The moves are those that the winner makes, the winning one included.
    """
    if score == 0:
        return "draw"
    moves = (plies_to_end(position, score) + 1) // 2
    return f"{'wins' if score > 0 else 'loses'} in {counted(moves, 'move')}"


def counted(number: int, thing: str) -> str:
    """A number of things: "1 move", "5 moves"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def signed(value: float) -> str:
    """A value with its sign: +0.32; what rounds to nothing is +0.00."""
    return f"{round(value, 2) + 0.0:+.2f}"
