"""How a network teaches itself: which games it plays, how it learns from them, and who may replace whom."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from fourcast.game.errors import BadOption, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import check_count, check_seed
from fourcast.game.rules import Rules
from fourcast.learning.networks import Shape

MOST_GAMES, MOST_SIMULATIONS, MOST_WINDOW = 100_000, 100_000, 5_000_000
MOST_AT_A_TABLE = 64
SHARE = 0.1  # of all positions of a board, never learnt from, by their hash: what is graded is new to it
LEAST_QUICK = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides how a run goes; the same settings give the same run on the same machine.

    Attributes:
        geometry: The board.
        slip: The chance that a disc lands in another column.
        games: Games of a generation.
        simulations: Of a move that is searched in full, whose policy is learnt.
        shape: How large the network is.
        batch: Positions of a training step.
        learning_rate: The same from the first steps to the last.
        window: Positions to learn from, at most: the newest ones.
        gate: Games between the new network and the champion, at most.
        grade: About how many positions the solver grades a network on; 0 for none.
        seed: Where chance starts.

    Raises:
        BadOption, BadLimit, BadSlip: One of them is not in its range.
    """

    geometry: Geometry
    slip: float
    games: int
    simulations: int
    shape: Shape
    batch: int = 128
    learning_rate: float = 2e-3
    window: int = 400_000
    gate: int = 64
    grade: int = 1000
    seed: int = 229

    def __post_init__(self) -> None:
        for name, least, most in (
            ("games", 1, MOST_GAMES),
            ("simulations", 2, MOST_SIMULATIONS),
            ("batch", 1, 65_536),
            ("window", 1, MOST_WINDOW),
            ("gate", 0, 10_000),
            ("grade", 0, 1_000_000),
        ):
            if not least <= check_count(name, getattr(self, name), least=0) <= most:
                raise BadOption(f"{name} {shown(getattr(self, name))}: it must be {least:,} to {most:,}")
        if self.gate == 1:
            raise BadOption("gate 1: its games come in pairs; it must be 2 or more, or 0 for none")
        if not 1e-6 <= self.learning_rate <= 1:
            raise BadOption(f"learning_rate {shown(self.learning_rate)}: it must be 1e-06 to 1")
        Rules(self.geometry, self.slip)
        check_seed(self.seed)

    @property
    def rules(self) -> Rules:
        """The game."""
        return Rules(self.geometry, self.slip)

    @property
    def quick(self) -> int:
        """Simulations of a move that is played, and not learnt from unless it is proven."""
        return min(max(self.simulations // 5, LEAST_QUICK), self.simulations)

    @property
    def tables(self) -> list[range]:
        """The games of a generation, by their numbers, as they are played side by side."""
        return _shared_out(self.games)

    @property
    def gate_tables(self) -> list[range]:
        """The pairs of games of a gate, likewise."""
        return _shared_out(self.gate // 2, 16)

    def to_json(self) -> dict[str, Any]:
        """All of it, as it is kept."""
        return asdict(self) | {"geometry": str(self.geometry)}


def _shared_out(count: int, most: int = MOST_AT_A_TABLE) -> list[range]:
    """Numbers in handfuls, which do not depend on how many processes there are."""
    size = max(min(most, math.ceil(count / 4)), 1)
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def usual_games(geometry: Geometry) -> int:
    """Games of a generation: seconds on a small board, a minute or two on the standard one."""
    cells = geometry.cells
    return max(32, round(min(48 * cells, 48 * 42 * 42 / cells) / 32) * 32)


def usual_simulations(geometry: Geometry) -> int:
    """Simulations of a move that is searched in full."""
    return 40 + 3 * geometry.cells // 2
