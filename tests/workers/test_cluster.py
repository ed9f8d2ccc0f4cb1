"""Books, positions and teachers' games made on a cluster of two nodes: as here, whatever is lost."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.cli.command import fourcast
from tests.learning.nets import needs_training
from tests.nodes import Nodes, needs_ray, running_nodes, until

Command = tuple[str, ...]

# Each takes some seconds; what is written, and in which file it is kept what is done so far.
BOOK: Command = (*["book", "build", "--board", "5x6x4", "--plies", "5"],)
SOLVED: Command = (*["data", "positions", "-n", "4000", "--plies", "6-20", "--board", "5x6x4"],)
GUESSED: Command = (
    *["data", "positions", "-n", "150", "--plies", "4-16", "--board", "4x5x4"],
    *["--policy", "mcts:150", "--noise", "0.2", "--labels", "mcts:100000"],
)
CNN: Command = (*["train", "cnn", "--games", "20", "--board", "4x5x4", "--epochs", "1", "--fresh", "0"],)
NETWORK: Command = (
    *["train", "network", "--positions", "300", "--board", "4x5x4", "--epochs", "1", "--fresh", "0"],
    *["--channels", "4", "--blocks", "1"],
)
MADE = {BOOK: "", SOLVED: ".csv", GUESSED: ".csv", CNN: ".onnx", NETWORK: ".onnx"}
PART = {BOOK: ".part", SOLVED: ".csv.part", GUESSED: ".csv.part", CNN: ".games.part"}

pytestmark = [needs_ray, pytest.mark.slow]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with running_nodes({}) as nodes:
        yield nodes


@pytest.fixture(scope="module")
def here() -> dict[Command, bytes]:
    """What was made on this machine alone, by command."""
    return {}


class Making:
    """A command on the cluster that makes a file."""

    def __init__(self, command: Command, out: Path, nodes: Nodes) -> None:
        if command[0] == "train":
            needs_training()
        nodes.two()
        self.command, self.out, self.nodes = command, out, nodes
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fourcast", *self.arguments, "--cluster", nodes.address],
            env=nodes.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def arguments(self) -> Command:
        ending = ".csv" if self.command[0] == "data" else ""
        return (*self.command, "-o", f"{self.out}{ending}")

    @property
    def part(self) -> Path:
        return Path(f"{self.out}{PART[self.command]}")

    @property
    def made(self) -> bytes:
        return Path(f"{self.out}{MADE[self.command]}").read_bytes()

    def done(self) -> int:
        """How much is kept: scores of a book, or steps."""
        if not self.part.exists():
            return 0
        _, _, kept = self.part.read_bytes().partition(b"\n")
        return len(kept) - kept.count(b"\x80") if self.command == BOOK else kept.count(b"\n")

    def wait_for_both(self) -> None:
        """Wait until there is something done, and both nodes are at it.

        A node that is at it alone is held meanwhile, lest it does all of it before the other is there.
        """
        held: list[psutil.Process] = []

        def both() -> bool:
            if self.process.poll() is not None:
                return True
            if self.done() <= self.begun():
                return False
            if all(self.nodes.working(session) for session in self.nodes.sessions):
                return True
            held.extend(self.nodes.hold())
            return False

        try:
            assert until(both, 120), self.done()
        finally:
            for process in held:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.resume()
        assert self.process.poll() is None, self.end()

    def begun(self) -> int:
        """What a book's part has from the beginning: positions whose game is over."""
        return 40 if self.command == BOOK else 3

    def end(self) -> tuple[int, str, str]:
        """What it returned and wrote."""
        out, err = self.process.communicate(timeout=200)
        return self.process.returncode, out, err


def made_here(command: Command, here: dict[Command, bytes], folder: Path) -> bytes:
    """What the command makes without a cluster."""
    if command not in here:
        ending = ".csv" if command[0] == "data" else ""
        done = fourcast(*command, "-o", f"{folder / 'here'}{ending}")
        assert done.returncode == 0, done.stderr
        here[command] = Path(f"{folder / 'here'}{MADE[command]}").read_bytes()
    return here[command]


@pytest.mark.parametrize("command", [SOLVED, NETWORK], ids=["solved positions", "network"])
def test_what_is_made_on_a_cluster_is_what_is_made_here(
    command: Command, nodes: Nodes, here: dict[Command, bytes], tmp_path: Path
) -> None:
    making = Making(command, tmp_path / "there", nodes)
    code, _, err = making.end()
    assert (code, err) == (0, "")
    assert making.made == made_here(command, here, tmp_path)
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("command", [BOOK, GUESSED, CNN], ids=["book", "an agent's labels", "games"])
def test_a_node_that_is_killed_loses_nothing(
    command: Command, nodes: Nodes, here: dict[Command, bytes], tmp_path: Path
) -> None:
    making = Making(command, tmp_path / "there", nodes)
    making.wait_for_both()
    nodes.kill(nodes.sessions[1])
    code, _, err = making.end()
    assert (code, err) == (0, "")
    assert making.made == made_here(command, here, tmp_path)


@pytest.mark.parametrize("command", [BOOK, GUESSED, CNN], ids=["book", "an agent's labels", "games"])
def test_what_is_stopped_on_a_cluster_goes_on_here(
    command: Command, nodes: Nodes, here: dict[Command, bytes], tmp_path: Path
) -> None:
    making = Making(command, tmp_path / "there", nodes)
    making.wait_for_both()
    making.process.send_signal(signal.SIGINT)
    code, out, err = making.end()
    assert code == 130
    assert err.startswith("fourcast: stopped")
    assert err.count("\n") == 1
    assert str(making.part) in out + err
    assert until(lambda: not nodes.working()), "and the nodes give up what they had in work"
    before = making.done()
    assert before > making.begun()
    done = fourcast(*making.arguments, *(["--resume"] if command == BOOK else []))
    assert (done.returncode, done.stderr) == (0, "")
    assert making.made == made_here(command, here, tmp_path)


def test_what_is_stopped_here_goes_on_on_a_cluster(
    nodes: Nodes, here: dict[Command, bytes], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "fourcast", *GUESSED, "-o", str(tmp_path / "set.csv")]
    part = tmp_path / "set.csv.part"
    stopped = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert until(lambda: part.exists() and b"labels" in part.read_bytes().partition(b"\n")[2], 60)
    stopped.send_signal(signal.SIGINT)
    stopped.communicate(timeout=60)
    kept = part.read_bytes()
    making = Making(GUESSED, tmp_path / "set", nodes)
    code, _, err = making.end()
    assert (code, err) == (0, "")
    assert kept.count(b'"found"') == 150, "what was there is not drawn again"
    assert making.made == made_here(GUESSED, here, tmp_path)


def test_a_board_that_is_too_hard_is_one_line_and_leaves_nothing(nodes: Nodes, tmp_path: Path) -> None:
    nodes.two()
    command = ["data", "positions", "-n", "3", "--plies", "2-2", "--board", "8x10x5", "--limit", "nodes=1000"]
    out = tmp_path / "set.csv"
    done = fourcast(*command, "-o", str(out), "--cluster", nodes.address, environment=nodes.environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "a position of ply 2 was not solved within nodes=1000" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
