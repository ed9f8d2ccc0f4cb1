"""How foreign agents are named, and how their answers are read."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import AgentFailed, BadOption, GameOver, Limit, Position, Rules, agent
from fourcast.agents.foreign import protocol, runner
from fourcast.agents.foreign.agent import ForeignAgent
from fourcast.agents.registry import read_spec
from fourcast.game.notation import COLUMN_NAMES
from tests.boards import positions


@pytest.mark.parametrize("rest", ["a.py", "a,b=c:d.py", "x=1", ":", "a b  c,", "guard=2", "memory_mb=3"])
def test_all_that_follows_the_colon_is_taken_as_it_stands(rest: str) -> None:
    for name, option in (("file", "path"), ("exec", "command")):
        entry, given = read_spec(f"{name}:{rest}")
        assert (entry.name, given) == (name, {option: rest})
        assert entry.raw
        assert entry.foreign


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("file", "agent file: say which, as in file:path/to/agent.py"),
        ("file:", "agent file: say which, as in file:path/to/agent.py"),
        ("file:no/such.py", "agent file: there is no file 'no/such.py'"),
        ("file:.", "agent file: '.' is not a Python file (NAME.py)"),
        ("file:/etc/passwd", "agent file: '/etc/passwd' is not a Python file (NAME.py)"),
        ("file:a\0b", "agent file: path=a\\x00b: it takes the path of a Python file"),
        ("exec", "agent exec: say which program, as in exec:./agent --fast"),
        ("exec: ", "agent exec: say which program, as in exec:./agent --fast"),
        ("exec:''", "agent exec: there is no program '' that can be run"),
        ("exec:no-such-program -x", "agent exec: there is no program 'no-such-program' that can be run"),
        ("exec:/etc/passwd", "agent exec: there is no program '/etc/passwd' that can be run"),
        ("exec:cat 'x", 'agent exec: "cat \'x" cannot be read: no closing quotation'),
        ("exec:" + "x" * 5000, "agent exec: there is no program 'xxx"),
        ("file:" + "x" * 5000, "agent file: there is no file 'xxx"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said_at_once(spec: str, message: str) -> None:
    with pytest.raises(BadOption) as caught:
        agent(spec)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200


def test_other_options_are_given_by_name() -> None:
    player = agent(f"exec:{sys.executable}", memory_mb=64, processes=2)
    assert isinstance(player, ForeignAgent)
    assert (player.fence.memory, player.fence.processes) == (64 * 2**20, 2)
    with pytest.raises(BadOption, match="memory_mb=3: it takes a whole number, 16 to 1048576"):
        agent("exec:cat", memory_mb=3)


def test_a_program_that_goes_away_fails_to_start(tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    with pytest.raises(AgentFailed, match=r"\(start\): it cannot be run: No such file") as caught:
        agent(f"exec:{program}").analyze(Position(), Limit())
    assert caught.value.reason == "start"


def test_a_finished_game_is_not_asked_about() -> None:
    with pytest.raises(GameOver, match="the game is over"):
        agent("exec:cat").analyze(Position.from_moves("1212121"), Limit())


@given(positions(), st.integers(0, 40))
def test_a_column_is_understood_by_name_and_by_number(position: Position, column: int) -> None:
    names = [str(column + 1), *COLUMN_NAMES[column : column + 1], *COLUMN_NAMES[column : column + 1].upper()]
    for answer in names:
        if column in position.legal:
            assert protocol.read_move(answer, position) == column
        else:
            with pytest.raises(AgentFailed) as caught:
                protocol.read_move(answer, position)
            assert caught.value.reason == "illegal"


@given(positions(), st.text(max_size=300))
def test_any_other_answer_is_a_failure_in_one_line(position: Position, answer: str) -> None:
    try:
        assert protocol.read_move(answer, position) in position.legal
        assert len(answer.strip()) <= 3
    except AgentFailed as failure:
        assert failure.reason in ("illegal", *protocol.ADMITTED)
        assert str(failure).isprintable()
        assert len(str(failure)) < 300


@given(positions(), st.sampled_from([None, 0, 17, 2**70]), st.sampled_from([0.0, 0.2]))
def test_the_runner_reads_what_we_write(position: Position, seed: int | None, slip: float) -> None:
    words = protocol.game_line(Rules(position.geometry, slip), position.turn, seed).split()
    game = runner.Game.read(words[1:])
    geometry = position.geometry
    assert (game.rows, game.columns, game.connect) == (geometry.rows, geometry.columns, geometry.connect)
    assert (game.mark, game.seed) == (position.turn + 1, None if seed is None else str(seed))
    asked = runner.Question.read(protocol.move_line(position, 0.0004).split()[1:])
    assert asked.cells == position.to_flat()
    assert asked.seconds == 0.001


def test_the_moves_of_a_board_may_be_none_or_unknown() -> None:
    assert protocol.move_line(Position(), 1).split()[2] == "-"
    upside_down = Position.from_text("X..X/O..O")  # X moves first, so this is not how a game goes
    assert protocol.move_line(upside_down, 1) == "move 1.000 ? X..X/O..O"


def test_the_keeper_and_the_runner_need_nothing_of_the_package() -> None:
    folder = Path(runner.__file__).parent
    for name in ("keeper.py", "runner.py"):
        assert not re.search(r"^\s*(from|import) fourcast", (folder / name).read_text(), re.MULTILINE)
    # It is where Python looks first when it starts the runner.
    assert not {path.stem for path in folder.glob("*.py")} & sys.stdlib_module_names
