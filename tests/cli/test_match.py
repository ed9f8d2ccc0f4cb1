"""`fourcast match`, `tournament` and `games`: what one sees, and what happens to wrong input."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from fourcast.arena.store import Store
from tests.cli.command import fourcast, read_until, start

FAST = ("--any-opening", "--jobs", "1", "--grade", "0")


@pytest.fixture
def out(tmp_path: Path) -> str:
    return str(tmp_path / "games.db")


def refused(*arguments: str) -> str:
    done = fourcast(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("fourcast: ")
    return done.stderr


def test_a_match_in_words(out: str) -> None:
    asked = ("match", "alphabeta:2", "random", "--games", "20", "--jobs", "1", "--grade", "4", "--out", out)
    done = fourcast(*asked)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert lines[:3] == ["A  alphabeta:2", "B  random", "6x7x4, no limit for a move, 20 games"]
    for word in ("as first player", "as second player", "together", "Elo", "share", "pairs", "length"):
        assert any(line.startswith(word) for line in lines), word
    assert any("in 4 games" in line for line in lines)
    assert lines[-1] == f"Games are in run 1 of {out}"
    assert fourcast(*asked).stdout == done.stdout


def test_a_match_as_json(out: str) -> None:
    arguments = ("match", "greedy", "random", "--games", "12", "--limit", "1s", "--out", out, *FAST, "--json")
    report = json.loads(fourcast(*arguments).stdout)
    assert report["games"] == report["planned"] == 12
    assert 0 <= report["points"] <= 12
    assert len(report["interval"]) == 2
    assert [agent["agent"] for agent in report["agents"]] == ["greedy", "random"]
    for agent in report["agents"]:
        assert set(agent["first"]) == set(agent["second"]) == {"wins", "draws", "losses"}
        assert set(agent["seconds"]) >= {"mean", "p99", "max"}
        assert agent["errors"] == {}
    assert set(report["lengths"]) >= {"mean", "sd", "min", "max", "earliest_win"}
    assert report["complete"] is True
    with Store(Path(out)) as store:
        assert store.runs()[0].games == 12
    fresh = json.loads(fourcast(*arguments, "--fresh").stdout)
    assert fresh["points"] == report["points"]
    assert fresh["run"] == report["run"]


def test_slip_other_boards_openings_and_tests(out: str) -> None:
    done = fourcast(
        "match", "greedy", "random", "--games", "600", "--board", "5x5x3", "--slip", "0.2", "--plies", "0-2",
        "--sprt", "0,60", "--out", out, *FAST, "--json",
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert report["rules"] == "5x5x3 with slip 0.2"
    assert report["sprt"]["verdict"] == "H1"
    assert report["games"] < 600
    none = fourcast(
        "match", "greedy", "vertical", "--games", "4", "--openings", "none", "--out", out, "--jobs", "1"
    )
    assert "2 games like another one" in none.stdout


@pytest.mark.slow
def test_wrong_input_of_a_match(out: str, tmp_path: Path) -> None:
    for arguments, message in {
        ("greedy", "nobody"): "there is no agent 'nobody'; known: ",
        ("greedy", "human"): "people play with fourcast play",
        ("greedy",): "Missing argument 'B'",
        ("greedy", "mcts:simulations=x"): "simulations=x: it takes a whole number",
        ("greedy", "file:missing.py"): "there is no file 'missing.py'",
        ("greedy", "exec:missing-program"): "missing-program",
        ("greedy", "random", "--games", "0"): "--games",
        ("greedy", "random", "--limit", "soon"): "limit 'soon'",
        ("greedy", "random", "--openings", "many"): "--openings 'many': it is a whole number",
        ("greedy", "random", "--openings", "0"): "--openings '0'",
        ("greedy", "random", "--plies", "8-2"): "openings of 8 to 2 plies",
        ("greedy", "random", "--plies", "few"): "--plies 'few': write it like 0-8",
        ("greedy", "random", "--sprt", "5"): "a test is two Elo differences",
        ("greedy", "random", "--sprt", "9,3"): "the first Elo difference must be below",
        ("greedy", "random", "--on-timeout", "cry"): "--on-timeout 'cry': it is one of forfeit, random",
        ("greedy", "random", "--board", "9"): "9",
        ("greedy", "random", "--slip", "2"): "slip 2.0",
    }.items():
        assert message in refused("match", *arguments, "--out", out)
    assert not Path(out).exists(), "nothing is made for nothing"
    text = tmp_path / "text.db"
    text.write_text("this is no database, whatever its name may say, and it is long enough to tell" * 20)
    assert "not a database" in refused("match", "greedy", "random", "--out", str(text))
    assert "unable to open" in refused(
        "match", "greedy", "random", "--out", str(tmp_path / "no" / "folder.db")
    )


@pytest.mark.parametrize("verb", ["match", "tournament"])
def test_ctrl_c_stops_at_once_and_the_same_command_goes_on(out: str, verb: str) -> None:
    pair = ("montecarlo:2", "greedy")
    arguments = [verb, *pair, "--any-opening", "--jobs", "2", "--out", out, "--json"]
    arguments += ["--games", "100000"] if verb == "match" else ["--rounds", "50000"]
    process = start(arguments)
    deadline = time.monotonic() + 60
    kept = 0
    while kept < 50 and time.monotonic() < deadline:
        time.sleep(0.05)
        if Path(out).exists():
            with Store(Path(out)) as store:
                kept = sum(run.games for run in store.runs())
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert time.monotonic() - began < 10
    assert process.returncode == 130
    report = json.loads(stdout)
    assert report["complete"] is False
    with Store(Path(out)) as store:
        assert store.runs()[0].games == report["games"] >= 50
    games = f"stopped after {report['games']:,} of 100,000 games"
    assert stderr == f"fourcast: {games}, kept in {out}; the same command goes on from there\n"


def test_a_terminal_shows_how_it_goes(out: str) -> None:
    ours, theirs = pty.openpty()
    process = start(
        ["match", "montecarlo:3000", "greedy", "--games", "60", "--any-opening", "--jobs", "1", "--out", out],
        stderr=theirs,
    )
    os.close(theirs)
    seen = read_until(ours, None).decode(errors="replace")
    process.communicate(timeout=60)
    assert "/60" in seen
    assert "games" in seen
    assert "/s" in seen
    assert " : " in seen


def test_a_tournament_in_words_and_json(out: str) -> None:
    agents = ("random", "greedy", "horizontal", "alphabeta:2")
    done = fourcast("tournament", *agents, "--rounds", "2", "--any-opening", "--jobs", "1", "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert lines[0] == "4 agents, round robin, 2 rounds, 24 of 24 games"
    assert any(line.split()[:2] == ["1", "alphabeta:2"] for line in lines)
    assert any(line.startswith("points: mean 6.0") for line in lines)
    report = json.loads(
        fourcast(
            "tournament", *agents, "--rounds", "2", "--any-opening", "--jobs", "1", "--out", out, "--json"
        ).stdout
    )
    assert (report["games"], report["planned"], report["complete"]) == (24, 24, True)
    assert report["standings"]["agents"][0]["name"] == "alphabeta:2"
    assert set(report["standings"]["field"]["percentiles"]) == {"10", "25", "50", "75", "90"}
    assert len(report["standings"]["crosstable"]) == 4
    assert {agent["name"] for agent in report["ratings"]["agents"]} == set(agents)


@pytest.mark.slow
def test_a_field_from_a_file(out: str, tmp_path: Path) -> None:
    field = tmp_path / "field.toml"
    field.write_text(
        """
board = "5x5x4"
openings = "none"
format = "swiss"
rounds = 2
[[agents]]
name = "level {level}"
spec = "negamax:nodes=100,level={level}"
level = { from = 1, to = 5 }
"""
    )
    done = fourcast("tournament", "greedy", "--field", str(field), "--jobs", "1", "--out", out, "--json")
    report = json.loads(done.stdout)
    assert (report["rules"], report["format"], report["planned"]) == ("5x5x4", "swiss", 12)
    assert set(report["specs"]) == {"greedy", *(f"level {level}" for level in range(1, 6))}


def test_wrong_input_of_a_tournament(out: str, tmp_path: Path) -> None:
    field = tmp_path / "field.toml"
    field.write_text('board = "6x7x4"\nrounds = "two"\n')
    for arguments, message in {
        (): "a tournament takes two agents or more, not 0",
        ("random",): "a tournament takes two agents or more, not 1",
        ("random", "random"): "'random' is in the field twice",
        ("random", "nobody"): "there is no agent 'nobody'",
        ("--field", str(field)): "rounds (line 2): 'two' is not a whole number",
        ("--field", "nowhere.toml"): "field nowhere.toml: No such file",
        ("random", "greedy", "--rounds", "0"): "--rounds",
    }.items():
        assert message in refused("tournament", *arguments, "--out", out)
    field.write_text("rounds = 2\nboard = 6x7x4\n")
    assert "line 2" in refused("tournament", "--field", str(field), "--out", out)
    assert not Path(out).exists()


@pytest.mark.slow
def test_looking_at_games(out: str) -> None:
    fourcast("match", "greedy", "random", "--games", "6", "--slip", "0.2", "--out", out, *FAST)
    fourcast("match", "vertical", "random", "--games", "4", "--out", out, *FAST)
    runs = fourcast("games", "list", out).stdout.splitlines()
    assert [line.split()[:2] for line in runs] == [["run", "1"], ["run", "2"]]
    assert "greedy - random" in runs[0]
    games = fourcast("games", "list", out, "--run", "2").stdout.splitlines()
    assert len(games) == 4
    assert all(len(line) <= 80 for line in [*runs, *games])
    assert len(fourcast("games", "list", out, "--agent", "random").stdout.splitlines()) == 10
    assert len(fourcast("games", "list", out, "--agent", "greedy").stdout.splitlines()) == 6
    listed = json.loads(fourcast("games", "list", out, "--run", "1", "--json").stdout)
    assert [game["game"] for game in listed["games"]] == list(range(6))
    shown = fourcast("games", "show", out, "3", "--run", "1").stdout
    assert '[First "random"]' in shown
    assert "wins on move" in shown
    record = json.loads(fourcast("games", "show", out, "3", "--run", "1", "--json").stdout)
    assert record["landed"] == listed["games"][3]["landed"]
    last = len(record["landed"])
    replay = fourcast("games", "replay", out, "3", "--run", "1", stdin=f"\nb\n{last}\nq\n").stdout
    assert f"move 1 of {last}" in replay
    assert replay.count("move 0 of") == 2
    assert "wins on move" in replay
    whole = fourcast("games", "replay", out, "3", "--run", "1", "--delay", "0").stdout
    assert whole.count("fell into column") == last
    for arguments, message in {
        ("list", "nowhere.db"): "there is no such file",
        ("show", out, "99"): "there is no game 99 in run 2",
        ("show", out, "0", "--run", "7"): "there is no run 7",
        ("export", out, "--format", "xml"): "--format 'xml': it is one of jsonl, pgn",
    }.items():
        assert message in refused("games", *arguments)


@pytest.mark.parametrize("form", ["jsonl", "pgn"])
@pytest.mark.slow
def test_games_go_out_and_come_in(out: str, tmp_path: Path, form: str) -> None:
    fourcast("match", "greedy", "random", "--games", "6", "--slip", "0.2", "--out", out, *FAST)
    text = str(tmp_path / f"games.{form}")
    assert fourcast("games", "export", out, "--format", form, "-o", text).returncode == 0
    assert Path(text).read_text() == fourcast("games", "export", out, "--format", form).stdout
    other = str(tmp_path / "other.db")
    done = fourcast("games", "import", other, text)
    assert done.stdout == f"6 games added to {other}, run 1\n"
    assert "there already, in run 1" in fourcast("games", "import", other, text).stdout
    with Store(Path(out)) as one, Store(Path(other)) as two:
        assert [game for *_, game in one.games()] == [game for *_, game in two.games()]
    piped = fourcast("games", "import", other, "-", stdin=Path(text).read_text().replace("random", "chance"))
    assert piped.returncode == 0
    broken = tmp_path / "broken.txt"
    broken.write_text(Path(text).read_text().replace("1-0", "0-1").replace("0-1", "1/2-1/2"))
    assert "broken.txt, line " in refused("games", "import", other, str(broken))
    assert "there is no game in it" in refused("games", "import", other, os.devnull)
    assert "No such file" in refused("games", "import", other, "nowhere.pgn")


ZOO = {
    "none": ("return None", "illegal"),
    "float": ("return 3.5", "illegal"),
    "text": ('return "3"', "illegal"),
    "far": ("return 99", "illegal"),
    "raises": ('raise RuntimeError("woe")', "crash"),
    "exits": ("import os; os._exit(1)", "exit"),
    "sleeps": ("import time; time.sleep(1000)", "timeout"),
    "shouts": ("while True: print('x' * 10000)", "output"),
    "hoards": ("x = []\n    while True: x.append(bytearray(10**8))", "memory"),
    "forks": (
        "import os, time\n    for _ in range(30):\n        if os.fork() == 0: time.sleep(60); os._exit(0)\n"
        "    time.sleep(60)",
        "processes",
    ),
}


@pytest.mark.slow
def test_a_tournament_goes_on_whatever_foreign_agents_do(out: str, tmp_path: Path) -> None:
    """Each bad one loses all its games, with the reason, and leaves no process behind."""
    specs = {}
    for name, (body, reason) in ZOO.items():
        path = tmp_path / f"{name}.py"
        path.write_text(f"def agent(observation, configuration):\n    {body}\n")
        specs[f"file:{path}"] = reason
    began = time.monotonic()
    done = fourcast(
        "tournament", "random", *specs, "--swiss", "--rounds", "1", "--limit", "3s", "--jobs", "2",
        "--openings", "none", "--out", out, "--json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["games"] == report["planned"] == 10
    assert time.monotonic() - began < 60
    with Store(Path(out)) as store:
        for *_, game in store.games():
            loser = game.players[0] if game.winner == 1 else game.players[1]
            assert game.ending == specs[loser], game.words
            assert game.words
    left = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True, check=False)
    assert left.stdout == ""


def test_an_anchor_has_its_rating(out: str) -> None:
    asked = (
        "tournament",
        "random",
        "greedy",
        "vertical",
        "--any-opening",
        "--jobs",
        "1",
        "--out",
        out,
        "--json",
    )
    report = json.loads(fourcast(*asked, "--anchor", "greedy=1500").stdout)
    ratings = {rating["name"]: rating["elo"] for rating in report["ratings"]["agents"]}
    assert ratings["greedy"] == 1500
    assert ratings["random"] < 1500
    for anchor in ("nobody=3", "greedy", "greedy=high", "greedy=nan"):
        assert "write an agent of the field and a number" in refused(*asked, "--anchor", anchor)


def test_ctrl_c_before_the_first_game(out: str) -> None:
    process = start(["tournament", "random", "greedy", "vertical", "--rounds", "5000", "--out", out])
    deadline = time.monotonic() + 30
    while not Path(out).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert stderr.startswith("fourcast: stopped")
    assert stderr.count("\n") == 1
