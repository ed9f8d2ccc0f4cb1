"""A server that the tests of the web share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from fourcast.arena.store import Store
from fourcast.game.record import GameRecord
from fourcast.game.rules import Rules
from tests.web.running import Running, serving


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a tournament of three, and with a match with slip."""
    path = tmp_path_factory.mktemp("games") / "games.db"
    with Store(path) as store:
        agents = {"Anna": "random", "Bert": "greedy", "Carl": "greedy:ties=centre"}
        settings = {"board": "6x7x4", "slip": 0.0, "agents": agents}
        run = store.run("tournament", settings, "0.1.0")
        pairs = [("random", "greedy"), ("greedy", "random"), ("greedy", "greedy:ties=centre")]
        pairs += [("greedy:ties=centre", "greedy"), ("random", "greedy:ties=centre")]
        store.add(run, enumerate(_game(first, second, winner=1) for first, second in pairs))
        slippery = store.run(
            "match", {"board": "4x4x3", "slip": 0.5, "players": ["random", "greedy"]}, "0.1.0"
        )
        record = GameRecord(
            Rules("4x4x3", 0.5),
            ("random", "greedy"),
            opening=(0,),
            aimed=(1, 0, 1, 0),
            landed=(2, 0, 2, 0),
            seconds=(0.1, 0.1, 0.1, 0.1),
            winner=0,
            ending="line",
            machine="a-machine",
        )
        store.add(slippery, [(number, record) for number in range(120)])
    return path


def _game(first: str, second: str, winner: int) -> GameRecord:
    columns = (0, 1, 0, 1, 0, 1, 2, 1)
    return GameRecord(Rules(), (first, second), (), columns, columns, (0.01,) * 8, winner, "line").checked()


@pytest.fixture(scope="session")
def server(games: Path) -> Iterator[Running]:
    """One that shows the games; it loads code when it is first needed."""
    with serving("--no-prepare", "--log", "json", "--games", str(games), "--seconds", "5") as running:
        yield running


@pytest.fixture(scope="session")
def tight_server() -> Iterator[Running]:
    """One whose searches are over at once, on the standard board alone; it shows no games."""
    with serving("--no-prepare", "--seconds", "0.05", "--boards", "1") as running:
        running.answer("analyze")  # so that no case waits for its code
        running.answer("analyze", agent="negamax")
        yield running
