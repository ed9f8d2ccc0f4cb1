"""The bench of environments: what it measures, and beside whom."""

from __future__ import annotations

import json

import pytest

from fourcast.bench import environments
from fourcast.bench.environments import measure


@pytest.fixture(autouse=True)
def a_few_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "GAMES", 8)
    monkeypatch.setattr(environments, "STEPS", 5)
    monkeypatch.setattr(environments, "SINGLE_GAMES", 2)


@pytest.mark.slow
def test_many_games_are_measured_without_any_extra() -> None:
    told: list[tuple[str, int, int]] = []
    report = measure(peers=False, repeat=1, advance=lambda *progress: told.append(progress))
    assert [(each.name, each.board) for each in report.measurements] == [
        ("games together", "6x7x4"),
        ("with slip 0.2", "6x7x4"),
        ("with an opponent", "6x7x4"),
        ("games together", "8x10x5"),
    ]
    assert [each.bar for each in report.measurements] == [5e6, 5e6, 5e6, None]
    assert all(each.amount == 8 and each.rate > 0 for each in report.measurements)
    assert told[-1] == ("measuring", 4, 4)


def test_the_adapters_stand_beside_pettingzoos_own_and_openspiel() -> None:
    report = measure(peers=True, repeat=1, advance=lambda *_: None)
    peers = {each.name: each.peer for each in report.measurements if each.peer}
    assert peers == {"games together": "OpenSpiel", "PettingZoo, two agents": "PettingZoo"}
    names = [each.name for each in report.measurements]
    assert names[4:] == ["Gymnasium, vector", "Gymnasium, against random", "PettingZoo, two agents"]
    written = json.loads(json.dumps(report.to_json()))
    assert written["measurements"][0]["ratio"] > 0
    assert all(len(line) <= 80 for line in report.to_text().splitlines())
