"""The rooms and which way they may import: downward only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import fourcast

ROOT = Path(fourcast.__file__).parent

#: From the bottom up. A room may import itself and those before it.
ROOMS = [
    "game",
    "extras",
    "files",
    "machine",
    "workers",
    "kernels",
    "solver",
    "models",
    "evaluators",
    "search",
    "agents",
    "session",
    "arena",
    "face",
    "learning",
    "study",
    "interop",
    "web",
    "desktop",
    "bench",
    "cli",
]

#: What only some rooms may import, wherever the import stands.
KEPT_TO = {
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "typer": {"cli"},
    "rich": {"cli"},
}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def room(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every module that is imported anywhere in the file, and the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the room"
            assert node.module is not None
            yield node.module, node.lineno
            if node.module == "fourcast":
                yield from ((f"fourcast.{alias.name}", node.lineno) for alias in node.names)


def top_level_imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from imports(ast.Module([node], []))


def faults(here: str, source: str) -> list[str]:
    """What a file of a room imports and may not."""
    found = []
    for name, line in imports(ast.parse(source)):
        parts = name.split(".")
        if parts[0] == "fourcast" and len(parts) > 1 and parts[1] in ROOMS:
            if ROOMS.index(parts[1]) > ROOMS.index(here):
                found.append(f"line {line}: {here} imports {name}")
        elif here not in KEPT_TO.get(parts[0], {here}):
            found.append(f"line {line}: {parts[0]} is kept to {KEPT_TO[parts[0]]}")
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_downward(path: Path) -> None:
    here = room(path)
    if here not in ("__init__", "__main__"):
        assert here in ROOMS, f"{path}: say in ROOMS where {here} stands"
        assert not faults(here, path.read_text())


@pytest.mark.parametrize("path", sorted((ROOT / "game").glob("*.py")), ids=lambda path: path.name)
def test_the_game_is_plain_python(path: Path) -> None:
    for name, line in top_level_imports(ast.parse(path.read_text())):
        assert name.split(".")[0] not in ("numpy", "numba", "rich", "typer"), f"{path}:{line}"


def test_the_rules_above_can_fail() -> None:
    assert faults("game", "def f():\n    from fourcast.cli import board\n")
    assert faults("kernels", "from fourcast import cli")
    assert faults("cli", "import numba.core")
    assert faults("game", "import rich")
    assert not faults("cli", "import rich\nfrom fourcast.game import rules")


def test_files_hold_one_thing() -> None:
    long = {str(path): lines for path in modules() if (lines := len(path.read_text().splitlines())) > 500}
    assert not long
