"""What a model has learnt, as lines for a terminal, at most 80 characters wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fourcast.learning.importance import Importance
from fourcast.learning.metrics import ClassReport, Interval, Report
from fourcast.learning.uci import LABELS

_NAME = 20  # the first column of every table
_UNKNOWN = "-"


def report_text(
    natural: Report, balanced: Report | None = None, importances: Sequence[Importance] = ()
) -> str:
    """A report in tables.

    Args:
        natural: Of the positions held out, as they are.
        balanced: Of as many of them from each class, beside it.
        importances: What the groups of features are worth.
    """
    reports = {"natural": natural} | ({"balanced": balanced} if balanced else {})
    parts = [_figures(reports), _classes(reports), _confusions(reports)]
    if importances:
        parts.append(_importances(importances))
    return "\n\n".join("\n".join(part) for part in parts)


def folds_text(figures: Mapping[str, Interval]) -> str:
    """What was measured on several folds, by name: the mean, its 95% interval and the spread."""
    lines = [_row(("", _NAME), ("mean", 10), ("95% interval", 20), ("sd", 10), ("folds", 8))]
    for name, each in figures.items():
        bounds = _UNKNOWN if each.low is None else f"{each.low:.4f} to {each.high:.4f}"
        lines.append(
            _row(
                (name, _NAME), (f"{each.mean:.4f}", 10), (bounds, 20), (f"{each.sd:.4f}", 10), (each.count, 8)
            )
        )
    return "\n".join(lines)


def _figures(reports: Mapping[str, Report]) -> Iterator[str]:
    """The figures of whole reports, side by side."""
    yield _row(("held out", _NAME), *((name, 12) for name in reports))
    for name, figures in {
        "positions": [f"{each.positions:,}" for each in reports.values()],
        "accuracy": [f"{each.accuracy:.2%}" for each in reports.values()],
        "balanced accuracy": [f"{each.balanced_accuracy:.2%}" for each in reports.values()],
        "macro F1": [f"{each.macro_f1:.4f}" for each in reports.values()],
        "log-loss": [f"{each.log_loss:.4f}" for each in reports.values()],
        "calibration error": [f"{each.top.error:.4f}" for each in reports.values()],
    }.items():
        yield _row((name, _NAME), *((figure, 12) for figure in figures))


def _classes(reports: Mapping[str, Report]) -> Iterator[str]:
    """Class by class, for one report after the other."""
    titles = ("precision", "recall", "F1", "positions", "predicted")
    for number, (name, report) in enumerate(reports.items()):
        if number:
            yield ""
        yield _row((name, _NAME), *((title, 11) for title in titles))
        for each in report.classes:
            yield _row((f"  {each.name}", _NAME), *((figure, 11) for figure in _class_figures(each)))


def _class_figures(each: ClassReport) -> list[str]:
    shares = [
        _UNKNOWN if share is None else f"{share:.4f}" for share in (each.precision, each.recall, each.f1)
    ]
    return [*shares, f"{each.support:,}", f"{each.predicted:,}"]


def _confusions(reports: Mapping[str, Report]) -> Iterator[str]:
    """How many of each class are predicted as each, side by side."""
    yield _row(("", _NAME), *((f"predicted, {name}", 30) for name in reports))
    yield _row(("true", _NAME), *((label, 10) for _ in reports for label in LABELS))
    for number, label in enumerate(LABELS):
        counts = [count for report in reports.values() for count in report.confusion[number]]
        yield _row((f"  {label}", _NAME), *((f"{count:,}", 10) for count in counts))


def _importances(importances: Iterable[Importance]) -> Iterator[str]:
    """What shuffling each group costs, with the spread from shuffle to shuffle."""
    yield _row(("shuffled", _NAME), ("features", 9), ("rise of log-loss", 20), ("accuracy lost", 22))
    for each in importances:
        yield _row(
            (f"  {each.group}", _NAME),
            (each.features, 9),
            (f"{each.log_loss:.4f} +- {each.log_loss_sd:.4f}", 20),
            (f"{each.accuracy:.2%} +- {each.accuracy_sd:.2%}", 22),
        )


def _row(first: tuple[object, int], *others: tuple[object, int]) -> str:
    """Texts in columns of these widths, the first from the left, the others to the right; cut if too long."""
    name, width = first
    words = str(name) if len(str(name)) <= width else f"{str(name)[: width - 3]}..."
    return f"{words:<{width}}" + "".join(f"{text!s:>{size}}" for text, size in others)
