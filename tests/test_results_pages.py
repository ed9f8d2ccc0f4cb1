"""The pages of the studies show what was found, as the files in docs/results/ have it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="the extra learn is not installed")

from fourcast.study.conducting import conduct
from fourcast.study.study import Settings
from tests.study.coins import STUDY as COINS

DOCS = Path(__file__).parent.parent / "docs"
KINDS = ("svg", "png")  # of every drawing

#: What MkDocs calls; none of the functions used here needs it.
HOOKS = runpy.run_path(str(DOCS / "making" / "results.py"))


def shown(name: str, markdown: str, docs: Path) -> str:
    """A page as MkDocs gets it."""
    page = SimpleNamespace(file=SimpleNamespace(src_uri=name))
    text: Any = HOOKS["on_page_markdown"](markdown, page=page, config=SimpleNamespace(docs_dir=str(docs)))
    return str(text)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    list(conduct([COINS], Settings(), tmp_path / "results"))
    (tmp_path / "studies").mkdir()
    return tmp_path


PAGE = "# Coins\n\n## Method\n\nThrow.\n\n## Results\n\nThe full run is elsewhere.\n"


def test_a_study_shows_its_figures_and_plots(docs: Path) -> None:
    text = shown("studies/coins.md", PAGE, docs)
    assert text.startswith("# Coins\n\n## Method\n\nThrow.\n")
    assert "elsewhere" not in text
    assert "`fourcast study coins --seed 1`" in text
    (row,) = re.findall(r"^\| \*\*heads\*\* .*$", text, flags=re.MULTILINE)
    assert row.endswith("| About half, as must be. |")
    links = re.findall(r"\]\(([^)\s#]+)", text)
    assert "../results/coins/throws.svg" in links
    assert "../results/coins/heads.csv" in links
    assert "../results/report.html" in links
    assert all((docs / "studies" / link).exists() for link in links)


def test_words_mean_no_more_than_they_say(docs: Path) -> None:
    text = shown("studies/coins.md", PAGE, docs)
    assert "Thrown with `random`; 1 &lt; 2 &amp; no more." in text
    assert HOOKS["_words"]("a_b * [c] | `d_e * f`") == r"a\_b \* \[c\] \| `d_e * f`"


def test_a_study_without_a_full_run_says_so(docs: Path) -> None:
    text = shown("studies/other.md", PAGE, docs)
    assert text.endswith(
        "## Results\n\nThere is no full run of this study yet. `fourcast study other` makes one.\n"
    )
    list(conduct([COINS], Settings(quick=True), docs / "quick"))
    (docs / "quick" / "coins-quick").rename(docs / "results" / "other-quick")
    assert shown("studies/other.md", PAGE, docs) == text


def test_all_figures_are_on_the_page_of_the_results(docs: Path) -> None:
    text = shown("results/README.md", "# Results\n", docs)
    assert "](report.html)" in text
    assert re.search(r"^\| \[coins\]\(\.\./studies/coins\.md#results\) \| heads \|", text, flags=re.MULTILINE)
    assert "none yet" in shown("results/README.md", "# Results\n", docs / "studies")
    assert shown("play.md", "# Play\n", docs) == "# Play\n"


def test_every_study_has_a_place_for_its_results() -> None:
    for page in sorted((DOCS / "studies").glob("*.md")):
        assert page.read_text(encoding="utf-8").count(HOOKS["HEADING"]) == 1, page.name


def test_the_results_that_are_kept_are_whole() -> None:
    """Those of full runs, without faults, each in the report; drawings and tables are there."""
    folder = DOCS / "results"
    for path in sorted(folder.glob("*/part.json")):
        part = HOOKS["part_of"](path.parent.name, folder)
        assert (part["study"], part["quick"], part["faults"]) == (path.parent.name, False, [])
        assert all(each["measured"] and each["remark"] for each in part["published"])
        for item in (item for section in part["sections"] for item in section["items"]):
            names = (
                [f"{item['table']}.csv"] if "table" in item else [f"{item['plot']}.{kind}" for kind in KINDS]
            )
            assert all((path.parent / name).exists() for name in names), names
        assert f'id="{part["study"]}"' in (folder / "report.html").read_text(encoding="utf-8")
