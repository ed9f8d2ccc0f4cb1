"""What the server allows: the caps of a request, of all requests together, and where it listens."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fourcast.game.errors import BadLimit, shown

LOOPBACK = ("127.0.0.1", "::1", "localhost")
HOST, PORT = "127.0.0.1", 8044


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server allows; the defaults suit a small machine that anybody can reach.

    Attributes:
        seconds: Most time of one search.
        depth: Most plies that a request may ask to look ahead.
        nodes: Most positions that it may ask to visit.
        simulations: Most games that it may ask to play out.
        memory_mb: Most memory that it may ask for, for a table or a tree.
        cells: The largest board, in cells.
        boards: How many different boards are searched on before new ones are refused: code that is compiled
            for a board stays in memory.
        tree_nodes: Most nodes of a search tree in an answer.
        positions: Most positions of one call of `solve`.
        review_seconds: Most time of the review of a game.
        searches: Searches that run at a time.
        waiting: Searches that may wait for their turn; beyond it the answer is 429.
        wait_seconds: How long one waits before the answer is 429.
        connections: Connections that may be open; beyond it the answer is 429.
        body_bytes: The largest body of a request.
        games: Files of games that are shown.
        allowed_hosts: Names that requests may be addressed to; empty allows all. Where the server listens on
            loopback alone, these are loopback's names, so that no other site can pass itself off as it.
        prepare: Whether to have the standard board's code loaded at the start.

    Raises:
        BadLimit: One of the amounts is not over 0.
    """

    seconds: float = 10.0
    depth: int = 64
    nodes: int = 1_000_000_000
    simulations: int = 10_000_000
    memory_mb: int = 64
    cells: int = 126
    boards: int = 24
    tree_nodes: int = 5_000
    positions: int = 200
    review_seconds: float = 60.0
    searches: int = 2
    waiting: int = 64
    wait_seconds: float = 15.0
    connections: int = 1000
    body_bytes: int = 32_768
    games: tuple[Path, ...] = ()
    allowed_hosts: tuple[str, ...] = LOOPBACK
    prepare: bool = True

    def __post_init__(self) -> None:
        for each in fields(self):
            amount: Any = getattr(self, each.name)
            if isinstance(amount, int | float) and not isinstance(amount, bool) and not amount > 0:
                name = each.name.replace("_", "-")
                raise BadLimit(f"{name} {shown(amount)}: it must be over 0")

    def to_json(self) -> dict[str, Any]:
        """What callers have to keep to."""
        return {
            "seconds": self.seconds,
            "depth": self.depth,
            "nodes": self.nodes,
            "simulations": self.simulations,
            "memory_mb": self.memory_mb,
            "cells": self.cells,
            "boards": self.boards,
            "tree_nodes": self.tree_nodes,
            "positions": self.positions,
            "review_seconds": self.review_seconds,
            "body_bytes": self.body_bytes,
            "games": bool(self.games),
        }
