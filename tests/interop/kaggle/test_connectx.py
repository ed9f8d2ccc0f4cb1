"""Exported files and agents in memory, in Kaggle's own ConnectX against Kaggle's own agents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fourcast.interop.export import write_agent
from fourcast.interop.kaggle import as_agent

kaggle_environments = pytest.importorskip(
    "kaggle_environments", reason="it has an environment of its own: make test-all"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # theirs are theirs
]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def perfect(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("export") / "agent.py"
    write_agent(path)
    return str(path)


@pytest.fixture(scope="module")
def negamax(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("export") / "agent.py"
    write_agent(path, "negamax")
    return str(path)


def rewards(first: Any, second: Any, **configuration: int) -> list[int]:
    """How a game ended for each; both have answered legally and in time."""
    environment = kaggle_environments.make("connectx", configuration=configuration)
    environment.run([first, second])
    assert [state.status for state in environment.state] == ["DONE", "DONE"], environment.logs[-1]
    return [state.reward for state in environment.state]


@pytest.mark.parametrize("other", ["random", "negamax"])
def test_the_first_player_always_wins(perfect: str, other: str) -> None:
    assert rewards(perfect, other) == [1, -1]


@pytest.mark.parametrize("other", ["random", "negamax"])
def test_as_the_second_player_it_punishes_every_mistake(perfect: str, other: str) -> None:
    assert rewards(other, perfect) == [-1, 1]


def test_it_plays_itself(perfect: str) -> None:
    assert rewards(perfect, perfect) == [1, -1]


def test_another_board_in_both_colours(negamax: str) -> None:
    assert rewards(negamax, "random", rows=5, columns=6, inarow=4)[0] >= 0
    assert rewards("random", negamax, rows=5, columns=6, inarow=4)[1] >= 0


def test_agents_in_memory(perfect: str) -> None:
    assert rewards(as_agent("mcts:simulations=200", seed=1), "random") == [1, -1]
    assert rewards("random", as_agent("greedy", seed=1), rows=5, columns=5, inarow=3)[1] in (-1, 0, 1)
    assert rewards(perfect, as_agent("negamax", limit="100ms")) == [1, -1]
