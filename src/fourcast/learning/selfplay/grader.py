"""How good a network is, by the solver, which teaches nothing: the positions are never learnt from."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.errors import BadLimit
from fourcast.game.limit import Limit
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of
from fourcast.learning.examples import held_out
from fourcast.learning.grading_moves import SolvedMoves
from fourcast.learning.labelling import exact_labels
from fourcast.learning.part import Part
from fourcast.learning.sampling import Sampling
from fourcast.learning.selfplay.generation import STAGES, StageGrades, stage_of
from fourcast.learning.selfplay.settings import SHARE, Settings

ALL = "all"
_LIMIT = Limit(nodes=20_000_000)  # of a handful of positions; no time, so that it is the same everywhere
_FAILURES = 8  # positions that may take longer than that, before earlier ones are given up

Advance = Callable[[str, int, int], None]


def solve_positions(settings: Settings, advance: Advance) -> SolvedMoves:
    """Positions of random games that are held out by their hash, solved, late ones first.

    Where the solver takes too long, on a large board, there are only late ones; with slip there are none.
    """
    geometry = settings.geometry
    nothing = SolvedMoves(
        geometry, np.zeros((0, 2, halves_of(geometry)), dtype=np.uint64), np.zeros((0, geometry.columns))
    )
    if not settings.grade or settings.slip:
        return nothing
    sampling = Sampling(
        geometry, math.ceil(settings.grade / SHARE), (0, geometry.cells - 2), seed=settings.seed
    )
    _, stones = sampling.draw(Part(None, {}), advance, fewer=True)
    stones = stones[held_out(Batch(geometry, stones), SHARE, settings.seed)]
    plies = np.bitwise_count(stones).sum(axis=(1, 2))
    stones = stones[np.argsort(-plies.astype(np.int64), kind="stable")]
    kept, scores = [], []
    start, failures = 0, 0
    while start < len(stones) and failures < _FAILURES:
        try:
            left = Batch(geometry, stones[start:])
            for some in exact_labels(left, moves=True, threads=1, limit=_LIMIT):
                assert some.columns is not None
                kept.append(stones[start : start + len(some.labels)])
                scores.append(some.columns)
                start += len(some.labels)
                advance("solving positions to grade by", start, len(stones))
        except BadLimit:
            failures += 1
            start += 1
    return SolvedMoves(geometry, np.concatenate(kept), np.concatenate(scores)) if kept else nothing


def grade(evaluator: NetworkEvaluator, solved: SolvedMoves) -> dict[str, StageGrades]:
    """A network's likeliest columns and values, by stage and of all positions."""
    if not len(solved):
        return {}
    values, priors = evaluator.judge(solved.batch)
    columns = np.where(np.isnan(solved.scores), -np.inf, priors).argmax(axis=1)
    got = solved.scores[np.arange(len(solved)), columns]
    best = np.nanmax(solved.scores, axis=1)
    plies = np.bitwise_count(solved.stones).sum(axis=(1, 2))
    stages = np.array([STAGES.index(stage_of(int(ply), solved.geometry)) for ply in plies])
    found = {}
    for index, name in enumerate((*STAGES, ALL)):
        rows = np.flatnonzero(stages == index) if name != ALL else np.arange(len(solved))
        if len(rows):
            found[name] = _grades(got[rows], best[rows], values[rows])
    return found


def _grades(
    got: npt.NDArray[np.float64], best: npt.NDArray[np.float64], values: npt.NDArray[np.float64]
) -> StageGrades:
    return StageGrades(
        len(got),
        float((np.sign(got) == np.sign(best)).mean()),
        float((got == best).mean()),
        float(np.sqrt(np.mean((values - np.sign(best)) ** 2))),
    )
