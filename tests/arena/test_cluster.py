"""A cluster of two nodes on this machine: games of a node that is killed are played by the other."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.learning.nets import needs_training
from tests.nodes import Nodes, needs_ray, running_nodes, until
from tests.packages import install

# Plays for some hundredths of a second, and leaves a file in $SEEN for each node that it has played on.
WITNESS = """
    import os
    import time
    from pathlib import Path

    from fourcast.agents import register
    from fourcast.game.analysis import Analysis

    @register("witness")
    class Witness:
        '''Says where it has played.'''

        def __init__(self, rules, seed):
            pass

        def new_game(self):
            import ray

            (Path(os.environ["SEEN"]) / ray.get_runtime_context().get_node_id()).touch()

        def analyze(self, position, limit):
            time.sleep(0.005)
            return Analysis(position, position.legal[0])
"""

DOOMED = """
    import os

    from fourcast.agents import register

    @register("doomed")
    class Doomed:
        '''Takes its process with it.'''

        def __init__(self, rules, seed):
            pass

        def analyze(self, position, limit):
            os._exit(1)
"""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    packages = tmp_path_factory.mktemp("packages")
    paths = install(packages, witness=WITNESS, doomed=DOOMED)["PYTHONPATH"]
    with running_nodes({"PYTHONPATH": paths, "SEEN": str(tmp_path_factory.mktemp("seen"))}) as nodes:
        yield nodes


class Match:
    """`fourcast match` on the cluster, as a command."""

    def __init__(self, nodes: Nodes, out: Path, games: int, first: str, second: str) -> None:
        self.out = out
        self.seen = Path(nodes.environment["SEEN"])
        for file in self.seen.iterdir():
            file.unlink()
        command = [sys.executable, "-m", "fourcast", "match", first, second, "--games", str(games)]
        command += ["--openings", "none", "--grade", "0", "--json"]
        self.process = subprocess.Popen(
            [*command, "--cluster", nodes.address, "--out", str(out)],
            env=nodes.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def nodes_seen(self) -> int:
        """How many nodes have begun a game."""
        return len(list(self.seen.iterdir()))

    def games(self) -> list[int]:
        """The numbers of the games in the store."""
        try:
            database = sqlite3.connect(f"file:{self.out}?mode=ro", uri=True)
        except sqlite3.Error:
            return []
        try:
            return [number for (number,) in database.execute("SELECT number FROM games ORDER BY number")]
        except sqlite3.Error:  # not made yet
            return []
        finally:
            database.close()

    def end(self) -> tuple[int, str, str]:
        """What it returned and wrote."""
        out, err = self.process.communicate(timeout=90)
        return self.process.returncode, out, err


@needs_ray
@pytest.mark.slow
def test_a_node_that_is_killed_costs_no_game(nodes: Nodes, tmp_path: Path) -> None:
    match = Match(nodes, tmp_path / "games.db", 150, "witness", "random")
    assert until(lambda: match.nodes_seen() == 2 and len(match.games()) > 20), match.games()
    nodes.kill(nodes.sessions[1])
    before = len(match.games())
    code, out, err = match.end()
    assert (code, err) == (0, "")
    assert before < 150
    assert match.games() == list(range(150))
    report = json.loads(out)
    assert (report["games"], report["complete"]) == (150, True)


@needs_ray
@pytest.mark.slow
def test_a_node_that_joins_later_plays(nodes: Nodes, tmp_path: Path) -> None:
    nodes.kill(*nodes.sessions[1:])
    match = Match(nodes, tmp_path / "games.db", 2000, "witness", "random")
    assert until(lambda: len(match.games()) > 0)
    assert match.nodes_seen() == 1
    nodes.start()
    assert until(lambda: match.nodes_seen() == 2)
    match.process.send_signal(signal.SIGINT)
    code, out, err = match.end()
    assert err.startswith("fourcast: stopped after"), err
    assert code == 130
    assert err.count("\n") == 1
    assert until(lambda: not nodes.working())
    games = match.games()
    assert len(games) == len(set(games)) == json.loads(out)["games"]


@needs_ray
@pytest.mark.slow
def test_a_game_that_ends_its_process_each_time_is_named(nodes: Nodes, tmp_path: Path) -> None:
    code, out, err = Match(nodes, tmp_path / "games.db", 2, "random", "doomed").end()
    assert (code, out) == (2, "")
    assert "a worker has died 4 times in game" in err
    assert err.count("\n") == 1


@needs_ray
@pytest.mark.slow
def test_a_network_that_teaches_itself_plays_the_same_games_on_a_cluster(
    nodes: Nodes, tmp_path: Path
) -> None:
    needs_training()
    command = [sys.executable, "-m", "fourcast", "train", "selfplay", "--board", "3x4x3", "--games", "12"]
    command += ["--simulations", "16", "--channels", "4", "--blocks", "1", "--batch", "16", "--gate", "8"]
    command += ["--grade", "20", "--fresh", "0", "--generations", "2"]
    for name, where in (("there", ["--cluster", nodes.address]), ("here", ["--jobs", "1"])):
        done = subprocess.run(
            [*command, *where, "-o", str(tmp_path / name)],
            env=nodes.environment,
            capture_output=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "there.onnx").read_bytes() == (tmp_path / "here.onnx").read_bytes()


@needs_ray
@pytest.mark.slow
def test_a_head_that_is_killed_ends_the_match_and_loses_nothing(nodes: Nodes, tmp_path: Path) -> None:
    match = Match(nodes, tmp_path / "games.db", 2000, "witness", "random")
    assert until(lambda: len(match.games()) > 20)
    nodes.kill(nodes.sessions[0])
    code, out, err = match.end()
    assert (code, out) == (2, "")
    assert err.startswith(f"fourcast: cluster '{nodes.address}'")
    assert err.count("\n") == 1
    assert len(match.games()) > 20
