"""A player that looks a little ahead, asks a model early in the game, and plays out at random later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fourcast.agents.chance import seed_for
from fourcast.agents.options import Option, number, one_of, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import SearchingAgent
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that go together; `docs/agents.md` says how they were found."""

    depth: int
    model: str
    early: int
    late: int
    share: float
    playouts: int
    seconds: float | None = None


PRESETS = {
    "published": Preset(depth=3, model="auto", early=8, late=13, share=0.7, playouts=75),
    "strong": Preset(depth=9, model="auto", early=127, late=128, share=1.0, playouts=0, seconds=0.1),
}


def _of_preset(option: Option) -> Option:
    """An option that is what the preset says where it is not given."""
    return option


@register(
    "hybrid",
    one_of("preset", "published", tuple(PRESETS), "settings that go together; options given besides count"),
    whole("depth", None, "plies to look ahead", most=42),
)
class HybridAgent(SearchingAgent):
    """Looks ahead over a model's values early in the game, and over random playouts late."""

    def __init__(self, rules: Rules, seed: int | None = None, **options: Any) -> None:
        raise NotImplementedError
