"""How good predicted chances of loss, draw and win are.

Classes are 0 loss, 1 draw and 2 win, seen from the side to move. Predictions are the chances of the three:
floats of shape (positions, 3) whose rows add up to 1. The class predicted is the one with the best chance,
the first of equals. Needs the extra `learn`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadData, shown
from fourcast.learning.uci import LABELS

Classes = npt.NDArray[np.integer]
Chances = npt.NDArray[np.floating]

BINS = 10
_CLASSES = range(len(LABELS))
_ROUNDING = 1e-4  # how far from 1 the chances of a row may add up; single precision is good for that


@dataclass(frozen=True, slots=True)
class ClassReport:
    """How well one class is told from the others.

    Attributes:
        name: Loss, draw or win.
        precision: How many of the positions predicted so are so; None if none is predicted so.
        recall: How many of the positions that are so are predicted so; None if none is so.
        f1: The harmonic mean of both, 0 if one is; None if the class neither occurs nor is predicted.
        support: How many positions are so.
        predicted: How many are predicted so.
    """

    name: str
    precision: float | None
    recall: float | None
    f1: float | None
    support: int
    predicted: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions whose chance lies between two bounds.

    Attributes:
        low: The least chance that belongs here.
        high: The least that does not; the last bin has 1 too.
        count: How many predictions there are.
        predicted: Their mean chance; None if there are none.
        observed: How often what was predicted is so; None if there are none.
    """

    low: float
    high: float
    count: int
    predicted: float | None
    observed: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Whether things happen as often as is said.

    Attributes:
        name: A class, or "top": whatever class is predicted.
        bins: By chance, all equally wide, from 0 to 1.
        error: The expected calibration error: the mean distance of what is said and what happens over all
            predictions, bin by bin.
    """

    name: str
    bins: tuple[Bin, ...]
    error: float


@dataclass(frozen=True, slots=True)
class Report:
    """Predictions beside what is so.

    Attributes:
        positions: How many there are.
        accuracy: The share that is predicted right.
        balanced_accuracy: The mean recall of the classes that occur.
        macro_f1: The mean F1 of the classes that occur or are predicted.
        log_loss: The mean of -ln(the chance that was given to what is so).
        classes: Loss, draw and win.
        confusion: How many positions of each class (rows) are predicted as each class (columns).
        calibration: Of the chances of loss, draw and win.
        top: Of the chance of the class predicted.
    """

    positions: int
    accuracy: float
    balanced_accuracy: float
    macro_f1: float
    log_loss: float
    classes: tuple[ClassReport, ...]
    confusion: tuple[tuple[int, ...], ...]
    calibration: tuple[Calibration, ...]
    top: Calibration

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        record = asdict(self)
        record["calibration_error"] = self.top.error
        return record


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure that was measured several times, and where its mean lies.

    Attributes:
        count: How many times.
        mean: The mean of what was measured.
        sd: The standard deviation, as of a sample (divided by count - 1); 0 for a single number.
        low: Where the 95% interval of the mean begins, by Student's t; None for a single number.
        high: Where it ends.
    """

    count: int
    mean: float
    sd: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def report_of(labels: Classes, chances: Chances, *, bins: int = BINS) -> Report:
    """Set predictions beside what is so.

    Args:
        labels: What each position is: 0 loss, 1 draw, 2 win; of shape (positions,).
        chances: What was predicted, of shape (positions, 3).
        bins: How many bins the calibration has.

    Raises:
        BadData: The arrays do not fit each other, or hold something else than classes and chances.
    """
    true, given = checked(labels, chances)
    predicted = given.argmax(axis=1)
    metrics = require("sklearn.metrics", "learn")
    table = metrics.confusion_matrix(true, predicted, labels=_CLASSES)
    # Undefined is NaN here and None in the report: a class that never occurs has no recall, not a bad one.
    scores = metrics.precision_recall_fscore_support(true, predicted, labels=_CLASSES, zero_division=np.nan)
    classes = tuple(
        ClassReport(name, _known(precision), _known(recall), _known(f1), int(support), int(predictions))
        for name, precision, recall, f1, support, predictions in zip(
            LABELS, *scores, table.sum(axis=0), strict=True
        )
    )
    rows = np.arange(len(true))
    return Report(
        positions=len(true),
        accuracy=accuracy_of(true, given),
        balanced_accuracy=float(np.nanmean(scores[1])),
        macro_f1=float(np.nanmean(scores[2])),
        log_loss=log_loss_of(true, given),
        classes=classes,
        confusion=tuple(tuple(row) for row in table.tolist()),
        calibration=tuple(
            _calibration(name, given[:, each], true == each, bins) for each, name in enumerate(LABELS)
        ),
        top=_calibration("top", given[rows, predicted], true == predicted, bins),
    )


def accuracy_of(labels: Classes, chances: Chances) -> float:
    """The share of positions that are predicted right."""
    return float(require("sklearn.metrics", "learn").accuracy_score(labels, chances.argmax(axis=1)))


def log_loss_of(labels: Classes, chances: Chances) -> float:
    """The mean of -ln(the chance that was given to what is so); a chance of 0 counts as a very small one."""
    return float(require("sklearn.metrics", "learn").log_loss(labels, chances, labels=_CLASSES))


def interval(values: Iterable[float]) -> Interval:
    """Sum up what was measured several times, as on the folds of a set.

    Raises:
        BadData: There is no number.
    """
    from scipy.special import stdtrit

    numbers = np.fromiter(values, dtype=np.float64)
    if not numbers.size or not np.isfinite(numbers).all():
        raise BadData("an interval needs at least one number, and none that is infinite or unknown")
    mean = float(numbers.mean())
    if numbers.size == 1:
        return Interval(1, mean, 0.0, None, None)
    sd = float(numbers.std(ddof=1))
    reach = float(stdtrit(numbers.size - 1, 0.975)) * sd / float(np.sqrt(numbers.size))
    return Interval(numbers.size, mean, sd, mean - reach, mean + reach)


def checked(labels: Classes, chances: Chances) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Classes and chances as they are wanted, the chances of each row adding up to 1 exactly.

    Raises:
        BadData: The arrays do not fit each other, or hold something else than classes and chances.
    """
    true, given = np.asarray(labels), np.asarray(chances, dtype=np.float64)
    if true.ndim != 1 or not len(true) or given.shape != (len(true), len(LABELS)):
        raise BadData(f"every position needs a class and three chances, not {true.shape} and {given.shape}")
    if true.dtype.kind not in "iu" or not np.isin(true, _CLASSES).all():
        odd = next(each for each in true.tolist() if each not in _CLASSES or not isinstance(each, int))
        raise BadData(f"class {shown(odd)}: it is one of 0 (loss), 1 (draw) and 2 (win)")
    sums = given.sum(axis=1, keepdims=True)
    good = (given >= 0).all(axis=1) & (np.abs(sums[:, 0] - 1) <= _ROUNDING)  # and so none is NaN
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        raise BadData(f"row {row + 1}: {shown(given[row].tolist())} are not chances that add up to 1")
    return true.astype(np.int64), given / sums


def _known(figure: float) -> float | None:
    return None if np.isnan(figure) else float(figure)


def _calibration(
    name: str, said: npt.NDArray[np.float64], happened: npt.NDArray[np.bool_], bins: int
) -> Calibration:
    """What was said beside how often it happened; both of shape (positions,)."""
    bin_of = np.minimum((said * bins).astype(np.int64), bins - 1)
    counts = np.bincount(bin_of, minlength=bins)
    chances = np.bincount(bin_of, weights=said, minlength=bins)
    hits = np.bincount(bin_of, weights=happened, minlength=bins)
    found = tuple(
        Bin(
            low=each / bins,
            high=(each + 1) / bins,
            count=count,
            predicted=chance / count if count else None,
            observed=hit / count if count else None,
        )
        for each, (count, chance, hit) in enumerate(
            zip(counts.tolist(), chances.tolist(), hits.tolist(), strict=True)
        )
    )
    return Calibration(name, found, float(np.abs(chances - hits).sum() / len(said)))
