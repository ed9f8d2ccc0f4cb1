"""The orders in which a search tries columns."""

from __future__ import annotations

import random

_RANDOM = 64  # orders that take turns

NAMES = ("centre", "edges", "left", "right", "random")


def column_orders(name: str, columns: int, seed: int | None = None) -> list[list[int]]:
    """The orders that a search takes turns with, node by node; only a random one has more than one.

    Args:
        name: "centre" from the centre out, "edges" the other way round, "left" and "right" from that side,
            "random" another one at every node.
        columns: How many columns there are.
        seed: Where the chance starts; None is 0, so that a search is repeatable.
    """
    inward = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
    if name == "centre":
        return [inward]
    if name == "edges":
        return [inward[::-1]]
    if name == "left":
        return [list(range(columns))]
    if name == "right":
        return [list(reversed(range(columns)))]
    chance = random.Random(seed or 0)
    return [chance.sample(range(columns), columns) for _ in range(_RANDOM)]
