"""The store: every game once, whatever happens."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from fourcast import BadStore
from fourcast.arena import store as module
from fourcast.arena.store import VERSION, Store
from tests.arena.games import some_games

SETTINGS = {"players": ["random", "greedy"], "seed": 1}


def test_games_come_back_as_they_were(tmp_path: Path) -> None:
    games = some_games(20) + [(20 + number, game) for number, game in some_games(4, "8x10x5", 0.2)]
    with Store(tmp_path / "games.db") as store:
        run = store.run("match", SETTINGS, "1.0")
        store.add(run, games[:13])
        store.add(run, games[13:])
        assert store.played(run) == set(range(24))
        assert [(number, game) for _, number, game in store.games(run)] == games
        assert store.game(run.number, 7) == games[7][1]
        with pytest.raises(BadStore, match="there is no game 24 in run 1"):
            store.game(1, 24)
    with Store(tmp_path / "games.db", create=False) as store:
        assert [each.games for each in store.runs()] == [24]


def test_the_same_question_finds_its_run_and_another_does_not(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        first = store.run("match", SETTINGS, "1.0")
        store.add(first, some_games(2))
        again = store.run("match", dict(reversed(SETTINGS.items())), "1.0")
        assert (again.number, again.games, again.settings) == (first.number, 2, SETTINGS)
        others = [
            store.run("match", SETTINGS | {"seed": 2}, "1.0"),
            store.run("tournament", SETTINGS, "1.0"),
            store.run("match", SETTINGS, "1.1"),
        ]
        assert {run.number for run in others} == {2, 3, 4}
        assert all(run.games == 0 for run in others)
        store.add(others[0], some_games(1))
        store.forget(first)
        assert [run.games for run in store.runs()] == [0, 1, 0, 0]


def test_no_game_is_there_twice_and_a_handful_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    games = some_games(6)
    with Store(tmp_path / "games.db") as store:
        run = store.run("match", SETTINGS, "1.0")
        store.add(run, games[:3])
        with pytest.raises(BadStore, match="UNIQUE"):
            store.add(run, games[2:])
        assert store.played(run) == {0, 1, 2}
        store.add(run, games[3:])
        assert store.played(run) == set(range(6))


def test_an_older_file_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    with monkeypatch.context() as old:
        old.setattr(module, "VERSION", 1)
        with Store(path) as store:
            store.add(store.run("match", SETTINGS, "1.0"), some_games(3))
    before = _names(path)
    with Store(path) as store:
        run = store.run("match", SETTINGS, "1.0")
        assert some_games(3)[0][1].moves == next(store.games(run))[2].moves
        assert run.games == 3
    assert "games_by_players" in _names(path) - before
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (VERSION,)


def _names(path: Path) -> set[str]:
    database = sqlite3.connect(path)
    found = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    database.close()
    return found


def test_a_newer_file_and_a_foreign_one_are_refused_untouched(tmp_path: Path) -> None:
    newer = tmp_path / "newer.db"
    Store(newer).close()
    database = sqlite3.connect(newer)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(BadStore, match=f"of version 99, and this Fourcast knows up to {VERSION}"):
        Store(newer)
    foreign = tmp_path / "foreign.db"
    database = sqlite3.connect(foreign)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(BadStore, match="a database of something else"):
        Store(foreign)
    assert _names(foreign) == {"recipes"}
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to look like one" * 40)
    with pytest.raises(BadStore, match="not a database"):
        Store(text)
    for path in (tmp_path / "missing.db", tmp_path):
        with pytest.raises(BadStore, match="there is no such file"):
            Store(path, create=False)
    with pytest.raises(BadStore, match="unable to open"):
        Store(tmp_path / "no" / "such" / "folder.db")


def test_a_full_disk_is_one_line_and_what_was_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = some_games(400)
    with Store(path) as store:
        run = store.run("match", SETTINGS, "1.0")
        store.add(run, games[:10])
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(BadStore, match=r"games\.db: database or disk is full"):
            store.add(run, games[10:])
        assert store.played(run) == set(range(10))
    with Store(path) as store:
        store.add(run, games[10:])
        assert len(store.played(run)) == 400


def test_many_may_open_a_new_file_at_the_same_time(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from fourcast.arena.store import Store
for number in range(80):
    with Store(Path(sys.argv[1]) / f"{number}.db") as store:
        assert list(store.games()) == []
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    opening = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate()[1] for process in opening] == [""] * 4


def test_what_was_added_survives_kill_nine(tmp_path: Path) -> None:
    """A process adds games one by one and says so; it is killed without a chance to tidy up."""
    path = tmp_path / "games.db"
    script = """
import sys
from pathlib import Path
from fourcast.arena.store import Store
from tests.arena.games import some_games
games = some_games(2)
store = Store(Path(sys.argv[1]))
run = store.run("match", {}, "1.0")
number = 0
while True:
    store.add(run, [(number, games[0][1])])
    print(number, flush=True)
    number += 1
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    said = [int(process.stdout.readline()) for _ in range(50)]
    process.send_signal(signal.SIGKILL)
    rest, _ = process.communicate()
    said += [int(line) for line in rest.splitlines()]
    with Store(path) as store:
        kept = store.played(store.run("match", {}, "1.0"))
    assert set(said) <= kept
    assert kept == set(range(len(kept)))
    assert len(kept) <= len(said) + 1
