"""Reports as lines of text."""

from __future__ import annotations

import numpy as np

from fourcast.learning.importance import Importance
from fourcast.learning.metrics import interval, report_of
from fourcast.learning.text_report import folds_text, report_text

NATURAL = report_of(
    np.array([0, 0, 2, 2, 2, 2]),
    np.array(
        [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8], [0.1, 0.1, 0.8], [0.1, 0.1, 0.8], [0.7, 0.1, 0.2]]
    ),
)
BALANCED = report_of(np.array([0, 2]), np.array([[0.8, 0.1, 0.1], [0.0, 0.0, 1.0]]))
IMPORTANCES = [
    Importance("cells", 42, 0.25, 0.0125, 0.1, 0.01),
    Importance("a name that is far too long for its column", 3, -0.25, 0.0, -0.5, 0.0),
]


def words(text: str, first: str) -> list[list[str]]:
    """The words of all lines that begin so."""
    return [line.split() for line in text.splitlines() if line.strip().startswith(first)]


def test_figures_stand_side_by_side() -> None:
    text = report_text(NATURAL, BALANCED)
    assert words(text, "held out") == [["held", "out", "natural", "balanced"]]
    assert words(text, "positions") == [["positions", "6", "2"]]
    assert words(text, "accuracy") == [["accuracy", "66.67%", "100.00%"]]
    assert words(text, "balanced accuracy") == [["balanced", "accuracy", "62.50%", "100.00%"]]
    assert words(text, "log-loss") == [["log-loss", f"{NATURAL.log_loss:.4f}", f"{BALANCED.log_loss:.4f}"]]
    assert words(text, "macro F1")[0][2:] == [f"{NATURAL.macro_f1:.4f}", "1.0000"]
    assert words(text, "calibration error")[0][2] == f"{NATURAL.top.error:.4f}"


def test_classes_and_confusion_follow() -> None:
    rows = words(report_text(NATURAL, BALANCED), "loss")
    assert rows == [
        ["loss", "0.5000", "0.5000", "0.5000", "2", "2"],
        ["loss", "1.0000", "1.0000", "1.0000", "1", "1"],
        ["loss", "1", "1", "0", "1", "0", "0"],
    ]
    draws = words(report_text(NATURAL), "draw")
    assert draws == [["draw", "0.0000", "-", "0.0000", "0", "1"], ["draw", "0", "0", "0"]]
    assert words(report_text(NATURAL), "true") == [["true", "loss", "draw", "win"]]
    assert "balanced  " not in report_text(NATURAL)


def test_groups_of_features_stand_at_the_end() -> None:
    text = report_text(NATURAL, BALANCED, IMPORTANCES)
    assert words(text, "cells") == [["cells", "42", "0.2500", "+-", "0.0125", "10.00%", "+-", "1.00%"]]
    assert text.splitlines()[-1].split()[-6:] == ["-0.2500", "+-", "0.0000", "-50.00%", "+-", "0.00%"]
    assert "a name that is ..." in text
    assert "shuffled" not in report_text(NATURAL, BALANCED)


def test_lines_fit_a_terminal_however_many_positions_there_are() -> None:
    labels = np.repeat([0, 1, 2], 400_000)
    chances = np.full((len(labels), 3), 1 / 3)
    large = report_of(labels, chances)
    text = report_text(large, large, IMPORTANCES)
    assert "1,200,000" in text
    folded = folds_text({"balanced accuracy": interval([0.5, 0.75])})
    for line in [*text.splitlines(), *folded.splitlines()]:
        assert len(line) <= 80
        assert line == line.rstrip()
    for line in text.splitlines():
        assert "400,000400" not in line


def test_folds_have_an_interval_unless_there_is_one() -> None:
    text = folds_text({"accuracy": interval([0.7, 0.8, 0.9]), "log-loss": interval([0.5])})
    titles, accuracy, loss = (line.split() for line in text.splitlines())
    assert titles == ["mean", "95%", "interval", "sd", "folds"]
    assert accuracy == ["accuracy", "0.8000", "0.5516", "to", "1.0484", "0.1000", "3"]
    assert loss == ["log-loss", "0.5000", "-", "0.0000", "1"]
