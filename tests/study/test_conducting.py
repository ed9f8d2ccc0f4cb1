"""A study is measured once, is kept as it comes, and goes on where it was."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from fourcast.game.errors import BadData, BadOption
from fourcast.learning.part import Part
from fourcast.study import running
from fourcast.study.conducting import conduct
from fourcast.study.findings import Beside, Column, Findings, Plot, Section, Table
from fourcast.study.registry import find_study
from fourcast.study.report import inline_svg
from fourcast.study.study import Desk, Found, Settings, Study, Task
from tests.study.coins import HANDS, STUDY, findings, tasks, thrown, without

QUICK = Settings(quick=True)


def run(out: Path, study: Study = STUDY, settings: Settings = QUICK, jobs: int = 1) -> dict[str, Any]:
    (part,) = conduct([study], settings, out, jobs=jobs)
    return part


def test_everything_is_written(tmp_path: Path) -> None:
    part = run(tmp_path / "new" / "out")
    folder = tmp_path / "new" / "out" / "coins-quick"
    assert part["faults"] == []
    with (folder / "heads.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["hand"] for row in rows] == list(HANDS)
    data = json.loads((folder / "coins.json").read_text())
    assert data["tables"]["heads"][0] == {"hand": "left", "heads": int(rows[0]["heads"])}
    assert data["command"] == "fourcast study coins --quick --seed 1"
    assert {"fourcast", "python", "numpy", "processor", "cores"} <= set(data["machines"][0])
    assert data["published"][0]["published"] == "always"
    assert data["published"][0]["measured"] == rows[2]["heads"]
    assert (folder / "throws.png").read_bytes()[:4] == b"\x89PNG"
    assert (folder / "throws.svg").stat().st_size > 1000


def test_a_later_task_is_given_what_earlier_ones_found(tmp_path: Path) -> None:
    table = run(tmp_path)["sections"][0]["items"][0]
    left, right, both = (heads for _, heads in table["rows"])
    assert left + right <= both <= left + right + 10


def test_nothing_is_measured_twice(tmp_path: Path) -> None:
    first = run(tmp_path)
    assert run(tmp_path) == first
    assert thrown(tmp_path / "coins-quick") == ["left", "right", "both"]


def test_what_was_measured_before_the_end_came_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "coins-quick"

    def stop(_arguments: dict[str, Any], _desk: Desk) -> Found:
        raise KeyboardInterrupt

    cut_short = [*tasks(QUICK)[:1], Task("right", stop), *tasks(QUICK)[2:]]
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, without(tasks=lambda _: cut_short))
    assert thrown(folder) == ["left"]
    run(tmp_path)
    assert thrown(folder) == ["left", "right", "both"]


def test_what_runs_side_by_side_is_ended_when_the_end_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []

    def side_by_side(_study: Study, open_tasks: list[Task], *_: Any) -> Iterator[tuple[Task, Found, float]]:
        try:
            yield open_tasks[0], {"heads": 1}, 1.0
        finally:
            ended.append("processes")

    def add(_kept: Part, _line: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "_side_by_side", side_by_side)
    monkeypatch.setattr(Part, "add", add)
    with pytest.raises(KeyboardInterrupt) as stopped:
        run(tmp_path, jobs=2)
    assert ended == ["processes"], f"at once, and not when {stopped} is forgotten"


def test_a_line_that_was_being_written_is_measured_again(tmp_path: Path) -> None:
    first = run(tmp_path)
    journal = tmp_path / "coins-quick" / "measurements.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])
    assert run(tmp_path)["sections"] == first["sections"]
    assert thrown(tmp_path / "coins-quick") == ["left", "right", "both", "both"]


def test_other_settings_are_measured_apart(tmp_path: Path) -> None:
    quick, full = run(tmp_path), run(tmp_path, settings=Settings())
    assert thrown(tmp_path / "coins") == ["left", "right", "both"]
    assert (quick["quick"], full["quick"]) == (True, False)
    run(tmp_path, settings=Settings(quick=True, seed=2))
    assert run(tmp_path)["sections"] == quick["sections"]
    assert len(thrown(tmp_path / "coins-quick")) == 6


def test_a_study_that_has_changed_is_measured_again(tmp_path: Path) -> None:
    run(tmp_path)
    run(tmp_path, without(version=2))
    assert len(thrown(tmp_path / "coins-quick")) == 6


@pytest.mark.slow
def test_processes_find_the_same(tmp_path: Path) -> None:
    alone, shared = run(tmp_path / "a"), run(tmp_path / "b", jobs=2)
    assert alone["sections"] == shared["sections"]


@pytest.mark.parametrize("line", ["[]", "{not json", '{"asked": 1}'])
def test_a_damaged_line_is_named_and_nothing_is_lost(tmp_path: Path, line: str) -> None:
    run(tmp_path)
    journal = tmp_path / "coins-quick" / "measurements.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    lines[2] = line + "\n"
    journal.write_text("".join(lines))
    with pytest.raises(BadData, match="line 3: it is damaged; remove the line"):
        run(tmp_path)
    assert journal.read_text() == "".join(lines)


@pytest.mark.parametrize("content", [b"", b"\x93\xff\x00\n"])
def test_a_file_without_its_beginning_is_said_to_be_damaged(tmp_path: Path, content: bytes) -> None:
    run(tmp_path)
    journal = tmp_path / "coins-quick" / "measurements.jsonl"
    journal.write_bytes(content)
    with pytest.raises(BadData, match="or is damaged: remove it"):
        run(tmp_path)
    assert journal.read_bytes() == content


def test_two_runs_do_not_measure_into_one_folder(tmp_path: Path) -> None:
    def run_again(_arguments: dict[str, Any], _desk: Desk) -> Found:
        with pytest.raises(BadData, match="another run is measuring"):
            run(tmp_path)
        return {"heads": 1}

    run(tmp_path, without(tasks=lambda _: [*tasks(QUICK)[:1], Task("right", run_again), *tasks(QUICK)[2:]]))
    run(tmp_path)


def test_measurements_of_another_study_are_refused(tmp_path: Path) -> None:
    run(tmp_path)
    journal = tmp_path / "coins-quick" / "measurements.jsonl"
    text = journal.read_text().replace('"coins"', '"dice"', 1)
    journal.write_text(text)
    with pytest.raises(BadData, match="another study"):
        run(tmp_path)
    assert journal.read_text() == text


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "coins-quick").mkdir()
    mine = tmp_path / "coins-quick" / "heads.csv"
    mine.write_text("mine")
    with pytest.raises(BadData, match=r"not of a study, like heads\.csv"):
        run(tmp_path)
    assert mine.read_text() == "mine"


def test_a_page_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("<html>mine</html>")
    with pytest.raises(BadData, match="not a report of studies"):
        run(tmp_path)
    assert (tmp_path / "report.html").read_text() == "<html>mine</html>"
    assert not (tmp_path / "coins-quick").exists()


def test_a_damaged_part_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "dice" / "part.json").write_text("{}")
    with pytest.raises(BadData, match="damaged, or not of a study"):
        run(tmp_path)
    assert not (tmp_path / "coins-quick").exists()


def test_the_full_part_takes_the_quick_ones_place_in_the_report(tmp_path: Path) -> None:
    run(tmp_path)
    assert "quick run" in (tmp_path / "report.html").read_text()
    run(tmp_path, settings=Settings())
    report = (tmp_path / "report.html").read_text()
    assert "quick run" not in report
    run(tmp_path)
    assert (tmp_path / "report.html").read_text() == report


def test_the_report_joins_the_parts_that_are_there(tmp_path: Path) -> None:
    run(tmp_path)
    run(tmp_path, without(name="dice", title="Dice"))
    report = (tmp_path / "report.html").read_text()
    assert 'id="coins"' in report
    assert 'id="dice"' in report
    assert report.count('<figure class="plot">') == 2


class Links(HTMLParser):
    """All that a page refers to, and the names in it."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.inside: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            value = value or ""
            if name == "id":
                self.ids.append(value)
            self.inside += re.findall(r"url\(#([^)]*)\)", value)
            if name in ("src", "href", "xlink:href", "data", "action", "srcset", "poster"):
                (self.inside if value.startswith("#") else self.outside).append(value.removeprefix("#"))


def test_the_report_asks_nobody_for_anything(tmp_path: Path) -> None:
    run(tmp_path)
    run(tmp_path, without(name="dice"))
    text = (tmp_path / "report.html").read_text()
    links = Links()
    links.feed(text)
    assert links.outside == []
    assert not {"script", "link", "iframe", "img", "object", "base", "metadata"} & set(links.tags)
    assert "//" not in text
    assert "@import" not in text
    assert set(links.inside) <= set(links.ids)
    assert len(links.ids) == len(set(links.ids))


def test_words_stay_words_on_the_page(tmp_path: Path) -> None:
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "Coins &lt;thrown&gt;" in text
    assert "Thrown with <code>random</code>; 1 &lt; 2 &amp; no more." in text


def test_wide_tables_are_set_smaller_and_break_nothing_but_specs(tmp_path: Path) -> None:
    def wide(settings: Settings, found: Mapping[str, Found]) -> Findings:
        whole = findings(settings, found)
        columns = [Column("agent", "agent"), *(Column(f"n{place}", "n", "count") for place in range(12))]
        rows: list[list[Any]] = [["hybrid:depth=1,style=random", *[1_234_567] * 12]]
        table = Table("wide", "Wide", columns, rows, ["hybrid:depth=1,style=random"])
        return Findings([*whole.sections, Section("More", (), [table])], whole.beside)

    assert run(tmp_path, without(findings=wide))["faults"] == []
    text = (tmp_path / "report.html").read_text()
    assert text.count('<table class="many">') == 1
    assert text.count('<figure class="wide short"') == 2, "both stay on one page"
    assert "hybrid:<wbr>depth=1,<wbr>style=random" in text
    assert ">1,234,567<" in text


def test_a_drawing_must_be_one() -> None:
    with pytest.raises(BadData):
        inline_svg("<p>", "a-", "b")


def _other(change: str) -> Any:
    """The findings with one thing wrong."""

    def made(settings: Settings, found: Mapping[str, Found]) -> Findings:
        whole = findings(settings, found)
        (section,), (beside,) = whole.sections, whole.beside
        table, plot = section.items
        assert isinstance(table, Table)
        assert isinstance(plot, Plot)
        rows: list[Any] = [list(row) for row in table.rows]
        draw, expected, measured = plot.draw, table.expected, beside.measured
        if change == "a row is missing":
            rows = rows[:2]
        elif change == "rows in another order":
            rows = rows[::-1]
        elif change == "an empty cell":
            rows[1][1] = None
        elif change == "no rows":
            rows, expected = [], []
        elif change == "an empty panel":
            draw = lambda figure: figure.subplots()  # noqa: E731
        elif change == "no panel":
            draw = lambda _: None  # noqa: E731
        elif change == "only NaN":
            draw = lambda figure: figure.subplots().plot([1.0], [float("nan")])  # noqa: E731
        elif change == "no figure beside":
            measured = " "
        table = Table(
            table.name, table.title, (Column("hand", "hand"), Column("heads", "heads")), rows, expected
        )
        return Findings(
            [Section("Throws", (), (table, Plot("throws", "Heads", draw)))], [Beside("heads", measured, "")]
        )

    return made


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("nothing", None),
        ("a row is missing", "table heads: it has 2 rows, not 3"),
        ("rows in another order", "table heads, row 1: it begins with ['both'], not ('left',)"),
        ("an empty cell", "table heads, row 2: heads is missing"),
        ("no rows", "table heads: it expects no rows"),
        ("an empty panel", "plot throws, panel 1: there is nothing on it"),
        ("no panel", "plot throws: there is nothing on it"),
        ("only NaN", "plot throws, panel 1: there is nothing on it"),
        ("no figure beside", "published figure heads: there is none measured beside it"),
    ],
)
def test_what_is_wrong_with_findings_is_found(tmp_path: Path, change: str, fault: str | None) -> None:
    part = run(tmp_path, without(findings=_other(change)))
    assert (part["faults"] or [None])[0] == fault


def test_an_unknown_study_is_refused() -> None:
    with pytest.raises(BadOption, match="there is no study 'coins'"):
        find_study("coins")
