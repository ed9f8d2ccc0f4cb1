"""Who plays whom in a Swiss round: agents of about equal points who have not met yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Pair = tuple[str, str]
Met = set[frozenset[str]]

_MOST_STEPS = 20_000  # tries to find pairs that have not met, before some meet again


def swiss_pairs(
    names: Sequence[str], points: Mapping[str, float], met: Met, byes: Mapping[str, int]
) -> tuple[list[Pair], str | None]:
    """The pairs of the next round, those with the most points first, and who has to sit out.

    Within a group of equal points, the upper half meets the lower half, as it is usual. Who sits out has few
    points, and has sat out no more often than anybody else. Two who have met play again only where no other
    way was found.

    Args:
        names: All agents, in the order in which they were entered.
        points: What each has so far.
        met: Who has played whom.
        byes: How often each has sat out.
    """
    order = sorted(names, key=lambda name: -points[name])  # stable: equal ones as they were entered
    steps = iter(range(_MOST_STEPS))
    for idle in _idle(order, byes):
        pairs = _pair_up([name for name in order if name != idle], points, met, steps)
        if pairs is not None:
            return pairs, idle
    idle = next(_idle(order, byes))
    again = _pair_up([name for name in order if name != idle], points, set(), iter(range(_MOST_STEPS)))
    assert again is not None  # when anybody may meet anybody, the first try does it
    return again, idle


def _idle(order: Sequence[str], byes: Mapping[str, int]) -> Iterator[str | None]:
    """Who may sit out, the likeliest first; nobody where all can play."""
    if len(order) % 2 == 0:
        yield None
    else:
        lowest_first = order[::-1]
        yield from sorted(lowest_first, key=lambda name: byes.get(name, 0))


def _pair_up(
    left: list[str], points: Mapping[str, float], met: Met, steps: Iterator[int]
) -> list[Pair] | None:
    """Pairs of all that are left, none of whom have met: the first way that is found, if one is in time."""
    pairs: list[Pair] = []
    choices: list[Iterator[str]] = []  # of each pair so far, and of the next one
    remaining = [left]
    while remaining[-1]:
        top, *others = remaining[-1]
        if len(choices) == len(pairs):
            choices.append(
                rival for rival in _preferred(top, others, points) if frozenset((top, rival)) not in met
            )
        rival = next(choices[-1], None) if next(steps, None) is not None else None
        if rival is not None:
            pairs.append((top, rival))
            remaining.append([name for name in others if name != rival])
            continue
        choices.pop()  # nobody is left for this one: change the pair before
        if not pairs:
            return None
        pairs.pop()
        remaining.pop()
    return pairs


def _preferred(top: str, others: Sequence[str], points: Mapping[str, float]) -> list[str]:
    """The others, the one in the middle of the same points first, then those next to it, then those below."""
    same = [name for name in others if points[name] == points[top]]
    below = [name for name in others if points[name] != points[top]]
    middle = len(same) // 2
    return [*same[middle:], *reversed(same[:middle]), *below]
