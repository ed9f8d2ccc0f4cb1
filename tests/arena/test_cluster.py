"""A cluster of two nodes on this machine: games of a node that is killed are played by the other."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import fourcast
from fourcast.arena import cluster
from fourcast.arena.cluster import ClusterWorkers
from fourcast.game.errors import MissingExtra, WorkersLost
from tests.learning.nets import needs_training
from tests.packages import install

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra: cluster)"
)

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


class Nodes:
    """The nodes of a cluster on this machine, each with its processes in a session of their own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.sessions: list[int] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"

    def start(self) -> int:
        """Start the head, or another node; each has one core.

        Returns:
            The number of its session.
        """
        if self.sessions:
            which = ["--address", self.address]
        else:
            host, port = self.address.split(":")
            which = ["--head", "--node-ip-address", host, "--port", port, "--temp-dir", str(self.folder)]
            which += ["--include-dashboard", "false", "--disable-usage-stats"]
        ray = str(Path(sys.executable).with_name("ray"))
        sizes = ["--num-cpus", "1", "--object-store-memory", "80000000"]
        ports = ["--min-worker-port", "0", "--max-worker-port", "0"]
        with (self.folder / "start.log").open("ab") as log:
            started = subprocess.Popen(
                [ray, "start", *which, *sizes, *ports],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.sessions.append(started.pid)
        assert started.wait(60) == 0, (self.folder / "start.log").read_text()
        return started.pid

    def processes(self, *sessions: int) -> list[psutil.Process]:
        """All that belong to some nodes; a worker has a process group of its own."""
        found = []
        for process in psutil.process_iter():
            try:
                if os.getsid(process.pid) in sessions and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except (ProcessLookupError, psutil.NoSuchProcess):
                continue
        return found

    def playing(self) -> list[psutil.Process]:
        """The workers that have games in work."""
        found = []
        for process in self.processes(*self.sessions):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "ray::play_there" in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def kill(self, *sessions: int) -> None:
        """Kill -9 all processes of some nodes, workers among them."""
        for process in self.processes(*sessions):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        assert until(lambda: not self.processes(*sessions)), self.processes(*sessions)


def until(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait for something; False if it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    folder = Path(tempfile.mkdtemp(prefix="ray"))  # sockets do not take long paths
    packages = tmp_path_factory.mktemp("packages")
    seen = tmp_path_factory.mktemp("seen")
    source = str(Path(fourcast.__file__).parents[1])
    paths = install(packages, witness=WITNESS, doomed=DOOMED)["PYTHONPATH"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([source, paths]), "SEEN": str(seen)}
    nodes = Nodes(folder, environment)
    try:
        nodes.start()
        nodes.start()
        yield nodes
    finally:
        nodes.kill(*nodes.sessions)
        shutil.rmtree(folder, ignore_errors=True)


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
    assert until(lambda: not nodes.playing())
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


@needs_ray
@pytest.mark.parametrize(
    "address", ["nonsense", "127.0.0.1:", ":6379", "127.0.0.1:70000", "ray://127.0.0.1:1", "x:٣"]
)
def test_an_address_is_a_host_and_a_port(address: str) -> None:
    with pytest.raises(WorkersLost, match="HOST:PORT"):
        ClusterWorkers(address)


@needs_ray
def test_nobody_answers() -> None:
    with socket.socket() as silent:  # bound, and does not listen
        silent.bind(("127.0.0.1", 0))
        with pytest.raises(WorkersLost, match="nobody answers"):
            ClusterWorkers(f"127.0.0.1:{silent.getsockname()[1]}")


@needs_ray
@pytest.mark.slow
def test_something_else_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_REHEARSAL_TIME", 2.0)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(WorkersLost, match="is it a Ray cluster"):
            ClusterWorkers(f"127.0.0.1:{other.getsockname()[1]}")


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"fourcast\[cluster\]"):
        ClusterWorkers("127.0.0.1:6379")


def test_a_node_without_fourcast_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    task = cluster._task(".", "fourcast.arena.roster", "play_some")
    monkeypatch.setitem(sys.modules, "fourcast", None)
    with pytest.raises(RuntimeError, match=f"no Fourcast .* install {fourcast.__version__} there"):
        task(b"")


def test_a_node_with_another_version_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    task = cluster._task(".", "fourcast.arena.roster", "play_some")
    monkeypatch.setattr(fourcast, "__version__", "99.0")
    with pytest.raises(RuntimeError, match=r"has Fourcast 99\.0, and this is"):
        task(b"")
