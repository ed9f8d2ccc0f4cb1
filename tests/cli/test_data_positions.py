"""`fourcast data positions`, as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from fourcast.learning.position_files import read_positions
from fourcast.learning.positions import make_positions
from tests.cli.command import fourcast, open_terminal, read_until, start

SMALL = ("--board", "4x4x3", "--plies", "4-9", "-n", "30")


def test_a_set_is_written_and_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    done = fourcast("data", "positions", *SMALL, "--seed", "3", "-o", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    made = make_positions("4x4x3", 30, (4, 9), seed=3)
    assert read_positions(path).moves == made.moves
    first, second = done.stdout.splitlines()
    counts = made.counts
    assert first == (
        f"30 positions of plies 4-9: {counts['win']} win, {counts['draw']} draw, {counts['loss']} loss"
    )
    assert second == f"Written to {path}"
    assert [each.name for each in tmp_path.iterdir()] == ["set.csv"], "no part is left"


@pytest.mark.slow
def test_a_program_reads_json(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    done = fourcast(
        *("data", "positions", *SMALL, "--policy", "greedy", "--policy", "random", "--noise", "0.5"),
        *("--labels", "mcts:20", "--no-moves", "-o", str(path), "--json"),
    )
    report = json.loads(done.stdout)
    assert report.pop("win") + report.pop("draw") + report.pop("loss") == 30
    assert report == {
        "board": "4x4x3",
        "positions": 30,
        "plies": [4, 9],
        "seed": 0,
        "labels": "mcts:20",
        "best": False,
        "columns": False,
        "slip": 0.0,
        "out": str(path),
    }
    found = read_positions(path)
    assert found.values is not None
    assert found.best is None


def test_an_agents_labels_are_counted_as_training_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    vague = ("--board", "4x5x4", "--plies", "2-8", "-n", "30", "--labels", "montecarlo:20")
    done = fourcast("data", "positions", *vague, "-o", str(path))
    found = read_positions(path)
    assert found.values is not None
    won, lost = (found.values > 1 / 3).sum(), (found.values < -1 / 3).sum()
    assert (found.values > 0).sum() > won, "or the sign alone would do"
    assert done.stdout.splitlines()[0] == (
        f"30 positions of plies 2-8: {won} win, {30 - won - lost} draw, {lost} loss "
        "(what montecarlo:20 thinks: a win above 1/3, a loss below -1/3)"
    )


def test_ctrl_c_stops_at_once_and_the_same_command_goes_on(tmp_path: Path) -> None:
    path, part = tmp_path / "set.csv", tmp_path / "set.csv.part"
    command = ("data", "positions", "-n", "400", "--plies", "10-14", "--seed", "2", "-o", str(path))

    def labelled() -> int:
        lines = part.read_bytes().splitlines()[1:] if part.exists() else []
        return sum(len(json.loads(line).get("labels", ())) for line in lines if line.endswith(b"}"))

    process = start(command)
    until = time.monotonic() + 120
    while labelled() < 4 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (130, "")
    kept = labelled()
    assert stderr == (
        f"fourcast: stopped after {kept} of 400 labels, kept in {part}; the same command goes on from there\n"
    )
    assert 4 <= kept < 400
    assert not path.exists()
    ours, theirs = open_terminal()
    process = start(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    read_until(ours, b"labels")  # a bar
    process.send_signal(signal.SIGINT)
    read_until(ours, None)
    assert process.wait(timeout=60) == 130
    os.close(ours)
    assert labelled() >= kept


@pytest.mark.slow
def test_wrong_use_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "set.csv")
    for arguments, message in {
        ("--plies", "4-9", "-o", path): "Missing option '--count'",
        ("-n", "5", "-o", path): "Missing option '--plies'",
        ("-n", "5", "--plies", "4-9"): "Missing option '--out'",
        ("-n", "0", "--plies", "4-9", "-o", path): "greater than or equal to 1",
        ("-n", "5", "--plies", "4to9", "-o", path): "--plies '4to9': write it like 0-8, or 4",
        ("-n", "5", "--plies", "9-4", "-o", path): "plies 9-4: on board 6x7x4 they are from 0 to 41",
        ("-n", "5", "--plies", "4-42", "-o", path): "plies 4-42",
        ("-n", "5", "--plies", "4", "--board", "2", "-o", path): "board '2'",
        ("-n", "5", "--plies", "4", "--format", "xls", "-o", path): "it is one of csv, parquet",
        ("-n", "5", "--plies", "4", "--limit", "soon", "-o", path): "limit 'soon'",
        ("-n", "5", "--plies", "4", "--labels", "nobody", "-o", path): "there is no agent 'nobody'",
        ("-n", "5", "--plies", "4", "--policy", "human", "-o", path): "people play with fourcast play",
        ("-n", "5", "--plies", "4", "--policy", "greedy", "--noise", "2", "-o", path): "noise 2.0",
        ("-n", "5", "--plies", "4", "--noise", "0.5", "-o", path): "--noise goes with --policy AGENT",
        ("-n", "5", "--plies", "4", "--labels", "mcts", "--threads", "2", "-o", path): "--threads is for",
        ("-n", "9", "--plies", "0-1", "-o", path): "only 5 different positions of plies 0-1 were found",
        ("-n", "5", "--plies", "4", "-o", str(tmp_path)): "it is a folder",
        ("-n", "5", "--plies", "4", "-o", str(tmp_path / "no" / "set.csv")): "No such file",
    }.items():
        done = fourcast("data", "positions", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), arguments
        assert message in done.stderr
        assert not list(tmp_path.iterdir()), arguments


def test_help_has_an_example() -> None:
    done = fourcast("data", "positions", "--help")
    assert done.returncode == 0
    assert "Example: fourcast data positions -n 10000 --plies 8-30 -o set.csv" in done.stdout
    assert "positions" in fourcast("data").stdout


@pytest.mark.parametrize("limit", ["nodes=500", "10ms"])
def test_a_board_that_is_too_hard_says_what_to_do(limit: str, tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    hard = ("--board", "8x10x5", "--plies", "2", "-n", "2", "-o", str(path))
    done = fourcast("data", "positions", *hard, "--limit", limit)
    assert done.returncode == 2
    assert "was not solved within" in done.stderr
    assert "have an agent give the labels, like mcts" in done.stderr
    assert not list(tmp_path.iterdir()), "nothing stands in the way of another request"
