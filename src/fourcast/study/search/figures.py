"""What the measurements of the searches come to, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fourcast.study.search.measuring import ALPHABETA, MINIMAX, POSITIONS, STAGES, counts_of, depths_of
from fourcast.study.study import Found, Settings

RANDOM = "random"
SETS = (*POSITIONS, RANDOM)


@dataclass(frozen=True, slots=True)
class Both:
    """Minimax and alpha-beta on some positions, to one depth: means a position, and shares of positions.

    Attributes:
        positions: How many.
        nodes: Of minimax and of alpha-beta.
        seconds: Likewise.
        cutoffs: Of alpha-beta.
        memory: The most of both.
        same_move: The share of positions in which both play the same column.
        same_score: And in which both find the same score.
    """

    positions: int
    nodes: tuple[float, float]
    seconds: tuple[float, float]
    cutoffs: float
    memory: tuple[int, int]
    same_move: float
    same_score: float

    @property
    def pruned(self) -> float:
        """The share of minimax's nodes that alpha-beta does not visit."""
        return 1 - self.nodes[1] / self.nodes[0]

    @property
    def saved(self) -> float:
        """The share of minimax's time that alpha-beta does not take."""
        return 1 - self.seconds[1] / self.seconds[0]


def both_of(rows: Iterable[Mapping[str, Any]]) -> Both:
    """The means of some measurements of both searches."""
    rows = list(rows)

    def mean(name: str, field: str) -> float:
        return float(sum(row[name][field] for row in rows) / len(rows))

    return Both(
        len(rows),
        (mean(MINIMAX, "nodes"), mean(ALPHABETA, "nodes")),
        (mean(MINIMAX, "seconds"), mean(ALPHABETA, "seconds")),
        mean(ALPHABETA, "cutoffs"),
        (max(row[MINIMAX]["memory"] for row in rows), max(row[ALPHABETA]["memory"] for row in rows)),
        sum(row["same_move"] for row in rows) / len(rows),
        sum(row["same_score"] for row in rows) / len(rows),
    )


def by_set(settings: Settings, found: Mapping[str, Found]) -> dict[str, dict[int, Both]]:
    """The three positions and the random ones, by depth."""
    rows = random_rows(settings, found)
    depths = depths_of(settings)
    sets = {
        name: {depth: both_of([found[f"{name}, depth {depth}"]]) for depth in depths} for name in POSITIONS
    }
    sets[RANDOM] = {depth: both_of(row for row in rows if row["depth"] == depth) for depth in depths}
    return sets


def by_stage(settings: Settings, found: Mapping[str, Found]) -> dict[str, dict[int, Both]]:
    """The random positions by stage of the game and by depth."""
    rows = random_rows(settings, found)
    return {
        stage: {
            depth: both_of(row for row in rows if row["depth"] == depth and row["stage"] == stage)
            for depth in depths_of(settings)
        }
        for stage in STAGES
    }


def random_rows(settings: Settings, found: Mapping[str, Found]) -> list[dict[str, Any]]:
    """What was measured of each random position at each depth."""
    rows = [row for name, each in found.items() if name.startswith(f"{RANDOM} ") for row in each["rows"]]
    assert len(rows) == sum(counts_of(settings)) * len(depths_of(settings))
    return rows


@dataclass(frozen=True, slots=True)
class Growth:
    """How cost grows with depth: `start * factor ** depth`, fitted to its logarithm by least squares.

    Attributes:
        factor: By which it grows a ply: the effective branching factor, where nodes are counted.
        start: What it would be at depth 0.
        fit: How much of the variance of the logarithm that explains: R squared.
    """

    factor: float
    start: float
    fit: float


def growth_of(depths: Sequence[int], costs: Sequence[float]) -> Growth:
    """The growth that fits costs by depth best."""
    import numpy as np

    logs = np.log(costs)
    slope, base = np.polyfit(depths, logs, 1)
    rest = logs - (base + slope * np.asarray(depths))
    spread = float(((logs - logs.mean()) ** 2).sum())
    return Growth(float(np.exp(slope)), float(np.exp(base)), 1 - float((rest**2).sum()) / spread)
