"""An agent as one Python file: the modules of the package that it needs and the opening book, packed.

The file needs Python and NumPy. It uses Numba where that is installed, and otherwise runs the kernels' own
sources as plain Python (`kernels.plain`).
"""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import re
import textwrap
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fourcast.files import in_place
from fourcast.game.errors import BadExport, BadOption, shown
from fourcast.game.geometry import STANDARD

KINDS = ("perfect", "negamax")
STYLES = ("kaggle", "contest")
MOST_BYTES = 1_000_000

_ROOT = Path(__file__).parents[1]
_BOOK = _ROOT / "solver" / "books" / f"{STANDARD}.book"
_NEEDED = ("interop.engine", "interop.observation", "kernels.plain")  # and all that they import
_CUT = "# --- from here on, this is what the file holds ---\n"
_OWN_IMPORT = re.compile(r"^(\s*(?:from|import) )fourcast(?=[. ])", re.MULTILINE)

_FIRST = '"""A Connect Four player, made by Fourcast '  # how every such file begins
_HEAD = '''{first}{version}: {kind}, for {style}.

{use}
It needs Python 3.11 and NumPy, and plays far better with Numba. Its sources and its opening book are packed
below. They are unpacked into a folder of the user's cache, so that compiled code is kept: run this file once
to have it compiled.
"""

from __future__ import annotations
'''
_USES = {
    "kaggle": "The last function, agent(observation, configuration), is what Kaggle's ConnectX calls.",
    "contest": "AIAgent(player_id).make_move(state) takes a 6x7 array of 0, 1 and 2, top row first.",
}


@dataclass(frozen=True, slots=True)
class Export:
    """An exported file.

    Attributes:
        kind: Who plays.
        style: Who asks.
        text: What the file holds.
        modules: How many of the package's modules are in it.
    """

    kind: str
    style: str
    text: str
    modules: int

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.text.encode())

    def to_json(self) -> dict[str, Any]:
        """What it is, without the text."""
        return {"agent": self.kind, "style": self.style, "bytes": self.size, "modules": self.modules}


def export_agent(kind: str = "perfect", style: str = "kaggle", most_bytes: int = MOST_BYTES) -> Export:
    """Pack an agent into the text of one Python file.

    Args:
        kind: "perfect", or "negamax", which takes half the time to compile.
        style: "kaggle" or "contest".
        most_bytes: The largest file that is wanted.

    Raises:
        BadOption: There is no such agent or style.
        BadExport: The file would be larger than that.
    """
    for what, given, known in (("agent", kind, KINDS), ("style", style, STYLES)):
        if given not in known:
            raise BadOption(f"there is no {what} {shown(given)} to export; known: {', '.join(known)}")
    from fourcast import __version__

    files = {str(path.relative_to(_ROOT)): path.read_text("utf-8") for path in _modules()}
    files["__init__.py"] = '"""The parts of Fourcast that this player needs."""\n'
    digest = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
    package = f"fourcast_{digest[:12]}"
    renamed = {path: _OWN_IMPORT.sub(rf"\g<1>{package}", text) for path, text in sorted(files.items())}
    text = "".join(
        (
            _HEAD.format(first=_FIRST, version=__version__, kind=kind, style=style, use=_USES[style]),
            f'\nPACKAGE, KIND = "{package}", "{kind}"\n',
            f'SOURCES = """\n{_packed(json.dumps(renamed).encode())}\n"""\n',
            f'BOOK = """\n{_packed(_BOOK.read_bytes())}\n"""\n',
            *(_code(part) for part in ("loading", style)),
        )
    )
    made = Export(kind, style, text, len(files))
    if made.size > most_bytes:
        raise BadExport(f"the file would have {made.size:,} bytes, and {most_bytes:,} is the most")
    return made


def write_agent(path: Path, kind: str = "perfect", style: str = "kaggle") -> Export:
    """As `export_agent`, into a file, whole or not at all; one that was exported before is replaced.

    Raises:
        BadOption: There is no such agent or style.
        BadExport: The file would be too large, cannot be written, or is there and is something else.
    """
    made = export_agent(kind, style)
    try:
        if path.is_file() and not path.read_bytes().startswith(_FIRST.encode()):
            named = shown(str(path))
            raise BadExport(f"{named} is there and was not exported; choose another name, or remove it")
        with in_place(path) as fresh:
            fresh.write_text(made.text, encoding="utf-8")
    except OSError as error:
        raise BadExport(f"cannot write {shown(str(path))}: {error.strerror}") from None
    return made


def _packed(data: bytes) -> str:
    return textwrap.fill(base64.b85encode(zlib.compress(data, 9)).decode(), 110)


def _code(part: str) -> str:
    source = (Path(__file__).parent / "exported" / f"{part}.py").read_text("utf-8")
    return source.partition(_CUT)[2]


def _modules() -> list[Path]:
    """The files of all modules that an exported file needs."""
    found: set[Path] = set()
    open_names = [f"fourcast.{name}" for name in _NEEDED]
    open_names += [f"fourcast.kernels.plain.{path.stem}" for path in (_ROOT / "kernels/plain").glob("*.py")]
    seen = {"fourcast"}  # its face would bring everything
    while open_names:
        name = open_names.pop()
        path = _ROOT.joinpath(*name.split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if name in seen or not path.is_file():
            continue
        seen.add(name)
        found.add(path)
        open_names.append(name.rpartition(".")[0])
        open_names += _imported(ast.parse(path.read_text("utf-8")))
    return sorted(found)


def _imported(tree: ast.AST) -> Iterator[str]:
    """The modules of the package that a file imports, but for those that only type checkers see."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "fourcast":
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from _imported(node)
