"""What is known of a generation that is done: its games, what was learnt, its gate and its grades."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from fourcast.game.geometry import Geometry

STAGES = ("beginning", "middle", "end")


def stage_of(ply: int, geometry: Geometry) -> str:
    """The stage of a game by the discs on the board: a third of the cells each."""
    return STAGES[min(3 * ply // geometry.cells, 2)]


@dataclass(frozen=True, slots=True)
class StageGrades:
    """How good a network's moves are without any search, by what the solver says.

    Attributes:
        positions: How many were graded.
        good: The share that keeps the outcome: won, drawn or lost.
        perfect: The share that keeps the exact score.
        error: Root of the mean square difference between the network's value and the outcome, 1, 0 or -1.
    """

    positions: int
    good: float
    perfect: float
    error: float


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation.

    Attributes:
        number: From 1.
        games: Games that its champion played against itself.
        plies: Discs that were dropped in them, those of openings not counted.
        first_wins: Games won by who moved first.
        draws: Games that nobody won.
        positions: What there was to learn of them.
        window: Positions that were learnt from, of the last generations together.
        steps: Training steps.
        policy_loss: Of the new positions after training: cross-entropy beyond the policy's own.
        value_error: Likewise: root of the mean square error of the value.
        pairs: Pairs of games at the gate.
        share: Of the points at the gate, the new network's; None without a gate.
        accepted: Whether the new network is the champion now.
        champion: The generation whose network the champion is; 0 for the one that knows nothing.
        seconds: What it took: `games`, `training`, `gate`, `grading`.
        grades: By stage, and of `all`; empty where nothing is graded.
    """

    number: int
    games: int
    plies: int
    first_wins: int
    draws: int
    positions: int
    window: int
    steps: int
    policy_loss: float
    value_error: float
    pairs: int
    share: float | None
    accepted: bool
    champion: int
    seconds: dict[str, float]
    grades: dict[str, StageGrades] = field(default_factory=dict)

    @property
    def took(self) -> float:
        """Seconds in all."""
        return sum(self.seconds.values())

    @property
    def plies_per_game(self) -> float:
        """How long its games were."""
        return self.plies / self.games

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Generation:
        """What `to_json` has written.

        Raises:
            ValueError, TypeError, KeyError, AttributeError: It is something else.
        """
        given = dict(document)
        if set(given) != {each.name for each in fields(cls)}:
            raise ValueError("fields")
        for name in ("number", "games", "plies", "positions", "window", "steps", "pairs", "champion"):
            if isinstance(given[name], bool) or not isinstance(given[name], int) or given[name] < 0:
                raise ValueError(name)
        if not given["games"] or given["champion"] > given["number"]:
            raise ValueError("champion")
        numbers = [given["policy_loss"], given["value_error"], *given["seconds"].values()]
        if given["share"] is not None:
            numbers.append(given["share"])
        given["grades"] = {str(name): StageGrades(**each) for name, each in given["grades"].items()}
        for each in given["grades"].values():
            numbers += asdict(each).values()
        if not all(math.isfinite(number) for number in numbers):
            raise ValueError("numbers")
        return cls(**given)
