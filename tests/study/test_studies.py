"""What holds for every study, and that all of them come out whole."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from fourcast.study.conducting import conduct
from fourcast.study.registry import NAMES, find_study
from fourcast.study.study import Settings
from tests.cli.command import fourcast

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("quick", [True, False])
def test_a_study_is_described(name: str, quick: bool) -> None:
    study = find_study(name)
    assert study.name == name
    assert study.title
    assert study.about.endswith((".", "?"))
    figures = [each.name for each in study.published]
    assert len(figures) == len(set(figures))
    tasks = study.tasks(Settings(quick=quick))
    assert tasks
    names: set[str] = set()
    for task in tasks:
        assert task.name not in names
        assert names >= set(task.needs)
        names.add(task.name)
        assert json.loads(json.dumps(task.arguments)) == task.arguments, "what is kept is what is asked"
        pickle.loads(pickle.dumps(task))


@pytest.mark.parametrize("name", NAMES)
def test_quick_runs_ask_for_less(name: str) -> None:
    study = find_study(name)
    quick, full = (study.tasks(Settings(quick=quick)) for quick in (True, False))
    assert len(quick) <= len(full)
    assert [task.arguments for task in quick] != [task.arguments for task in full]


@pytest.mark.parametrize("name", NAMES)
def test_a_study_has_its_page(name: str) -> None:
    page = (DOCS / "studies" / f"{name}.md").read_text(encoding="utf-8")
    assert f"fourcast study {name}" in page


def test_the_study_in_the_docs_comes_out_whole(tmp_path: Path) -> None:
    (example,) = re.findall(
        r"```python\n(.*?)```", (DOCS / "study.md").read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict[str, Any] = {"__name__": "nodes"}
    exec(compile(example, "study.md", "exec"), names)
    (part,) = conduct([names["STUDY"]], Settings(), tmp_path)
    assert part["faults"] == []
    assert part["published"][0]["measured"] == f"{part['sections'][0]['items'][0]['rows'][-1][1]:,}"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_all_studies_come_out_whole(tmp_path: Path) -> None:
    """Every table has its rows, every plot is drawn, every published figure has ours beside it."""
    out = tmp_path / "study"
    done = fourcast("study", "all", "--quick", "-o", str(out), "--json", timeout=1200)
    assert (done.returncode, done.stderr) == (0, "")
    parts = json.loads(done.stdout)["studies"]
    assert [part["study"] for part in parts] == list(NAMES)
    report = (out / "report.html").read_text(encoding="utf-8")
    assert "//" not in report, "it asks nobody for anything"
    for part in parts:
        folder = out / f"{part['study']}-quick"
        assert part["faults"] == []
        for each in part["published"]:
            assert each["measured"].strip()
            assert each["remark"].strip()
        for item in (item for section in part["sections"] for item in section["items"]):
            if "table" in item:
                lines = (folder / f"{item['table']}.csv").read_text(encoding="utf-8").splitlines()
                assert len(lines) == 1 + item["expected"] == 1 + len(item["rows"])
            else:
                assert _is_inked(folder / f"{item['plot']}.png"), item["plot"]
                assert (folder / f"{item['plot']}.svg").stat().st_size > 1000
    again = fourcast("study", "all", "--quick", "-o", str(out), "--json", timeout=1200)
    assert json.loads(again.stdout)["studies"] == parts, "nothing is measured twice"


def _is_inked(path: Path) -> bool:
    """Whether there is more on a picture than a frame: ink in both halves of it, either way."""
    from matplotlib.image import imread

    dark = imread(path)[..., :3].mean(axis=2) < 0.9
    rows, columns = (size // 2 for size in dark.shape)
    halves = (dark[:rows], dark[rows:], dark[:, :columns], dark[:, columns:])
    return bool(dark.mean() > 0.005 and all(half.any() for half in halves))
