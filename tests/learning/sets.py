"""Small sets to learn from: positions of a 4x5x4 board, solved, and rows like UCI's."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fourcast import Analysis, Limit, Position
from fourcast.evaluators.features import Features
from fourcast.kernels.batch import Batch
from fourcast.learning.boosted import Settings
from fourcast.learning.examples import Examples
from fourcast.learning.labelled import LabelledSet, cells_texts
from fourcast.learning.position_files import write_positions
from fourcast.learning.positions import make_positions
from fourcast.learning.training import Training
from fourcast.learning.uci import LABELS

BOARD = "4x5x4"
PLIES = (4, 14)
GROUPS = ("windows", "clock")
QUICK = Settings(rounds=20, leaves=7, l2=1.0, feature_share=0.5)


@cache
def small_set(count: int = 600, seed: int = 1) -> LabelledSet:
    """Positions of all three classes."""
    return make_positions(BOARD, count, PLIES, seed=seed, moves=False)


@cache
def small_examples(count: int = 600) -> Examples:
    """The same, to learn from."""
    given = small_set(count)
    return Examples(given.geometry, given.stones, given.classes, ("small.csv",))


def small_training(settings: Settings = QUICK, *, mirror: bool = True, balanced: bool = False) -> Training:
    """A training of a moment."""
    examples = small_examples()
    return Training(examples, Features.of(BOARD, GROUPS), settings, mirror, balanced, threads=1)


def small_file(folder: Path, name: str = "small.csv") -> Path:
    """The set as a file."""
    write_positions(small_set(), folder / name)
    return folder / name


@cache
def uci_rows(count: int = 150) -> tuple[str, ...]:
    """Lines like those of UCI's file: positions of the standard board after eight plies."""
    made = make_positions("6x7x4", count, (8, 8), seed=1, moves=False)
    assert made.scores is not None
    labels = [LABELS[int(sign) + 1] for sign in np.sign(made.scores)]
    return tuple(
        ",".join([*cells, label]) for cells, label in zip(cells_texts(made.batch), labels, strict=True)
    )


def keys_of(batch: Batch, rows: npt.NDArray[np.int64] | None = None) -> set[int]:
    """What positions are, mirror images being the same."""
    chosen = batch if rows is None else Batch(batch.geometry, batch.stones[rows])
    return {position.canonical_key for position in chosen}


class Endless:
    """What `perfect` is on a large board: it thinks until it is stopped, and then has proven nothing."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def analyze(self, position: Position, _limit: Limit) -> Analysis:
        assert self._stopped.wait(30), "nobody has stopped it"
        return Analysis(position, position.legal[0], nodes=1, leaves=1, seconds=0.0)
