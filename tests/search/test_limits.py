"""What a search may spend is all that it spends, and one question does not sway the next."""

from __future__ import annotations

import threading
import time
from dataclasses import fields
from itertools import islice
from typing import Any

import pytest

from fourcast import Analysis, Geometry, Limit, Position, Rules, agent
from fourcast.kernels.drafts import GENERATIONS
from fourcast.search.deepening import Deepening
from fourcast.search.expectimax import Expectimax
from tests.boards import play_peacefully, play_some

SEARCHERS = [
    ("minimax:depth=7", 0.0),
    ("alphabeta:depth=9", 0.0),
    ("alphabeta:depth=9,order=random,values=all", 0.0),
    ("negamax", 0.0),
    ("negamax:values=all", 0.0),
    ("negamax:level=3", 0.0),
    ("expectimax:depth=8", 0.2),
    ("expectimax:depth=8,values=all", 0.9),
    ("perfect", 0.0),
    ("perfect:level=5", 0.0),
]

searchers = pytest.mark.parametrize(("spec", "slip"), SEARCHERS)


def some_positions(board: str, count: int) -> list[Position]:
    found = (play_some(Geometry.parse(board), seed) for seed in range(1000))
    return list(islice((position for position in found if not position.is_over), count))


def answer(found: Analysis) -> dict[str, Any]:
    """All of it, but for what differs from one time to the next."""
    left_out = ("seconds", "memory")
    return {each.name: getattr(found, each.name) for each in fields(found) if each.name not in left_out}


@pytest.mark.slow
@searchers
@pytest.mark.parametrize("board", ["6x7x4", "5x5x3"])
def test_no_more_nodes_are_visited_than_allowed(spec: str, slip: float, board: str) -> None:
    player = agent(spec, Rules(board, slip), seed=1)
    places = some_positions(board, 12)
    used = 0
    for nodes in range(1, 201):
        position = places[nodes % len(places)]
        found = player.analyze(position, Limit(nodes=nodes))
        assert found.column in position.legal
        assert 0 <= found.nodes <= nodes
        assert found.leaves <= found.nodes
        used += found.nodes == nodes
    assert used > 5, "they are there to be used"


@pytest.mark.parametrize(("spec", "slip"), [each for each in SEARCHERS if "perfect" not in each[0]])
def test_no_search_looks_further_than_allowed(spec: str, slip: float) -> None:
    player = agent(spec, Rules("6x7x4", slip), seed=1)
    own = int(spec.partition("depth=")[2][:1] or 128)
    for index, position in enumerate(some_positions("6x7x4", 20)):
        depth = 1 + index % 5
        found = player.analyze(position, Limit(depth=depth))
        left = 42 - position.ply
        assert 0 < found.depth <= min(depth, left)
        if not spec.startswith("negamax"):
            assert found.depth == min(depth, left, own)


@pytest.mark.parametrize(
    ("spec", "slip"), [("minimax:depth=3", 0.0), ("alphabeta:depth=3", 0.0), ("expectimax:depth=3", 0.2)]
)
def test_a_limit_does_not_make_a_search_look_further_than_its_own_depth(spec: str, slip: float) -> None:
    found = agent(spec, Rules("6x7x4", slip)).analyze(Position.from_moves("44"), Limit(depth=7))
    assert found.depth == 3


@searchers
@pytest.mark.parametrize("seconds", [1e-9, 0.001])
def test_in_no_time_there_is_still_a_column(spec: str, slip: float, seconds: float) -> None:
    player = agent(spec.replace("depth=7", "depth=20"), Rules("6x7x4", slip), seed=1)
    for position in some_positions("6x7x4", 5):
        assert player.analyze(position, Limit(seconds=seconds)).column in position.legal


@pytest.mark.parametrize(
    ("spec", "board", "slip", "limit"),
    [
        ("minimax:depth=20", "6x7x4", 0.0, Limit()),
        ("alphabeta:depth=30", "6x7x4", 0.0, Limit()),
        ("negamax", "6x7x4", 0.0, Limit(seconds=10_000)),
        ("negamax:seconds=10000,values=all", "6x7x4", 0.0, Limit()),
        ("expectimax:depth=30", "6x7x4", 0.2, Limit()),
        ("perfect", "8x10x5", 0.0, Limit()),
        ("perfect", "8x10x5", 0.0, Limit(seconds=10_000)),
        ("perfect:level=3", "8x10x5", 0.0, Limit(seconds=10_000)),
        ("negamax:guard=2", "6x7x4", 0.0, Limit(seconds=10_000)),
    ],
)
def test_another_thread_can_stop_it(spec: str, board: str, slip: float, limit: Limit) -> None:
    """None of these would end while anybody waits."""
    player: Any = agent(spec, Rules(board, slip), seed=1)
    position = Position(board)
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(player.analyze(position, limit)), daemon=True)
    thread.start()
    while player.progress.nodes < 2000:  # it has begun; getting ready takes fewer
        assert thread.is_alive()
        time.sleep(0.001)
    player.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert answers[0].column in position.legal
    assert not answers[0].exact
    again = player.analyze(position, Limit(nodes=500))
    assert again.nodes > 100, "and the next question is answered as if nothing had been"


@pytest.mark.parametrize("limit", [Limit(nodes=3000), Limit(depth=5)], ids=str)
@searchers
def test_what_was_asked_before_does_not_matter(spec: str, slip: float, limit: Limit) -> None:
    rules = Rules("6x7x4", slip)
    if spec.startswith("perfect"):
        limit = Limit(nodes=3000)
    fresh, used = agent(spec, rules, seed=1), agent(spec, rules, seed=1)
    position = play_peacefully(rules.geometry, 4, 12)
    first = answer(fresh.analyze(position, limit))
    assert answer(fresh.analyze(position, limit)) == first
    others = [*some_positions("6x7x4", 5), *(position.play(column) for column in position.legal)]
    for other in others:
        used.analyze(other, limit)
    used.analyze(position, Limit(nodes=100))
    assert answer(used.analyze(position, limit)) == first


@pytest.mark.parametrize("kind", [Deepening, Expectimax])
def test_a_table_that_was_emptied_very_often_is_still_empty(kind: type) -> None:
    position = Position.from_moves("4453")
    made: Deepening | Expectimax = (
        Deepening(Geometry(6, 7, 4)) if kind is Deepening else Expectimax(Rules("6x7x4", 0.2), 5)
    )
    limit = Limit(nodes=20_000)
    first = answer(made.search(position, limit))
    assert first["table_hits"] > 0
    made._memory._generation = GENERATIONS - 2
    for _ in range(2):  # counting begins anew
        made.search(position, Limit(nodes=1))
    assert made._memory._generation == 1
    for _ in range(2):
        assert answer(made.search(position, limit)) == first


def test_progress_is_that_of_the_question_in_work() -> None:
    player: Any = agent("negamax")
    assert player.progress.nodes == 0
    found = player.analyze(Position.from_moves("44"), Limit(nodes=5000))
    assert player.progress.nodes == found.nodes == 5000
    assert player.progress.column == found.column
    assert player.progress.depth >= found.depth
