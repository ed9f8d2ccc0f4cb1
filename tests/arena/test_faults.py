"""Tournaments that are killed at any moment: every scheduled game is there exactly once, nothing else is."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from fourcast.arena.store import Store

AGENTS = ("random", "greedy", "vertical", "montecarlo:2", "alphabeta:2")
ROUNDS = 12
GAMES = ROUNDS * len(AGENTS) * (len(AGENTS) - 1)


def command(out: Path, seed: int) -> list[str]:
    options = ["--rounds", str(ROUNDS), "--any-opening", "--seed", str(seed), "--jobs", "2", "--json"]
    return [sys.executable, "-m", "fourcast", "tournament", *AGENTS, *options, "--out", str(out)]


def numbers(path: Path) -> list[int]:
    """The games that are kept; none while there is no file, or not yet a table in it."""
    if not path.exists():
        return []
    with Store(path) as store:
        return [number for _, number, _ in store.games()]


@pytest.mark.slow
@pytest.mark.parametrize("driver", range(3))
def test_thirty_tournaments_killed_and_resumed(tmp_path: Path, driver: int) -> None:
    """Ten a driver, each killed twice by chance: anywhere from the start of Python to the last game."""
    chance = random.Random(driver)
    for tournament in range(10):
        out = tmp_path / f"{tournament}.db"
        before: set[int] = set()
        for _ in range(2):
            process = subprocess.Popen(
                command(out, tournament), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            _wait(process, out, chance)
            process.send_signal(signal.SIGKILL)
            process.wait()
            kept = numbers(out)
            assert len(kept) == len(set(kept))
            assert before <= set(kept), "what was there stays"
            before = set(kept)
        done = subprocess.run(command(out, tournament), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        report = json.loads(done.stdout)
        assert report["games"] == report["planned"] == GAMES
        assert numbers(out) == list(range(GAMES))
        with Store(out) as store:
            for _, _, game in store.games():
                game.checked()


def _wait(process: subprocess.Popen[bytes], out: Path, chance: random.Random) -> None:
    """Until a moment by chance: some while after the start, or once there are so many games."""
    if chance.random() < 0.3:
        time.sleep(chance.uniform(0.0, 1.5))
        return
    enough = chance.randrange(GAMES)
    deadline = time.monotonic() + 60
    while process.poll() is None and len(numbers(out)) < enough and time.monotonic() < deadline:
        time.sleep(chance.uniform(0.0, 0.02))


def test_workers_end_with_a_killed_arena(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command(tmp_path / "games.db", 1),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    children: list[psutil.Process] = []
    while not numbers(tmp_path / "games.db") and time.monotonic() < deadline:
        time.sleep(0.01)
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert children
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert not alive
    assert len(gone) == len(children)
