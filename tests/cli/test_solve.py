"""`fourcast solve`: positions by name and from stdin, books, limits, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fourcast import Geometry, Position
from fourcast.game.words import verdict
from fourcast.kernels.openings import opening_levels
from fourcast.solver import Book
from tests.boards import play_peacefully
from tests.cli.command import fourcast, start

WON = "4444433522"  # X to move wins with its 18th disc
BUFFERED = {"PYTHONUNBUFFERED": ""}  # what is seen at once was flushed


def wrong_book(folder: Path, board: str, score: int) -> Path:
    """A sound book that knows one score for every position after one move."""
    geometry = Geometry.parse(board)
    levels = opening_levels(geometry, 1)
    book = Book.from_last(geometry, levels, np.full(len(levels[-1]), score, dtype=np.int8))
    path = folder / f"{board}.book"
    path.write_bytes(book.encode())
    return path


def test_a_position_is_solved_in_words() -> None:
    done = fourcast("solve", WON)
    assert (done.returncode, done.stderr) == (0, "")
    moves, score, best, line, effort = done.stdout.splitlines()
    assert moves == f"moves   {WON}"
    assert score == "score   4: X (first player) wins in 13 moves, on move 35 of the game"
    assert best == "best    column 3"
    end = Position.from_moves(WON + line.split()[1])
    assert (line.split()[0], str(end.outcome)) == ("line", "first player (X) wins on move 35")
    assert re.fullmatch(r"effort  [\d,]+ nodes in [\d.]+ s", effort)


@pytest.mark.parametrize(
    ("moves", "score", "words"),
    [
        ("435362", 18, "wins in 1 move"),
        ("43536", -18, "loses in 1 move"),
        ("", 1, "wins in 21 moves"),
        ("4", -1, "loses in 20 moves"),
        ("1", 1, "wins in 21 moves"),
        ("44", 0, "draw"),
    ],
)
def test_scores_in_words_count_the_winners_moves(moves: str, score: int, words: str) -> None:
    assert verdict(Position.from_moves(moves), score) == words


def test_losses_and_draws_are_those_of_the_side_to_move() -> None:
    ahead = fourcast("solve", "44444326551").stdout.splitlines()[1]
    assert ahead == "score   15: O (second player) wins in 2 moves, on move 14 of the game"
    behind = fourcast("solve", "41516").stdout.splitlines()[1]
    assert behind == "score   -18: O (second player) loses in 1 move, on move 7 of the game"
    drawn = fourcast("solve", "--board", "4x4x4").stdout.splitlines()
    assert drawn[:2] == ["moves   none, the empty board", "score   0: draw"]


def test_several_positions_and_the_empty_board() -> None:
    done = fourcast("solve", ".", "1", "--board", "4x4x3")
    blocks = done.stdout.split("\n\n")
    assert [block.splitlines()[0] for block in blocks] == ["moves   none, the empty board", "moves   1"]
    document = json.loads(fourcast("solve", ".", "1", "--board", "4x4x3", "--json").stdout)
    assert list(document) == ["positions"]
    assert [each["moves"] for each in document["positions"]] == ["", "1"]
    assert all(each["exact"] for each in document["positions"])


def test_one_position_is_one_analysis_in_json() -> None:
    document = json.loads(fourcast("solve", WON, "--json").stdout)
    assert (document["board"], document["moves"]) == ("6x7x4", WON)
    assert (document["score"], document["bounds"], document["exact"]) == (4, [4, 4], True)
    assert (document["column"], document["plies_to_end"]) == (2, 25)
    assert len(document["line"]) == len(document["pv"]) == 25


def test_weak_says_who_wins() -> None:
    done = fourcast("solve", WON, "--weak")
    assert done.stdout.splitlines()[1:3] == ["value   1: X (first player) wins", "best    column 3"]
    assert "line" not in done.stdout
    document = json.loads(fourcast("solve", WON, "--weak", "--json", "--threads", "2").stdout)
    assert (document["value"], document["score"]) == (1.0, None)


def test_eighty_columns_are_enough() -> None:
    position = play_peacefully(Geometry(8, 10, 5), 1, 76)
    done = fourcast("solve", position.moves, "--board", "8x10x5")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "".join(done.stdout.split("score")[0].split()[1:]) == position.moves


def test_a_limit_says_what_was_proven() -> None:
    done = fourcast("solve", "--no-book", "--limit", "nodes=20000")
    assert (done.returncode, done.stderr) == (1, "")
    bounds = re.search(
        r"^score   not solved within the limit: the score is between (-?\d+) and (-?\d+)$",
        done.stdout,
        re.MULTILINE,
    )
    assert bounds is not None
    assert int(bounds[1]) <= 1 <= int(bounds[2])
    assert "best    not found within the limit; column 4 is a guess" in done.stdout
    weak = fourcast("solve", "--no-book", "--limit", "nodes=2000", "--weak")
    assert (weak.returncode, weak.stdout.splitlines()[1]) == (1, "value   not solved within the limit")
    several = fourcast("solve", ".", WON, "--no-book", "--limit", "nodes=100000", "--json")
    assert several.returncode == 1
    assert [each["exact"] for each in json.loads(several.stdout)["positions"]] == [False, True]


def test_a_line_that_the_limit_cuts_short_ends_in_dots() -> None:
    whole = json.loads(fourcast("solve", WON, "--no-book", "--json").stdout)
    nodes = next(
        nodes
        for nodes in range(whole["nodes"] - 1, 0, -whole["nodes"] // 50)
        if (found := fourcast("solve", WON, "--no-book", "--limit", f"nodes={nodes}")).returncode == 0
    )
    assert nodes < whole["nodes"]
    line = found.stdout.splitlines()[3].split()[1]
    assert line.endswith("...")
    assert whole["line"].startswith(line.removesuffix("..."))


def test_ctrl_c_stops_and_says_what_was_proven() -> None:
    process = start(["solve", "--no-book"], environment=BUFFERED)
    assert process.stdout is not None
    assert process.stdout.readline() == "moves   none, the empty board\n"
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "fourcast: stopped\n")
    score, best, effort = stdout.splitlines()
    assert score.startswith("score   not solved before it was stopped: the score is between -")
    assert best == "best    not found before it was stopped; column 4 is a guess"
    assert effort.startswith("effort  ")


def test_ctrl_c_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    process = start(["solve", "--no-book"], environment={"NUMBA_CACHE_DIR": str(tmp_path)})
    while not any(tmp_path.rglob("*.nbi")):  # the first kernel is compiled
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (130, "", "fourcast: stopped\n")
    assert not any(tmp_path.rglob("exact.*")), "the search comes last, and was not compiled any more"


def test_lines_from_stdin_are_answered_and_compared() -> None:
    done = fourcast("solve", "-", "--no-book", stdin=f"{WON}\n\n  {WON} 4 \n{WON} -4\n44444326551 15\n")
    assert done.returncode == 1
    assert done.stderr == "fourcast: 1 of 3 given scores did not agree\n"
    lines = done.stdout.splitlines()
    for line, (moves, score, rest) in zip(
        lines,
        [(WON, 4, ""), (WON, 4, ""), (WON, 4, " expected -4"), ("44444326551", 15, "")],
        strict=True,
    ):
        assert re.fullmatch(rf"{moves} {score} \d+ \d+{rest}", line)
    first, again = (int(line.split()[2]) for line in lines[:2])
    assert first > again, "one table serves all"


def test_ctrl_c_says_what_was_proven_of_a_line() -> None:
    process = start(["solve", "-", "--no-book"], stdin=subprocess.PIPE, environment=BUFFERED)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{WON}\n.\n{WON}\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(WON)
    time.sleep(0.3)  # it has begun with the empty board
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (130, "fourcast: stopped\n")
    assert re.fullmatch(r"\. -\d+\.\.\d+ \d+ \d+\n", stdout)


def test_lines_are_answered_one_by_one() -> None:
    process = start(["solve", "-", "--board", "4x4x3"], stdin=subprocess.PIPE, environment=BUFFERED)
    assert process.stdin is not None
    assert process.stdout is not None
    for moves in (".", "1", "12"):
        process.stdin.write(f"{moves}\n")
        process.stdin.flush()
        assert process.stdout.readline().split()[0] == moves
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (0, "", "")


def test_weak_lines_are_compared_by_sign() -> None:
    done = fourcast("solve", "-", "--weak", stdin=f"{WON} 9\n{WON} 0\n44444326556 -1\n")
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["1", "1", "1"]
    assert [" ".join(line.split()[4:]) for line in done.stdout.splitlines()] == [
        "",
        "expected 0",
        "expected -1",
    ]
    assert done.returncode == 1


def test_lines_as_json() -> None:
    done = fourcast("solve", "-", "--json", stdin=f"{WON} 4\n{WON}\n{WON} 0\n")
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    for document in documents:
        assert document.pop("nodes") >= 0
        assert document.pop("microseconds") > 0
    assert documents == [
        {"moves": WON, "score": 4, "expected": 4, "agrees": True},
        {"moves": WON, "score": 4, "expected": None, "agrees": None},
        {"moves": WON, "score": 4, "expected": 0, "agrees": False},
    ]


def test_lines_that_the_limit_leaves_open() -> None:
    asked = f". 21\n. 2\n{WON} 4\n"
    done = fourcast("solve", "-", "--no-book", "--limit", "nodes=100000", stdin=asked)
    assert done.returncode == 1
    impossible, possible, solved = done.stdout.splitlines()
    assert re.fullmatch(r"\. -\d+\.\.\d+ \d+ \d+ expected 21", impossible)
    assert re.fullmatch(r"\. -\d+\.\.\d+ \d+ \d+", possible)
    assert solved.startswith(f"{WON} 4 ")
    assert done.stderr.splitlines() == [
        "fourcast: 1 of 3 given scores did not agree",
        "fourcast: 2 of 3 positions were not solved within the limit",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4?", "line 3: move 2: '?' is not a column (1-9, then a-z)"),
        ("4444444", "line 3: move 7: column 4 is full"),
        ("1212121", "line 3: the game is over, first player (X) wins on move 7"),
        ("44 x", "line 3: 'x' is not a score"),
        ("44 1.5", "line 3: '1.5' is not a score"),
        ("44 1 2", "line 3: write MOVES or MOVES SCORE, not 3 words"),
        ("4" * 2000, "line 3: it is longer than 1000 characters"),
    ],
)
def test_a_bad_line_is_named_after_what_was_answered(line: str, message: str) -> None:
    done = fourcast("solve", "-", stdin=f"{WON}\n\n{line}\n{WON}\n")
    assert done.returncode == 2
    assert done.stderr == f"fourcast: {message}\n"
    assert [answer.split()[0] for answer in done.stdout.splitlines()] == [WON]


def test_a_book_is_asked_first(tmp_path: Path) -> None:
    book = wrong_book(tmp_path, "4x4x3", -3)
    done = fourcast("solve", "-", "--board", "4x4x3", "--book", str(book), stdin=".\n2\n")
    assert [line.split()[:3] for line in done.stdout.splitlines()] == [[".", "3", "0"], ["2", "-3", "0"]]
    without = fourcast("solve", "-", "--board", "4x4x3", "--no-book", stdin=".\n2\n")
    assert [line.split()[1] for line in without.stdout.splitlines()] != ["3", "-3"]


def test_a_book_that_cannot_be_used_is_left_aside(tmp_path: Path) -> None:
    other = wrong_book(tmp_path, "4x4x3", 0)
    damaged = tmp_path / "damaged.book"
    damaged.write_bytes(other.read_bytes()[:-1])
    for book, why in (
        (tmp_path / "none.book", "No such file or directory"),
        (damaged, "it is damaged: the checksum does not agree"),
        (other, "it is of board 4x4x3, not 6x7x4"),
    ):
        done = fourcast("solve", WON, "--book", str(book))
        assert done.stderr == f"fourcast: book {book}: {why}; going on without it\n"
        assert done.returncode == 0
        assert done.stdout.splitlines()[1].startswith("score   4: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["4444444"], "move 7: column 4 is full"),
        (["4", "4444444"], "position 2, '4444444': move 7: column 4 is full"),
        (["1212121"], "the game is over, first player (X) wins on move 7"),
        (["4", "-"], "- reads from stdin; give it alone, without other MOVES"),
        (["--board", "12x12x4"], "board 12x12x4: columns * (rows + 1) = 156 bits, and 128 is the most"),
        (["--threads", "0"], "threads 0: it must be a whole number, 1 or more"),
        (["--table-mb", "0"], "table_mb 0: it must be a whole number, 1 or more"),
        (["--table-mb", str(2**40)], f"table_mb {2**40}: there is not that much memory"),
        (["--limit", "soon"], None),
        (["--limit", "depth=4"], "limit depth=4: exact solving takes a time or nodes=, nothing else"),
        (["--book", "a", "--no-book"], "give either --book or --no-book, not both"),
    ],
)
def test_wrong_input_is_one_line_and_a_2(arguments: list[str], message: str | None) -> None:
    done = fourcast("solve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    if message:
        assert done.stderr == f"fourcast: {message}\n"


def test_a_closed_pipe_is_no_accident() -> None:
    command = f"yes {WON} | {sys.executable} -m fourcast solve - | head -n 2"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=60, env=os.environ, check=False
    )
    assert done.stderr == ""
    assert [line.split()[0] for line in done.stdout.splitlines()] == [WON, WON]


def test_the_help_has_an_example_and_is_light() -> None:
    done = fourcast("solve", "-h")
    assert "Example: fourcast solve" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    script = (
        "from fourcast.cli import run; run(['solve', '-h']); import sys; assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
