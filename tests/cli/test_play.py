"""`fourcast play`: a game in the terminal."""

from __future__ import annotations

import os
import pty
import signal

from tests.cli.command import fourcast, read_until, start


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
