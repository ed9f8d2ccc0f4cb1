"""Agents by name."""

from __future__ import annotations

from collections import Counter

import pytest

from fourcast import GameOver, Limit, Position, Rules, UnknownPlayer
from fourcast.agents import agent, agent_names, register
from fourcast.agents.scripted import RandomAgent
from tests.boards import play_some


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


@pytest.mark.parametrize("name", [name for name in agent_names() if name != "human"])
@pytest.mark.parametrize("board", ["6x7x4", "8x10x5", "5x5x3", "1x8x3"])
@pytest.mark.parametrize("slip", [0.0, 0.2])
def test_every_agent_conforms(name: str, board: str, slip: float) -> None:
    """Legal columns always, the same answers for the same seed, and nothing to say of a finished game."""
    rules, limit = Rules(board, slip), Limit(seconds=0.05, simulations=200)
    for seed in range(8):
        position = play_some(rules.geometry, seed)
        players = [agent(name, rules, seed=seed) for _ in range(2)]
        if position.is_over:
            with pytest.raises(GameOver):
                players[0].analyze(position, limit)
            continue
        answers = [player.analyze(position, limit) for player in players]
        assert answers[0].column in position.legal
        assert answers[0].column == answers[1].column


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
