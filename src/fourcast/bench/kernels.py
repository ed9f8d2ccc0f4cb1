"""How fast the kernels are, and how fast the command line starts."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from fourcast.bench.report import Measurement, Report, median_seconds, medians
from fourcast.evaluators.features import Features
from fourcast.extras import require
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.distinct import distinct_counts
from fourcast.kernels.frontier import fates_of, next_ply
from fourcast.kernels.moves import drop, legal_columns, lines, mirror_batch, winning_cells
from fourcast.kernels.perft import perft
from fourcast.kernels.playouts import playouts
from fourcast.kernels.windows import window_counts

LARGE = Geometry(8, 10, 5)

PLAYOUTS = 200_000
PEER_PLAYOUTS = 10_000
POSITIONS = 4096
PLAYOUT_BARS = {STANDARD: 1.5e6, LARGE: 0.5e6}
START_BARS = {"--help": 0.25, "board 4453 --json": 1.2}

Step = Callable[[], list[Measurement]]


def measure(*, peers: bool, repeat: int, advance: Callable[[str, int, int], None]) -> Report:
    """Measure everything, one thing after the other, each compiled before it counts.

    Args:
        peers: Whether to measure OpenSpiel and BitBully beside it.
        repeat: Runs of each; the median counts.
        advance: Told what is being measured, how many measurements are done, and how many there are.

    Raises:
        MissingExtra: A peer is not installed.
    """
    if peers:
        require("pyspiel", "bench")
        require("bitbully", "bench")
    steps: list[Step] = [
        *(partial(_playouts, geometry, repeat, peers) for geometry in (STANDARD, LARGE)),
        partial(_perft, repeat),
        partial(_distinct, repeat, peers),
        *(partial(_batches, geometry, repeat) for geometry in (STANDARD, LARGE)),
        *(partial(_start, arguments, bar, repeat) for arguments, bar in START_BARS.items()),
    ]
    report = Report()
    for done, step in enumerate(steps):
        advance("measuring", done, len(steps))
        report.measurements.extend(step())
    advance("measuring", len(steps), len(steps))
    return report


def _playouts(geometry: Geometry, repeat: int, peers: bool) -> list[Measurement]:
    batch = Batch.of(Position(geometry))
    works: list[Callable[[], object]] = [lambda: playouts(batch, PLAYOUTS)]
    if peers:
        works.append(_open_spiel_playouts(geometry))
    seconds, *peer_seconds = medians(works, repeat)
    peer = ("OpenSpiel", PEER_PLAYOUTS / peer_seconds[0]) if peers else (None, None)
    bar = PLAYOUT_BARS[geometry]
    return [Measurement("random playouts", str(geometry), seconds, PLAYOUTS, "games", bar, *peer)]


def _open_spiel_playouts(geometry: Geometry) -> Callable[[], object]:
    """Random rollouts by OpenSpiel's C++: one visit of its tree search, evaluated by many."""
    pyspiel: Any = require("pyspiel", "bench")
    game = pyspiel.load_game(
        f"connect_four(rows={geometry.rows},columns={geometry.columns},x_in_row={geometry.connect})"
    )
    rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts=PEER_PLAYOUTS, seed=1)
    bot = pyspiel.MCTSBot(game, rollouts, 2.0, 1, 100, False, 1, False)
    return lambda: bot.step(game.new_initial_state())


def _perft(repeat: int) -> list[Measurement]:
    seconds = median_seconds(lambda: perft(Position(), 9), repeat)
    return [Measurement("perft 9", str(STANDARD), seconds, 1, "run", bar=0.3)]


def _distinct(repeat: int, peers: bool) -> list[Measurement]:
    plies = 8
    works: list[Callable[[], object]] = [lambda: list(distinct_counts(Position(), plies))]
    if peers:
        board: Any = require("bitbully", "bench").Board()
        works.append(lambda: board.native.allPositions(plies, True))
    seconds, *peer_seconds = medians(works, repeat)
    peer = ("BitBully", 1 / peer_seconds[0]) if peers else (None, None)
    return [Measurement(f"distinct to ply {plies}", str(STANDARD), seconds, 1, "run", None, *peer)]


def _batches(geometry: Geometry, repeat: int) -> list[Measurement]:
    batch = _random_batch(geometry)
    chance = random.Random(2)
    columns = np.array([chance.choice(position.legal) for position in batch])
    jobs: dict[str, Callable[[], object]] = {
        "legal columns": lambda: legal_columns(batch),
        "drops": lambda: drop(batch, columns),
        "mirror images": lambda: mirror_batch(batch),
        "line tests": lambda: lines(batch),
        "winning cells": lambda: winning_cells(batch),
        "window counts": lambda: window_counts(batch),
        "next plies": lambda: next_ply(
            geometry, batch.stones, fates_of(geometry, batch.stones), geometry.columns * POSITIONS
        ),
        "all features": lambda: Features.of(geometry).matrix(batch),
    }
    return [
        Measurement(name, str(geometry), median_seconds(job, 4 * repeat), len(batch), "boards")
        for name, job in jobs.items()
    ]


def _random_batch(geometry: Geometry) -> Batch:
    """Positions of random games that go on."""
    chance = random.Random(1)
    positions: list[Position] = []
    while len(positions) < POSITIONS:
        position = Position(geometry)
        while not position.is_over and len(positions) < POSITIONS:
            positions.append(position)
            position = position.play(chance.choice(position.legal))
    return Batch.of(positions)


def _start(arguments: str, bar: float, repeat: int) -> list[Measurement]:
    command = [sys.executable, "-m", "fourcast", *arguments.split()]
    seconds = median_seconds(lambda: subprocess.run(command, check=True, capture_output=True), repeat)
    return [Measurement(f"fourcast {arguments}", "", seconds, 1, "run", bar)]
