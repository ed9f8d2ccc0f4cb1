"""How good a network's moves are on fresh positions: drawn to measure it, held out by their hash, solved."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from fourcast.extras import require
from fourcast.game.errors import BadData, BadLimit
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.learning.examples import held_out
from fourcast.learning.labelled import LabelledSet
from fourcast.learning.labelling import exact_labels
from fourcast.learning.lessons import Lessons, lessons_of
from fourcast.learning.part import Part
from fourcast.learning.planes import planes_of
from fourcast.learning.sampling import Sampling

LIMIT = Limit(seconds=5)  # of a position and its columns; a board that needs more is not measured

Advance = Callable[[str, int, int], None]


def fresh_lessons(
    geometry: Geometry, plies: tuple[int, int], count: int, share: float, seed: int, advance: Advance
) -> Lessons | None:
    """Positions of random games that nobody has learnt from, solved.

    Args:
        geometry: The board.
        plies: The fewest and the most discs on it.
        count: About how many; a small board may have fewer.
        share: The share of all positions that is held out by hash.
        seed: That of the hash; they are drawn by it, too.
        advance: Told what is being done, how much of it is done, and how much there is.

    Returns:
        None where the board takes the solver too long, or there is no such position.
    """
    wanted = Sampling(geometry, math.ceil(count / share), plies, seed=seed)
    moves, stones = wanted.draw(Part(None, {}), advance, fewer=True)
    held = np.flatnonzero(held_out(Batch(geometry, stones), share, seed))
    if not len(held):
        return None
    columns = []
    done = 0
    try:
        for some in exact_labels(Batch(geometry, stones[held]), moves=True, threads=1, limit=LIMIT):
            columns.append(some)
            done += len(some.labels)
            advance("solving fresh positions", done, len(held))
    except BadLimit:
        return None
    return lessons_of(
        LabelledSet(
            geometry,
            stones[held],
            tuple(moves[index] for index in held),
            scores=np.concatenate([each.labels for each in columns]).astype(np.int16),
            best=np.concatenate([each.best for each in columns if each.best is not None]),
            columns=np.concatenate([each.columns for each in columns if each.columns is not None]),
        )
    )


def grade_graph(graph: bytes, lessons: Lessons, planes: tuple[str, ...]) -> dict[str, float]:
    """How good the moves of a network are that searches nothing, as its file has it.

    Args:
        graph: The network, in ONNX.
        lessons: Positions and which of their columns are good and perfect.
        planes: What it sees of them.

    Returns:
        `positions`, and the shares of `good` and `perfect` moves; of the mean of both mirror images.
    """
    if not len(lessons):
        raise BadData("there is no position to grade a network by")
    runtime: Any = require("onnxruntime", "learn")
    session = runtime.InferenceSession(graph, providers=["CPUExecutionProvider"])

    def logits(batch: Batch) -> Any:
        return session.run(["policy"], {"planes": planes_of(batch, planes)})[0]

    liking = logits(lessons.batch) + logits(mirror_batch(lessons.batch))[:, ::-1]
    chosen = np.where(lessons.legal, liking, -np.inf).argmax(axis=1)
    rows = np.arange(len(lessons))
    good, perfect = lessons.good[rows, chosen], lessons.perfect[rows, chosen]
    return {"positions": len(lessons), "good": float(good.mean()), "perfect": float(perfect.mean())}
