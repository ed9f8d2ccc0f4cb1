"""`fourcast analyze`: every column's score, in words and in JSON."""

from __future__ import annotations

import json
import re
import signal

import pytest

from fourcast import Position
from tests.cli.command import fourcast, on_a_terminal, start

MOVES = "4444432655"


def test_every_column_is_shown_with_its_end() -> None:
    done = fourcast("analyze", MOVES)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:8] == str(Position.from_moves(MOVES)).splitlines()
    assert lines[8:19] == [
        "",
        "Move 11: X (first player) to play.",
        "",
        "column  score",
        "     1    -15  loses in 2 moves",
        "     2    -14  loses in 3 moves",
        "     3      1  wins in 16 moves, best",
        "     4    -15  loses in 2 moves",
        "     5    -15  loses in 2 moves",
        "     6     -2  loses in 15 moves",
        "     7    -15  loses in 2 moves",
    ]
    label, line = lines[20].split()
    assert label == "line"
    assert str(Position.from_moves(MOVES + line).outcome) == "first player (X) wins on move 41"
    assert re.fullmatch(r"effort  [\d,]+ nodes in [\d.]+ s", lines[21])


def test_full_columns_and_draws() -> None:
    done = fourcast("analyze", "441344222", "--board", "4x4x4")
    assert done.stdout.splitlines()[10:14] == [
        "     1      0  draw",
        "     2      0  draw, best",
        "     3      0  draw",
        "     4         full",
    ]


def test_json_has_every_column() -> None:
    document = json.loads(fourcast("analyze", MOVES, "--json").stdout)
    assert document["scores"] == [-15, -14, 1, -15, -15, -2, -15]
    assert (document["column"], document["score"], document["exact"]) == (2, 1, True)
    assert document["line"].startswith("3")
    full = json.loads(fourcast("analyze", MOVES + "4", "--json").stdout)
    assert full["scores"][3] is None


def test_a_drawn_board_can_be_analysed() -> None:
    drawing = "\n".join(fourcast("board", MOVES).stdout.splitlines()[:8])
    done = fourcast("analyze", "--text", "-", stdin=drawing)
    assert done.returncode == 0
    assert "     3      1  wins in 16 moves, best" in done.stdout


def test_a_limit_leaves_the_columns_that_were_proven() -> None:
    done = fourcast("analyze", MOVES, "--no-book", "--limit", "nodes=30000")
    assert (done.returncode, done.stderr) == (1, "")
    assert "     4    -15  loses in 2 moves\n" in done.stdout, "the centre comes first"
    assert "     1         not solved\n" in done.stdout
    assert "     7         not solved\n" in done.stdout
    assert "score   not solved within the limit: the score is at least -15" in done.stdout
    assert "best" not in done.stdout
    document = json.loads(fourcast("analyze", MOVES, "--no-book", "--limit", "nodes=30000", "--json").stdout)
    assert (document["scores"][3], document["exact"]) == (-15, False)
    assert (document["scores"][0], document["scores"][6]) == (None, None)


def test_ctrl_c_leaves_the_columns_that_were_proven() -> None:
    process = start(["analyze", "--no-book"], environment={"PYTHONUNBUFFERED": ""})
    assert process.stdout is not None
    while process.stdout.readline() != "Move 1: X (first player) to play.\n":
        pass
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "fourcast: stopped\n")
    assert "     4         not solved\n" in stdout
    assert "score   not solved before it was stopped\n" in stdout


def test_a_terminal_sees_colours_and_a_pipe_does_not() -> None:
    assert "\x1b[91mX" in on_a_terminal("analyze", MOVES, environment={"TERM": "xterm"})
    assert "\x1b" not in fourcast("analyze", MOVES).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1212121"], "the game is over, first player (X) wins on move 7"),
        (["44", "--text", "-"], "give either MOVES or --text, not both"),
        (["--limit", "simulations=5"], None),
        (["--threads", "0"], "threads 0: it must be a whole number, 1 or more"),
    ],
)
def test_wrong_input_is_one_line_and_a_2(arguments: list[str], message: str | None) -> None:
    done = fourcast("analyze", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    if message:
        assert done.stderr == f"fourcast: {message}\n"


def test_the_help_has_an_example_and_says_what_is_counted() -> None:
    done = fourcast("analyze", "-h")
    assert "Example: fourcast analyze" in done.stdout
    assert "counts the moves of whoever wins" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80
