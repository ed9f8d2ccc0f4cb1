"""The documentation as a site: built without a warning, it fetches nothing and can be searched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="the extra docs is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = pytest.mark.slow


def build(root: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the pages below a root as `make docs` does."""
    asked = re.search(r"mkdocs build (.*)", (ROOT / "Makefile").read_text())
    assert asked
    command = [sys.executable, "-m", "mkdocs", "build", *asked[1].split(), "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=root, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT, folder)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium: apt-get install chromium brings it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def test_no_page_fetches_anything_from_elsewhere(site: Path, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    for path in sorted(set(site.rglob("*.html")) - {site / "404.html"}):  # that one is for servers alone
        page.goto(path.as_uri())
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{path.name} is {wider} pixels wider than a phone"
    assert not [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:", "about:"))]
    assert len(asked) > 100
    assert not wrong
    context.close()


def test_the_results_are_listed_with_the_studies(site: Path) -> None:
    page = (site / "studies" / "search.html").read_text(encoding="utf-8")
    listed = re.search(r'href="\.\./results/index\.html" class="md-nav__link">\s*<span[^>]*>\s*(\w+)', page)
    assert listed
    assert listed[1] == "Results"


def test_the_site_can_be_searched_from_the_disk(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.click(".md-search__input")
    page.keyboard.type("fourcast perft")
    page.wait_for_selector(".md-search-result__item a[href*='perft.html']")
    page.close()


def test_drawings_follow_the_colours_of_the_page(site: Path, browser: Browser) -> None:
    def ink(page: Page) -> str:
        return str(page.locator(".drawing text").first.evaluate("text => getComputedStyle(text).fill"))

    page = browser.new_page(color_scheme="light")
    page.goto((site / "architecture.html").as_uri())
    light = ink(page)
    page.click("label[title=Dark]")
    assert ink(page) != light
    page.close()


def test_warnings_stop_the_build(tmp_path: Path) -> None:
    """On a copy without the reference, which takes longest."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("reference"))
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "mkdocs.yml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "src").mkdir()
    (tmp_path / "docs" / "lost.md").write_text("# A page that nobody finds\n")
    (tmp_path / "docs" / "play.md").write_text("# fourcast play\n\n[a](nowhere.md), [b](match.md#nothing)\n")
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode == 1
    for fault in ("- lost.md", "'nowhere.md'", "'#nothing'"):
        assert fault in built.stderr
