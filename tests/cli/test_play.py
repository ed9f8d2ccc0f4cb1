"""`fourcast play`: a game in the terminal."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import fourcast, lines_left, open_terminal, read_until, start
from tests.packages import PARROT, SLEEPER, install


def play(typed: str, *arguments: str) -> list[str]:
    done = fourcast("play", *arguments, stdin=typed)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_two_people_play_a_game_to_its_end() -> None:
    lines = play("1\n2\n1\n2\n1\n2\n1\n", "--second", "human")
    assert lines[0] == "Board 6x7x4. X is human, O is human."
    assert lines[-2] == "First player (X) wins on move 7. Moves: 1212121"


def test_a_finished_game_can_be_taken_back_or_begun_anew() -> None:
    lines = play("1\n2\n1\n2\n1\n2\n1\nundo\n3\nquit\n", "--second", "human")
    assert lines[-1] == "Left after 7 moves. Go on with: fourcast play 1212123 --second human"
    anew = play("1\n2\n1\n2\n1\n2\n1\nnew\n4\nq\n", "--second", "human")
    assert anew[-1] == "Left after 1 move. Go on with: fourcast play 4 --second human"
    over = play("1\n2\n1\n2\n1\n2\n1\n5\nq\n", "--second", "human")
    assert "  move 8: the game is over, first player (X) wins on move 7" in over


def test_a_person_plays_the_random_agent_and_can_leave_and_go_on() -> None:
    left = play("4\nq\n", "--seed", "1")[-1]
    assert "Left after 2 moves. Go on with: fourcast play 4" in left
    moves = left.split()[-1]
    on = play("quit\n", moves, "--seed", "1")
    assert on[-1].endswith(f"Go on with: fourcast play {moves}")


def test_the_options_come_along() -> None:
    left = play("q\n", "--board", "5x10x4", "--second", "human", "--slip", "0.2")[-1]
    assert left.endswith("fourcast play --board 5x10x4 --second human --slip 0.2")


def test_the_same_seed_plays_the_same_game() -> None:
    games = [play("", "--first", "random", "--seed", seed)[-1] for seed in ("1", "1", "2")]
    assert games[0] == games[1] != games[2]
    assert "Moves: " in games[0]


def test_undo_takes_back_the_move_and_the_answer() -> None:
    lines = play("4\nundo\n5\nu\nu\nq\n", "--seed", "3")
    assert [line for line in lines if line.startswith("Move")] == [
        "Move 1, X: 4",
        "Move 3, X: undo",
        "Move 1, X: 5",
        "Move 3, X: u",
        "Move 1, X: u",
        "Move 1, X: q",
    ]
    assert any("There is nothing to take back." in line for line in lines)
    assert lines[-1].endswith("Left after 0 moves. Go on with: fourcast play")


def test_undo_between_people_takes_back_one_move() -> None:
    lines = play("4\n5\nundo\nq\n", "--second", "human")
    assert lines[-1] == "Left after 1 move. Go on with: fourcast play 4 --second human"


def test_redo_makes_again_what_was_taken_back() -> None:
    lines = play("4\nundo\nredo\nredo\nq\n", "--seed", "3")
    assert "  There is nothing to make again." in lines
    assert lines[-1].startswith("Left after 2 moves. Go on with: fourcast play 4")
    other = play("4\n5\nundo\n6\nredo\nq\n", "--second", "human")
    assert "  There is nothing to make again." in other
    assert other[-1].endswith("fourcast play 46 --second human")


def test_undo_goes_back_beyond_the_moves_given() -> None:
    lines = play("undo\nq\n", "4455", "--second", "human")
    assert lines[-1].endswith("fourcast play 445 --second human")


def test_wrong_moves_are_explained_and_asked_again() -> None:
    lines = play("9\nfoo\n4\n4\n4\n4\n4\n4\n4\n?\nq\n", "--second", "human")
    text = "\n".join(lines)
    assert "there is no column 9 on board 6x7x4" in text
    assert "'foo' is not a column; type a column, or help" in text
    assert "move 7: column 4 is full" in text
    assert "1 to 7     drop a disc into that column" in text
    assert "(u, n, h, q for short)" in text
    assert "Left after 6 moves" in lines[-1]


def test_wide_boards_take_numbers_and_letters() -> None:
    lines = play("10\nb\n12\nq\n", "--board", "5x12x4", "--second", "human")
    assert lines[-1].endswith("fourcast play abc --board 5x12x4 --second human")


def test_letters_that_name_columns_are_moves() -> None:
    lines = play("help\nu\nh\nquit\n", "--board", "3x32x4", "--second", "human")
    assert any("(every letter is a column here)" in line for line in lines)
    assert lines[-1].endswith("fourcast play uh --board 3x32x4 --second human")


def test_slip_says_where_a_disc_was_aimed_and_where_it_fell() -> None:
    lines = play("4\n" * 20, "--second", "human", "--slip", "0.9", "--seed", "1")
    assert any("X aimed at 4, slipped and fell into column" in line for line in lines)


def test_agents_play_each_other() -> None:
    lines = play("", "--first", "random", "--second", "random", "--seed", "5", "--board", "4x4x3")
    assert "Moves: " in lines[-1]


def test_the_end_of_the_input_leaves_the_game() -> None:
    assert "Left after 0 moves" in play("")[-1]


def test_ctrl_c_leaves_with_the_moves_so_far() -> None:
    ours, theirs = pty.openpty()
    process = start(["play", "44", "--second", "human"], stdin=theirs, stdout=theirs)
    os.close(theirs)
    os.write(ours, b"5\n")
    read_until(ours, b"Move 4, O:")
    process.send_signal(signal.SIGINT)
    assert b"Go on with: fourcast play 445 --second human" in read_until(ours, None)
    _, stderr = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 130
    assert stderr == "fourcast: stopped\n"


def test_agents_have_options_and_say_what_they_thought() -> None:
    lines = play("4\nq\n", "--second", "alphabeta:depth=4,eval=power")
    assert lines[0] == "Board 6x7x4. X is human, O is alphabeta:depth=4,eval=power."
    said = next(line for line in lines if line.startswith("O plays"))
    assert re.fullmatch(r"O plays \d: value [+-]\d\.\d\d, [\d,]+ nodes, depth 4, \d+\.\d{3} s", said)
    assert max(map(len, lines[:-1])) <= 80, "all but the command to go on with"
    assert lines[-1].endswith(" --second alphabeta:depth=4,eval=power")


def test_what_is_proven_is_said_in_words() -> None:
    lines = play("q\n", "4444432655", "--first", "perfect", "--second", "human", "--limit", "1min")
    assert any(re.fullmatch(r"X plays 3: wins in 16 moves, [\d,]+ nodes, [\d.]+ s", line) for line in lines)
    lost = play("q\n", "44556", "--second", "alphabeta:depth=3")
    assert any(line.startswith("O plays 4: loses in 1 move, ") for line in lost)


def test_with_slip_what_is_proven_is_that_of_the_game_without() -> None:
    lines = play("q\n", "44556", "--second", "alphabeta:depth=3", "--slip", "0.01", "--seed", "1")
    assert any(": loses in 1 move without slip, " in line for line in lines)


def test_an_agent_whose_disc_slips_says_where_it_aimed() -> None:
    lines = play("", "--first", "greedy", "--second", "greedy", "--slip", "0.9", "--seed", "1")
    slipped = [number for number, line in enumerate(lines) if ", slipped and fell into column " in line]
    assert slipped
    for number in slipped:
        disc, _, aimed = lines[number - 1].rstrip(".").split()
        assert lines[number].startswith(f"{disc} aimed at {aimed}, slipped and fell into column ")
    assert not any(re.match(r"[XO] fell", line) for line in lines), "where it was aimed is said already"


def test_the_limit_is_kept_and_comes_along() -> None:
    lines = play("4\nq\n", "--second", "alphabeta", "--limit", "depth=2")
    assert any(", depth 2, " in line for line in lines)
    assert lines[-1].endswith(" --second alphabeta --limit depth=2")
    both = play("4\nq\n", "--second", "minimax:depth=20", "--limit", "200ms,nodes=5000")
    assert any(line.startswith("O plays 4: 5,000 nodes, ") for line in both)
    assert both[-1].endswith(" --limit 200ms,nodes=5000")


def test_agents_hear_of_new_games_and_of_moves_taken_back(tmp_path: Path) -> None:
    environment = install(tmp_path, parrots=PARROT)
    done = fourcast("play", "--second", "parrot", stdin="4\nundo\n5\nnew\nq\n", environment=environment)
    assert done.returncode == 0
    heard = [line for line in done.stdout.splitlines() if re.match("parrot|Move", line)]
    assert heard == [
        "parrot: hello",
        "Move 1, X: 4",
        "Move 3, X: undo",
        "parrot: hello",
        "Move 1, X: 5",
        "Move 3, X: new",
        "parrot: hello",
        "Move 1, X: q",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--second", "alphabeta:depth=0"], "agent alphabeta: depth=0: it takes a whole number, 1 to 128"),
        (["--first", "random:3"], "agent random: write 3 as option=value"),
        (["--first", "human:3"], "agent human: write 3 as option=value"),
        (["--limit", "soon"], "limit 'soon': write a time (0.5s, 200ms, 2min) or one of "),
        (["--limit", "0s"], "limit seconds=0.0: it must be a number over 0"),
        (["--slip", "1"], "slip 1.0: it must be a number in [0, 1)"),
    ],
)
def test_wrong_options_are_one_line_and_a_2(arguments: list[str], message: str) -> None:
    done = fourcast("play", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fourcast: {message}")
    assert len(done.stderr.splitlines()) == 1


def test_the_help_says_where_the_agents_are() -> None:
    done = fourcast("play", "-h")
    assert "see fourcast agents" in " ".join(done.stdout.split())
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_live_line_is_shown_while_an_agent_thinks_and_erased_when_it_moves() -> None:
    ours, theirs = open_terminal()
    process = start(
        ["play", "4", "--second", "minimax:depth=20", "--limit", "1s"],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    process.communicate("q\n", timeout=60)
    written = read_until(ours, None)
    os.close(ours)
    assert re.search(rb"\rO: preparing, \d\.\d s\x1b\[K|\rO thinks: ", written)
    assert re.search(rb"\rO thinks: depth 20, [\d,]+ nodes, (best 4, )?\d\.\d s\x1b\[K", written)
    left = lines_left(written)
    assert not any("thinks" in line or "preparing" in line for line in left)
    assert any(re.match(r"O plays 4: .*[\d,]+ nodes, ", line) for line in left)


def test_without_a_terminal_there_is_no_live_line() -> None:
    done = fourcast("play", "4", "--second", "minimax:depth=20", "--limit", "600ms", stdin="q\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "thinks" not in done.stdout


def test_ctrl_c_stops_an_agent_that_thinks() -> None:
    ours, theirs = open_terminal()
    process = start(["play", "4", "--second", "minimax:depth=20", "--limit", "10min"], stderr=theirs)
    os.close(theirs)
    read_until(ours, b" nodes, ")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout.endswith(
        "\nLeft after 1 move. Go on with: fourcast play 4 --second minimax:depth=20 --limit 10min\n"
    )
    assert lines_left(b"\r" + read_until(ours, None))[-2:] == ["fourcast: stopped", ""]
    os.close(ours)


def test_ctrl_c_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    ours, theirs = open_terminal()
    process = start(
        ["play", "4", "--second", "alphabeta"], stderr=theirs, environment={"NUMBA_CACHE_DIR": str(tmp_path)}
    )
    os.close(theirs)
    read_until(ours, b"O: preparing, ")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout.endswith("\nLeft after 1 move. Go on with: fourcast play 4 --second alphabeta\n")
    assert not any(tmp_path.rglob("lookahead.*")), "the search was not compiled any more"
    os.close(ours)


def test_ctrl_c_leaves_an_agent_that_cannot_be_stopped(tmp_path: Path) -> None:
    ours, theirs = open_terminal()
    environment = install(tmp_path, sleepers=SLEEPER)
    process = start(["play", "4", "--second", "sleeper"], stderr=theirs, environment=environment)
    os.close(theirs)
    read_until(ours, b"\rO thinks: 0.")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout.endswith("\nLeft after 1 move. Go on with: fourcast play 4 --second sleeper\n")
    os.close(ours)
