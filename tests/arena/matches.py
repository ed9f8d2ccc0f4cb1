"""Matches that are drawn by lot, with known true shares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.arena.pairs import PAIR_POINTS, PairCounts

Chances = npt.NDArray[np.float64]


def independent(win: float, draw: float) -> Chances:
    """The chances of 0 to 2 points in a pair whose games know nothing of each other."""
    game = [1 - win - draw, draw, win]
    return np.convolve(game, game)


def decided_by_openings(share: float, win: float, draw: float) -> Chances:
    """A share of the openings is won by whoever has the better side, one point each; the rest is played."""
    return share * np.array([0, 0, 1.0, 0, 0]) + (1 - share) * independent(win, draw)


def same_twice(share: float, win: float, draw: float) -> Chances:
    """In a share of the pairs both games end alike, for the same agent."""
    return share * np.array([1 - win - draw, 0, draw, 0, win]) + (1 - share) * independent(win, draw)


def true_share(chances: Chances) -> float:
    """The share of the points that is expected."""
    return float(chances @ np.array(PAIR_POINTS)) / 2


def counts_of(row: list[int]) -> PairCounts:
    a, b, c, d, e = row
    return PairCounts((a, b, c, d, e))


def simulated(chances: Chances, pairs: int, matches: int, seed: int) -> list[PairCounts]:
    """Matches of so many pairs."""
    rows = np.random.default_rng(seed).multinomial(pairs, chances, size=matches)
    return [counts_of(row) for row in rows.tolist()]
