"""Agents by name."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from fourcast import Analysis, CannotPlay, GameOver, Geometry, Limit, Position, Rules, UnknownPlayer
from fourcast.agents import agent, agent_entries, agent_names, new_game, register
from fourcast.agents.scripted import RandomAgent
from fourcast.models.card import NETWORKS, Card
from fourcast.models.shelf import shipped
from tests.boards import play_peacefully, play_some

LIMIT = Limit(nodes=500, simulations=200, seconds=5)


def test_agents_are_found_by_name() -> None:
    assert "random" in agent_names()
    with pytest.raises(UnknownPlayer, match=r"there is no agent 'deep-blue'; known: .*random"):
        agent("deep-blue")
    with pytest.raises(ValueError, match="already"):
        register("random")(RandomAgent)


def test_the_random_agent_plays_every_open_column_alike() -> None:
    position = Position.from_moves("111111")
    answers = [agent("random", Rules(), seed).analyze(position, Limit()) for seed in range(6000)]
    chosen = Counter(answer.column for answer in answers)
    assert set(chosen) == set(position.legal)
    assert all(abs(count - 1000) < 150 for count in chosen.values())
    assert answers[0].policy == (0, *[1 / 6] * 6)


@cache
def places(board: str) -> list[Position]:
    """Anywhere in a game that goes on: at its start, at random, nearly full, and with one move left.

    On a wide board where three in line are enough, no game goes on for so long: then as late as one does.
    """
    geometry = Geometry.parse(board)
    going = (at for at in (play_some(geometry, seed) for seed in range(5000)) if not at.is_over)
    found = [Position(geometry), *islice(going, 3)]
    games = [play_peacefully(geometry, seed, geometry.cells) for seed in range(500)]
    lasting = max(game.ply for game in games) - 1
    assert lasting == geometry.cells - 1 or geometry.connect == 3
    for plies, count in ((lasting - 3, 2), (lasting, 1)):
        long = [game for game in games if game.ply > plies]
        found += [play_peacefully(geometry, games.index(game), plies) for game in long[:count]]
    assert len(found) == 7
    return found


def finished(board: str) -> Iterator[Position]:
    """A game that was won, and one that was drawn where the board is not too large to come by one."""
    geometry = Geometry.parse(board)
    for drawn in (False, True):
        for seed in range(100):
            outcome = play_peacefully(geometry, seed, geometry.cells).outcome
            assert outcome is not None
            if (outcome.winner is None) == drawn:
                yield play_peacefully(geometry, seed, geometry.cells)
                break


def check(found: Analysis, position: Position) -> None:
    """What every answer promises."""
    columns = range(position.geometry.columns)
    assert found.position == position
    assert found.column in position.legal
    assert found.nodes <= (LIMIT.nodes or 0)
    assert found.simulations <= (LIMIT.simulations or 0)
    assert found.value is None or -1 <= found.value <= 1
    for known in (found.values, found.scores):
        assert known is None or len(known) == len(columns)
        assert known is None or all(
            known[column] is None for column in columns if column not in position.legal
        )
    assert all(-1 <= value <= 1 for value in found.values or () if value is not None)
    if found.policy is not None:
        assert len(found.policy) == len(columns)
        assert sum(found.policy) == pytest.approx(1)
        assert all(share >= 0 for share in found.policy)
        assert all(found.policy[column] == 0 for column in columns if column not in position.legal)
    assert found.pv[:1] in ((), (found.column,))
    after = position
    for column in found.pv:
        after = after.play(column)
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.usefixtures("tiny_networks")
@pytest.mark.parametrize(
    "spec",
    [
        *(entry.name for entry in agent_entries() if entry.name != "human" and not entry.foreign),
        "mcts:net=auto",
    ],
)
@pytest.mark.parametrize(
    "board",
    ["6x7x4", *(pytest.param(board, marks=pytest.mark.slow) for board in ("8x10x5", "5x5x3", "1x8x3"))],
)
@pytest.mark.parametrize("slip", [0.0, 0.2])
def test_every_agent_conforms(spec: str, board: str, slip: float) -> None:
    """Legal columns and sound answers always, the same for the same seed, and none for finished games."""
    rules = Rules(board, slip)
    entry = next(entry for entry in agent_entries() if entry.name == spec.partition(":")[0])
    if not entry.plays(rules):
        with pytest.raises(CannotPlay):
            agent(spec, rules)
        return
    conforms(spec, rules)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "card"),
    [
        # By their paths: tiny ones may go by their names here.
        pytest.param(f"{spec}={card.path}", card, id=f"{spec}={card.name}")
        for card in shipped()
        if card.kind in NETWORKS
        for spec in (f"{card.kind}:model", *(["mcts:net"] if card.kind == "network" else []))
    ],
)
@pytest.mark.parametrize("slip", [0.0, 0.2])
def test_every_shipped_network_conforms_on_its_board(spec: str, card: Card, slip: float) -> None:
    conforms(spec, Rules(card.geometry, slip))


def conforms(spec: str, rules: Rules) -> None:
    """See that an agent keeps what every agent promises."""
    board = str(rules.geometry)
    veteran = agent(spec, rules, seed=5)
    answers = []
    for position in places(board):
        answers.append(veteran.analyze(position, LIMIT))
        check(answers[-1], position)
        new_game(veteran)
    for index in (0, 2, 4, 6):
        position = places(board)[index]
        fresh = agent(spec, rules, seed=5).analyze(position, LIMIT)
        again = veteran.analyze(position, LIMIT)
        new_game(veteran)
        assert said(answers[index]) == said(fresh) == said(again)
    for position in finished(board):
        with pytest.raises(GameOver, match="the game is over"):
            veteran.analyze(position, LIMIT)


def said(found: Analysis) -> tuple[object, ...]:
    """What does not depend on the clock."""
    return found.column, found.value, found.values, found.policy, found.score, found.pv, found.nodes


def test_the_same_seed_gives_the_same_answers() -> None:
    places = [Position(), *(Position.from_moves(moves) for moves in ("1", "44", "1234", "7654321"))]
    columns = [
        [player.analyze(position, Limit()).column for position in places * 4]
        for player in (agent("random", seed=4), agent("random", seed=4), agent("random", seed=5))
    ]
    assert columns[0] == columns[1] != columns[2]
    assert columns[0][:5] * 4 == columns[0], "what was asked before does not matter"
    by_chance = agent("random")
    assert len({by_chance.analyze(Position(), Limit()).column for _ in range(200)}) == 7


def test_a_finished_game_is_not_played_on() -> None:
    with pytest.raises(GameOver, match="the game is over"):
        agent("random").analyze(Position.from_moves("1212121"), Limit())
