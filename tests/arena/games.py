"""Games that were played, for tests of what becomes of them."""

from __future__ import annotations

from fourcast import GameRecord, Limit, Rules
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.roster import play_some


def some_games(
    count: int, board: str = "6x7x4", slip: float = 0.0, players: tuple[str, str] = ("random", "greedy")
) -> list[tuple[int, GameRecord]]:
    """Games with their numbers; always the same ones, but for the times."""
    fixtures = [
        Fixture(number, players if number % 2 == 0 else players[::-1], (), number // 2)
        for number in range(count)
    ]
    return play_some(Conditions(Rules(board, slip), Limit(seconds=10)), fixtures)
