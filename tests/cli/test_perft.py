"""`fourcast perft`, `fourcast bench`, and how long work behaves."""

from __future__ import annotations

import json
import os
import pty
import signal

import pytest

from tests.cli.command import fourcast, read_until, start


def test_distinct_positions_as_json() -> None:
    done = fourcast("perft", "--depth", "8", "--distinct", "--json")
    assert done.stdout == (
        '{"board": "6x7x4", "counts": [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]}\n'
    )
    assert done.stderr == ""
    assert done.returncode == 0


def test_sequences_as_json() -> None:
    done = fourcast("perft", "--depth", "6", "--json")
    assert json.loads(done.stdout) == {"board": "6x7x4", "counts": [1, 7, 49, 343, 2401, 16807, 117649]}


def test_from_moves_on_another_board_in_a_table() -> None:
    done = fourcast("perft", "11", "--board", "2x3x3", "--depth", "3")
    assert done.stdout.splitlines() == [
        "plies             sequences",
        "    0                     1",
        "    1                     2",
        "    2                     4",
        "    3                     6",
    ]
    document = json.loads(fourcast("perft", "11", "--board", "2x3x3", "--depth", "1", "--json").stdout)
    assert document == {"board": "2x3x3", "counts": [1, 2], "moves": "11"}


def test_out_of_memory_keeps_what_was_counted() -> None:
    done = fourcast("perft", "--distinct", "--depth", "12", "--memory-mb", "1", "--json")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [done.stderr.strip()]
    assert "take more than 1 MB" in done.stderr
    document = json.loads(done.stdout)
    assert document["counts"][:6] == [1, 7, 49, 238, 1120, 4263]
    assert document["complete"] is False


@pytest.mark.parametrize(
    ("more", "seen", "counts"),
    [([], b"11 moves", [1, 7, 49, 343]), (["--distinct"], b"ply 11", [1, 7, 49, 238])],
)
def test_ctrl_c_stops_at_once_and_keeps_what_was_counted(
    more: list[str], seen: bytes, counts: list[int]
) -> None:
    ours, theirs = pty.openpty()
    process = start(["perft", "--depth", "30", "--json", *more], stderr=theirs)
    os.close(theirs)
    read_until(ours, seen)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"fourcast: stopped" in read_until(ours, None)
    os.close(ours)
    document = json.loads(stdout)
    assert document["counts"][:4] == counts
    assert len(document["counts"]) < 30
    assert document["complete"] is False


def test_a_terminal_sees_a_progress_bar_while_stdout_is_a_pipe() -> None:
    ours, theirs = pty.openpty()
    process = start(["perft", "--depth", "10", "--distinct", "--json"], stderr=theirs)
    os.close(theirs)
    bar = read_until(ours, None)
    stdout, _ = process.communicate(timeout=60)
    os.close(ours)
    assert json.loads(stdout)["counts"][-1] == 1662623
    assert b"ply 10" in bar


def test_depths_beyond_the_end_of_every_game_cost_nothing() -> None:
    for more in ([], ["--distinct"]):
        done = fourcast("perft", "--board", "1x3x3", "--depth", "10000", "--json", *more)
        counts = json.loads(done.stdout)["counts"]
        assert len(counts) == 10001
        assert counts[3] == (6 if not more else 3)
        assert set(counts[4:]) == {0}


@pytest.mark.slow
def test_the_kernels_are_measured() -> None:
    done = fourcast("bench", "kernels", "--repeat", "1", "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    figures = {(each["name"], each["board"]): each for each in report["measurements"]}
    assert figures["random playouts", "6x7x4"]["rate"] > 0
    assert figures["random playouts", "8x10x5"]["bar"] == 0.5e6
    assert figures["perft 9", "6x7x4"]["seconds"] > 0
    assert figures["fourcast --help", ""]["bar"] == 0.25
    assert report["numba"]
