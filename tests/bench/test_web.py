"""What is measured of the server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

from fourcast.bench.web import BOOK_PLIES, Figure, WebReport, measure, questions
from fourcast.game.position import Position


def test_questions_are_positions_that_go_on_and_always_the_same() -> None:
    asked = questions(20, BOOK_PLIES)
    assert asked == questions(20, BOOK_PLIES)
    for each in asked:
        position = Position.from_moves(each["moves"])
        assert not position.is_over
        assert position.ply <= BOOK_PLIES[1]


def test_a_figure_beyond_its_bar_is_marked() -> None:
    report = WebReport(
        [Figure("health", 60, "ms", 50), Figure("page", 10, "kB", 200), Figure("memory", 1, "MB")]
    )
    lines = report.to_text().splitlines()
    assert lines[-4].endswith("50 ms !")
    assert not lines[-3].endswith("!")
    assert lines[-1] == "! beyond its bar"
    assert [each["passed"] for each in report.to_json()["figures"]] == [False, True, None]


@pytest.mark.slow
def test_a_server_is_measured_and_ended() -> None:
    report = WebReport()
    # In a thread of its own: Playwright leaves a loop running in the one where pages were tested before.
    with ThreadPoolExecutor(1) as aside:
        aside.submit(
            measure, report, viewers=5, seconds=2.0, advance=lambda _what, _done, _total: None
        ).result()
    figures = {figure.name: figure for figure in report.figures}
    assert figures["5 viewers, 2 s: failures (5xx)"].amount == 0
    assert figures["the page, packed"].amount > 0
    assert figures["5 viewers, 2 s: health, p99"].amount > 0
    assert figures["memory after them"].amount > 0
    assert figures["memory gained in their second half"].bar is None, "too short to tell"
    if "the page in Chromium: first paint" in figures:
        assert figures["the page in Chromium: first paint"].amount > 0
        assert figures["the page in Chromium: fetched"].passed
    else:
        assert report.missing[0].startswith("the first paint: ")
        assert report.to_text().endswith(f"not measured: {report.missing[0]}")
