"""What MkDocs does for this site only: pages from the root, pages that may be missing, drawings inline.

Links are written for the repository (`docs/play.md` in README, `../CONTRIBUTING.md` in docs/); here they
become links of the site.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the tests look at what is here without MkDocs
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent.parent

#: Pages whose source stands at the root, by their names on the site.
FROM_ROOT = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}

#: Drawings that are written into the page, so that they follow its light or dark.
INLINE = ("images/rooms.svg", "images/move.svg")

_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_FENCE = re.compile(r"^( *```.*?^ *```[^\n]*$)", re.DOTALL | re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Settle which pages are in the navigation."""
    config.nav = list(settled(config.nav or [], Path(config.docs_dir)))
    return config


def settled(nav: list[Any], docs: Path) -> Iterator[Any]:
    """The navigation with `name?` only where there is such a page, and `folder/*.md` as the pages there are.

    Args:
        nav: As in mkdocs.yml: names of pages, and dictionaries of a title and a page, or a list of such.
        docs: The folder of the pages.
    """
    for entry in nav:
        if isinstance(entry, str):
            if "*" in entry:
                yield from sorted(path.relative_to(docs).as_posix() for path in docs.glob(entry))
            elif not entry.endswith("?"):
                yield entry
            elif (docs / entry[:-1]).exists():
                yield entry[:-1]
            continue
        ((title, below),) = entry.items()
        if isinstance(below, list):
            pages = list(settled(below, docs))
            if pages:
                yield {title: pages}
        else:
            yield from ({title: page} for page in settled([below], docs))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages whose source stands at the root."""
    from mkdocs.structure.files import File

    for name, source in FROM_ROOT.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Turn the repository's links into the site's, everywhere but in code."""
    name = page.file.src_uri
    if name == "index.md":
        page.meta["hide"] = ["navigation"]  # it stands alone, so there is nothing beside it to list
    parts = _FENCE.split(markdown)
    parts[::2] = [
        _LINK.sub(lambda found: found[1] + site_link(found[2], name) + found[3], part) for part in parts[::2]
    ]
    return "".join(parts)


def site_link(link: str, page: str) -> str:
    """A link of the repository as it is on the site.

    Args:
        link: As it is written, relative to the page's source.
        page: The page that it stands on, by its name on the site.
    """
    path, hash_mark, anchor = link.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return link
    source = FROM_ROOT.get(page, f"docs/{page}")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    names = {root: name for name, root in FROM_ROOT.items()}
    if target in names:
        target = names[target]
    elif target.startswith("docs/"):
        target = target.removeprefix("docs/")
    else:
        return link  # it leads out of the site, which MkDocs warns of
    return posixpath.relpath(target, posixpath.dirname(page) or ".") + hash_mark + anchor


def on_page_content(html: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Write the drawings that follow the page's colours into it, without their own."""
    for name in INLINE:
        link = posixpath.relpath(name, posixpath.dirname(page.file.src_uri) or ".")
        image = re.search(rf'<p>\s*<img [^>]*src="{re.escape(link)}"[^>]*>\s*</p>', html)
        if image:
            drawing = (Path(config.docs_dir) / name).read_text(encoding="utf-8")
            drawing = re.sub(r"<style>.*?</style>\s*", "", drawing, flags=re.DOTALL)
            html = html.replace(image[0], f'<div class="drawing">{drawing}</div>')
    return html
