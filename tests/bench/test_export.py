"""The bench of exported files measures the file itself, in processes of its own."""

from __future__ import annotations

import pytest

from fourcast.bench.export import ExportReport, measure


@pytest.mark.slow
def test_it_grades_the_file_with_numba_and_without() -> None:
    report = ExportReport()
    measure(report, positions=2, openings=1, advance=lambda *_: None)
    cold, warm, plain = report.starts
    assert cold.processor > warm.processor > 0
    assert plain.ready > 0
    assert 100_000 < report.size <= 1_000_000
    assert [grade.good for grade in report.grades[:2]] == [1.0, 1.0]
    assert all(len(line) <= 80 for line in report.to_text().splitlines())
    assert report.to_json()["complete"]
