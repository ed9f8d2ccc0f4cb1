"""`--cluster`: an address that will not do is one line, whatever was to be made, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import fourcast
from tests.learning.nets import needs_training
from tests.nodes import needs_ray

COMMANDS = [
    ("book", "build", "--board", "4x4x3", "--plies", "3"),
    ("data", "positions", "-n", "5", "--plies", "4-6", "--board", "4x4x3"),
    ("train", "cnn", "--board", "4x4x3", "--games", "4"),
    ("train", "network", "--board", "4x4x3", "--positions", "50"),
]


@needs_ray
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nowhere", "cluster 'nowhere': write it as HOST:PORT, or auto"),
        pytest.param("127.0.0.1:1", "nobody answers there", marks=pytest.mark.slow),
    ],
)
def test_a_bad_address_is_one_line_and_nothing_is_written(
    command: tuple[str, ...], address: str, words: str, tmp_path: Path
) -> None:
    if command[0] == "train":
        needs_training()
    out = {"data": "set.csv", "book": "a.book", "train": "new/net"}[command[0]]
    done = fourcast(*command, "-o", str(tmp_path / out), "--cluster", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_positions_of_files_are_not_made_on_a_cluster(tmp_path: Path) -> None:
    needs_training()
    done = fourcast("train", "network", "--data", str(tmp_path / "no.csv"), "--cluster", "127.0.0.1:1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--cluster: it does not go with --data" in done.stderr


@pytest.mark.parametrize(
    "verb",
    ["match", "tournament", "book build", "data positions", "train cnn", "train network", "train selfplay"],
)
def test_help_names_it(verb: str) -> None:
    assert "--cluster ADDRESS" in fourcast(*verb.split(), "--help").stdout
