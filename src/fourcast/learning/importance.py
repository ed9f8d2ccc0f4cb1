"""What a model would miss: how much worse it predicts when a group of features says nothing.

All features of a group are shuffled together, each position getting those of another: what they say among
themselves stays, what they say of the position is lost. Groups that say the same thing cover for each other,
so that both may look needless. Needs the extra `learn`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadData
from fourcast.game.limit import check_count, check_seed
from fourcast.learning.metrics import Chances, Classes, accuracy_of, checked, log_loss_of

Matrix = npt.NDArray[Any]
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Importance:
    """What shuffling a group of features costs; standard deviations are those of the shuffles.

    Attributes:
        group: Its name.
        features: How many features it has.
        log_loss: By how much the log-loss rises, on average.
        log_loss_sd: How much that varies from shuffle to shuffle, as of a sample; 0 for a single one.
        accuracy: How much of the accuracy is lost, on average: 0.1 if it falls from 0.8 to 0.7.
        accuracy_sd: How much that varies.
    """

    group: str
    features: int
    log_loss: float
    log_loss_sd: float
    accuracy: float
    accuracy_sd: float

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def importances_of(
    predict: Callable[[Matrix], Chances],
    matrix: Matrix,
    labels: Classes,
    spans: Mapping[str, slice],
    *,
    repeats: int = REPEATS,
    seed: int = 0,
    advance: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Importance]:
    """What each group of features is worth to a model, the most important first.

    Args:
        predict: Gives the chances of loss, draw and win, of shape (positions, 3), for such a matrix.
        matrix: Features of positions that it has not learnt from, of shape (positions, features).
        labels: What they are: 0 loss, 1 draw, 2 win.
        spans: Where the features of each group stand.
        repeats: How often each group is shuffled.
        seed: The same seed, the same shuffles, whichever other groups there are.
        advance: Told how many of all shuffles are done.

    Raises:
        BadData: The arrays do not fit each other, or a group has no features.
        BadLimit: Repeats or seed are not whole numbers in their range.
    """
    repeats, seed = check_count("repeats", repeats), check_seed(seed)
    if matrix.ndim != 2 or matrix.shape[0] != len(labels):
        raise BadData(
            f"{len(labels)} positions need features of shape (positions, features), not {matrix.shape}"
        )
    empty = next((name for name, span in spans.items() if not matrix[:1, span].size), None)
    if empty is not None:
        raise BadData(f"group {empty} has no features in a matrix of {matrix.shape[1]}")
    before = _figures(predict(matrix), labels)
    found = []
    for number, (group, span) in enumerate(spans.items()):
        chance = np.random.default_rng(seed)
        shuffled = matrix.copy()
        costs = np.empty((repeats, 2))
        for repeat in range(repeats):
            shuffled[:, span] = matrix[chance.permutation(len(matrix)), span]
            costs[repeat] = _figures(predict(shuffled), labels) - before
            advance(number * repeats + repeat + 1, len(spans) * repeats)
        means = costs.mean(axis=0)
        sds = costs.std(axis=0, ddof=1) if repeats > 1 else np.zeros(2)
        found.append(
            Importance(
                group=group,
                features=matrix[:, span].shape[1],
                log_loss=float(means[0]),
                log_loss_sd=float(sds[0]),
                accuracy=0.0 - float(means[1]),  # and never -0
                accuracy_sd=float(sds[1]),
            )
        )
    return sorted(found, key=lambda each: -each.log_loss)


def _figures(chances: Chances, labels: Classes) -> npt.NDArray[np.float64]:
    """Log-loss and accuracy."""
    true, given = checked(labels, chances)
    return np.array([log_loss_of(true, given), accuracy_of(true, given)])
