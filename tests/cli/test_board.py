"""`fourcast board`, and wrong input on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import fourcast, on_a_terminal


def test_the_board_is_drawn_with_what_matters() -> None:
    done = fourcast("board", "4152637")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        " | . . . . . . . |",
        " | . . . . . . . |",
        " | . . . . . . . |",
        " | . . . . . . . |",
        " | . . . . . . . |",
        " | O O O X X X X |",
        " +---------------+",
        "   1 2 3 4 5 6 7",
        "",
        "Game over: first player (X) wins on move 7.",
    ]


def test_wins_blocks_and_threats_are_named() -> None:
    done = fourcast("board", "435362")
    assert done.stdout.splitlines()[9:] == [
        "Move 7: X (first player) to play.",
        "Legal columns: 1 2 3 4 5 6 7",
        "X wins at once in: 7",
        "Threats of X: column 7 row 1",
        "Threats of O: none",
    ]
    assert "O must block: 7" in fourcast("board", "4353622").stdout


def test_json_has_columns_and_cells_from_0() -> None:
    done = fourcast("board", "435362", "--json")
    document = json.loads(done.stdout)
    assert document == {
        "board": "6x7x4",
        "moves": "435362",
        "text": [".......", ".......", ".......", ".......", "..O....", ".OOXXX."],
        "ply": 6,
        "turn": "first",
        "legal": [0, 1, 2, 3, 4, 5, 6],
        "wins": [6],
        "must_block": [],
        "threats": {"first": [[0, 6]], "second": []},
        "outcome": None,
        "key": document["key"],
    }
    over = json.loads(fourcast("board", "4152637", "--json").stdout)
    assert over["outcome"] == {"winner": "first", "plies": 7, "line": [[0, 3], [0, 4], [0, 5], [0, 6]]}
    assert over["legal"] == []
    assert over["turn"] is None


def test_any_board_and_drawn_boards(tmp_path: Path) -> None:
    drawing = fourcast("board", "9abc9", "--board", "5x12x4").stdout
    board = "\n".join(drawing.splitlines()[:7])
    assert " 9 a b c" in board
    again = fourcast("board", "--text", "-", "--json", stdin=board)
    assert json.loads(again.stdout)["board"] == "5x12x4"
    file = tmp_path / "board.txt"
    file.write_text("...\nX..\nXO.\n")
    document = json.loads(fourcast("board", "--text", str(file), "--board", "3x3x3", "--json").stdout)
    assert document["ply"] == 3
    assert document["must_block"] == [0]


def test_colour_is_for_terminals() -> None:
    assert "\x1b[91mX" in on_a_terminal("board", "44", environment={"TERM": "xterm"})
    assert "\x1b" not in on_a_terminal("board", "44", environment={"TERM": "dumb"})
    assert "\x1b" not in on_a_terminal("board", "44", environment={"TERM": "xterm", "NO_COLOR": "1"})


def test_colour_can_be_forced_and_refused() -> None:
    assert "\x1b" not in fourcast("board", "44").stdout
    assert "\x1b" in fourcast("board", "44", environment={"FORCE_COLOR": "1"}).stdout
    refused = fourcast("board", "44", environment={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b" not in refused.stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["board", "4444444"], "", "move 7: column 4 is full"),
        (["board", "48"], "", "move 2: column '8' is off the board, which has 7 columns"),
        (["board", "41526371"], "", "move 8: the game is over, first player (X) wins on move 7"),
        (["board", "4?5"], "", "move 2: '?' is not a column (1-9, then a-z)"),
        (
            ["board", "--text", "-"],
            "...X\n....",
            "row 1, column 4: the disc floats, the cell under it is empty",
        ),
        (
            ["board", "--text", "-"],
            "XXX.",
            "3 X and 0 O: X moves first, so it must have as many as O or one more",
        ),
        (
            ["board", "--text", "-"],
            "OOOO\nXXXX",
            "both players have a line: X at row 2, column 1, O at row 1, column 1",
        ),
        (
            ["board", "--text", "-"],
            "OO.....\nXXXX.OO",
            "row 2, column 1: X has a line there, but O has moved since",
        ),
        (["board", "-b", "6x7x99999999999"], "", "board '6x7x99999999999': 128 bits is the most"),
        (["board", "--text", "-"], "..#.", "row 1, column 3: '#' is none of . X O (or _ x o)"),
        (["board", "--text", "-", "-b", "5x5x4"], "....", "the drawing is a board 1x4x4, not 5x5x4"),
        (["board", "44", "--text", "-"], "....", "give either MOVES or --text, not both"),
        (
            ["board", "--text", "/nowhere/board"],
            "",
            "cannot read '/nowhere/board': No such file or directory",
        ),
        (["board", "--board", "6x7"], "", "board '6x7': write it as ROWSxCOLUMNSxCONNECT, like 6x7x4"),
        (
            ["board", "--board", "6x7x9"],
            "",
            "board 6x7x9: a line of 9 is longer than the board is wide or high",
        ),
        (
            ["board", "--board", "12x12x4"],
            "",
            "board 12x12x4: columns * (rows + 1) = 156 bits, and 128 is the most",
        ),
        (["play", "--slip", "1"], "", "slip 1.0: it must be a number in [0, 1)"),
        (["play", "--slip", "-0.5"], "", "slip -0.5: it must be a number in [0, 1)"),
        (["play", "--slip", "nan"], "", "slip nan: it must be a number in [0, 1)"),
        (["play", "--second", "deep-blue"], "", None),
        (["perft", "--depth", "-1"], "", "--depth -1: it must be a whole number, 0 or more"),
        (
            ["perft", "--distinct", "--memory-mb", "0"],
            "",
            "--memory-mb 0: it must be a whole number, 1 or more",
        ),
        (["perft", "--depth", "x"], "", None),
        (["bench", "kernels", "--repeat", "0"], "", None),
        (["nonsense"], "", "No such command 'nonsense'; see --help"),
        (["board", "--nonsense"], "", None),
        (["board", "4", "4"], "", None),
    ],
)
def test_wrong_input_is_one_line_and_a_2(arguments: list[str], stdin: str, message: str | None) -> None:
    done = fourcast(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("fourcast: ")
    if message:
        assert lines[0] == f"fourcast: {message}"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-h"],
        ["board", "-h"],
        ["perft", "-h"],
        ["play", "-h"],
        ["bench"],
        ["bench", "kernels", "-h"],
        ["bench", "solver", "-h"],
        ["solve", "-h"],
        ["analyze", "-h"],
        ["book"],
        ["book", "build", "-h"],
        ["book", "check", "-h"],
    ],
)
def test_every_verb_has_help_with_an_example(arguments: list[str]) -> None:
    done = fourcast(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: fourcast")
    assert "xample" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("verb", ["board --text -", "board 44 --json", "perft --depth 3 --json", "play"])
def test_closed_streams_are_no_accident(verb: str, closed: str) -> None:
    command = f"{sys.executable} -m fourcast {verb} {closed}"
    done = subprocess.run(
        command, shell=True, input="....", capture_output=True, text=True, timeout=60, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)


def test_a_full_disk_and_a_closed_pipe_are_not_our_bugs() -> None:
    command = f"{sys.executable} -m fourcast board 44"
    full = subprocess.run(f"{command} > /dev/full", shell=True, capture_output=True, text=True, check=False)
    assert (full.returncode, full.stderr) == (1, "fourcast: cannot write: No space left on device\n")
    piped = subprocess.run(f"{command} | true", shell=True, capture_output=True, text=True, check=False)
    assert piped.stderr == ""


def test_text_of_any_encoding_is_read_or_refused() -> None:
    for typed in (b"\xff\n4\nq\n", "é\n4\nq\n".encode()):
        done = subprocess.run(
            [sys.executable, "-m", "fourcast", "play"],
            input=typed,
            capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": "ascii:strict"},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"is not a column" in done.stdout
        assert b"Left after 2 moves" in done.stdout
    marked = fourcast("board", "--text", "-", "--json", stdin="\ufeff....\n...X\n")
    assert json.loads(marked.stdout)["ply"] == 1


def test_the_version() -> None:
    import fourcast as package

    assert fourcast("--version").stdout == f"fourcast {package.__version__}\n"
