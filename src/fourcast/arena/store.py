"""Where games are kept: one SQLite file, to which a game is added when it has ended.

A *run* is one match or tournament; its key says what was asked, so that the same question finds its games
again. Within a run every game has its number in the schedule, which is there once or not at all.

The file is in WAL mode: a game that was added stays, whatever happens to the process after that.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from fourcast.game.errors import BadStore
from fourcast.game.notation import moves_text, parse_moves
from fourcast.game.record import GameRecord
from fourcast.game.rules import Rules

APPLICATION = 0x464F5552  # "FOUR": marks the file as ours
_PATIENCE = 30.0  # seconds to wait for others who write

# What each version of the file has added, the first from nothing. A file of an older version is brought up.
_STEPS = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        settings TEXT NOT NULL,
        version TEXT NOT NULL,
        created REAL NOT NULL
    );
    CREATE TABLE machines (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE games (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        board TEXT NOT NULL,
        slip REAL NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        opening TEXT NOT NULL,
        aimed TEXT NOT NULL,
        landed TEXT NOT NULL,
        seconds BLOB NOT NULL,
        winner INTEGER,
        ending TEXT NOT NULL,
        words TEXT NOT NULL,
        seed INTEGER NOT NULL,
        memory_first INTEGER NOT NULL,
        memory_second INTEGER NOT NULL,
        spent TEXT NOT NULL,
        lapses TEXT NOT NULL,
        finished REAL NOT NULL,
        version TEXT NOT NULL,
        machine INTEGER NOT NULL REFERENCES machines (id),
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    """,
    """
    CREATE INDEX games_by_players ON games (first, second);
    """,
)
VERSION = len(_STEPS)

_INSERT = f"INSERT INTO games VALUES ({', '.join('?' * 21)})"
_SELECT = """
    SELECT run, number, board, slip, first, second, opening, aimed, landed, seconds, winner, ending, words,
           seed, memory_first, memory_second, spent, lapses, finished, games.version, machines.name
    FROM games JOIN machines ON machines.id = games.machine
"""


@dataclass(frozen=True, slots=True)
class Run:
    """A match or tournament in a store.

    Attributes:
        number: Its number in the file.
        kind: `match`, `tournament`, or `import`.
        settings: What was asked, as JSON knows it.
        version: The version of Fourcast that it belongs to.
        created: When it was begun, in seconds since 1970.
        games: How many of its games are there.
    """

    number: int
    kind: str
    settings: dict[str, Any]
    version: str
    created: float
    games: int


class Store:
    """An open file of games; to be used in a `with`.

    Args:
        path: The file. It is made if it is not there.
        create: False: it has to be there already.

    Raises:
        BadStore: It is something else, of a newer version, or cannot be opened.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        if not create and not path.is_file():
            raise BadStore(f"games {path}: there is no such file")
        with self._plainly():
            self._open()
        self._machines: dict[str, int] = {}

    def _open(self) -> None:
        """Open the file; where another process opens or closes it just now, SQLite does not always wait."""
        end = time.monotonic() + _PATIENCE
        while True:
            self._database = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            try:
                self._database.execute("PRAGMA foreign_keys = ON")
                self._upgrade()
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
                return
            except sqlite3.OperationalError as error:
                self._database.close()
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
            time.sleep(0.02)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _upgrade(self) -> None:
        self._database.execute("BEGIN")  # all three as they are at one time: another process may just make it
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        (application,) = self._database.execute("PRAGMA application_id").fetchone()
        (tables,) = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._database.execute("COMMIT")
        if tables and application != APPLICATION:
            raise BadStore(f"games {self.path}: it is a database of something else")
        if version > VERSION:
            raise BadStore(
                f"games {self.path}: it is of version {version}, and this Fourcast knows up to {VERSION}; "
                "use a newer one"
            )
        while version < VERSION:
            with self._transaction():
                (version,) = self._database.execute("PRAGMA user_version").fetchone()
                if version < VERSION:  # nobody else has done it meanwhile
                    for statement in _STEPS[version].split(";"):
                        self._database.execute(statement)
                    version += 1
                    self._database.execute(f"PRAGMA user_version = {version}")
                    self._database.execute(f"PRAGMA application_id = {APPLICATION}")

    # --- runs ---

    def run(self, kind: str, settings: dict[str, Any], version: str, key: str | None = None) -> Run:
        """The run that these settings ask for: the one that is there, or a new one.

        Args:
            kind: `match`, `tournament` or `import`.
            settings: What is asked, as JSON knows it.
            version: The version of Fourcast.
            key: What tells runs apart; by default all of the above.
        """
        text = json.dumps(settings, sort_keys=True)
        key = key or hashlib.blake2b(f"{kind} {version} {text}".encode(), digest_size=16).hexdigest()
        with self._plainly(), self._transaction():
            self._database.execute(
                "INSERT OR IGNORE INTO runs (key, kind, settings, version, created) VALUES (?, ?, ?, ?, ?)",
                (key, kind, text, version, time.time()),
            )
            (number,) = self._database.execute("SELECT id FROM runs WHERE key = ?", (key,)).fetchone()
        return next(run for run in self.runs() if run.number == number)

    def runs(self) -> list[Run]:
        """All runs, in the order in which they were begun."""
        with self._plainly():
            rows = self._database.execute(
                "SELECT id, kind, settings, version, created, "
                "(SELECT count(*) FROM games WHERE run = runs.id) FROM runs ORDER BY id"
            ).fetchall()
            return [Run(number, kind, dict(json.loads(text)), *rest) for number, kind, text, *rest in rows]

    def forget(self, run: Run) -> None:
        """Remove the games of a run, so that it begins again."""
        with self._plainly(), self._transaction():
            self._database.execute("DELETE FROM games WHERE run = ?", (run.number,))

    # --- games ---

    def add(self, run: Run, games: Iterable[tuple[int, GameRecord]]) -> None:
        """Keep games that have ended, all of them or none; each comes with its number in the schedule.

        Raises:
            BadStore: They cannot be written, or one of the numbers is there already.
        """
        with self._plainly(), self._transaction():
            rows = [_row(run.number, number, game, self._machine(game.machine)) for number, game in games]
            self._database.executemany(_INSERT, rows)

    def _machine(self, name: str) -> int:
        if name not in self._machines:
            self._database.execute("INSERT OR IGNORE INTO machines (name) VALUES (?)", (name,))
            row = self._database.execute("SELECT id FROM machines WHERE name = ?", (name,)).fetchone()
            self._machines[name] = row[0]
        return self._machines[name]

    def played(self, run: Run) -> set[int]:
        """The numbers of the games of a run that are there."""
        with self._plainly():
            rows = self._database.execute("SELECT number FROM games WHERE run = ?", (run.number,))
            return {number for (number,) in rows}

    def games(
        self, run: Run | None = None, agent: str | None = None
    ) -> Iterator[tuple[int, int, GameRecord]]:
        """Games by run and number, with these two numbers; of all runs or one, of all agents or one."""
        terms: list[tuple[str, tuple[int | str, ...]]] = []
        if run is not None:
            terms.append(("run = ?", (run.number,)))
        if agent is not None:
            terms.append(("(first = ? OR second = ?)", (agent, agent)))
        where = f" WHERE {' AND '.join(term for term, _ in terms)}" if terms else ""
        values = [value for _, each in terms for value in each]
        with self._plainly():
            for row in self._database.execute(f"{_SELECT}{where} ORDER BY run, number", values):
                yield row[0], row[1], _game(row)

    def game(self, run: int, number: int) -> GameRecord:
        """One game.

        Raises:
            BadStore: There is none of these numbers.
        """
        with self._plainly():
            row = self._database.execute(f"{_SELECT} WHERE run = ? AND number = ?", (run, number)).fetchone()
            if row is not None:
                return _game(row)
        raise BadStore(f"games {self.path}: there is no game {number} in run {run}")

    def results(self, run: Run) -> list[tuple[str, str, float, int]]:
        """How the games of a run ended: first and second player, points of the first, and how often."""
        with self._plainly():
            rows = self._database.execute(
                "SELECT first, second, winner, count(*) FROM games WHERE run = ? "
                "GROUP BY first, second, winner ORDER BY first, second, winner",
                (run.number,),
            ).fetchall()
            return [
                (first, second, 0.5 if winner is None else 1.0 - winner, count)
                for first, second, winner, count in rows
            ]

    def page(
        self, run: Run, page: int, size: int, agent: str | None = None
    ) -> tuple[list[tuple[int, GameRecord]], int]:
        """Some of the games of a run with their numbers, and how many there are; of all agents or one.

        Args:
            run: The run.
            page: Which of them, from 0.
            size: How many are on a page.
            agent: A spec, as it was written.
        """
        where, values = "run = ?", [run.number, *([agent, agent] if agent is not None else [])]
        if agent is not None:
            where += " AND (first = ? OR second = ?)"
        with self._plainly():
            (count,) = self._database.execute(f"SELECT count(*) FROM games WHERE {where}", values).fetchone()
            rows = self._database.execute(
                f"{_SELECT} WHERE {where} ORDER BY number LIMIT ? OFFSET ?", [*values, size, page * size]
            ).fetchall()
            return [(row[1], _game(row)) for row in rows], count

    # --- the file ---

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            self._machines = {}
            raise

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Say in one line what the database has to complain of."""
        try:
            yield
        except sqlite3.Error as error:
            twice = "; does another process play the same?" if "UNIQUE" in str(error) else ""
            raise BadStore(f"games {self.path}: {error}{twice}") from None
        except (ArithmeticError, LookupError, TypeError, ValueError, struct.error) as error:
            raise BadStore(f"games {self.path}: it is damaged: {error}") from None


def _row(run: int, number: int, game: GameRecord, machine: int) -> tuple[Any, ...]:
    return (
        run,
        number,
        str(game.rules.geometry),
        game.rules.slip,
        *game.players,
        moves_text(game.opening),
        moves_text(game.aimed),
        moves_text(game.landed),
        struct.pack(f"<{len(game.seconds)}d", *game.seconds),
        game.winner,
        game.ending,
        game.words,
        game.seed,
        *game.memory,
        game.limit,
        " ".join(map(str, game.lapses)),
        game.finished,
        game.version,
        machine,
    )


def _game(row: tuple[Any, ...]) -> GameRecord:
    _, _, board, slip, first, second, opening, aimed, landed, seconds, winner, ending, words, seed, *rest = (
        row
    )
    memory_first, memory_second, spent, lapses, finished, version, machine = rest
    rules = Rules(board, slip)
    return GameRecord(
        rules,
        (first, second),
        opening=tuple(parse_moves(opening, rules.geometry)),
        aimed=tuple(parse_moves(aimed, rules.geometry)),
        landed=tuple(parse_moves(landed, rules.geometry)),
        seconds=struct.unpack(f"<{len(seconds) // 8}d", seconds),
        winner=winner,
        ending=ending,
        words=words,
        seed=seed,
        memory=(memory_first, memory_second),
        limit=spent,
        lapses=tuple(map(int, lapses.split())),
        finished=finished,
        version=version,
        machine=machine,
    )
