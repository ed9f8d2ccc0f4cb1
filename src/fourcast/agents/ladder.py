"""A ladder of opponents, the weakest first, for whoever does not know the agents by name."""

from __future__ import annotations

from dataclasses import dataclass

from fourcast.game.geometry import STANDARD
from fourcast.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Rung:
    """One opponent.

    Attributes:
        key: What it is called in code and JSON.
        label: What people read.
        spec: The agent.
        seconds: What it needs for a move at most; None where it needs no time to speak of.
    """

    key: str
    label: str
    spec: str
    seconds: float | None = None


def ladder(rules: Rules) -> list[Rung]:
    """The opponents for these rules.

    The solver answers at once on the standard board only; elsewhere negamax stands for it, and with slip
    those that reckon with it.
    """
    if rules.slip:
        return [
            Rung("easiest", "Beginner", "random"),
            Rung("easy", "Easy", "random:guard=2"),
            Rung("medium", "Medium", "expectimax:depth=2", 0.3),
            Rung("hard", "Hard", "expectimax:depth=4", 1.0),
            Rung("hardest", "Master", "expectimax:depth=6", 3.0),
        ]
    strong = "perfect" if rules.geometry == STANDARD else "negamax"
    return [
        Rung("easiest", "Beginner", f"{strong}:level=1", 1.0),
        Rung("easy", "Easy", f"{strong}:level=3", 1.0),
        Rung("medium", "Medium", f"{strong}:level=5", 1.0),
        Rung("hard", "Hard", f"{strong}:level=8", 1.0),
        Rung("hardest", "Master", strong, 3.0),
    ]
