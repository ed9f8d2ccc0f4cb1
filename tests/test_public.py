"""The public face: what `import fourcast as fc` offers, what it costs, and that the README is true."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType

import pytest

import fourcast as fc
from fourcast.agents import registry
from fourcast.extras import require

ROOT = Path(__file__).parent.parent


def test_all_is_what_is_exported() -> None:
    names = {name for name in vars(fc) if not name.startswith("_")} | {"__version__"}
    rooms = {path.stem for path in Path(fc.__file__).parent.iterdir()} | {"annotations"}
    assert set(fc.__all__) == names - rooms
    for name in ("Geometry", "Rules", "Position", "Outcome", "Limit", "Analysis", "FourcastError"):
        assert name in fc.__all__
    for name in ("solve", "analyze", "agent", "agent_names", "Agent", "register"):
        assert name in fc.__all__
        assert getattr(fc, name).__doc__, name


def test_every_error_is_exported_and_has_the_one_base() -> None:
    from fourcast.game import errors

    classes = {name: each for name, each in vars(errors).items() if isinstance(each, type)}
    for name, error in classes.items():
        assert issubclass(error, fc.FourcastError), name
        assert getattr(fc, name) is error, name


def test_everything_public_is_documented() -> None:
    looked_at = 0
    for name in fc.__all__:
        thing = getattr(fc, name)
        if not isinstance(thing, type):
            continue
        assert thing.__doc__, name
        for member, attribute in vars(thing).items():
            if isinstance(attribute, FunctionType | classmethod | property) and not member.startswith("_"):
                assert attribute.__doc__, f"{name}.{member}"
                looked_at += 1
    assert looked_at > 30


@pytest.mark.parametrize(
    "command",
    [
        "import fourcast",
        "from fourcast.cli import run; run(['--help'])",
        "from fourcast.cli import run; run(['bench', '--help'])",
        "from fourcast.cli import run; run(['board', '4453', '--json'])",
        "from fourcast.cli import run; run(['agents', 'alphabeta'])",
        "import fourcast; assert 'alphabeta' in fourcast.agent_names()",
        "import fourcast; print(fourcast.Position.from_moves('4453')._repr_svg_())",
    ],
)
def test_light_things_import_nothing_heavy(command: str) -> None:
    script = f"{command}\nimport sys\nassert not {{'numba', 'numpy', 'llvmlite'}} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_position_is_solved_and_analysed_in_one_call() -> None:
    position = fc.Position.from_moves("4444432655")
    solved, analysed = fc.solve(position), fc.analyze(position)
    assert (solved.score, solved.column, solved.exact) == (1, 2, True)
    assert analysed.scores == (-15, -14, 1, -15, -15, -2, -15)
    assert fc.solve(position, weak=True).value == 1
    assert fc.solve(position).nodes < solved.nodes, "what was proven is kept"
    other = fc.Position.from_moves("12", "4x4x3")
    assert fc.solve(other).exact
    assert fc.solve(position).score == 1, "each board has its own"


def test_an_agent_or_its_spec_can_be_asked_within_a_limit() -> None:
    position = fc.Position.from_moves("12", "5x5x4")
    by_spec = fc.analyze(position, "alphabeta:depth=3")
    by_agent = fc.analyze(position, agent=fc.agent("alphabeta", rules=fc.Rules("5x5x4"), depth=3))
    assert (by_spec.depth, by_spec.column, by_spec.nodes) == (3, by_agent.column, by_agent.nodes)
    assert fc.analyze(position, "alphabeta:depth=3", limit="depth=2").depth == 2
    assert fc.analyze(position, "alphabeta:depth=3", limit=fc.Limit(depth=1)).depth == 1


def test_limits_and_wrong_questions_are_answered_as_everywhere() -> None:
    early = fc.Position("7x8x4")
    assert fc.solve(early, limit="nodes=1000").bounds is not None
    assert not fc.analyze(early, limit="nodes=1000").exact
    for ask in (fc.solve, fc.analyze):
        with pytest.raises(fc.GameOver):
            ask(fc.Position.from_moves("1212121"))
        with pytest.raises(fc.BadLimit):
            ask(early, limit="soon")
    with pytest.raises(fc.UnknownPlayer):
        fc.analyze(early, "nobody")
    with pytest.raises(fc.BadOption):
        fc.analyze(early, "alphabeta:depth=0")


def test_one_solver_answers_threads_one_after_the_other() -> None:
    positions = [fc.Position.from_moves(moves) for moves in ("4444432655", "4444433522", "44444326551")]
    alone = [fc.solve(position).score for position in positions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda position: fc.solve(position).score, positions * 8)) == alone * 8


def test_the_examples_in_the_docs_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    fc.agent_names()  # all that are known: what the examples add to them is forgotten in the end
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    tried = 0
    for document in documents:
        result = doctest.testfile(str(document), module_relative=False, optionflags=doctest.ELLIPSIS)
        assert result.failed == 0, document
        tried += result.attempted
    assert doctest.testmod(fc).failed == 0
    assert tried > 10


def test_a_missing_extra_says_what_to_install() -> None:
    with pytest.raises(fc.MissingExtra, match=r"pip install 'fourcast\[web\]'"):
        require("a_module_that_nobody_has", "web")
    with pytest.raises(ImportError):
        require("a_module_that_nobody_has", "web")


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-kaggle.txt"])
def test_the_constraints_are_names_and_versions_and_nothing_else(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    for line in lines:
        assert re.fullmatch(r"[a-z0-9_.-]+==[0-9][a-z0-9.]*", line), line
    assert lines == sorted(lines)


def test_whatever_is_needed_is_pinned() -> None:
    both = (ROOT / "constraints.txt").read_text() + (ROOT / "constraints-kaggle.txt").read_text()
    pinned = {line.split("==")[0] for line in both.splitlines()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    for requirement in set(wanted):
        if requirement.startswith("fourcast["):
            continue
        assert re.split(r"[<>=!~;\[ ]", requirement)[0] in pinned, requirement


def test_the_extras_are_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) >= {
        "web",
        "learn",
        "train",
        "cluster",
        "gym",
        "openspiel",
        "kaggle",
        "desktop",
        "notebook",
        "interop",
        "bench",
        "dev",
    }
