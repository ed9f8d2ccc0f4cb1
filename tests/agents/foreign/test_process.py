"""The life of a foreign agent's process: however it ends, or we do, nothing of it stays."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent

import pytest

from fourcast import AgentFailed, Limit, Position, agent
from fourcast.agents.foreign.agent import ForeignAgent
from fourcast.agents.foreign.usage import shared_out, usage
from tests.agents.foreign.processes import processes_of, wait_until_gone, zombies

LIMIT = Limit(seconds=5)

#: Leaves a process behind that nobody is the parent of, and answers the first question only.
RUNAWAY = """
    import os, signal, time

    def agent(observation, configuration):
        if observation.step == 0 and os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(600)
            os._exit(0)
        if observation.step == 2:
            time.sleep(600)
        return 3
"""


@pytest.fixture
def runaway(tmp_path: Path) -> str:
    (tmp_path / "runaway.py").write_text(dedent(RUNAWAY))
    return f"file:{tmp_path / 'runaway.py'}"


def test_runaways_are_seen_and_ended(runaway: str, tmp_path: Path) -> None:
    player = agent(runaway)
    assert isinstance(player, ForeignAgent)
    player.analyze(Position(), LIMIT)
    assert player._process is not None
    keeper = player._process._keeper.pid
    assert usage(keeper).processes == 2, "the agent and its runaway"
    player.close()
    assert not processes_of(tmp_path)
    assert not zombies()
    player.close()
    assert player.analyze(Position.from_moves("4"), LIMIT).column == 3, "it can be asked again"
    player.close()


@pytest.mark.parametrize("question", ["Position()", "Position.from_moves('44')"])
def test_if_we_are_killed_nothing_stays(question: str, runaway: str, tmp_path: Path) -> None:
    script = f"""
        import time
        from fourcast import Limit, Position, agent
        player = agent({runaway!r})
        player.analyze(Position(), Limit())
        print("asked", flush=True)
        player.analyze({question}, Limit(seconds=600))
        time.sleep(600)
    """
    ours = subprocess.Popen([sys.executable, "-c", dedent(script)], stdout=subprocess.PIPE, text=True)
    assert ours.stdout is not None
    assert ours.stdout.readline() == "asked\n"
    time.sleep(0.1)
    assert len(processes_of(tmp_path)) >= 4, "us, the keeper, the agent and its runaway"
    ours.kill()
    ours.wait()
    ours.stdout.close()
    assert not wait_until_gone(tmp_path)


@pytest.mark.parametrize("end", ["", "import sys; sys.exit(3)", "import os; os._exit(0)", "1 / 0"])
def test_if_we_end_nothing_stays(end: str, runaway: str, tmp_path: Path) -> None:
    script = (
        f"from fourcast import *\nplayer = agent({runaway!r})\nplayer.analyze(Position(), Limit())\n{end}"
    )
    subprocess.run([sys.executable, "-c", script], check=False, stderr=subprocess.DEVNULL)
    assert not wait_until_gone(tmp_path)


def test_an_agent_outlives_the_thread_that_started_it(runaway: str, tmp_path: Path) -> None:
    player = agent(runaway)
    assert isinstance(player, ForeignAgent)
    thread = threading.Thread(target=player.analyze, args=(Position.from_moves("4"), LIMIT))
    thread.start()
    thread.join()
    before = processes_of(tmp_path)
    time.sleep(0.2)
    assert player.analyze(Position.from_moves("444"), LIMIT).column == 3
    assert processes_of(tmp_path) == before, "it is still the same process"
    player.close()


def test_an_agent_that_is_forgotten_is_ended(runaway: str, tmp_path: Path) -> None:
    player = agent(runaway)
    player.analyze(Position(), LIMIT)
    del player
    gc.collect()
    assert not processes_of(tmp_path)
    assert not zombies()


def test_a_question_can_be_stopped_from_another_thread(runaway: str, tmp_path: Path) -> None:
    player = agent(runaway)
    assert isinstance(player, ForeignAgent)
    player.stop()  # nobody is asked: it does nothing
    player.analyze(Position(), LIMIT)
    for end in (player.stop, player.close):
        timer = threading.Timer(0.3, end)
        timer.start()
        start = time.monotonic()
        with pytest.raises(AgentFailed, match="it was stopped before it answered") as caught:
            player.analyze(Position.from_moves("44"), Limit(seconds=60))
        assert caught.value.reason == "stopped"
        assert time.monotonic() - start < 2
        timer.join()
        assert not wait_until_gone(tmp_path)
    assert player.analyze(Position(), LIMIT).column == 3
    player.close()


def test_a_fork_of_ours_does_not_end_the_agent(runaway: str) -> None:
    player = agent(runaway)
    assert isinstance(player, ForeignAgent)
    player.analyze(Position.from_moves("4"), LIMIT)
    fork = os.fork()
    if fork == 0:
        try:
            player._drop()
        finally:
            os._exit(0)
    assert os.waitpid(fork, 0)[1] == 0
    assert player.analyze(Position.from_moves("444"), LIMIT).column == 3
    player.close()


def test_a_keeper_that_is_asked_to_end_ends_all(runaway: str, tmp_path: Path) -> None:
    player = agent(runaway)
    assert isinstance(player, ForeignAgent)
    player.analyze(Position(), LIMIT)
    assert player._process is not None
    os.kill(player._process._keeper.pid, signal.SIGTERM)
    assert len(wait_until_gone(tmp_path)) <= 1, "but for the keeper, which waits to be buried"
    with pytest.raises(AgentFailed) as caught:
        player.analyze(Position(), LIMIT)
    assert caught.value.reason == "exit"
    assert not processes_of(tmp_path)


def test_an_agent_may_take_its_leave(tmp_path: Path) -> None:
    source = """
        import sys
        said = []
        for line in sys.stdin:
            said.append(line)
            if line.split()[0] in ("fourcast", "game"): print("ready somebody else", flush=True)
            if line.startswith("move"): print(4, flush=True)
        open(sys.argv[1], "w").write("".join(said))
    """
    (tmp_path / "a.py").write_text(dedent(source))
    log = tmp_path / "log"
    with agent(f"exec:{shlex.join([sys.executable, str(tmp_path / 'a.py'), str(log)])}", seed=7) as player:  # type: ignore[attr-defined]
        player.analyze(Position.from_moves("44"), Limit(seconds=1.5))
        player.new_game()
        player.new_game()
        player.analyze(Position.from_text("..../XO.."), Limit())
    assert log.read_text().splitlines() == [
        "fourcast 1",
        "game 6x7x4 0 first 7",
        "move 1.500 44 ......./......./......./......./...O.../...X...",
        "end",
        "game 2x4x4 0 first 7",
        "move 10.000 12 ..../XO..",
        "quit",
    ]


def test_memory_that_is_shared_counts_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import os, time\nhoard = b'x' * 60_000_000\n"
        "def agent(o, c):\n"
        "    if o.step == 0 and os.fork() == 0: time.sleep(600)\n"
        "    time.sleep(0.1)\n    return 3\n"
    )
    with agent(f"file:{tmp_path / 'a.py'}", memory_mb=100) as player:  # type: ignore[attr-defined]
        found = player.analyze(Position(), LIMIT)
        assert 60_000_000 < found.memory < 100 * 2**20
        seen = usage(player._process._keeper.pid)
        assert seen.memory > 120_000_000 > shared_out(seen.pids) > 60_000_000
