"""Positions that all models of the study `learning` learn from, and those that all are judged by.

What is judged by was held out from every shipped model too, by the hashes that their cards name.
"""

from __future__ import annotations

import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fourcast.game.errors import BadData
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import WINS, fates_of
from fourcast.learning.examples import Examples, held_out
from fourcast.learning.files import data_file
from fourcast.learning.grading_moves import SolvedMoves
from fourcast.learning.labelled import LabelledSet, best_of, classes_of
from fourcast.learning.labelling import SOLVER_LIMIT, exact_labels
from fourcast.learning.part import Part
from fourcast.learning.sampling import Sampling
from fourcast.models.shelf import find
from fourcast.study.learning.settings import shipped
from fourcast.study.study import Desk, Found

if TYPE_CHECKING:
    from fourcast.learning.lessons import Lessons


@dataclass(frozen=True, slots=True)
class Sets:
    """Solved positions of the standard board, with the scores of all columns.

    Attributes:
        train: To learn from.
        held: To judge by: no shipped model has learnt from them either.
        seconds: What solving them took.
    """

    train: SolvedMoves
    held: SolvedMoves
    seconds: float

    @property
    def examples(self) -> tuple[Examples, int]:
        """Both as positions with classes, those to learn from first; and how many those are."""
        stones = np.concatenate([self.train.stones, self.held.stones])
        scores = np.concatenate([each.scores for each in (self.train, self.held)])
        return Examples(STANDARD, stones, classes_of(np.nanmax(scores, axis=1)), ("study",)), len(self.train)

    @property
    def lessons(self) -> tuple[Lessons, Lessons]:
        """Both as lessons of networks."""
        from fourcast.learning.lessons import lessons_of

        train, held = (
            lessons_of(
                LabelledSet(
                    STANDARD,
                    each.stones,
                    ("",) * len(each),
                    scores=np.nanmax(each.scores, axis=1).astype(np.int16),
                    best=best_of(each.scores),
                    columns=each.scores,
                )
            )
            for each in (self.train, self.held)
        )
        return train, held


def make_sets(arguments: dict[str, Any], desk: Desk) -> Found:
    """Draw and solve the positions; they are kept in a file for the other measurements."""
    sets = sets_of(arguments, desk)
    _, count = sets.examples
    return {
        "learnt_from": count,
        "held_out": len(sets.held),
        "seconds": sets.seconds,
        "hard": len(hard_ones(sets.held)),
    }


def hard_ones(solved: SolvedMoves) -> SolvedMoves:
    """Those where not every open column keeps the outcome."""
    signs = np.sign(solved.scores)
    hard = np.nanmin(signs, axis=1) < np.nanmax(signs, axis=1)
    return SolvedMoves(solved.geometry, solved.stones[hard], solved.scores[hard])


def sets_of(arguments: dict[str, Any], desk: Desk) -> Sets:
    """The positions, from the file or made anew.

    Args:
        arguments: `learn_from`, how many; `judge_by`, about how many; `plies`, the least and the most discs;
            `seed`.
        desk: Has the folder that the file is in.

    Raises:
        BadData: The file is damaged.
    """
    names = ("learn_from", "judge_by", "seed")
    path = desk.folder / f"sets-{'-'.join(str(arguments[name]) for name in names)}.npz"
    if path.exists():
        return _read(path)
    count, judged = arguments["learn_from"], arguments["judge_by"]
    cards = [find(name) for name in shipped().values()]
    rules = sorted({(card.data["share_held_out"], card.data["seed"]) for card in cards})
    # A third of random positions or more is left out, as a win in one.
    drawn = 2 * max(int(judged / np.prod([share for share, _ in rules])), 2 * count)
    least, most = arguments["plies"]
    sampling = Sampling(STANDARD, drawn, (least, most), seed=arguments["seed"])
    _, stones = sampling.draw(Part(None, {}), desk.advance, fewer=True)
    stones = stones[fates_of(STANDARD, stones) != WINS]  # a win in one needs no model
    held = np.array([held_out(Batch(STANDARD, stones), share, seed) for share, seed in rules])
    begun = time.perf_counter()
    train = _solved(stones[~held.any(axis=0)][:count], desk, "solving what to learn from")
    judge = _solved(stones[held.all(axis=0)][:judged], desk, "solving what to judge by")
    made = Sets(train, judge, time.perf_counter() - begun)
    with data_file(path) as fresh, fresh.open("wb") as file:
        np.savez(
            file,
            train=train.stones,
            train_scores=train.scores,
            held=judge.stones,
            held_scores=judge.scores,
            seconds=made.seconds,
        )
    return made


def _solved(stones: Any, desk: Desk, what: str) -> SolvedMoves:
    scores = []
    done = 0
    labels = exact_labels(Batch(STANDARD, stones), moves=True, threads=desk.jobs, limit=SOLVER_LIMIT)
    for some in labels:
        if some.columns is not None:
            scores.append(some.columns)
        done += len(some.labels)
        desk.advance(what, done, len(stones))
    return SolvedMoves(STANDARD, stones, np.concatenate(scores))


def _read(path: Path) -> Sets:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            train = SolvedMoves(STANDARD, arrays["train"], arrays["train_scores"])
            held = SolvedMoves(STANDARD, arrays["held"], arrays["held_scores"])
            return Sets(train, held, float(arrays["seconds"]))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadData(f"{path}: it is damaged; remove it") from None
