"""Training networks from lessons to a judged model file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.errors import BadData, BadLimit, BadModel, BadOption, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.learning.course import Course, Step, teach
from fourcast.learning.course_state import Epoch
from fourcast.learning.examples import held_out
from fourcast.learning.grading_moves import fresh_moves, grade_moves
from fourcast.learning.lessons import Lessons
from fourcast.learning.networks import CNN_PLANES, NETWORK_PLANES, Shape, cnn, grow, network
from fourcast.learning.onnx_export import onnx_of
from fourcast.learning.onnx_import import take_weights
from fourcast.learning.pupil import Judgement
from fourcast.models.card import Card
from fourcast.models.files import read_model_bytes, save_model
from fourcast.models.onnx_scan import scan

SHARE = 0.1  # of all positions of a board, held out by their hash
CNN, NETWORK = "cnn", "network"
_OUTPUTS = {CNN: ("policy",), NETWORK: ("policy", "value")}
_PLANES = {CNN: CNN_PLANES, NETWORK: NETWORK_PLANES}
_PACKAGES = ("fourcast", "jax", "keras", "numpy", "onnx")
_FRESH_LIMIT = Limit(seconds=5)  # of a position and its columns; a board that needs more is not measured

Advance = Callable[[str, int, int], None]


def _in_silence(_what: str, _done: int, _total: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A network that was trained.

    Attributes:
        kind: `cnn` or `network`.
        geometry: The board.
        graph: The network, in ONNX.
        curve: How it went, epoch by epoch.
        learnt: How many positions it has learnt from.
        plies: The fewest and the most discs on a board that it has learnt from.
        course: How it has learnt.
        shape: How large it is; None of a `cnn`, whose shape follows from the board.
        seconds: How long training took, since it was last started.
        start: The network that it has gone on from; None of one that has learnt from nothing.
    """

    kind: str
    geometry: Geometry
    graph: bytes
    curve: tuple[Epoch, ...]
    learnt: int
    plies: tuple[int, int]
    course: Course
    shape: Shape | None
    seconds: float
    start: Card | None = None

    @property
    def judgement(self) -> Judgement:
        """How well it does on what was held out."""
        return self.curve[-1].held

    def to_json(self) -> dict[str, Any]:
        """The figures."""
        return {
            "kind": self.kind,
            "board": str(self.geometry),
            "learnt_from": self.learnt,
            "held": self.judgement.to_json(),
            "curve": [each.to_json() for each in self.curve],
            "settings": self.settings,
            "seconds": round(self.seconds, 1),
            "bytes": len(self.graph),
        }

    @property
    def settings(self) -> dict[str, Any]:
        """How it has learnt, and how large it is."""
        return asdict(self.course) | ({} if self.shape is None else asdict(self.shape))

    def save(
        self,
        path: Path,
        purpose: str,
        data: dict[str, Any],
        *,
        fresh: int = 0,
        advance: Advance = _in_silence,
    ) -> Path:
        """Write the model and its card; the path of the card.

        Once it is written, its moves are graded on fresh positions, for its card; where the board takes the
        solver too long, or discs may slip, the card has no figures of them.

        Args:
            path: The folder and the name of the model.
            purpose: What it is for, in one line.
            data: What it learned from, beside what is known here.
            fresh: About how many fresh positions to draw; 0 leaves them out.
            advance: Told what is being done, how much of it is done, and how much there is.

        Raises:
            BadModel: It cannot be written.
        """
        facts = data | {
            "plies": list(self.plies),
            "learnt_from": self.learnt,
            "held_out": self.judgement.positions,
            "share_held_out": SHARE,
            "seed": self.course.seed,
        }
        if self.start is not None:
            facts["start"] = {
                "name": self.start.name,
                "sha256": self.start.sha256,
                "data": dict(self.start.data),
                "seconds": self.start.training.get("seconds"),
            }
        card = Card(
            name=path.name,
            kind=self.kind,
            purpose=purpose,
            geometry=self.geometry,
            planes=_PLANES[self.kind],
            mirror=True,
            data=facts,
            training=self.settings | {"seconds": round(self.seconds, 1)},
            metrics={"held": self.judgement.to_json()},
            versions=versions(),
        )
        return save_graded(path.parent, card, self.graph, fresh=fresh, seed=self.course.seed, advance=advance)


def save_graded(
    folder: Path, card: Card, graph: bytes, *, fresh: int, seed: int, advance: Advance = _in_silence
) -> Path:
    """Write a network and its card, with its moves graded on fresh positions; the path of the card.

    Where the board takes the solver too long, or discs may slip, the card has no figures of them.

    Args:
        folder: Where to.
        card: The card, without these grades.
        graph: The network, in ONNX.
        fresh: About how many positions to draw; 0 leaves them out.
        seed: Which ones.
        advance: Told what is being done, how much of it is done, and how much there is.

    Raises:
        BadModel: It cannot be written.
    """
    saved = save_model(folder, card, graph)
    if fresh and not card.data.get("slip"):
        try:
            solved = fresh_moves(card, fresh, seed, advance, _FRESH_LIMIT)
        except (BadLimit, BadModel):  # a board that is too large to be solved, or too small to have any
            return saved
        grades = grade_moves(NetworkEvaluator(saved, card.geometry), solved).to_json()
        card = replace(card, metrics=dict(card.metrics) | {"fresh": grades})
        saved = save_model(folder, card, graph)
    return saved


def versions() -> dict[str, str]:
    """The packages that make a network, for its card."""
    return {name: version(name) for name in _PACKAGES}


def split_lessons(lessons: Lessons, seed: int, share: float = SHARE) -> tuple[Lessons, Lessons]:
    """What to learn from, and what to judge by, by a hash of each position that its mirror image shares.

    Raises:
        BadData: One side would have none.
    """
    held = held_out(lessons.batch, share, seed)
    if held.all() or not held.any():
        raise BadData(f"{len(lessons):,} positions are too few to hold some of them out")
    return lessons.only(~held), lessons.only(held)


def train_network(
    kind: str,
    train: Lessons,
    held: Lessons,
    course: Course,
    shape: Shape | None = None,
    *,
    start: Card | None = None,
    half: bool = False,
    checkpoint: Path | None = None,
    advance: Advance = _in_silence,
) -> Trained:
    """Train a network.

    Args:
        kind: `cnn`, the published shape, which learns the policy alone; or `network`, the residual one.
        train: What to learn from; its mirror images too.
        held: What to judge it by.
        course: How it learns.
        shape: How large a `network` is.
        start: A network of this kind and board to go on from, with as many channels, and no more blocks.
        half: Whether weights are stored as float16.
        checkpoint: A file to keep what is done in, and to go on from; it stays.
        advance: Told what is being done, how much of it is done, and how much there is.

    Raises:
        BadData: The checkpoint is of something else, or damaged, or cannot be written.
        BadModel: The network to go on from is damaged, or of another kind, board or shape.
        BadOption: It has held out other positions than are held out now.
        MissingExtra: Something of the extra `train` is not installed.
        KeyboardInterrupt: It was stopped; what is done is in the checkpoint.
    """
    shape = (shape or Shape()) if kind == NETWORK else None
    geometry = train.geometry
    model = cnn(geometry, course.seed) if shape is None else network(geometry, shape, course.seed)
    if start is not None:
        check_start(start, kind, geometry, course.seed)
        go_on_from(model, start, shape)
    begun = time.perf_counter()
    advance("training", 0, 1)
    curve = teach(
        model,
        train,
        held,
        _PLANES[kind],
        course,
        checkpoint=checkpoint,
        watch=lambda step: advance(f"training: {words_of(step)}", step.done, step.total),
    )
    seconds = time.perf_counter() - begun
    graph = onnx_of(model, _OUTPUTS[kind], half=half)
    plies = int(np.min(train.plies)), int(np.max(train.plies))
    return Trained(kind, geometry, graph, curve, len(train), plies, course, shape, seconds, start)


def check_start(start: Card, kind: str, geometry: Geometry, seed: int) -> None:
    """See whether a network can be gone on from, by its card.

    Raises:
        BadModel: It is of another kind or board, or sees something else.
        BadOption: It has held out other positions than this seed does, so that it may know what is held out.
    """
    if (start.kind, start.geometry) != (kind, geometry):
        raise BadModel(
            f"model {start.name}: it is a {start.kind} of board {start.geometry}, not a {kind} of {geometry}"
        )
    if start.planes != _PLANES[kind]:
        raise BadModel(f"model {start.name}: it sees other planes than a {kind} does")
    if (start.data.get("seed"), start.data.get("share_held_out")) != (seed, SHARE):
        raise BadOption(
            f"model {start.name} has held out other positions, by the seed "
            f"{shown(start.data.get('seed'))} and not {seed}: it may know what is held out now"
        )


def shape_of(card: Card) -> Shape:
    """How large a network is, as its card says.

    Raises:
        BadModel: The card does not say it.
    """
    channels, blocks = card.training.get("channels"), card.training.get("blocks")
    if not isinstance(channels, int) or not isinstance(blocks, int):
        raise BadModel(f"model {card.name}: its card does not tell channels and blocks")
    return Shape(channels, blocks)


def go_on_from(model: Any, start: Card, shape: Shape | None) -> None:
    """Give a Keras model the weights of a network that was trained before; it may have more blocks than that.

    Raises:
        BadModel: It is damaged, or has other channels, or more blocks.
    """
    graph = read_model_bytes(start)
    try:
        scan(graph)
        if shape is None or shape.blocks <= (before := shape_of(start)).blocks:
            take_weights(model, graph)
            return
        if before.channels != shape.channels:
            raise BadModel(f"it has {before.channels} channels, not {shape.channels}")
        small = network(start.geometry, before, 0)
        take_weights(small, graph)
        grow(small, model)
    except BadModel as error:
        raise BadModel(f"model {start.name}: it cannot be gone on from: {error}") from None


def words_of(step: Step) -> str:
    """How far a course has come, for a progress bar: it leaves room for one in 80 columns."""
    words = f"loss {step.loss:.3f}"
    if step.judgement is not None:
        words += f", good {step.judgement.good:.1%}, perfect {step.judgement.perfect:.1%}"
    return f"{words}, {step.speed:,.0f}/s"


def curve_lines(curve: Sequence[Epoch], most: int = 12) -> list[str]:
    """How training went, as a table of at most so many epochs."""
    lines = [f"{'epoch':>6}{'loss':>9}{'held out':>10}{'good':>8}{'perfect':>9}{'value error':>13}"]
    shown = sorted({round(place) for place in np.linspace(0, len(curve) - 1, min(most, len(curve)))})
    for each in (curve[place] for place in shown):
        held = each.held
        error = "" if held.value_error is None else f"{held.value_error:.3f}"
        lines.append(
            f"{each.epoch:>6}{each.loss:>9.4f}{held.loss:>10.4f}{held.good:>8.1%}{held.perfect:>9.1%}{error:>13}"
        )
    return lines
