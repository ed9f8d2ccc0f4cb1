"""How far a search has come, for whoever waits for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come; without nodes and simulations it has not begun yet.

    Attributes:
        depth: Plies that it looks ahead just now.
        nodes: Positions visited.
        column: The best column so far; None before there is one.
        seconds: Time spent.
        simulations: Games played out.
    """

    depth: int = 0
    nodes: int = 0
    column: int | None = None
    seconds: float = 0.0
    simulations: int = 0
