"""The documentation: every page is found, every link leads somewhere, and what it shows is so."""

from __future__ import annotations

import doctest
import re
import runpy
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import fourcast

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
PAGES = sorted(DOCS.rglob("*.md"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *PAGES]

#: What MkDocs calls; none of the functions used here needs it.
HOOKS = runpy.run_path(str(DOCS / "making" / "hooks.py"))


def outside_code(markdown: str) -> str:
    """The text without what stands in fences and backticks."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^ *```.*?^ *```", "", markdown, flags=re.DOTALL | re.MULTILINE))


def links(markdown: str) -> list[str]:
    """Where links and images lead, but for those to other sites."""
    found = re.findall(r"\]\(([^)\s]+)\)", outside_code(markdown))
    found += re.findall(r'(?:src|href)="([^"]+)"', outside_code(markdown))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(markdown: str) -> set[str]:
    """The names that a page's headings can be linked by."""
    text = re.sub(r"^ *```.*?^ *```", "", markdown, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def faults(document: Path, markdown: str) -> list[str]:
    """Links of a document that lead nowhere."""
    found = []
    for link in links(markdown):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists() or (
            anchor and anchor not in anchors(markdown if target == document else target.read_text())
        ):
            found.append(link)
    return found


def navigation() -> list[str]:
    """The pages of the navigation, as mkdocs.yml names them."""
    nav = re.search(r"^nav:\n((?: .*\n)+)", (ROOT / "mkdocs.yml").read_text(), flags=re.MULTILINE)
    assert nav
    return re.findall(r"([\w/*]+\.md\??)$", nav[1], flags=re.MULTILINE)


def verbs() -> list[str]:
    import typer

    from fourcast.cli.app import app

    command: Any = typer.main.get_command(app)
    return list(command.commands)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_images_lead_somewhere(document: Path) -> None:
    assert not faults(document, document.read_text())


def test_a_link_that_leads_nowhere_is_found() -> None:
    here = DOCS / "play.md"
    text = (
        "# Title\n[a](nowhere.md) ![b](images/no.png) [c](#title) [d](#other) [e](match.md#no) [f](match.md)"
    )
    assert faults(here, text) == ["nowhere.md", "images/no.png", "#other", "match.md#no"]
    assert not faults(here, "```\n[a](nowhere.md)\n```\n`[b](nowhere.md)` [c](https://example.org/nowhere)")


def test_every_page_stands_in_the_navigation_once() -> None:
    names = Counter(HOOKS["settled"](navigation(), DOCS))
    pages = {path.relative_to(DOCS).as_posix() for path in PAGES} | set(HOOKS["FROM_ROOT"])
    assert set(names) == pages, "a page that mkdocs.yml does not name, or a name without a page"
    assert max(names.values()) == 1
    assert not [name for name in HOOKS["FROM_ROOT"] if (DOCS / name).exists()], "it is made from the root"


def test_a_name_in_the_navigation_may_wait_for_its_page(tmp_path: Path) -> None:
    nav = [
        "a.md",
        {"Title": "b.md?"},
        {"Studies": ["c.md?", "studies/*.md"]},
        {"Empty": ["d.md?", "none/*.md"]},
    ]
    assert list(HOOKS["settled"](nav, tmp_path)) == ["a.md"]
    (tmp_path / "studies").mkdir()
    for name in ("b.md", "studies/two.md", "studies/one.md"):
        (tmp_path / name).write_text("# A page")
    there = ["a.md", {"Title": "b.md"}, {"Studies": ["studies/one.md", "studies/two.md"]}]
    assert list(HOOKS["settled"](nav, tmp_path)) == there


@pytest.mark.parametrize(
    ("page", "link", "there"),
    [
        ("index.md", "docs/play.md", "play.md"),
        ("index.md", "docs/images/page.png", "images/page.png"),
        ("index.md", "CONTRIBUTING.md", "contributing.md"),
        ("contributing.md", "docs/agents.md#levels", "agents.md#levels"),
        ("agents.md", "../CONTRIBUTING.md#adding-an-agent", "contributing.md#adding-an-agent"),
        ("reference/game.md", "../python.md", "../python.md"),
        ("studies/search.md", "../../README.md", "../index.md"),
        ("play.md", "agents.md", "agents.md"),
        ("play.md", "#keys", "#keys"),
        ("play.md", "https://example.org/docs/", "https://example.org/docs/"),
    ],
)
def test_links_of_the_repository_are_links_of_the_site(page: str, link: str, there: str) -> None:
    assert HOOKS["site_link"](link, page) == there


def test_every_verb_has_a_page_and_a_row() -> None:
    table = (DOCS / "verbs.md").read_text()
    for verb in verbs():
        assert (DOCS / f"{verb}.md").exists(), f"docs/{verb}.md says nothing of fourcast {verb}"
        assert f"| `fourcast {verb}" in table or f", `fourcast {verb} " in table, f"docs/verbs.md: {verb}"


def test_the_readme_fits_three_screens() -> None:
    assert len(README.splitlines()) <= 120
    assert "](docs/images/page.png)" in README
    assert README.index("make serve") < README.index("make test")
    shown = re.findall(r"^```pycon\n|^```\n\$ fourcast", README, flags=re.MULTILINE)
    assert len(shown) == 5


def test_the_commands_in_the_readme_say_what_they_say() -> None:
    shown = re.findall(r"^```\n\$ fourcast ([^\n]*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    assert len(shown) == 2
    for arguments, expected in shown:
        done = fourcast(*arguments.split())
        assert (done.returncode, done.stderr) == (0, ""), arguments
        same = doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS)
        assert same, f"fourcast {arguments} says:\n{done.stdout}"


def test_the_map_shows_the_rooms_as_they_are() -> None:
    path = list(sys.path)
    drawn = runpy.run_path(str(DOCS / "making" / "rooms_map.py"))["draw"]()
    sys.path[:] = path
    assert (DOCS / "images" / "rooms.svg").read_text() == drawn, (
        "python docs/making/rooms_map.py draws it anew"
    )
