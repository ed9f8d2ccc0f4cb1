"""Those who play the games: each game once, whatever becomes of a process."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from fourcast import Limit, Rules, WorkersLost
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.running import play_fixtures
from fourcast.workers import HereWorkers, LocalWorkers
from tests.packages import install

CONDITIONS = Conditions(Rules(), Limit(seconds=5))


def fixtures(count: int, players: tuple[str, str] = ("random", "greedy")) -> Iterator[Fixture]:
    return (Fixture(number, players, (), number) for number in range(count))


def is_worker(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:  # it is gone, or as good as
        return False


def test_every_game_once_and_the_same_whoever_plays() -> None:
    found = []
    for workers in (HereWorkers(), LocalWorkers(2)):
        games = [game for played in play_fixtures(workers, CONDITIONS, fixtures(300)) for game in played]
        assert sorted(number for number, _ in games) == list(range(300))
        found.append({number: game.moves for number, game in games})
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_no_game() -> None:
    """Twice, in the middle; the games that it had are played by the next."""
    seen: list[int] = []
    kills = 0
    for played in play_fixtures(LocalWorkers(2), CONDITIONS, fixtures(2000, ("mcts:30", "greedy"))):
        seen += [number for number, _ in played]
        if len(seen) > 500 * (kills + 1) and kills < 2:
            victim = next(child for child in psutil.Process().children() if is_worker(child))
            victim.send_signal(signal.SIGKILL)
            kills += 1
    assert kills == 2
    assert sorted(seen) == list(range(2000))


SUICIDAL = """
import os
import fourcast as fc


@fc.register("suicidal")
class Suicidal:
    '''Takes its process with it.'''

    def __init__(self, rules, seed=None):
        self.seed = seed

    def analyze(self, position, limit):
        os._exit(3)
"""


def test_a_game_that_kills_its_worker_again_and_again_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, suicidal=SUICIDAL)
    monkeypatch.syspath_prepend(tmp_path)
    games = [
        *fixtures(3),
        Fixture(3, ("suicidal", "random"), (), 0),
        *(Fixture(n, ("random", "random"), (), 0) for n in (4, 5)),
    ]
    seen: list[int] = []
    with pytest.raises(WorkersLost, match="a worker has died 3 times in game 3, suicidal against random"):
        for played in play_fixtures(LocalWorkers(2), CONDITIONS, iter(games)):
            seen += [number for number, _ in played]
    assert len(seen) == len(set(seen))
    assert 3 not in seen


def test_nothing_is_left_running_when_the_rest_is_not_wanted() -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    playing = play_fixtures(LocalWorkers(2), CONDITIONS, fixtures(100_000))
    next(playing)
    playing.close()  # type: ignore[attr-defined]
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        left = [
            child
            for child in psutil.Process().children(recursive=True)
            if child.pid not in before and is_worker(child)
        ]
        if not left:
            return
        time.sleep(0.05)
    raise AssertionError(f"{left} still run")
