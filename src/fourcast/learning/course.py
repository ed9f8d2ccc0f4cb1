"""A course of lessons: training a network step by step, with what is done kept in a file.

A step looks at a batch of positions, about half of them as their mirror images. The same course ends in the
same network, whether it was stopped or not: which positions a step looks at goes by its number alone.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadOption, shown
from fourcast.game.limit import check_seed
from fourcast.kernels.planes import planes_of
from fourcast.learning.course_state import Epoch, Progress, read_progress, write_progress
from fourcast.learning.lessons import Lessons
from fourcast.learning.networks import EXTRA
from fourcast.learning.pupil import Judgement, Pupil

_KEEP_EVERY = 60.0  # seconds, beside the end of every epoch


@dataclass(frozen=True, slots=True)
class Course:
    """How a network learns.

    Attributes:
        epochs: How often it sees every position.
        batch: Positions of a step.
        learning_rate: The highest; it rises to it in a tenth of the steps, then falls like a cosine to 0.
        decay: How much of every weight is taken away, by the learning rate.
        value_share: How much the value's error counts beside the policy's.
        memory: Steps that the mean of the weights looks back on, which is what is kept in the end; 0 takes
            the weights as they are.
        seed: Where chance starts.
    """

    epochs: int = 8
    batch: int = 64
    learning_rate: float = 2e-3
    decay: float = 1e-4
    value_share: float = 0.5
    memory: int = 0
    seed: int = 229

    def __post_init__(self) -> None:
        for name, least, most in (
            ("epochs", 1, 10_000),
            ("batch", 1, 65_536),
            ("learning_rate", 1e-6, 1.0),
            ("decay", 0, 1.0),
            ("value_share", 0, 100.0),
            ("memory", 0, 1_000_000),
        ):
            if not least <= getattr(self, name) <= most:
                raise BadOption(f"{name} {shown(getattr(self, name))}: it must be {least:g} to {most:g}")
        check_seed(self.seed)


@dataclass(frozen=True, slots=True)
class Step:
    """How far a course has come.

    Attributes:
        done: Steps that are done.
        total: How many there are.
        loss: Mean of the present epoch so far.
        speed: Positions a second, since it was started or went on.
        judgement: What was held out said after the last epoch; None before the first.
    """

    done: int
    total: int
    loss: float
    speed: float
    judgement: Judgement | None


Watch = Callable[[Step], None]


def teach(
    model: Any,
    train: Lessons,
    held: Lessons,
    planes: tuple[str, ...],
    course: Course,
    *,
    mirror: bool = True,
    checkpoint: Path | None = None,
    watch: Watch = lambda _step: None,
) -> tuple[Epoch, ...]:
    """Train a network; its weights are then what it has learnt.

    Args:
        model: A Keras model of one output, the policy, or two, the policy and the value.
        train: What to learn from.
        held: What to judge it by after every epoch; nothing is chosen by it.
        planes: What it sees of a position.
        course: How it learns.
        mirror: Whether it learns from mirror images too.
        checkpoint: A file to keep what is done in, and to go on from; it stays until the caller removes it.
        watch: Told after some steps.

    Returns:
        How it went, epoch by epoch.

    Raises:
        BadData: The checkpoint is of other lessons or another course, or damaged, or cannot be written.
        BadOption: There is nothing to learn from.
        KeyboardInterrupt: It was stopped; what is done is in the checkpoint.
    """
    if not len(train) or not len(held):
        raise BadOption(f"{len(train)} positions to learn from and {len(held)} to judge by: both are needed")
    pupil = Pupil(model, course.value_share)
    seen = Seen.of(train, planes)
    steps = max(len(train) // course.batch, 1)  # of an epoch; what is left over is seen in another
    total = steps * course.epochs
    step_of = stepping(pupil, course, lambda done, numbers: _rate(course, done, total, numbers))
    request = _request(model, course, train, held, planes, mirror)
    progress = read_progress(checkpoint, request, pupil.start())
    kept = begun = time.perf_counter()
    first = progress.step
    try:
        while progress.step < total:
            epoch = progress.step // steps
            rows, flips = _rows(course, len(train), epoch, progress.step % steps)
            arrays, losses = step_of(
                progress.arrays, progress.step, progress.losses, *seen.only(rows), flips & mirror
            )
            step, curve = progress.step + 1, progress.curve
            if step % steps == 0:
                judgement = pupil.judge(arrays[-1], held, planes)
                rate = float(_rate(course, step, total))
                curve = (*curve, Epoch(epoch + 1, float(losses) / steps, judgement, rate))
                losses = np.float32(0)
            # All of it changes at once: whenever Ctrl-C comes, there is a whole state to keep.
            progress = Progress(arrays, step, losses, curve)
            if checkpoint is not None and (step % steps == 0 or time.perf_counter() - kept > _KEEP_EVERY):
                write_progress(checkpoint, request, progress)
                kept = time.perf_counter()
            if step % 10 == 0 or step % steps == 0:
                within = step % steps
                loss = float(losses) / within if within else curve[-1].loss
                speed = (step - first) * course.batch / (time.perf_counter() - begun)
                watch(Step(step, total, loss, speed, curve[-1].held if curve else None))
    except KeyboardInterrupt:
        if checkpoint is not None and progress.step > first:
            write_progress(checkpoint, request, progress)
        raise
    pupil.finish(progress.arrays[-1])
    return progress.curve


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Lessons as a step sees them.

    Attributes:
        planes: uint8 of shape (lessons, rows, columns, planes).
        policy: As `Lessons` have it; so are the others.
    """

    planes: npt.NDArray[np.uint8]
    policy: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    legal: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, lessons: Lessons, names: tuple[str, ...]) -> Seen:
        """Lessons with the planes of these names."""
        planes = planes_of(lessons.batch, names).astype(np.uint8)
        return cls(
            np.ascontiguousarray(planes.transpose(0, 2, 3, 1)), lessons.policy, lessons.value, lessons.legal
        )

    def only(self, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], ...]:
        """What a step is given of some of them."""
        return self.planes[rows], self.policy[rows], self.value[rows], self.legal[rows]


def _rows(
    course: Course, count: int, epoch: int, step: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Which positions a step looks at, and which of them as their mirror images."""
    size = min(course.batch, count)
    flips = np.random.default_rng([course.seed, epoch, step]).random(size) < 0.5
    return _order(course.seed, epoch, count)[step * size : step * size + size], flips


@lru_cache(maxsize=1)
def _order(seed: int, epoch: int, count: int) -> npt.NDArray[np.int64]:
    """In which order an epoch looks at the positions."""
    return np.random.default_rng([seed, epoch]).permutation(count)


def _rate(course: Course, step: Any, total: int, numbers: Any = np) -> Any:
    """The learning rate of a step."""
    share = step / total
    rising, falling = share / 0.1, 0.5 * (1 + numbers.cos(np.pi * (share - 0.1) / 0.9))
    return course.learning_rate * numbers.where(share < 0.1, rising, falling)


def stepping(pupil: Pupil, course: Course, rate_of: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The step itself, compiled: Adam, with weights that decay, and the mean of the weights.

    Args:
        pupil: The network.
        course: Its `decay` and `memory` count here.
        rate_of: The learning rate, by how many steps are done with this one, and the module to reckon with.

    Returns:
        A function of the arrays, the number of steps before, the sum of losses, and a lesson as
        `Pupil.loss` takes it; it gives the arrays and the sum after the step.
    """
    jax: Any = require("jax", EXTRA)
    numbers = jax.numpy
    first, second, small = 0.9, 0.99, 1e-8

    def step(arrays: Any, number: Any, losses: Any, *lesson: Any) -> Any:
        weights, means, squares, average = arrays
        loss, slopes = jax.value_and_grad(pupil.loss)(weights, *lesson)
        done = number + 1
        rate = rate_of(done, numbers)
        means = [first * mean + (1 - first) * slope for mean, slope in zip(means, slopes, strict=True)]
        squares = [
            second * square + (1 - second) * slope * slope
            for square, slope in zip(squares, slopes, strict=True)
        ]
        moved = []
        for weight, mean, square in zip(weights, means, squares, strict=True):
            way = (mean / (1 - first**done)) / (numbers.sqrt(square / (1 - second**done)) + small)
            moved.append(weight - rate * (way + (course.decay * weight if weight.ndim > 1 else 0.0)))
        if course.memory:
            # In the beginning it looks back on less, so that the first weights are soon forgotten.
            share = numbers.minimum(1 - 1 / course.memory, done / (done + 10))
            average = [share * old + (1 - share) * new for old, new in zip(average, moved, strict=True)]
        else:
            average = moved
        return (moved, means, squares, average), losses + loss

    compiled: Callable[..., Any] = jax.jit(step)
    return compiled


def _request(
    model: Any, course: Course, train: Lessons, held: Lessons, planes: tuple[str, ...], mirror: bool
) -> str:
    """What a checkpoint must be of: the network as it begins, the course and the lessons."""
    digest = hashlib.sha256()
    for weight in model.trainable_variables:
        digest.update(np.asarray(weight.value).tobytes())
    for lessons in (train, held):
        for array in (lessons.stones, lessons.policy, lessons.value):
            digest.update(f"{array.dtype} {array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    shapes = [list(weight.shape) for weight in model.trainable_variables]
    request = asdict(course) | {"planes": planes, "mirror": mirror, "shapes": shapes}
    return json.dumps(request | {"lessons": digest.hexdigest()})
