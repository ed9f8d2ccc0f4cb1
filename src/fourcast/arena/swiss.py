"""Who plays whom in a Swiss round: agents of about equal points who have not met yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Pair = tuple[str, str]


def swiss_pairs(
    names: Sequence[str], points: Mapping[str, float], met: set[frozenset[str]], byes: Mapping[str, int]
) -> tuple[list[Pair], str | None]:
    """The pairs of the next round, those with the most points first, and who has to sit out.

    Within a group of equal points, the upper half meets the lower half, as it is usual. Two who have met play
    again only where there is no other way.

    Args:
        names: All agents, in the order in which they were entered.
        points: What each has so far.
        met: Who has played whom.
        byes: How often each has sat out.
    """
    order = sorted(names, key=lambda name: -points[name])  # stable: equal ones as they were entered
    idle = None
    if len(order) % 2:
        idle = min(reversed(order), key=lambda name: byes.get(name, 0))
        order.remove(idle)
    pairs: list[Pair] = []
    left = order
    while left:
        top, *others = left
        rivals = _preferred(top, others, points)
        rival = next((each for each in rivals if frozenset((top, each)) not in met), None)
        if rival is None:
            rival = _trade(top, pairs, others, met)
        else:
            pairs.append((top, rival))
        left = [name for name in others if name != rival]
    return pairs, idle


def _preferred(top: str, others: Sequence[str], points: Mapping[str, float]) -> list[str]:
    """The others, the one in the middle of the same points first, then those next to it, then those below."""
    same = [name for name in others if points[name] == points[top]]
    below = [name for name in others if points[name] != points[top]]
    middle = len(same) // 2
    return [*same[middle:], *reversed(same[:middle]), *below]


def _trade(top: str, pairs: list[Pair], others: Sequence[str], met: set[frozenset[str]]) -> str:
    """Find a rival for one who has met all that are left: out of a pair that is made already.

    Where that does not work, two play who have met.

    Returns:
        Who of the others has a place now: in that pair, or as the rival.
    """
    for index in reversed(range(len(pairs))):
        first, second = pairs[index]
        for leaver, stays in ((second, first), (first, second)):
            if frozenset((top, leaver)) in met:
                continue
            for stand_in in others:
                if frozenset((stays, stand_in)) not in met:
                    pairs[index] = (stays, stand_in)
                    pairs.append((top, leaver))
                    return stand_in
    pairs.append((top, others[0]))
    return others[0]
