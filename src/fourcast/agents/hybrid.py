"""A player that looks a little ahead, asks a model early in the game, and plays games out later."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from fourcast.agents.chance import seed_for
from fourcast.agents.options import number, one_of, text, whole
from fourcast.agents.registry import register
from fourcast.agents.searching import SearchingAgent
from fourcast.evaluators.evaluator import Evaluator
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

AUTO, NONE = "auto", "none"
_MODEL_TAKES = "a shipped model, the path of a card, auto or none"


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that go together; `docs/hybrid.md` says where they come from.

    Attributes:
        depth: Plies to look ahead.
        model: Who is asked; in a preset a family of shipped models, of which the board's is taken.
        early: Discs up to which the model is asked alone.
        late: Discs up to which it is asked at all.
        share: What the model counts between those.
        playouts: Random games of each position that is played out.
        style: How those are played: `sharp`, with both sides winning and blocking, or `random`.
        tactics: Positions that a deep search visits first, at most; 0 leaves it out.
        weight: What the values of that count; what the model and the playouts say counts the rest.
        alone: Discs from which on the deep search decides alone, if there is one.
        seconds: Most time for a move.
    """

    depth: int = 3
    model: str = AUTO
    early: int = 8
    late: int = 12
    share: float = 0.7
    playouts: int = 75
    style: str = "sharp"
    tactics: int = 0
    weight: float = 0.75
    alone: int = 12
    seconds: float | None = None


PRESETS = {
    "published": Preset(model="boosted"),
    "strong": Preset(
        depth=12,
        model="boosted",
        early=128,
        late=128,
        share=1.0,
        tactics=3_000_000,
        weight=0.25,
        alone=8,
        seconds=0.1,
    ),
}


@register(
    "hybrid",
    one_of("preset", "published", tuple(PRESETS), "where the other options come from if they are not given"),
    whole("depth", None, "plies to look ahead; 3 as published", most=128),
    text("model", "who evaluates early in the game; none: playouts alone", _MODEL_TAKES),
    whole("early", None, "discs up to which the model is asked alone; 8 as published", least=0, most=128),
    whole("late", None, "discs up to which it is asked at all; 12 as published", least=0, most=128),
    number("share", None, "what the model counts in between; 0.7 as published", most=1.0),
    whole("playouts", None, "random games of a position; 75 as published", most=10_000),
    one_of("style", None, ("sharp", "random"), "sharp: both sides win and block in those games"),
    whole("tactics", None, "positions that alpha-beta visits first; 0 as published", least=0),
    number("weight", None, "what alpha-beta counts beside the rest", most=1.0),
    whole("alone", None, "discs from which on alpha-beta decides alone", least=0, most=128),
    number("seconds", None, "most time for a move; none as published", most=1e6),
)
class HybridAgent(SearchingAgent):
    """Looks ahead over a boosted model's values early in the game, and over playouts late.

    With `tactics`, alpha-beta looks far ahead first, and what it leaves open is weighed with the rest. It
    takes no account of slip. Without a model for its board it plays out from the first disc.

    Attributes:
        settings: What it plays by.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        *,
        preset: str = "published",
        depth: int | None = None,
        model: str | None = None,
        early: int | None = None,
        late: int | None = None,
        share: float | None = None,
        playouts: int | None = None,
        style: str | None = None,
        tactics: int | None = None,
        weight: float | None = None,
        alone: int | None = None,
        seconds: float | None = None,
    ) -> None:
        from fourcast.evaluators.phased import PhasedEvaluator
        from fourcast.search.batched import BatchedSearch
        from fourcast.search.combined import CombinedSearch
        from fourcast.search.deepening import Deepening

        options: dict[str, Any] = {
            "depth": depth,
            "early": early,
            "late": late,
            "share": share,
            "playouts": playouts,
            "style": style,
            "tactics": tactics,
            "weight": weight,
            "alone": alone,
            "seconds": seconds,
        }
        given = {name: value for name, value in options.items() if value is not None}
        chosen = replace(PRESETS[preset], **given)
        name = model if model not in (None, AUTO) else _shipped_name(rules.geometry, chosen.model)
        self.settings = chosen = replace(chosen, model=name or NONE)
        asked = None if chosen.model == NONE else _loaded(chosen.model, rules.geometry)
        evaluator = PhasedEvaluator(
            asked, chosen.early, chosen.late, chosen.share, chosen.playouts, chosen.style == "sharp"
        )
        batched = BatchedSearch(rules.geometry, evaluator, chosen.depth)
        self._chosen: BatchedSearch | CombinedSearch = batched
        if chosen.tactics:
            deep = Deepening(rules.geometry, evaluation="threats", whole=True)
            self._chosen = CombinedSearch(
                deep, batched, nodes=chosen.tactics, weight=chosen.weight, alone=chosen.alone
            )
        super().__init__(rules, seed, self._chosen)

    def prepare(self, _position: Position | None = None) -> None:
        """Load what is compiled."""
        self._chosen.prepare()

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        """What the search finds within the limit and the options."""
        limit = Limit(seconds=self.settings.seconds).within(limit)
        return self._chosen.search(position, limit, seed_for(self.seed, position))


def _loaded(model: str, geometry: Geometry) -> Evaluator:
    """The model, read: one that cannot be played with is refused before a game begins."""
    from fourcast.evaluators.boosted import BoostedEvaluator

    evaluator = BoostedEvaluator(model, geometry)
    evaluator.load()
    return evaluator


def _shipped_name(geometry: Geometry, family: str) -> str | None:
    from fourcast.models.shelf import shipped_for

    card = shipped_for(geometry, family)
    return None if card is None else card.name
