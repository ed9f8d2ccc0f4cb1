"""The page's files as they are: small, without inline code, and told to the browser beforehand."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import fourcast

STATIC = Path(fourcast.__file__).parent / "web" / "static"
PAGES = sorted(STATIC.glob("*.html"))
MOST_BYTES = 200_000  # of a page with all that it needs, as it is sent


class Found(HTMLParser):
    """The tags of a page, and what stands between those of scripts and styles."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style"):
            self.inline += data.strip()

    def addresses(self) -> list[str]:
        """What the page has the browser fetch."""
        named = (
            attrs.get("src") or attrs.get("href") for tag, attrs in self.tags if tag in ("script", "link")
        )
        return [address for address in named if address]


def modules(entry: Path) -> set[Path]:
    """A module and all that it imports."""
    found, open_ones = {entry}, [entry]
    while open_ones:
        module = open_ones.pop()
        for name in re.findall(
            r'^} from "(.*)";$|^import .* from "(.*)";$', module.read_text(), re.MULTILINE
        ):
            imported = (module.parent / "".join(name)).resolve()
            if imported not in found:
                found.add(imported)
                open_ones.append(imported)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_every_module_beforehand(page: Path) -> None:
    found = Found(page)
    entry = next(
        attrs["src"] for tag, attrs in found.tags if tag == "script" and attrs.get("type") == "module"
    )
    assert entry
    named = {STATIC / address.lstrip("/") for address in found.addresses() if address.endswith(".js")}
    assert named - {STATIC / "js/theme.js"} == modules(STATIC / entry.lstrip("/"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_small_and_has_nothing_inline(page: Path) -> None:
    found = Found(page)
    assert not found.inline
    assert not [
        attrs for _, attrs in found.tags if any(name.startswith("on") or name == "style" for name in attrs)
    ]
    files = [page, *(STATIC / address.lstrip("/") for address in found.addresses())]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < MOST_BYTES


def test_every_word_can_be_translated() -> None:
    """Words in quotes that a visitor would see are in text.js alone."""
    seen = re.compile(r'"(?:[A-Z][a-z]+ )[a-z]+[^"]*"')
    for module in sorted((STATIC / "js").glob("*.js")):
        if module.name != "text.js":
            code = re.sub(r"/\*.*?\*/|//.*", "", module.read_text(), flags=re.DOTALL)
            assert not seen.findall(code), module.name
