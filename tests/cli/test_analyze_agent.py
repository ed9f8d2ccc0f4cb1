"""`fourcast analyze --agent`: what an agent thinks of a position."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from fourcast import Limit, Position, agent
from tests.cli.command import fourcast, lines_left, open_terminal, read_until, start
from tests.packages import SLEEPER, install

MOVES = "4444432655"
FOREVER = "minimax:depth=30"


def analyze(*arguments: str) -> list[str]:
    done = fourcast("analyze", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_every_column_is_shown_with_its_value() -> None:
    lines = analyze(MOVES, "--agent", "minimax:depth=6")
    found = agent("minimax:depth=6").analyze(Position.from_moves(MOVES), Limit())
    assert found.values is not None
    assert found.points is not None
    assert lines[:8] == str(Position.from_moves(MOVES)).splitlines()
    assert lines[8:12] == ["", "Move 11: X (first player) to play.", "", "column  value"]
    rows = [
        f"     {column + 1}  {value:+.2f}" + ("  best" if column == found.column else "")
        for column, value in enumerate(found.values)
        if value is not None
    ]
    assert lines[12:19] == rows
    assert lines[19:22] == ["", f"value   {found.value:+.2f}", f"points  {found.points:+.1f}"]
    assert lines[22] == f"line    {''.join(str(column + 1) for column in found.pv)}"
    effort = rf"effort  {found.nodes:,} nodes, {found.leaves:,} leaves, depth 6, [\d.]+ [kM]?B, [\d.]+ s"
    assert re.fullmatch(effort, lines[23])
    assert len(lines) == 24


def test_full_columns_and_shares_of_the_policy() -> None:
    assert analyze("444444", "--agent", "random", "--seed", "1")[11:19] == [
        "column   share",
        "     1   16.7%",
        "     2   16.7%",
        "     3   16.7%",
        "     4    0.0%  full",
        "     5   16.7%  best",
        "     6   16.7%",
        "     7   16.7%",
    ]


def test_what_is_proven_has_its_score_in_words() -> None:
    lines = analyze(MOVES, "--agent", "perfect")
    assert lines[11:15] == [
        "column  score",
        "     1      -",
        "     2      -",
        "     3      1  wins in 16 moves, best",
    ]
    assert "score   1: X (first player) wins in 16 moves" in lines
    slips = analyze(MOVES, "--agent", "perfect", "--slip", "0.1")
    assert "score   1: X (first player) wins in 16 moves without slip" in slips


def test_an_agent_that_says_nothing_of_columns_says_the_best() -> None:
    assert analyze(MOVES, "--agent", "greedy")[11:] == ["best    column 3", "line    3"]


def test_the_limit_is_the_agent_s_own_unless_one_is_given() -> None:
    assert any(", depth 6, " in line for line in analyze(MOVES, "--agent", "alphabeta"))
    assert any(", depth 2, " in line for line in analyze(MOVES, "--agent", "alphabeta", "--limit", "depth=2"))
    cut = analyze("", "--agent", FOREVER, "--limit", "nodes=2000")
    assert cut[11:13] == ["best    column 4", cut[12]]
    assert re.fullmatch(r"effort  2,000 nodes, [\d.]+ s", cut[12])


def test_json_is_the_analysis_and_whose_it_is() -> None:
    done = fourcast("analyze", MOVES, "--agent", "minimax:depth=4,tree=2", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    wanted = agent("minimax:depth=4,tree=2").analyze(Position.from_moves(MOVES), Limit()).to_json()
    wanted = json.loads(json.dumps(wanted)) | {"agent": "minimax:depth=4,tree=2"}
    for each in (document, wanted):
        del each["seconds"], each["memory"]
    assert document == wanted
    assert len(document["tree"]["children"]) == 7


def test_chance_is_repeated_with_its_seed() -> None:
    columns = [
        json.loads(fourcast("analyze", "--agent", "random", "--seed", seed, "--json").stdout)["column"]
        for seed in ("1", "1", "2", "3", "4", "5")
    ]
    assert columns[0] == columns[1]
    assert len(set(columns)) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--agent", "random", "--threads", "1"],
            "--threads is for the exact solver: it does not go with --agent",
        ),
        (
            ["--agent", "random", "--table-mb", "64"],
            "--table-mb is for the exact solver: it does not go with",
        ),
        (
            ["--agent", "random", "--no-book"],
            "--no-book is for the exact solver: it does not go with --agent",
        ),
        (["--agent", "random", "--book", "x"], "--book is for the exact solver: it does not go with --agent"),
        (["--slip", "0"], "--slip is for agents: it goes with --agent"),
        (["--seed", "1"], "--seed is for agents: it goes with --agent"),
        (["--agent", "nobody"], "there is no agent 'nobody'; known: "),
        (["--agent", "minimax:depth=0"], "agent minimax: depth=0: it takes a whole number, 1 to 128"),
        (["--agent", "random", "--limit", "soon"], "limit 'soon': write a time"),
        (["--agent", "random", "--slip", "2"], "slip 2.0: it must be a number in [0, 1)"),
        (["--agent", "human"], "--agent human: that is you; ask somebody else"),
        (["1212121", "--agent", "random"], "the game is over, first player (X) wins on move 7"),
    ],
)
def test_wrong_input_is_one_line_and_a_2(arguments: list[str], message: str) -> None:
    done = fourcast("analyze", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fourcast: {message}")
    assert len(done.stderr.splitlines()) == 1


def test_a_live_line_is_rewritten_in_place_and_leaves_nothing_behind() -> None:
    ours, theirs = open_terminal(80)
    process = start(["analyze", "--agent", FOREVER, "--limit", "1s"], stdout=theirs, stderr=theirs)
    os.close(theirs)
    written = read_until(ours, None)
    assert process.wait(60) == 0
    os.close(ours)
    shown = re.findall(rb"\r(minimax[^\r]*)\x1b\[K", written)
    assert any(re.fullmatch(rb"minimax thinks: depth 30, [\d,]+ nodes, [\d.]+ s", text) for text in shown)
    left = lines_left(written)
    assert not any("minimax" in line for line in left)
    assert left[11] == "best    column 4", "where the live line was"
    assert b"\n" not in b"".join(shown)


def test_a_narrow_terminal_has_a_short_line() -> None:
    ours, theirs = open_terminal(30)
    process = start(["analyze", "--agent", FOREVER, "--limit", "1s"], stderr=theirs)
    os.close(theirs)
    written = read_until(ours, None)
    process.communicate(timeout=60)
    os.close(ours)
    shown = re.findall(rb"\r(minimax[^\r]*)\x1b\[K", written)
    assert shown
    assert max(map(len, shown)) < 30 - len("^C"), "it does not wrap, not even when Ctrl-C is pressed"


def test_json_has_no_live_line() -> None:
    ours, theirs = open_terminal()
    process = start(["analyze", "--agent", FOREVER, "--limit", "600ms", "--json"], stderr=theirs)
    os.close(theirs)
    stdout, _ = process.communicate(timeout=60)
    assert read_until(ours, None) == b""
    os.close(ours)
    assert json.loads(stdout)["agent"] == FOREVER


def test_ctrl_c_prints_the_best_so_far() -> None:
    ours, theirs = open_terminal()
    process = start(["analyze", MOVES, "--agent", "minimax:depth=11"], stderr=theirs)
    os.close(theirs)
    read_until(ours, b", best ")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert lines_left(b"\r" + read_until(ours, None))[-2:] == ["fourcast: stopped", ""]
    os.close(ours)
    assert re.search(r"^     \d  [+-]\d\.\d\d  best so far$", stdout, re.MULTILINE)
    assert re.search(r"^     \d      -$", stdout, re.MULTILINE), "this column was not reached"
    assert re.search(r"^effort  [\d,]+ nodes, ", stdout, re.MULTILINE)


def test_ctrl_c_leaves_an_agent_that_cannot_be_stopped(tmp_path: Path) -> None:
    ours, theirs = open_terminal()
    environment = install(tmp_path, sleepers=SLEEPER)
    process = start(["analyze", "--agent", "sleeper"], stderr=theirs, environment=environment)
    os.close(theirs)
    read_until(ours, b"sleeper thinks: 0.")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout.endswith("Move 1: X (first player) to play.\n\n")
    os.close(ours)


def test_ctrl_c_stops_the_perfect_agent() -> None:
    ours, theirs = open_terminal()
    process = start(["analyze", "--agent", "perfect", "--board", "7x8x4"], stderr=theirs)
    os.close(theirs)
    read_until(ours, b" nodes, ")
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.search(r"^best    column 4 so far\neffort  [\d,]+ nodes, ", stdout, re.MULTILINE)
    os.close(ours)
