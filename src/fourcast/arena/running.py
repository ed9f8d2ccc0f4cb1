"""Playing the games of a schedule that are not in the store yet, and keeping each as it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.store import Run, Store
from fourcast.arena.workers import Workers
from fourcast.game.record import GameRecord

Seen = Callable[[int, GameRecord], bool]


def play_all(
    store: Store,
    run: Run,
    conditions: Conditions,
    fixtures: Iterable[Fixture],
    numbers: range,
    workers: Workers,
    seen: Seen,
) -> None:
    """Play what is left of a schedule.

    Args:
        store: Where games are kept.
        run: The run that they belong to.
        conditions: What the games have in common.
        fixtures: The schedule; games of numbers that are in the store are not played again.
        numbers: Those of the schedule.
        workers: Who plays.
        seen: Told of every game once it is kept; what was there before comes first. When it says True,
            nothing more is played.

    Raises:
        BadStore: A game cannot be kept.
    """
    kept = [seen(number, game) for _, number, game in store.games(run)]
    if any(kept):
        return
    played = store.played(run)
    if len(played & set(numbers)) == len(numbers):
        return  # without a look at the schedule, whose openings take time
    left = (fixture for fixture in fixtures if fixture.number not in played)
    for games in workers.play(conditions, left):
        store.add(run, games)
        enough = [seen(number, game) for number, game in games]
        if any(enough):
            return


def settings_of(conditions: Conditions) -> dict[str, Any]:
    """The conditions as a run's settings have them."""
    return {
        "board": str(conditions.rules.geometry),
        "slip": conditions.rules.slip,
        "limit": str(conditions.limit),
        "on_timeout": conditions.on_timeout,
    }
