"""`fourcast board`, and wrong input on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import fourcast


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


def test_colour_is_for_terminals_and_can_be_refused() -> None:
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
        (["board", "--text", "-"], "..#.", "row 1, column 3: '#' is none of . X O (or _ x o)"),
        (["board", "--text", "-", "-b", "5x5x4"], "....", "the drawing is a board 1x4x4, not 5x5x4"),
        (["board", "44", "--text", "-"], "....", "give either MOVES or --text, not both"),
        (["board", "--text", "/nowhere/board"], "", "cannot read /nowhere/board: No such file or directory"),
        (["board", "--board", "6x7"], "", "board '6x7': write it as ROWSxCOLUMNSxCONNECT, like 6x7x4"),
        (["board", "--board", "6x7x9"], "", "board 6x7x9: no line of 9 fits on 6 rows and 7 columns"),
        (
            ["board", "--board", "12x12x4"],
            "",
            "board 12x12x4: columns * (rows + 1) = 156 bits, and 128 is the most",
        ),
        (["play", "--slip", "1"], "", "slip 1: it must be at least 0 and less than 1"),
        (["play", "--slip", "-0.5"], "", "slip -0.5: it must be at least 0 and less than 1"),
        (["play", "--slip", "nan"], "", "slip nan: it must be a number in [0, 1)"),
        (["play", "--second", "deep-blue"], "", "there is no player 'deep-blue'; known: human, random"),
        (["perft", "--depth", "-1"], "", "--depth -1: it must be 0 or more"),
        (["perft", "--distinct", "--memory-mb", "0"], "", "--memory-mb 0: it must be 1 or more"),
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
    [[], ["-h"], ["board", "-h"], ["perft", "-h"], ["play", "-h"], ["bench"], ["bench", "kernels", "-h"]],
)
def test_every_verb_has_help_with_an_example(arguments: list[str]) -> None:
    done = fourcast(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: fourcast")
    assert "xample" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_version() -> None:
    import fourcast as package

    assert fourcast("--version").stdout == f"fourcast {package.__version__}\n"
