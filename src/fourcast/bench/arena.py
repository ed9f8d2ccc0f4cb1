"""How many games the arena plays in a second, and what it adds to a move."""

from __future__ import annotations

import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fourcast.arena.match import MatchPlan, MatchTally, play_match
from fourcast.arena.openings import Openings
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.roster import play_some
from fourcast.arena.store import Store
from fourcast.bench.report import Measurement, Report
from fourcast.game.limit import Limit
from fourcast.game.rules import Rules
from fourcast.workers import LocalWorkers
from fourcast.workers.processes import cores

PLAYERS = ("random", "greedy")
GAMES = 20_000
_WARM_UP = 400  # games that do not count: the processes start with them
_BAR_GAMES, _BAR_MOVE = 3000.0, 30e-6

# Answers the first open column, by the line protocol.
_PROGRAM = """\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word in ("fourcast", "game"):
        print("ready", flush=True)
    elif word == "move":
        print("123456789abcdefghijklmnopqrstuvwxyz"[rest[2].index(".")], flush=True)
"""


def measure(games: int, repeat: int, advance: Callable[[str, int, int], None]) -> Report:
    """Measure the arena on this machine, all its cores.

    Args:
        games: How many games are played for the rate.
        repeat: Runs of each measurement; the median counts.
        advance: Told what is being done, how much of it is done, and how much there is.
    """
    steps = [
        partial(_rate, games, repeat),
        partial(_overhead, repeat),
        partial(_foreign_move, repeat),
    ]
    report = Report(used=f"{cores()} cores")
    for index, step in enumerate(steps):
        advance("measuring the arena", index, len(steps))
        report.measurements.append(step())
    return report


def _rate(games: int, repeat: int) -> Measurement:
    """Games a second from the schedule to the store, once the processes are there."""
    plan = MatchPlan(PLAYERS, Conditions(Rules()), games + _WARM_UP, Openings(fair=False))
    taken = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
            tally = MatchTally(plan)
            begun = [0.0]

            def watch(tally: MatchTally = tally, begun: list[float] = begun) -> None:
                if len(tally.games) == _WARM_UP:
                    begun[0] = time.perf_counter()

            play_match(tally, store, store.run("match", plan.settings, ""), LocalWorkers(cores()), watch)
            taken.append(time.perf_counter() - begun[0])
    name = f"{PLAYERS[0]} - {PLAYERS[1]}, {cores()} jobs"
    return Measurement(name, "6x7x4", statistics.median(taken), games, "games", _BAR_GAMES)


def _overhead(repeat: int) -> Measurement:
    """What a move takes besides the agent's own time."""
    fixtures = [Fixture(number, ("horizontal", "vertical"), (), number) for number in range(500)]
    conditions = Conditions(Rules())
    play_some(conditions, fixtures)
    added = []
    for _ in range(repeat):
        start = time.perf_counter()
        games = [game for _, game in play_some(conditions, fixtures)]
        taken = time.perf_counter() - start
        moves = sum(len(game.landed) for game in games)
        added.append((taken - sum(sum(game.seconds) for game in games)) / moves)
    return Measurement("added to a move", "6x7x4", statistics.median(added), 1, "run", _BAR_MOVE)


def _foreign_move(repeat: int) -> Measurement:
    """What a move of a program takes that answers at once."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "first.py"
        program.write_text(_PROGRAM)
        spec = f"exec:{shlex.join([sys.executable, str(program)])}"
        conditions = Conditions(Rules(), Limit(seconds=5))
        fixtures = [Fixture(number, (spec, "horizontal"), (), number) for number in range(20)]
        play_some(conditions, fixtures[:1])
        means = []
        for _ in range(repeat):
            games = [game for _, game in play_some(conditions, fixtures)]
            moves = [
                seconds
                for game in games
                for index, seconds in enumerate(game.seconds)
                if game.mover(index) == 0 and index > 1  # the first question of a game begins it
            ]
            means.append(statistics.median(moves))
    return Measurement("a move of exec:, in Python", "6x7x4", statistics.median(means), 1, "run")
