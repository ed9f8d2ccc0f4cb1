"""Agents by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from fourcast.agents.agent import Agent
from fourcast.game.errors import UnknownPlayer
from fourcast.game.rules import Rules

Maker = Callable[[Rules, int | None], Agent]

# Each registers its agents when it is imported.
_MODULES = ("fourcast.agents.scripted", "fourcast.agents.perfect")
_makers: dict[str, Maker] = {}


def register(name: str) -> Callable[[Maker], Maker]:
    """Add an agent: decorates a class or function that takes the rules and a seed (None: by chance)."""

    def add(maker: Maker) -> Maker:
        if name in _makers:
            raise ValueError(f"there is an agent named {name!r} already")
        _makers[name] = maker
        return maker

    return add


def agent_names() -> list[str]:
    """The names that `agent` knows."""
    for module in _MODULES:
        import_module(module)
    return sorted(_makers)


def agent(name: str, rules: Rules | None = None, seed: int | None = None) -> Agent:
    """Make an agent.

    Args:
        name: One of `agent_names`.
        rules: The board and slip that it will play; the standard game by default.
        seed: Where its chance starts; the same seed plays the same games.

    Raises:
        UnknownPlayer: There is none of that name.
    """
    names = agent_names()
    if name not in _makers:
        raise UnknownPlayer(f"there is no agent {name!r}; known: {', '.join(names)}")
    return _makers[name](rules or Rules(), seed)
