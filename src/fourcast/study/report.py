"""One page of all studies: `report.html` holds everything itself, asks nobody for anything, prints well."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fourcast.game.errors import BadData
from fourcast.learning.files import data_file
from fourcast.study.files import PART, QUICK, read_part
from fourcast.study.page_style import STYLE
from fourcast.study.wording import cell_text, seconds_text

REPORT = "report.html"
_MARK = "<!-- made by fourcast study -->"
_TITLE = "Fourcast: published results, measured again"
_TEXT = "text"
_SHORT = 12  # rows; a table with no more stays on one page
_MANY = 10  # columns; a table with more is set smaller on paper, so that none is cut or broken
_POINTS_PER_REM = 11.5  # of a drawing: letters of 10 points are a little smaller than those of the page

Part = dict[str, Any]


def parts_of(out: Path, order: Sequence[str]) -> list[tuple[Path, Part]]:
    """The parts that are in a folder, each with its own folder; of a study that has both, the full one.

    Args:
        out: The folder.
        order: Names of studies in the order of the report; any others follow by name.

    Raises:
        BadData: A part is damaged, or cannot be read.
    """
    found: dict[str, tuple[Path, Part]] = {}
    for path in sorted(out.glob(f"*/{PART}")):
        part = read_part(path)
        name = str(part.get("study"))
        if path.parent.name in (name, name + QUICK) and (name not in found or not part.get("quick")):
            found[name] = path.parent, part
    places = {name: place for place, name in enumerate(order)}
    return [found[name] for name in sorted(found, key=lambda name: (places.get(name, len(places)), name))]


def check_report(out: Path) -> None:
    """Say now that the report cannot take its place, not when all is measured.

    Raises:
        BadData: There is a file of that name that is something else, or it cannot be read.
    """
    path = out / REPORT
    try:
        if path.exists() and (not path.is_file() or _MARK not in path.read_text(encoding="utf-8")[:1000]):
            raise BadData(f"{path}: it is not a report of studies; take another -o, or move it away")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a report of studies"
        raise BadData(f"{path}: {reason}") from None


def write_report(out: Path, order: Sequence[str]) -> Path:
    """Join the parts that are in a folder in its report.

    Raises:
        BadData: A part is damaged, or the report cannot be written.
    """
    parts = parts_of(out, order)
    try:
        text = "\n".join(_page(parts))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadData(f"{out}: a {PART} in it is damaged ({error!r}); run the studies again") from None
    path = out / REPORT
    with data_file(path) as fresh:
        fresh.write_text(text, encoding="utf-8")
    return path


def _page(parts: Sequence[tuple[Path, Part]]) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield _MARK
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield (
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
    )
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_TITLE}</title><style>{STYLE}</style></head><body>"
    yield f"<main><header><h1>{_TITLE}</h1>"
    yield (
        "<p>Each study measures again what was published about systems like this one, and says what comes "
        "out here. Every figure below was measured by the command that stands with it.</p></header>"
    )
    yield from _contents(parts)
    yield from _glance(parts)
    for folder, part in parts:
        yield from _study(folder, part)
    yield "</main></body></html>\n"


def _contents(parts: Sequence[tuple[Path, Part]]) -> Iterator[str]:
    yield '<nav aria-label="Contents"><h2>Contents</h2><ol>'
    for _, part in parts:
        name = _anchor(part["study"])
        yield f'<li><a href="#{name}">{_words(part["title"])}</a>{_quick_mark(part)}<ol>'
        for number, section in enumerate(part["sections"], 1):
            yield f'<li><a href="#{name}-{number}">{_words(section["title"])}</a></li>'
        yield "</ol></li>"
    yield "</ol></nav>"


def _glance(parts: Sequence[tuple[Path, Part]]) -> Iterator[str]:
    """All published figures beside what was measured, in one table."""
    rows = [(part, each) for _, part in parts for each in part["published"]]
    if not rows:
        return
    yield '<section class="glance"><h2>At a glance</h2><div class="wide" tabindex="0"><table>'
    yield _head("study", "figure", "published", "measured here")
    for part, each in rows:
        yield (
            f'<tr><td><a href="#{_anchor(part["study"])}">{_words(part["study"])}</a>{_quick_mark(part)}</td>'
            f"<td>{_words(each['name'])}</td><td>{_words(each['published'])}</td>"
            f"<td>{_words(each['measured'])}</td></tr>"
        )
    yield "</tbody></table></div></section>"


def _head(*titles: str) -> str:
    cells = "".join(f"<th>{title}</th>" for title in titles)
    return f"<thead><tr>{cells}</tr></thead><tbody>"


def _study(folder: Path, part: Part) -> Iterator[str]:
    name = _anchor(part["study"])
    yield f'<article id="{name}"><h2>{_words(part["title"])}{_quick_mark(part)}</h2>'
    yield f"<p>{_words(part['about'])}</p>"
    yield from _origin(part)
    if part["published"]:
        yield '<h3>Published, and measured here</h3><div class="wide" tabindex="0"><table class="beside">'
        yield _head("figure", "published", "measured here", "remark")
        for each in part["published"]:
            cells = "".join(f"<td>{_words(each[key])}</td>" for key in ("published", "measured", "remark"))
            yield f'<tr><th scope="row">{_words(each["name"])}</th>{cells}</tr>'
        yield "</tbody></table></div>"
    for number, section in enumerate(part["sections"], 1):
        yield f'<section id="{name}-{number}"><h3>{_words(section["title"])}</h3>'
        for words in section["words"]:
            yield f"<p>{_words(words)}</p>"
        for item in section["items"]:
            yield from _table(item) if "table" in item else _plot(folder, item, name)
        yield "</section>"
    if part["faults"]:
        faults = "".join(f"<li>{_words(fault)}</li>" for fault in part["faults"])
        yield f'<section class="faults"><h3>What is wrong with this part</h3><ul>{faults}</ul></section>'
    yield "</article>"


def _origin(part: Part) -> Iterator[str]:
    """The command, the machine, the versions, the day, and how long it took."""
    first, last = part["days"]
    days = first if first == last else f"{first} to {last}"
    yield f'<dl class="origin"><dt>command</dt><dd><code>{_words(part["command"])}</code></dd>'
    for each in part["machines"]:
        versions = ", ".join(
            f"{name} {value}" for name, value in each.items() if name not in ("processor", "cores")
        )
        cores = f", {each['cores']} cores" if "cores" in each else ""
        yield f"<dt>machine</dt><dd>{_words(each.get('processor', '-') + cores)}</dd>"
        yield f"<dt>versions</dt><dd>{_words(versions)}</dd>"
    took = seconds_text(float(part["seconds"]))
    yield f"<dt>measured</dt><dd>{_words(days)}; it took {_words(took)}</dd></dl>"


def _table(item: dict[str, Any]) -> Iterator[str]:
    if not item["shown"]:
        return
    columns = item["columns"]
    many = ' class="many"' if len(columns) > _MANY else ""
    short = " short" if len(item["rows"]) <= _SHORT else ""
    yield f'<figure class="wide{short}" tabindex="0"><table{many}><caption>{_words(item["title"])}</caption>'
    yield "<thead><tr>"
    yield "".join(f'<th class="{_side(column)}">{_words(column["title"])}</th>' for column in columns)
    yield "</tr></thead><tbody>"
    for row in item["rows"]:
        cells = zip(columns, row, strict=True)
        line = "".join(
            f'<td class="{_side(column)}">{_breakable(_words(cell_text(column["kind"], cell)))}</td>'
            for column, cell in cells
        )
        yield f"<tr>{line}</tr>"
    note = f"<figcaption>{_words(item['note'])}</figcaption>" if item["note"] else ""
    yield f"</tbody></table>{note}</figure>"


def _breakable(words: str) -> str:
    """A cell whose specs of agents may go on in the next line, after a comma or colon."""
    return re.sub(r"(?<=[,:])(?=[a-z])", "<wbr>", words)


def _side(column: dict[str, Any]) -> str:
    return "word" if column["kind"] == _TEXT else "number"


def _plot(folder: Path, item: dict[str, Any], study: str) -> Iterator[str]:
    path = folder / f"{Path(item['plot']).name}.svg"
    try:
        drawn = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadData(f"{path}: the plot is missing or damaged; run the study again") from None
    caption = f"<figcaption>{_words(item['caption'])}</figcaption>" if item["caption"] else ""
    label = html.escape(f"{item['title']}. {item['caption']}".strip())
    inline = inline_svg(drawn, f"{study}-{_anchor(item['plot'])}-", label)
    yield f'<figure class="plot"><h4>{_words(item["title"])}</h4>{inline}{caption}</figure>'


def inline_svg(drawn: str, prefix: str, label: str) -> str:
    """A drawing as an element of a page, which shares its names with no other.

    Args:
        drawn: An SVG file.
        prefix: What its names begin with from now on.
        label: What is said of it to those who do not see it.
    """
    start = drawn.find("<svg")
    if start < 0:
        raise BadData(f"{prefix}: it is not a drawing")
    drawn = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", drawn[start:], flags=re.DOTALL)
    drawn = re.sub(r"\bid=\"", f'id="{prefix}', drawn)
    drawn = re.sub(r"url\(#", f"url(#{prefix}", drawn)
    drawn = re.sub(r"\bhref=\"#", f'href="#{prefix}', drawn)
    head, _, rest = drawn.partition(">")
    head = re.sub(r"\s(xmlns(:\w+)?|version|width|height|role)=\"[^\"]*\"", "", head)
    size = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ', head)
    room = f' style="max-width: {float(size[1]) / _POINTS_PER_REM:.1f}rem"' if size else ""
    return f'{head}{room} role="img" aria-label="{label}">{rest}'.strip()


def _quick_mark(part: Part) -> str:
    return ' <span class="quick">quick run</span>' if part["quick"] else ""


def _anchor(name: str) -> str:
    return re.sub(r"[^a-z0-9-]", "-", str(name).lower())


def _words(text: object) -> str:
    """Text for the page; what is between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(str(text)))
