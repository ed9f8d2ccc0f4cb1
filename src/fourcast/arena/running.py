"""Playing the games of a schedule that are not in the store yet, and keeping each as it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.roster import dismiss_all, play_some
from fourcast.arena.store import Run, Store
from fourcast.game.record import GameRecord
from fourcast.workers import Work, Workers

Played = list[tuple[int, GameRecord]]
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
    for games in play_fixtures(workers, conditions, left):
        store.add(run, games)
        enough = [seen(number, game) for number, game in games]
        if any(enough):
            return


def play_fixtures(workers: Workers, conditions: Conditions, fixtures: Iterable[Fixture]) -> Iterator[Played]:
    """Have games played, and give them back as they end, not always in order; each exactly once.

    Raises:
        WorkersLost: Those who play are gone, or a game has taken its process with it several times.
    """
    try:
        yield from workers.map(Work(play_some, conditions, _named), fixtures)
    finally:
        dismiss_all()  # of this process, where it has played


def _named(fixture: Fixture) -> str:
    return f"in game {fixture.number}, {fixture.players[0]} against {fixture.players[1]}"


def settings_of(conditions: Conditions) -> dict[str, Any]:
    """The conditions as a run's settings have them."""
    return {
        "board": str(conditions.rules.geometry),
        "slip": conditions.rules.slip,
        "limit": str(conditions.limit),
        "on_timeout": conditions.on_timeout,
    }
