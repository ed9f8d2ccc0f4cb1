"""A game at the board: people and agents, moves taken back and made again, thinking beside it."""

from fourcast.session.session import Drop, Session, seat
from fourcast.session.thought import Thought

__all__ = ["Drop", "Session", "Thought", "seat"]
