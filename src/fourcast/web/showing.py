"""Games that were played, from the files that the server was started with: runs, tables, records."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

from fourcast.arena.ratings import rate_results
from fourcast.arena.results import Result, Tally
from fourcast.arena.standings import Standings
from fourcast.arena.store import Run, Store
from fourcast.game.errors import BadStore
from fourcast.game.record import GameRecord
from fourcast.web.faults import NotFound

PAGE = 50  # games
MOST_CROSSED = 100  # agents of a crosstable; of larger fields there is none
MOST_KNOWN = 32  # tables that are kept


class Shown:
    """The runs and games of some files. Runs go by `FILE-RUN`, games by `FILE-RUN-GAME`, files from 1.

    Attributes:
        files: Where they are kept.
    """

    def __init__(self, files: tuple[Path, ...]) -> None:
        self.files = files
        self._tables: dict[tuple[str, int], dict[str, Any]] = {}
        self._lock = threading.Lock()  # one table at a time is made: a large field takes a second

    def runs(self) -> dict[str, Any]:
        """All runs, the latest first."""
        found = []
        for number, path in enumerate(self.files, start=1):
            with Store(path, create=False) as store:
                found += [_run_json(f"{number}-{run.number}", run) for run in store.runs()]
        return {"runs": sorted(found, key=lambda run: -run["begun"])}

    def run(self, name: str) -> dict[str, Any]:
        """Who stands where in a run.

        Raises:
            NotFound: There is no such run.
        """
        with self._found(name) as (store, run), self._lock:
            key = (name, run.games)
            if key not in self._tables:
                while len(self._tables) >= MOST_KNOWN:
                    self._tables.pop(next(iter(self._tables)))
                self._tables[key] = _run_json(name, run) | _table(store, run)
            return self._tables[key]

    def games(self, name: str, page: int, agent: str | None) -> dict[str, Any]:
        """A page of the games of a run, from 1; of all agents or one.

        Raises:
            NotFound: There is no such run.
        """
        with self._found(name) as (store, run):
            specs = _specs(run)
            games, count = store.page(run, page - 1, PAGE, None if agent is None else specs.get(agent, agent))
            names = {spec: each for each, spec in specs.items()}
        return {
            "games": [
                {
                    "id": f"{name}-{number}",
                    "first": names.get(game.players[0], game.players[0]),
                    "second": names.get(game.players[1], game.players[1]),
                    "moves": game.moves,
                    "result": game.result,
                    "plies": game.plies,
                    "ending": game.ending,
                }
                for number, game in games
            ],
            "page": page,
            "pages": max(1, -(-count // PAGE)),
        }

    def game(self, name: str) -> dict[str, Any]:
        """A whole game; where it was played is nobody's business.

        Raises:
            NotFound: There is no such game.
        """
        run_name, _, number = name.rpartition("-")
        with self._found(run_name) as (store, run):
            try:
                record: GameRecord = store.game(run.number, int(number))
            except BadStore:
                raise NotFound(f"there is no game {name} here") from None
        whole = record.to_json()
        del whole["machine"]
        return {"id": name, "run": run_name, **whole, "moves": record.moves}

    @contextmanager
    def _found(self, name: str) -> Iterator[tuple[Store, Run]]:
        """The file and the run that a name means.

        Raises:
            NotFound: There is no such run.
        """
        file, _, number = name.partition("-")
        if 1 <= int(file) <= len(self.files):
            with Store(self.files[int(file) - 1], create=False) as store:
                for run in store.runs():
                    if run.number == int(number):
                        yield store, run
                        return
        raise NotFound(f"there is no run {name} here")


def _specs(run: Run) -> dict[str, str]:
    """The agents of a run: specs by name."""
    agents = run.settings.get("agents") or run.settings.get("players") or []
    return dict(agents) if isinstance(agents, dict) else {str(spec): str(spec) for spec in agents}


def _run_json(name: str, run: Run) -> dict[str, Any]:
    return {
        "id": name,
        "kind": run.kind,
        "board": run.settings.get("board"),
        "slip": run.settings.get("slip", 0.0),
        "limit": run.settings.get("limit"),
        "games": run.games,
        "agents": list(_specs(run)),
        "begun": run.created,
    }


def _table(store: Store, run: Run) -> dict[str, Any]:
    """The table and the ratings of a run; games of an agent against itself count for neither."""
    names = {spec: name for name, spec in _specs(run).items()}
    results: list[Result] = []
    for first, second, points, count in store.results(run):
        ours, theirs = names.get(first, first), names.get(second, second)
        if ours != theirs:
            results += repeat(Result(ours, theirs, points), count)
    others = {name for result in results for name in (result.first, result.second)} - set(names.values())
    tally = Tally.of(results, [*dict.fromkeys(names.values()), *sorted(others)])
    standings = Standings.of(tally).to_json()
    if len(tally.names) > MOST_CROSSED:
        standings["crosstable"] = None
    return {"standings": standings, "ratings": rate_results(tally).to_json()}
