"""`fourcast bench solver`: what is measured and how it is told; never how long it took."""

from __future__ import annotations

import json
import os
import pty
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fourcast import FourcastError, MissingExtra, Position
from fourcast.bench import solver as bench_solver
from fourcast.bench.peer import Peer
from fourcast.bench.sets import SetFigures, SetsReport
from fourcast.bench.solver import AT_ONCE, Stopwatch, measure
from fourcast.solver import Solver
from fourcast.solver.position_sets import PositionSet
from tests.cli.command import fourcast, read_until, start

LATE = ["2252576253462244111563365343671351441", "7422341735647741166133573473242566"]
MIDDLE = ["52753311433677442422121", "274552224131661"]  # a quick one, and one for two threads

FIELDS = {
    *("set", "positions", "asked", "seconds", "p99", "nodes", "nodes_per_second", "wrong"),
    *("peer", "peer_seconds", "peer_nodes", "disagree", "ratio", "bar", "passed"),
    *("one_thread", "two_threads", "speedup"),
}


def score(moves: str) -> int:
    return int(Solver(book=False).solve_many([Position.from_moves(moves)]).scores[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of which one score is wrong, and one without scores that is worth two threads."""
    (tmp_path / "Test_L3_R1").write_text(f"{LATE[0]} {score(LATE[0])}\n{LATE[1]} {score(LATE[1]) + 1}\n")
    (tmp_path / "middle").write_text(f"{MIDDLE[1]}\n")
    return tmp_path


def run(*arguments: str) -> dict[str, dict[str, Any]]:
    done = fourcast("bench", "solver", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["fourcast"]
    assert document["processor"]
    assert "complete" not in document
    assert all(set(each) == FIELDS for each in document["sets"])
    return {each["set"]: each for each in document["sets"]}


def test_sets_of_a_folder(folder: Path) -> None:
    sets = run("--sets", str(folder))
    assert list(sets) == ["Test_L3_R1", "middle"]
    late, middle = sets.values()
    assert (late["positions"], late["wrong"], late["bar"]) == (2, 1, 0.11)
    assert (middle["positions"], middle["wrong"], middle["bar"]) == (1, None, None)
    nodes = Solver(book=False).solve_many(list(map(Position.from_moves, LATE)), fresh=True).nodes
    assert late["nodes"] == nodes.mean()
    for each in sets.values():
        assert each["asked"] in ("single", "many")
        assert each["seconds"] > 0
        assert each["p99"] > 0
        assert each["nodes_per_second"] == pytest.approx(each["nodes"] / each["seconds"])
        for name in ("peer", "peer_seconds", "peer_nodes", "disagree", "ratio", "passed"):
            assert each[name] is None


def test_the_peer_is_asked_the_same(folder: Path) -> None:
    for each in run("--sets", str(folder), "--peers", "--limit", "1", "--no-two-threads").values():
        assert (each["positions"], each["peer"], each["disagree"]) == (1, "BitBully", 0)
        assert each["peer_nodes"] > 0
        assert each["ratio"] == pytest.approx(each["seconds"] / each["peer_seconds"])
        assert each["passed"] is (None if each["bar"] is None else each["ratio"] <= each["bar"])
        assert each["one_thread"] is each["two_threads"] is each["speedup"] is None


@pytest.mark.slow
def test_its_own_sets_in_a_table() -> None:
    done = fourcast("bench", "solver", "--limit", "1", "--no-two-threads")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line[:17].strip() for line in lines[4:10]] == [
        "end, easy",
        "middle, easy",
        "middle, hard",
        "beginning, easy",
        "beginning, medium",
        "beginning, hard",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("44 1\n4? 1\n", "fourcast: set, line 2: move 2: '?' is not a column (1-9, then a-z)"),
        ("44 one\n", "fourcast: set, line 1: 'one' is not a score"),
        ("", "fourcast: cannot read set: there is no position in it"),
    ],
)
def test_wrong_sets_are_one_line_and_a_2(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "set").write_text(text)
    done = fourcast("bench", "solver", "--sets", str(tmp_path), "--json")
    assert (done.returncode, done.stdout, done.stderr.splitlines()) == (2, "", [message])


@pytest.mark.parametrize("arguments", [["--sets", "/nonsense"], ["--limit", "0"]])
def test_wrong_options_are_one_line_and_a_2(arguments: list[str]) -> None:
    done = fourcast("bench", "solver", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_help_with_an_example() -> None:
    done = fourcast("bench", "solver", "-h")
    assert "Example: fourcast bench solver" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_ctrl_c_stops_at_once_and_keeps_the_sets_that_are_done(folder: Path) -> None:
    ours, theirs = pty.openpty()
    process = start(["bench", "solver", "--sets", str(folder), "--empty", "--json"], stderr=theirs)
    os.close(theirs)
    read_until(ours, b"empty board")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"fourcast: stopped" in read_until(ours, None)
    os.close(ours)
    document = json.loads(stdout)
    assert [each["set"] for each in document["sets"]] == ["Test_L3_R1", "middle"]
    assert document["complete"] is False


def test_whichever_way_it_is_asked_the_answer_is_the_same() -> None:
    positions = list(map(Position.from_moves, [*LATE, *MIDDLE]))
    expected = Solver(book=False).solve_many(positions, fresh=True)
    with ThreadPoolExecutor(1) as pool:
        stopwatch = Stopwatch(pool)
        for position, score, nodes in zip(positions, expected.scores, expected.nodes, strict=True):
            assert stopwatch.alone(position)[:2] == (score, nodes)
            assert stopwatch.together(position) > 0
        assert stopwatch.at_once((positions[0],) * AT_ONCE) > 0


def test_short_questions_are_asked_at_once_and_all_of_two_threads_if_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = PositionSet("late", tuple(map(Position.from_moves, LATE * 40)), (None,) * 80)
    told: list[tuple[str, int, int]] = []

    def figures(two_threads: bool) -> SetFigures:
        (found,) = measure(
            [chosen], peers=False, two_threads=two_threads, advance=lambda *what: told.append(what)
        )
        return found

    monkeypatch.setattr(bench_solver, "TINY", 1e9)
    assert figures(True).asked == "many"
    monkeypatch.setattr(bench_solver, "TINY", 0)
    assert figures(True).asked == "single"
    assert figures(True).speedup
    assert figures(False).speedup is None
    assert (told[0], told[-1]) == (("late", 0, 80), ("late", 80, 80))


def test_figures_and_what_follows_from_them() -> None:
    figures = SetFigures("Test_L1_R1", 10, "many", 2e-5, 1e-4, 500.0, 0, "BitBully", 1e-3, 4e3, 0, 3.0, 2.0)
    assert figures.ratio == pytest.approx(0.02)
    assert figures.nodes_per_second == pytest.approx(25e6)
    assert figures.speedup == 1.5
    assert (figures.bar, figures.passed) == (0.04, True)
    assert replace(figures, seconds=1e-4).passed is False
    assert replace(figures, name="of my own").passed is None
    assert replace(figures, peer_seconds=None).passed is None


def test_the_table_says_everything_in_80_columns() -> None:
    figures = SetFigures(
        "a set with a name far too long", 1000, "many", 9.994e-4, 0.9996, 999_900.0, 123, "BitBully", 123.4,
        1e9, 17, 3.0, 2.0,
    )  # fmt: skip
    late = replace(figures, name="Test_L1_R1", seconds=100.0, p99=2e-7, nodes=12.5, wrong=None)
    text = SetsReport([figures, late], complete=True).to_text()
    assert max(map(len, text.splitlines())) <= 80
    rows = [" ".join(line.split()) for line in text.splitlines()[3:]]
    assert rows[0] == "set size mean 99% nodes wrong BitBully ratio bar threads"
    assert rows[1] == "a set with a n... 1000 999 us* 1000 ms 1000 k 123 123 s 0.000 1.50x"
    quick = SetsReport([replace(figures, one_thread=3e-4, two_threads=2e-4)]).to_text()
    assert "1.50x" not in quick, "what one thread does alone says nothing of two"
    assert "! above its bar" in rows
    assert "* many at once" in rows
    assert "BitBully disagrees with 17 scores of Test_L1_R1" in rows


def test_a_peer_that_has_ended_says_so() -> None:
    with Peer() as peer:
        assert peer.ask(Position.from_moves(LATE[0])).score == score(LATE[0])
        peer._process.kill()
        with pytest.raises(FourcastError, match="BitBully has given no answer to 44"):
            peer.ask(Position.from_moves("44"))


def test_a_peer_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(MissingExtra, match=r"fourcast\[bench\]"):
        next(measure([], peers=True, two_threads=False, advance=lambda *_: None))
