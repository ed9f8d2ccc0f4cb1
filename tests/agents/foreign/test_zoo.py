"""Agents that misbehave lose their move with the right reason, in time, and leave nothing behind."""

from __future__ import annotations

import pickle
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fourcast import AgentFailed, Limit, Position, Rules, agent
from fourcast.agents.foreign.agent import ForeignAgent
from tests.agents.foreign.processes import processes_of, wait_until_gone, zombies
from tests.agents.foreign.zoo import FILES, PROGRAMS, Bad

LIMIT = Limit(seconds=0.3)
COLUMN_1_IS_FULL = Position.from_moves("111111")


def fails(player: ForeignAgent, bad: Bad, folder: Path) -> None:
    """It fails as it should, again and again."""
    player.fence = replace(player.fence, startup=0.3 if bad is PROGRAMS["says-nothing"] else 10)
    for _ in range(2):
        start = time.monotonic()
        with pytest.raises(AgentFailed) as caught:
            player.analyze(COLUMN_1_IS_FULL, LIMIT)
        taken = time.monotonic() - start
        message = str(caught.value)
        assert caught.value.reason == bad.reason, message
        assert bad.says in message
        assert message.startswith(f"agent {player.name} failed ({bad.reason}): ")
        assert "\n" not in message
        assert len(message) < 300
        assert taken < 0.3 + 1
        if "keeper" in bad.says:  # which would have waited for it
            wait_until_gone(folder, seconds=1)
        assert not processes_of(folder)
        assert not zombies()
    player.close()


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_fails(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(FILES[name].source)
    player = agent(f"file:{path}", memory_mb=128)
    assert isinstance(player, ForeignAgent)
    fails(player, FILES[name], tmp_path)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_bad_program_fails(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(PROGRAMS[name].source)
    player = agent(f"exec:{shlex.join([sys.executable, str(path)])}", memory_mb=128)
    assert isinstance(player, ForeignAgent)
    fails(player, PROGRAMS[name], tmp_path)


def test_a_failure_tells_what_the_agent_wrote_and_can_be_handed_on(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def agent(o, c):\n    print('thinking')\n    return 1 // 0\n")
    with pytest.raises(AgentFailed) as caught:
        agent(f"file:{tmp_path / 'a.py'}").analyze(Position(), LIMIT)
    assert caught.value.detail.startswith("thinking\nTraceback")
    assert "line 3, in agent" in caught.value.detail
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.reason, str(again), again.detail) == ("crash", str(caught.value), caught.value.detail)


def test_after_a_failure_the_next_question_is_answered(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def agent(o, c):\n    return 3 if o.step else None\n")
    player = agent(f"file:{tmp_path / 'a.py'}", Rules())
    for _ in range(3):
        with pytest.raises(AgentFailed, match="it returned None"):
            player.analyze(Position(), LIMIT)
        assert player.analyze(Position.from_moves("4"), LIMIT).column == 3


def test_a_second_answer_that_comes_late_is_noticed_at_the_next_question(tmp_path: Path) -> None:
    late = PROGRAMS["answers-twice"].source.replace(
        r"print('4\n4', flush=True)", "print(4, flush=True); time.sleep(0.05); print(4, flush=True)"
    )
    (tmp_path / "a.py").write_text(late)
    player = agent(f"exec:{shlex.join([sys.executable, str(tmp_path / 'a.py')])}")
    assert player.analyze(Position(), LIMIT).column == 3
    time.sleep(0.3)
    with pytest.raises(AgentFailed, match=r"\(output\): it said '4' without being asked"):
        player.analyze(Position.from_moves("44"), LIMIT)


def test_a_file_that_goes_looking_for_our_pipe_gains_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import os\ndef agent(o, c):\n    for number in range(3, 10):\n"
        "        try: os.write(number, b'4\\n')\n        except OSError: pass\n    return 3\n"
    )
    player = agent(f"file:{tmp_path / 'a.py'}")
    with pytest.raises(AgentFailed, match=r"\(output\): it said '4' "):
        for _ in range(2):  # its second answer may come after the first was taken
            player.analyze(Position(), LIMIT)
            time.sleep(0.1)


def test_what_is_written_is_counted_for_each_game(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def agent(o, c):\n    print('x' * 400_000)\n    return 3\n")
    player = agent(f"file:{tmp_path / 'a.py'}")
    assert isinstance(player, ForeignAgent)
    for _ in range(3):
        player.new_game()
        player.analyze(Position(), Limit(seconds=5))
        player.analyze(Position(), Limit(seconds=5))
    with pytest.raises(AgentFailed, match="to standard error in a game"):
        player.analyze(Position(), Limit(seconds=5))
