"""Figures of predictions, beside slow and obvious twins of them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast.game.errors import BadData
from fourcast.learning.metrics import Report, interval, report_of

Rows = list[list[float]]


@st.composite
def predictions(draw: st.DrawFn) -> tuple[list[int], Rows]:
    """Classes, some of which may never occur, and chances in sevenths, which are in no bin's bounds."""
    known = draw(st.sampled_from([[0], [1, 2], [0, 2], [0, 1, 2]]))
    labels = draw(st.lists(st.sampled_from(known), min_size=1, max_size=30))
    rows = []
    for _ in labels:
        first = draw(st.integers(0, 7))
        second = draw(st.integers(0, 7 - first))
        rows.append([first / 7, second / 7, (7 - first - second) / 7])
    return labels, rows


def arrays(labels: list[int], rows: Rows) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    return np.array(labels, dtype=np.int64), np.array(rows, dtype=np.float64).reshape(-1, 3)


def ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def mean_of_known(figures: Sequence[float | None]) -> float:
    known = [figure for figure in figures if figure is not None]
    return sum(known) / len(known)


@given(predictions())
def test_figures_are_those_that_one_counts(given_rows: tuple[list[int], Rows]) -> None:
    labels, rows = given_rows
    found = report_of(*arrays(labels, rows))
    guesses = [row.index(max(row)) for row in rows]
    table = [[0] * 3 for _ in range(3)]
    for label, guess in zip(labels, guesses, strict=True):
        table[label][guess] += 1
    right = [table[each][each] for each in range(3)]
    occurs = [sum(table[each]) for each in range(3)]
    guessed = [sum(row[each] for row in table) for each in range(3)]
    recalls = [ratio(right[each], occurs[each]) for each in range(3)]
    f1s = [ratio(2 * right[each], occurs[each] + guessed[each]) for each in range(3)]
    assert found.positions == len(labels)
    assert [list(row) for row in found.confusion] == table
    assert [each.support for each in found.classes] == occurs
    assert [each.predicted for each in found.classes] == guessed
    assert [each.name for each in found.classes] == ["loss", "draw", "win"]
    for each, report in enumerate(found.classes):
        assert report.precision == pytest.approx(ratio(right[each], guessed[each]))
        assert report.recall == pytest.approx(recalls[each])
        assert report.f1 == pytest.approx(f1s[each])
    assert found.accuracy == pytest.approx(sum(right) / len(labels))
    assert found.balanced_accuracy == pytest.approx(mean_of_known(recalls))
    assert found.macro_f1 == pytest.approx(mean_of_known(f1s))
    tiny = np.finfo(np.float64).eps
    losses = [-math.log(max(row[label], tiny)) for label, row in zip(labels, rows, strict=True)]
    assert found.log_loss == pytest.approx(sum(losses) / len(losses), abs=1e-9)


@given(predictions(), st.sampled_from([10, 15]))
def test_bins_hold_what_was_said_and_what_is_so(given_rows: tuple[list[int], Rows], bins: int) -> None:
    labels, rows = given_rows
    found = report_of(*arrays(labels, rows), bins=bins)
    guesses = [row.index(max(row)) for row in rows]
    for number, calibration in enumerate([*found.calibration, found.top]):
        classes = guesses if calibration.name == "top" else [number] * len(rows)
        said = [row[each] for row, each in zip(rows, classes, strict=True)]
        happened = [label == each for label, each in zip(labels, classes, strict=True)]
        distance = 0.0
        for index, each in enumerate(calibration.bins):
            assert (each.low, each.high) == pytest.approx((index / bins, (index + 1) / bins))
            inside = [
                place
                for place, chance in enumerate(said)
                if index / bins <= chance < (index + 1) / bins or (chance == 1 and index == bins - 1)
            ]
            assert each.count == len(inside)
            if not inside:
                assert each.predicted is each.observed is None
                continue
            mean = sum(said[place] for place in inside) / len(inside)
            share = sum(happened[place] for place in inside) / len(inside)
            assert (each.predicted, each.observed) == pytest.approx((mean, share))
            distance += abs(mean - share) * len(inside)
        assert len(calibration.bins) == bins
        assert calibration.error == pytest.approx(distance / len(rows))


def perfect(labels: list[int]) -> Report:
    return report_of(*arrays(labels, [[float(each == label) for each in range(3)] for label in labels]))


def test_who_knows_everything_has_the_best_figures() -> None:
    found = perfect([0, 1, 1, 2])
    assert (found.accuracy, found.balanced_accuracy, found.macro_f1) == (1, 1, 1)
    assert (found.log_loss, found.top.error) == pytest.approx((0, 0), abs=1e-12)


def test_what_never_occurs_has_no_recall() -> None:
    found = report_of(*arrays([0, 0], [[0.2, 0.8, 0.0], [0.6, 0.4, 0.0]]))
    loss, draw, win = found.classes
    assert (loss.precision, loss.recall) == (1.0, 0.5)
    assert (draw.precision, draw.recall, draw.f1) == (0.0, None, 0.0)
    assert (win.precision, win.recall, win.f1) == (None, None, None)
    assert found.balanced_accuracy == 0.5


def test_single_precision_will_do() -> None:
    chances = np.array([[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3]], dtype=np.float32)
    found = report_of(np.array([2, 0], dtype=np.int8), chances)
    assert found.accuracy == 1, "the first of equals is predicted"
    assert found.log_loss == pytest.approx(-(math.log(0.7) + math.log(1 / 3)) / 2)


def test_a_report_is_json() -> None:
    record = json.loads(json.dumps(perfect([0, 2]).to_json(), allow_nan=False))
    assert record["confusion"] == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert record["classes"][1] == {
        "name": "draw",
        "precision": None,
        "recall": None,
        "f1": None,
        "support": 0,
        "predicted": 0,
    }
    assert record["calibration_error"] == record["top"]["error"] == 0
    assert len(record["calibration"][0]["bins"]) == 10


def test_an_interval_is_as_wide_as_students_table_says() -> None:
    found = interval([0.7, 0.8, 0.9, 0.8, 0.8])
    assert found.count == 5
    assert found.mean == pytest.approx(0.8)
    sd = math.sqrt((0.1**2 + 0.1**2) / 4)
    assert found.sd == pytest.approx(sd)
    reach = 2.776 * sd / math.sqrt(5)  # 97.5%, four degrees of freedom
    assert (found.low, found.high) == pytest.approx((0.8 - reach, 0.8 + reach), abs=1e-4)
    single = interval([0.5])
    assert (single.mean, single.sd, single.low, single.high) == (0.5, 0, None, None)
    assert json.loads(json.dumps(single.to_json()))["low"] is None


@pytest.mark.parametrize(
    ("labels", "rows", "message"),
    [
        ([], [], r"every position needs a class and three chances, not \(0,\) and \(0, 3\)"),
        ([0, 1], [[1, 0, 0]], r"not \(2,\) and \(1, 3\)"),
        ([0, -1], [[1, 0, 0], [1, 0, 0]], r"class -1: it is one of 0 \(loss\), 1 \(draw\) and 2 \(win\)"),
        ([0, 3], [[1, 0, 0], [1, 0, 0]], r"class 3: it is one of"),
        ([0, 1], [[1, 0, 0], [0.5, 0.6, 0]], r"row 2: \[0.5, 0.6, 0.0\] are not chances that add up to 1"),
        ([0], [[1.5, -0.5, 0]], r"row 1: .* are not chances"),
        ([0], [[math.nan, 0.5, 0.5]], r"row 1: .* are not chances"),
    ],
)
def test_wrong_predictions_are_one_line(labels: list[int], rows: Rows, message: str) -> None:
    with pytest.raises(BadData, match=message) as caught:
        report_of(*arrays(labels, rows))
    assert "\n" not in str(caught.value)


def test_wrong_classes_and_numbers_are_one_line() -> None:
    with pytest.raises(BadData, match=r"class 0.5: it is one of"):
        report_of(np.array([0.5]), np.array([[1.0, 0, 0]]))
    for numbers in ([], [0.5, math.nan]):
        with pytest.raises(BadData, match="an interval needs at least one number"):
            interval(numbers)
