"""Who plays the games: this process, several processes of this machine, or a cluster (`arena.cluster`).

Games are handed out in handfuls, as many as take some hundredths of a second, so that fast ones are not held
up by the post and slow ones are reported one by one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Protocol

from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.roster import dismiss_all, play_some
from fourcast.game.errors import WorkersLost
from fourcast.game.record import GameRecord
from fourcast.processes import worker_processes

Played = list[tuple[int, GameRecord]]

_HANDFUL = 0.04  # seconds that the games take which are handed out at a time
_MOST = 500
_AHEAD = 2  # handfuls for each process, so that it never waits
_TRIES = 3  # how often a game may take its process with it


class Workers(Protocol):
    """Somebody who plays games."""

    def play(self, conditions: Conditions, fixtures: Iterator[Fixture]) -> Iterator[Played]:
        """Play all, and give them back as they end, not always in order; each exactly once."""
        ...


class Handfuls:
    """Fixtures in portions that take about the same time, as far as one can tell.

    Args:
        fixtures: The games.
        seconds: The time that a portion takes.
    """

    def __init__(self, fixtures: Iterator[Fixture], seconds: float = _HANDFUL) -> None:
        self._fixtures = fixtures
        self._portion = seconds
        self._seconds: float | None = None  # that a game takes
        self._again: deque[list[Fixture]] = deque()

    def next(self) -> list[Fixture]:
        """The next portion; empty when there are no more."""
        if self._again:
            return self._again.popleft()
        size = 1 if self._seconds is None else int(self._portion / max(self._seconds, 1e-9))
        return list(islice(self._fixtures, min(max(size, 1), _MOST)))

    @property
    def in_doubt(self) -> bool:
        """Whether there are games that were handed out in vain."""
        return bool(self._again)

    def put_back(self, fixtures: Sequence[Fixture]) -> None:
        """Have games played that were handed out in vain, one by one."""
        self._again.extend([fixture] for fixture in fixtures)

    def learn(self, played: Played) -> None:
        """Take account of how long games took."""
        thought = sum(sum(game.seconds) for _, game in played) / max(len(played), 1)
        self._seconds = thought if self._seconds is None else 0.8 * self._seconds + 0.2 * thought


class HereWorkers:
    """This process, one game after the other."""

    def play(self, conditions: Conditions, fixtures: Iterator[Fixture]) -> Iterator[Played]:
        """Play all, a game at a time."""
        try:
            for fixture in fixtures:
                yield play_some(conditions, [fixture])
        finally:
            dismiss_all()


class LocalWorkers:
    """Processes of this machine.

    Attributes:
        jobs: How many.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def play(self, conditions: Conditions, fixtures: Iterator[Fixture]) -> Iterator[Played]:
        """Play all; when an agent takes its process with it, the games in work are played again.

        Raises:
            WorkersLost: A game has done so several times.
        """
        handfuls = Handfuls(fixtures)
        tries: dict[int, int] = {}
        while True:
            in_work: dict[Future[Played], list[Fixture]] = {}
            try:
                with worker_processes(self.jobs) as pool:
                    while True:
                        # A game in doubt is played while no other is, so that it is clear whose fault it is.
                        while len(in_work) < (1 if handfuls.in_doubt else _AHEAD * self.jobs) and (
                            games := handfuls.next()
                        ):
                            in_work[pool.submit(play_some, conditions, games)] = games
                        if not in_work:
                            return
                        done, _ = wait(in_work, return_when=FIRST_COMPLETED)
                        for future in done:
                            played = future.result()
                            del in_work[future]
                            handfuls.learn(played)
                            yield played
            except BrokenProcessPool:
                lost = [fixture for games in in_work.values() for fixture in games]
                handfuls.put_back(lost)
                if len(lost) == 1:
                    (fixture,) = lost
                    tries[fixture.number] = tries.get(fixture.number, 0) + 1
                    if tries[fixture.number] >= _TRIES:
                        raise WorkersLost(
                            f"a worker has died {_TRIES} times in game {fixture.number}, "
                            f"{fixture.players[0]} against {fixture.players[1]}"
                        ) from None


def cores() -> int:
    """How many processes this machine has room for."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1
