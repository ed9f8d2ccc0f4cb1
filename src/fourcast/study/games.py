"""Games that a study has two agents play, and what it counts of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fourcast.agents import Agent, new_game
from fourcast.arena.elo import Estimate, estimate
from fourcast.arena.openings import Openings
from fourcast.arena.pairs import PairCounts
from fourcast.arena.referee import Conditions, Fixture, play_game
from fourcast.arena.roster import Roster
from fourcast.arena.standings import WinsDrawsLosses
from fourcast.arena.summary import Spread
from fourcast.arena.wilson import wilson_interval
from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Series:
    """Games between two agents, seen from the first named: the odd ones, from 1, it has begun.

    Attributes:
        games: Every disc of each game, as a move string, those of the opening included.
        points: What the first named agent has got in each: 1, 0.5 or 0.
        asked: How often it was asked for a move, by the discs on the board.
        seconds: What those moves took together, likewise.
        nodes: The positions that it visited for them, likewise; a random game counts as one.
        slowest: The longest of its moves, in seconds.
        spent: What all games took, in seconds, the moves of both sides.
        failed: Games that ended because an agent failed.
    """

    games: tuple[str, ...]
    points: tuple[float, ...]
    asked: tuple[int, ...]
    seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    slowest: float
    spent: float
    failed: int

    @property
    def results(self) -> tuple[WinsDrawsLosses, WinsDrawsLosses]:
        """Its games as first and as second player."""
        as_first, as_second = (
            WinsDrawsLosses(*(self.points[side::2].count(each) for each in (1.0, 0.5, 0.0)))
            for side in (0, 1)
        )
        return as_first, as_second

    @property
    def together(self) -> WinsDrawsLosses:
        """All its games."""
        as_first, as_second = self.results
        return as_first + as_second

    @property
    def different(self) -> int:
        """How many games are not another one over again, disc for disc, by the same sides."""
        return sum(len(set(self.games[side::2])) for side in (0, 1))

    @property
    def wins(self) -> float:
        """The share of games that it won."""
        return self.together.wins / len(self.games)

    @property
    def win_interval(self) -> tuple[float, float]:
        """Where the true share of wins lies, with 95% confidence; a game over again proves nothing."""
        return wilson_interval(self.wins * self.different, self.different)

    @property
    def estimate(self) -> Estimate:
        """The share of points and how sure it is, pairs being the observations."""
        pairs = zip(self.points[0::2], self.points[1::2], strict=False)
        alone = self.points[-1:] if len(self.points) % 2 else ()
        return estimate(PairCounts.of((first + second for first, second in pairs), alone))

    @property
    def lengths(self) -> Spread:
        """Discs on the board at the end."""
        return Spread.of(map(len, self.games))

    @property
    def moves(self) -> int:
        """How many moves it made."""
        return sum(self.asked)

    def a_move(self, first: int = 0, last: int | None = None) -> float | None:
        """Mean seconds of its moves with so many discs on the board; None if there were none."""
        span = slice(first, None if last is None else last + 1)
        asked = sum(self.asked[span])
        return sum(self.seconds[span]) / asked if asked else None

    @property
    def nodes_a_move(self) -> float:
        """Mean positions of a move."""
        return sum(self.nodes) / max(self.moves, 1)

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        return {
            "games": list(self.games),
            "points": list(self.points),
            "asked": list(self.asked),
            "seconds": [round(each, 7) for each in self.seconds],
            "nodes": list(self.nodes),
            "slowest": self.slowest,
            "spent": round(self.spent, 4),
            "failed": self.failed,
        }

    @classmethod
    def of(cls, founds: Iterable[dict[str, Any]]) -> Series:
        """Several parts of a series, in order, as one; each has whole pairs but the last."""
        parts = list(founds)

        def added(name: str) -> tuple[Any, ...]:
            return tuple(map(sum, zip(*(part[name] for part in parts), strict=True)))

        return cls(
            tuple(game for part in parts for game in part["games"]),
            tuple(float(points) for part in parts for points in part["points"]),
            added("asked"),
            added("seconds"),
            added("nodes"),
            max(part["slowest"] for part in parts),
            sum(part["spent"] for part in parts),
            sum(part["failed"] for part in parts),
        )


class _Counted:
    """An agent whose nodes are counted, and which may have a limit of its own."""

    def __init__(self, agent: Agent, limit: Limit | None = None) -> None:
        self._agent = agent
        self._limit = limit
        self._seed = 0
        self.nodes: list[int] = []

    @property
    def seed(self) -> int:
        """Where its chance starts in the next game."""
        return self._seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._seed = seed

    def new_game(self) -> None:
        new_game(self._agent, self._seed)

    def prepare(self, position: Position) -> None:
        prepare = getattr(self._agent, "prepare", None)
        if prepare is not None:
            prepare(position)

    def analyze(self, position: Position, limit: Limit) -> Analysis:
        found = self._agent.analyze(position, limit if self._limit is None else self._limit)
        self.nodes.append(found.nodes)
        return found


def play_series(
    players: tuple[str, str],
    rules: Rules,
    games: int,
    seed: int,
    *,
    first: int = 0,
    limit: Limit | None = None,
    their_limit: Limit | None = None,
    plies: tuple[int, int] = (0, 0),
    player: Agent | None = None,
    advance: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> Series:
    """Play games in pairs: the same opening, and with slip the same chances, with the sides changed.

    Args:
        players: Two agents, as specs; what is counted is the first's.
        rules: The game.
        games: How many.
        seed: Where chance starts.
        first: The number of the first game of this part of a longer series; even.
        limit: What the first may spend on a move; None for what it allows itself.
        their_limit: Likewise, what the other may spend.
        plies: The least and the most random moves of an opening; (0, 0) begins with the empty board.
        player: The first agent itself, where a spec cannot say what it is.
        advance: Told how far it is.
    """
    conditions = Conditions(rules)
    starts = Openings(plies, fair=False, seed=seed).starts(rules)
    openings = list(islice(starts, first // 2, (first + games + 1) // 2))
    asked, nodes = ([0] * rules.geometry.cells for _ in range(2))
    seconds = [0.0] * rules.geometry.cells
    slowest, failed = 0.0, 0
    moves: list[str] = []
    points: list[float] = []
    roster = Roster(rules)
    try:
        if player is None:
            ours, theirs = roster.pair(players)
        else:
            ours, theirs = player, roster.pair((players[1], players[1]))[1]
        begun = time.perf_counter()
        for index in range(games):
            advance(f"{players[0]} - {players[1]}, {rules}", index, games)
            side, number = index % 2, first + index
            us, them = _Counted(ours, limit), _Counted(theirs, their_limit)
            order = (players, players[::-1])[side]
            fixture = Fixture(number, order, openings[index // 2], seed * 1_000_003 + number // 2)
            game = play_game(conditions, fixture, (us, them) if side == 0 else (them, us))
            counts = iter(us.nodes)
            for place, taken in enumerate(game.seconds):
                if game.mover(place) == side:
                    ply = len(game.opening) + place
                    asked[ply] += 1
                    seconds[ply] += taken
                    nodes[ply] += next(counts)
                    slowest = max(slowest, taken)
            moves.append(game.moves)
            points.append(game.points if side == 0 else 1 - game.points)
            failed += game.failed
        spent = time.perf_counter() - begun
    finally:
        roster.close()
    return Series(
        tuple(moves), tuple(points), tuple(asked), tuple(seconds), tuple(nodes), slowest, spent, failed
    )


def score_text(results: WinsDrawsLosses) -> str:
    """Won, drawn and lost: 97-1-2."""
    return f"{results.wins}-{results.draws}-{results.losses}"


def parts_of(games: int, most: int) -> Sequence[tuple[int, int]]:
    """A series in parts of at most so many games, an even number: the first number and how many of each."""
    return [(first, min(most, games - first)) for first in range(0, games, most)]
