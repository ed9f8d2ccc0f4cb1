"""An exported file plays alone: without Fourcast, with and without Numba, and always legally."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast.game.errors import BadExport, BadOption
from fourcast.game.position import Position
from fourcast.interop.export import export_agent, write_agent
from tests.cli.command import fourcast
from tests.interop.bare import ask, kaggle_question

EARLY = "444444"  # in the book
MATE = "121212"  # the side to move has three in column 1
LATE = "257771314744647214174561"


@pytest.fixture(scope="module")
def kaggle_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "agent.py"
    write_agent(path)
    return path


@pytest.fixture(scope="module")
def contest_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "contest.py"
    write_agent(path, "negamax", "contest")
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def question(moves: str, **more: Any) -> dict[str, Any]:
    position = Position.from_moves(moves)
    return kaggle_question(position.to_flat(), position.turn + 1, **more)


def state(moves: str, player: int | None = None) -> dict[str, Any]:
    position = Position.from_moves(moves)
    return {"player": player or position.turn + 1, "state": position.to_rows()}


def best_columns(moves: str) -> list[int]:
    from fourcast.solver import Solver

    scores = Solver().analyze(Position.from_moves(moves)).scores
    assert scores is not None
    best = max(score for score in scores if score is not None)
    return [column for column, score in enumerate(scores) if score == best]


def test_it_is_one_small_file_whose_last_function_plays(kaggle_file: Path) -> None:
    tree = ast.parse(kaggle_file.read_text())
    assert kaggle_file.stat().st_size <= 1_000_000
    assert isinstance(tree.body[-1], ast.FunctionDef)
    assert tree.body[-1].name == "agent"


def test_without_numba_it_knows_the_book_sees_wins_and_answers_legally(
    kaggle_file: Path, cache: Path
) -> None:
    five_in_line = kaggle_question([0] * 30, rows=5, columns=6, inarow=5)
    said = ask(
        kaggle_file,
        [question(""), question(EARLY), question(MATE), question(MATE + "1"), five_in_line],
        cache=cache,
    )
    assert (said["last"], said["compiled"]) == ("agent", False)
    opening, second, mate, over, other_board = said["answers"]
    assert (opening, mate) == (3, 0)
    assert second in best_columns(EARLY)
    assert over.startswith("ValueError: the game is over")
    assert 0 <= other_board < 6


def test_without_numba_it_solves_what_is_nearly_over(kaggle_file: Path, cache: Path) -> None:
    assert ask(kaggle_file, [question(LATE)], cache=cache)["answers"][0] in best_columns(LATE)


def test_it_plays_where_no_folder_can_be_written_to(kaggle_file: Path, cache: Path) -> None:
    said = ask(kaggle_file, [question(""), question(MATE)], cache=cache, numba=True, folders=False)
    assert said["answers"] == [3, 0]
    assert not said["compiled"]  # machine code has to be kept beside its source


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (kaggle_question([0] * 41), "41 cells, but board 6x7x4 has 42"),
        (kaggle_question([0] * 41 + [3]), "cell 42: 3 is neither 0, 1 nor 2"),
        (kaggle_question([1] + [0] * 41, mark=2), "empty"),
        (kaggle_question([0] * 42, mark=3), "a player is 1 or 2, not 3"),
        (kaggle_question([0] * 42, mark=None), "a player is 1 or 2, not None"),  # type: ignore[arg-type]
        (kaggle_question([0] * 41 + [1], mark=1), "it is not the turn of player 1"),
        (kaggle_question([0] * 42, rows=0), "at least one row"),
        (kaggle_question([0] * 42, inarow=9), "longer than the board"),
        (kaggle_question([0] * 42, rows=400), "128 bits is the most"),
        (kaggle_question([0] * 42, columns="7"), "must be a whole number"),
        (kaggle_question([np.zeros(2)] * 42), "cell 1: .* is neither 0, 1 nor 2"),  # type: ignore[list-item]
        (kaggle_question(["1"] * 42), "cell 1: '1' is neither 0, 1 nor 2"),  # type: ignore[list-item]
    ],
)
def test_senseless_questions_are_one_clear_error(wrong: dict[str, Any], message: str) -> None:
    from fourcast.game.errors import FourcastError
    from fourcast.interop.observation import kaggle_position

    with pytest.raises(FourcastError, match=message):
        kaggle_position(wrong["observation"], wrong["configuration"])


@pytest.mark.parametrize("wrong", ["2", -1, True, float("nan"), float("inf"), [1]])
def test_a_time_that_is_none_is_one_clear_error(wrong: object) -> None:
    from fourcast.game.errors import BadLimit
    from fourcast.interop.observation import seconds_field

    with pytest.raises(BadLimit, match="actTimeout is a number of seconds, not"):
        seconds_field({"actTimeout": wrong}, "actTimeout", 1.0)
    assert seconds_field({"actTimeout": 0}, "actTimeout", 1.0) == 0
    assert seconds_field({}, "actTimeout", 1.0) == 1


def test_without_time_it_answers_at_once_and_legally(kaggle_file: Path, cache: Path) -> None:
    hurried, senseless = question(LATE), question(LATE)
    hurried["configuration"]["actTimeout"] = 0
    senseless["configuration"]["actTimeout"] = "2"
    answers = ask(kaggle_file, [hurried, senseless], cache=cache)["answers"]
    assert answers[0] in Position.from_moves(LATE).legal
    assert answers[1] == "ValueError: actTimeout is a number of seconds, not '2'"


def test_words_of_a_file_and_of_the_package_are_kept_apart_by_their_names() -> None:
    # Both may be in one process, and Numba knows a union by the names of its types: what the one compiles
    # would be kept with types of the other, and be read by neither alone.
    script = """
import importlib.util
from numba.core.types import UnionType
from fourcast.kernels import words
spec = importlib.util.spec_from_file_location("fourcast_0.kernels.words", words.__file__)
other = importlib.util.module_from_spec(spec)
spec.loader.exec_module(other)
assert UnionType([words.WordType(64)]) != UnionType([other.WordType(64)])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_contest_asks_an_object(contest_file: Path, cache: Path) -> None:
    wide = {"player": 1, "state": [[0] * 8 for _ in range(6)]}
    said = ask(
        contest_file,
        [
            state(""),
            state(MATE),
            state("", player=2),
            state("", player=2) | {"numpy": True},
            wide,
            state("4", player=1),
            state("", player=5),
            state(MATE + "1"),
        ],
        cache=cache,
    )
    assert said["last"] == "AIAgent"
    *columns, shape, turn, player, over = said["answers"]
    assert columns == [3, 0, 3, 3]  # whoever begins
    assert shape == "ValueError: the state is 6x8, and the board 6x7"
    assert turn.startswith("ValueError: it is not the turn of player 1")
    assert player == "ValueError: a player is 1 or 2, not 5"
    assert over.startswith("ValueError: the game is over")


def test_the_unknown_the_too_large_and_the_unwritable(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no agent 'mcts' to export; known: perfect, negamax"):
        export_agent("mcts")
    with pytest.raises(BadOption, match="no style 'chess' to export"):
        export_agent(style="chess")
    with pytest.raises(BadExport, match="bytes, and 1,000 is the most"):
        export_agent(most_bytes=1000)
    with pytest.raises(BadExport, match="cannot write"):
        write_agent(tmp_path / "none" / "agent.py")
    assert not list(tmp_path.iterdir())


def test_only_an_exported_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("def agent(observation, configuration):\n    return 3\n")
    with pytest.raises(BadExport, match="was not exported; choose another name"):
        write_agent(path)
    assert "return 3" in path.read_text()
    path.unlink()
    write_agent(path, "perfect")
    assert write_agent(path, "negamax").text == path.read_text()


def test_the_command_writes_it_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    ran = fourcast("export", "kaggle", "-o", str(path), "--agent", "negamax", "--json")
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert (said["agent"], said["style"], said["bytes"]) == ("negamax", "kaggle", path.stat().st_size)
    bad = fourcast("export", "kaggle", "-o", str(tmp_path))
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (2, "", 1)


def test_run_with_boards_it_gets_ready_for_them(kaggle_file: Path, cache: Path) -> None:
    block = (
        "import runpy, sys; sys.modules['numba'] = sys.modules['llvmlite'] = None; sys.argv = sys.argv[1:]"
    )
    script = f"{block}; runpy.run_path(sys.argv[0], run_name='__main__')"

    def run(*boards: str) -> tuple[int, str, str]:
        ran = subprocess.run(
            [sys.executable, "-c", script, str(kaggle_file), *boards],
            capture_output=True,
            text=True,
            env=os.environ | {"XDG_CACHE_HOME": str(cache)},
            check=False,
        )
        return ran.returncode, ran.stdout, ran.stderr

    assert run() == (0, "perfect, without Numba: ready\n", "")
    both = "perfect, without Numba, 4x5x3: ready\nperfect, without Numba, 8x10x5: ready\n"
    assert run("4x5x3", "8x10x5") == (0, both, "")
    code, said, error = run("4x5x3", "5x5")
    assert (code, said, error.count("\n")) == (1, "", 1)
    assert "write it as ROWSxCOLUMNSxCONNECT" in error


@pytest.mark.slow
def test_with_numba_every_move_is_perfect(kaggle_file: Path, tmp_path: Path) -> None:
    """Its cache is empty, so the first question waits until the solver is compiled, as Kaggle lets it."""
    from fourcast.arena.quality import graded_positions

    # Not those that take long: however busy the machine is, they are solved in time.
    graded = [each for each in graded_positions(40, 5, lambda *_: None) if each.position.ply >= 13]
    questions = [question(each.position.moves, overage=250.0) for each in graded]
    said = ask(kaggle_file, questions, cache=tmp_path, numba=True)
    assert said["compiled"]
    assert [each.scores[column] for each, column in zip(graded, said["answers"], strict=True)] == [
        each.best for each in graded
    ]


@pytest.mark.slow
def test_run_once_it_is_compiled_and_plays_in_the_arena(
    kaggle_file: Path, contest_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fourcast as fc

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    ran = subprocess.run([sys.executable, kaggle_file], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "perfect, compiled: ready\n", "")
    report = fc.match(f"file:{kaggle_file}", f"file:{contest_file}", games=2, limit="1s")
    assert report.games == 2
    assert [side.failures for side in report.sides] == [{}, {}]
