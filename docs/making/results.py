"""What studies have found, on their pages of the site: made of the files in docs/results/, as they are.

A page in docs/studies/ ends with the heading `Results`. Below it come the published figures beside ours and
the plots of the full run, or the sentence that there is none yet; the page of the results has all figures of
all studies. The text in the repository stays as it is.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the tests look at what is here without MkDocs
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

STUDIES, RESULTS = "studies/", "results/README.md"
HEADING = "\n## Results\n"
REPORT = "report.html"

Part = dict[str, Any]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Add what was found to the pages of the studies, and all figures to the page of the results."""
    name, folder = page.file.src_uri, Path(config.docs_dir) / "results"
    if name.startswith(STUDIES):
        method, _, _ = markdown.partition(HEADING)
        study = name.removeprefix(STUDIES).removesuffix(".md")
        return f"{method}{HEADING}\n{results_of(study, folder)}"
    return markdown + overview(folder) if name == RESULTS else markdown


def part_of(study: str, folder: Path) -> Part | None:
    """The part of the full run of a study, as the command has written it; None if there is none.

    Args:
        study: Its name.
        folder: Where the results of all studies are.
    """
    path = folder / study / "part.json"
    if not path.exists():
        return None
    part: Part = json.loads(path.read_text(encoding="utf-8"))
    return part


def results_of(study: str, folder: Path) -> str:
    """What stands below `Results` on a study's page.

    Args:
        study: Its name.
        folder: Where the results of all studies are.
    """
    part = part_of(study, folder)
    if part is None:
        return f"There is no full run of this study yet. `fourcast study {study}` makes one.\n"
    return "\n".join(_results(study, part))


def _results(study: str, part: Part) -> Iterator[str]:
    there = f"../results/{study}"
    yield (
        f"Measured {_days(part)} by `{part['command']}`, in {_duration(part['seconds'])}, on "
        f"{_machines(part['machines'])}. All tables are in [the report](../results/{REPORT}#{study}), which "
        "is one page for all studies, and as CSV below.\n"
    )
    if part["published"]:
        yield "### Published, and measured here\n"
        yield "| | published | measured here | |\n|---|---|---|---|"
        for each in part["published"]:
            cells = (f"**{_words(each['name'])}**", *(_words(each[key]) for key in _FIGURES), "")
            yield f"| {' | '.join(cells).rstrip()}"
        yield ""
    said = ""
    for section in part["sections"]:
        yield f"### {_words(section['title'])}\n"
        for words in section["words"]:
            yield f"{_words(words)}\n"
        for item in section["items"]:
            if "plot" in item:
                title, path = _words(item["title"]), f"{there}/{item['plot']}.svg"
                yield f"**{title}**\n\n![{_plain(item['title'])}]({path}){{ loading=lazy }}\n"
                if item["caption"] not in ("", said):  # once, where several drawings are of a kind
                    yield f"{_words(item['caption'])}\n"
                said = item["caption"]
        tables = [item for item in section["items"] if "table" in item]
        if tables:
            links = [f"[{_words(each['title'])}]({there}/{each['table']}.csv)" for each in tables]
            yield f"As CSV: {'; '.join(links)}.\n"


_FIGURES = ("published", "measured", "remark")


def overview(folder: Path) -> str:
    """All published figures beside ours, study by study; nothing if there is no run.

    Args:
        folder: Where the results of all studies are.
    """
    parts = [
        part for path in sorted(folder.glob("*/part.json")) if (part := part_of(path.parent.name, folder))
    ]
    full = [part for part in parts if not part["quick"]]
    if not full:
        return "\nThere are none yet.\n"
    lines = [
        f"\n[The report]({REPORT}) opens as it is.\n",
        "## At a glance\n",
        "| study | | published | measured here |\n|---|---|---|---|",
    ]
    for part in full:
        link = f"[{part['study']}](../studies/{part['study']}.md#results)"
        figures = part["published"] or [{"name": part["title"], "published": "", "measured": ""}]
        for each in figures:
            cells = (link, *(_words(each[key]) for key in ("name", "published", "measured")))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _days(part: Part) -> str:
    first, last = part["days"]
    return f"on {first}" if first == last else f"from {first} to {last}"


def _duration(seconds: float) -> str:
    for size, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _machines(machines: list[dict[str, Any]]) -> str:
    texts = []
    for each in machines:
        versions = ", ".join(f"{name} {each[name]}" for name in each if name not in ("processor", "cores"))
        cores = f" with {each['cores']} cores" if "cores" in each else ""
        texts.append(f"{_words(each.get('processor', 'a machine'))}{cores} ({_words(versions)})")
    return " and ".join(texts)


def _words(text: object) -> str:
    """Words of a part as Markdown: nothing but what is between backticks means more than it says."""
    pieces = re.split(r"(`[^`]+`)", str(text))
    pieces[::2] = [re.sub(r"([\\*_\[\]|#])", r"\\\1", html.escape(each, quote=False)) for each in pieces[::2]]
    return "".join(pieces)


def _plain(text: str) -> str:
    """Words for those who do not see a picture."""
    return re.sub(r"[`\[\]]", "", text)
