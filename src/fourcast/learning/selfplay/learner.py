"""The network while it learns: from the positions of the last generations, going on from its last weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fourcast.game.errors import BadData
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import legal_columns
from fourcast.learning.course import Course, Seen, stepping
from fourcast.learning.course_state import Progress, read_progress, write_progress
from fourcast.learning.lessons import Lessons
from fourcast.learning.networks import NETWORK_PLANES, network
from fourcast.learning.onnx_export import onnx_of
from fourcast.learning.pupil import Judgement, Pupil
from fourcast.learning.selfplay.settings import Settings
from fourcast.learning.selfplay.table import Harvest

PASSES = 8  # how often a position is learnt from, about, while it is in the window
LEAST_STEPS = 20
VALUE_SHARE = 1.0
MEMORY = 400  # steps that the mean of the weights looks back on
_RISING = 100  # steps in which the learning rate rises from nothing
_JUDGED = 2048  # positions

Watch = Callable[[int, int, float], None]


class Learner:
    """A network and how it has learnt so far.

    Attributes:
        settings: Of the run.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._model: Any = network(settings.geometry, settings.shape, settings.seed)
        self._pupil = Pupil(self._model, VALUE_SHARE)
        course = Course(1, settings.batch, settings.learning_rate, memory=MEMORY, seed=settings.seed)

        def rate(done: Any, numbers: Any) -> Any:
            return settings.learning_rate * numbers.minimum(done / _RISING, 1.0)

        self._step = stepping(self._pupil, course, rate)
        self._start = self._pupil.start()
        self._progress = Progress(self._start, 0, np.float32(0), ())

    def load(self, path: Path, request: str) -> None:
        """Go on from what was kept.

        Raises:
            BadData: It is not there, of another run, or damaged.
        """
        if not path.exists():
            raise BadData(f"{path} is missing: remove the whole folder to begin anew")
        self._progress = read_progress(path, request, self._start)

    def save(self, path: Path, request: str) -> None:
        """Keep it.

        Raises:
            BadData: It cannot be written.
        """
        write_progress(path, request, self._progress)

    def steps_for(self, new: int) -> int:
        """How many steps go with so many new positions."""
        return max(round(PASSES * new / self.settings.batch), LEAST_STEPS)

    def learn(self, window: Lessons, steps: int, generation: int, watch: Watch) -> None:
        """Learn from positions, drawn by lot from all of them.

        Args:
            window: What to learn from.
            steps: How many steps.
            generation: Which; the draw goes by it.
            watch: Told how many steps are done, how many there are, and the mean loss.
        """
        batch = self.settings.batch
        seen = Seen.of(window, NETWORK_PLANES)
        chance = np.random.default_rng([self.settings.seed, generation, 2**32])
        arrays, number, losses = self._progress.arrays, self._progress.step, np.float32(0)
        for step in range(1, steps + 1):
            rows = chance.integers(len(window), size=batch)
            flips = chance.random(batch) < 0.5
            arrays, losses = self._step(arrays, number, losses, *seen.only(rows), flips)
            number += 1
            if step % 10 == 0 or step == steps:
                watch(step, steps, float(losses) / step)
        self._progress = Progress(arrays, number, np.float32(0), ())

    def judge(self, lessons: Lessons) -> Judgement:
        """How close it is to what it should have learnt."""
        return self._pupil.judge(self._weights, lessons, NETWORK_PLANES)

    def graph(self, *, half: bool = False) -> bytes:
        """The network as it is now, in ONNX."""
        self._pupil.finish(self._weights)
        return onnx_of(self._model, ("policy", "value"), half=half)

    @property
    def _weights(self) -> Any:
        return self._progress.arrays[-1]


def lessons_of_harvest(settings: Settings, parts: Sequence[Harvest], most: int | None = None) -> Lessons:
    """What is to be learnt of games, the newest last.

    Args:
        settings: Of the run.
        parts: The harvests, oldest first.
        most: Take no more than so many of the newest.
    """
    harvest = Harvest.together(parts)
    if most is not None and len(harvest) > most:
        harvest = Harvest(
            harvest.stones[-most:], harvest.policy[-most:], harvest.value[-most:], harvest.counts
        )
    batch = Batch(settings.geometry, harvest.stones)
    legal = legal_columns(batch)
    best = harvest.policy == harvest.policy.max(axis=1, keepdims=True)
    return Lessons(settings.geometry, harvest.stones, harvest.policy, harvest.value, legal, best, best)


def newest(lessons: Lessons, new: int) -> Lessons:
    """Some of the new positions, to be judged by."""
    return lessons.only(np.arange(len(lessons))[-min(new, _JUDGED) :])
