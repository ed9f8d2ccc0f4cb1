"""Foreign agents that play properly, in Python and in other languages."""

from __future__ import annotations

import random
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from fourcast import Limit, Position, Rules, agent
from fourcast.agents import Agent, new_game
from fourcast.agents.foreign.agent import ForeignAgent
from tests.agents.foreign.good import BESIDE, FILES
from tests.agents.foreign.processes import processes_of
from tests.cli.command import fourcast

LIMIT = Limit(seconds=5)
DOCUMENT = Path(__file__).parents[3] / "docs" / "foreign.md"


def play_against_random(player: Agent, rules: Rules, side: int, seed: int) -> Position:
    """A whole game; every answer is legal, or it would not be one."""
    new_game(player)
    robot, chance = agent("random", rules, seed), random.Random(seed)
    position = Position(rules.geometry)
    while not position.is_over:
        mover = player if position.turn == side else robot
        column = mover.analyze(position, LIMIT).column
        position = position.play(rules.land(position, column, chance))
    return position


def example(language: str) -> str:
    """The agent that the page shows in a language."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    return next(block for block in blocks if "quit" in block)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder whose name holds all that a spec could stumble over."""
    place = tmp_path / "a, b=c: d"
    place.mkdir()
    for name, text in BESIDE.items():
        (place / name).write_text(text)
    return place


@pytest.mark.parametrize("name", FILES)
def test_a_file_plays_on_every_board_as_either_side(name: str, folder: Path) -> None:
    (folder / f"{name}.py").write_text(dedent(FILES[name]))
    for board, slip in (("6x7x4", 0.0), ("8x10x5", 0.0), ("5x10x4", 0.2)):
        rules = Rules(board, slip)
        player = agent(f"file:{folder / name}.py", rules, seed=1)
        assert isinstance(player, ForeignAgent)
        with player:
            for side in (0, 1):
                assert play_against_random(player, rules, side, seed=side).is_over
            assert len(processes_of(folder)) == 2, "one process for all games, and its keeper"
        assert not processes_of(folder)


@pytest.mark.parametrize(
    ("language", "program", "command"),
    [
        ("python", "agent.py", [sys.executable]),
        ("sh", "agent.sh", ["sh"]),
        ("c", "agent.c", []),
    ],
)
def test_the_programs_that_the_page_shows_play(
    language: str, program: str, command: list[str], folder: Path
) -> None:
    path = folder / program
    path.write_text(example(language))
    if language == "c":
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler")
        subprocess.run([compiler, "-Wall", "-Werror", "-o", folder / "agent", path], check=True)
        path = folder / "agent"
    spec = f"exec:{shlex.join([*command, str(path)])}"
    for board, slip in (("6x7x4", 0.0), ("8x10x5", 0.0), ("5x10x4", 0.2)):
        rules = Rules(board, slip)
        with agent(spec, rules, seed=1) as player:  # type: ignore[attr-defined]
            for side in (0, 1):
                assert play_against_random(player, rules, side, seed=side).is_over
    assert not processes_of(folder)


def test_the_file_that_the_page_shows_plays(folder: Path) -> None:
    shown = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    kaggle = next(block for block in shown if "def agent(observation" in block)
    contest = next(block for block in shown if "def make_move" in block)
    for source in (kaggle, contest):
        (folder / "shown.py").write_text(source)
        with agent(f"file:{folder / 'shown.py'}", seed=1) as player:  # type: ignore[attr-defined]
            assert play_against_random(player, Rules(), 0, seed=2).is_over


def test_the_same_seed_gives_the_same_game(folder: Path) -> None:
    (folder / "a.py").write_text(
        "import random\nimport numpy as np\n"
        "def agent(o, c):\n"
        "    return random.choice([x for x in range(7) if not o.board[x]]) if o.step % 4 else "
        "np.random.choice([x for x in range(7) if not o.board[x]])\n"
    )
    games = [
        play_against_random(agent(f"file:{folder / 'a.py'}", seed=seed), Rules(), 0, seed=5).moves
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize(
    ("source", "counts"),
    [
        ("n = 0\ndef agent(o, c):\n    global n\n    n += 1\n    return n - 1\n", [0, 1, 0, 1]),
        (
            "n = 0\ndef agent(o, c):\n    global n\n    n += 1\n    return n - 1\n"
            "def new_game():\n    global n\n    n = 3\n",
            [3, 4, 3, 4],
        ),
        (
            "class A:\n    def __init__(self): self.n = 1\n"
            "    def make_move(self, s):\n        self.n += 1\n        return self.n - 1\n",
            [1, 2, 1, 2],
        ),
    ],
)
def test_a_new_game_is_a_new_start(source: str, counts: list[int], folder: Path) -> None:
    (folder / "a.py").write_text(source)
    with agent(f"file:{folder / 'a.py'}") as player:  # type: ignore[attr-defined]
        columns = []
        for _ in range(2):
            new_game(player)
            columns += [player.analyze(Position(), LIMIT).column for _ in range(2)]
        assert columns == counts


def test_the_other_side_is_another_game(folder: Path) -> None:
    (folder / "a.py").write_text(
        "class A:\n    def __init__(self, me): self.me = me\n    def make_move(self, s): return self.me\n"
    )
    with agent(f"file:{folder / 'a.py'}") as player:  # type: ignore[attr-defined]
        places = [Position.from_moves(moves) for moves in ("", "1", "11", "111")]
        assert [player.analyze(place, LIMIT).column for place in places] == [1, 2, 1, 2]
        assert player.analyze(Position("8x10x5"), LIMIT).column == 1, "and so is another board"


def test_an_answer_has_the_time_and_the_memory(folder: Path) -> None:
    (folder / "a.py").write_text(
        "import time\ndef agent(o, c):\n    time.sleep(0.05)\n    x = b'x' * 50_000_000\n    return 2\n"
    )
    with agent(f"file:{folder / 'a.py'}") as player:  # type: ignore[attr-defined]
        found = player.analyze(Position(), LIMIT)
        assert (found.column, found.pv) == (2, (2,))
        assert 0.05 <= found.seconds < 5
        assert 50_000_000 < found.memory < 200_000_000


def test_an_agent_sees_little_of_our_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "swordfish")
    (folder / "a.py").write_text(
        "import os, sys\n"
        "def agent(o, c):\n"
        "    assert 'SECRET_TOKEN' not in os.environ and 'PATH' in os.environ\n"
        "    assert 'fourcast' not in sys.modules and not sys.stdin.read()\n"
        "    assert os.getcwd() == os.path.dirname(__file__) == sys.path[0]\n"
        "    assert len(os.listdir('/proc/self/fd')) <= 6, os.listdir('/proc/self/fd')\n"
        "    return 0\n"
    )
    with agent(f"file:{folder / 'a.py'}") as player:  # type: ignore[attr-defined]
        assert player.analyze(Position(), LIMIT).column == 0


@pytest.mark.parametrize("name", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_an_agent_finds_what_it_compiled_before(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, str(folder / "cache"))
    (folder / "a.py").write_text(f"import os\ndef agent(o, c):\n    return len(os.environ[{name!r}]) and 2\n")
    with agent(f"file:{folder / 'a.py'}") as player:  # type: ignore[attr-defined]
        assert player.analyze(Position(), LIMIT).column == 2


def test_what_starts_a_program_may_need_more_processes_than_the_program(folder: Path) -> None:
    (folder / "agent.py").write_text(example("python"))
    helpers = " | ".join(["sleep 0.1"] * 7)
    (folder / "shim").write_text(f'{helpers}\nexec {shlex.quote(sys.executable)} "$@"\n')
    spec = f"exec:{shlex.join(['sh', str(folder / 'shim'), str(folder / 'agent.py')])}"
    with agent(spec) as player:  # type: ignore[attr-defined]
        assert player.analyze(Position(), LIMIT).column == 0


def test_foreign_agents_play_on_the_command_line(folder: Path) -> None:
    (folder / "a.py").write_text(dedent(FILES["items"]))
    spec = f"file:{folder / 'a.py'}"
    played = fourcast("play", "--first", spec, "--second", "random", "--seed", "1")
    assert (played.returncode, played.stderr) == (0, "")
    asked = fourcast("analyze", "44", "--agent", spec)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert "column 7" in asked.stdout
    (folder / "b.py").write_text("def agent(o, c):\n    return 99\n")
    wrong = fourcast("play", "--first", f"file:{folder / 'b.py'}", "--second", "random")
    assert wrong.returncode == 2
    assert wrong.stderr == (
        "fourcast: agent file:b.py failed (illegal): it returned 99; the columns are 0 to 6\n"
    )
    assert not processes_of(folder)
