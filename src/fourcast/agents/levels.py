"""Weaker play by degrees: `level=1` to `level=10`, so that a beginner can win and has a next step.

A player of a level below 10 does not see everything that there is to see. It knows what each column is worth,
but what is decided far ahead counts less for it, the less the lower its level; and then it draws a column by
chance, the better ones more likely, the more so the higher its level. So even a low level takes a win in one
nearly always, as people do, and what it overlooks are plans.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random

from fourcast.agents.options import whole
from fourcast.game.analysis import Analysis
from fourcast.game.position import Position

FULL = 10
LEVEL = whole("level", FULL, "1 to 10: how well it plays; 10 is all it can", most=FULL)

# For the levels 1 to 9: plies after which what is decided counts a third, and how much worse a column may be
# to be drawn a third as often.
_HORIZONS = (1.2, 2.2, 3.2, 4.4, 5.8, 7.2, 8.6, 9.8, 11.2)
_WHIMS = (0.50, 0.33, 0.225, 0.16, 0.115, 0.085, 0.065, 0.05, 0.035)
SIGHTS = (1, 2, 3, 4, 5, 6, 7, 8, 9)  # plies that a search of each level looks ahead
_CENTRE = 0.15  # what a column in the centre seems worth over one at the edge, in whims


def faded(value: float, plies: int, level: int) -> float:
    """What a result seems worth that is so many plies away."""
    return value * math.exp(-(plies - 1) / _HORIZONS[level - 1])


def policy_of(position: Position, values: Mapping[int, float], level: int) -> tuple[float, ...]:
    """How likely each column is to be played.

    Args:
        position: A position whose game goes on.
        values: What each legal column seems worth, in [-1, 1].
        level: 1 to 9.

    Returns:
        A share for each column of the board; they sum to 1.
    """
    whim = _WHIMS[level - 1]
    columns = range(position.geometry.columns)
    middle = max((len(columns) - 1) / 2, 1)
    best = max(values.values())
    weights = [0.0] * len(columns)
    for column, value in values.items():
        central = _CENTRE * (1 - abs(column - (len(columns) - 1) / 2) / middle)
        weights[column] = math.exp((value - best) / whim + central)
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def drawn(found: Analysis, values: Mapping[int, float], level: int, chance: Random) -> Analysis:
    """What a player of a level plays that has found this: the same, but for the column.

    Args:
        found: What it would say at its best.
        values: What each legal column seems worth to it; where it knows of none, it plays the best it has.
        level: 1 to 9.
        chance: Where to draw from.
    """
    if not values:
        return found
    policy = policy_of(found.position, values, level)
    return found.playing(chance.choices(range(len(policy)), policy)[0], policy)
