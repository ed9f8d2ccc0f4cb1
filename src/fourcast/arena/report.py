"""What a match has shown, in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fourcast.arena.elo import Estimate, estimate
from fourcast.arena.grading import Quality, can_grade, grade_games
from fourcast.arena.match import MatchTally
from fourcast.arena.sprt import SprtState
from fourcast.arena.standings import WinsDrawsLosses
from fourcast.arena.summary import Spread
from fourcast.game.outcome import FIRST, SECOND
from fourcast.game.record import GameRecord

GRADED = 50  # games whose moves the solver grades, unless it is told otherwise


@dataclass(frozen=True, slots=True)
class Side:
    """One agent in a match.

    Attributes:
        agent: Its spec.
        as_first: Its games with the first move.
        as_second: Its games with the second.
        seconds: What its moves took.
        memory: Bytes that its search needed at its peak; 0 where it does not say.
        failures: Games that it lost for another reason than the board, by reason.
        lapses: Moves that were drawn by lot for it, its time being up.
        quality: How well it played, where that was graded.
    """

    agent: str
    as_first: WinsDrawsLosses
    as_second: WinsDrawsLosses
    seconds: Spread
    memory: int
    failures: dict[str, int]
    lapses: int
    quality: Quality | None = None

    @property
    def together(self) -> WinsDrawsLosses:
        """All its games."""
        return self.as_first + self.as_second

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        return {
            "agent": self.agent,
            "points": self.together.points,
            "first": self.as_first.to_json(),
            "second": self.as_second.to_json(),
            "seconds": self.seconds.to_json(),
            "memory": self.memory,
            "errors": self.failures,
            "timeouts": self.failures.get("timeout", 0) + self.lapses,
            "quality": self.quality and self.quality.to_json(),
        }


@dataclass(frozen=True, slots=True)
class MatchReport:
    """A match in figures; results are seen from the first named agent.

    Attributes:
        rules: The game, in words.
        limit: What a move could take.
        planned: How many games there were to be.
        sides: The two agents.
        estimate: How much stronger the first is, and how sure that is.
        lengths: Discs on the board at the end.
        earliest_win: The fewest discs of a game that was won on the board; None if none was.
        repeats: Games that are another one over again, disc for disc.
        graded: Games whose moves were graded.
        sprt: The test, if there is one.
    """

    rules: str
    limit: str
    planned: int
    sides: tuple[Side, Side]
    estimate: Estimate
    lengths: Spread
    earliest_win: int | None
    repeats: int
    graded: int
    sprt: SprtState | None

    @property
    def games(self) -> int:
        """How many were played."""
        return self.estimate.counts.games

    @property
    def points(self) -> float:
        """What the first named agent has got."""
        return self.estimate.counts.points

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        return {
            "rules": self.rules,
            "limit": self.limit,
            "planned": self.planned,
            **self.estimate.to_json(),
            "lengths": self.lengths.to_json() | {"earliest_win": self.earliest_win},
            "repeats": self.repeats,
            "graded": self.graded,
            "agents": [side.to_json() for side in self.sides],
            "sprt": self.sprt and self.sprt.to_json(),
        }


def report_of(
    tally: MatchTally,
    grade: int = GRADED,
    advance: Callable[[int, int], None] = lambda _done, _total: None,
) -> MatchReport:
    """Sum up a match.

    Args:
        tally: The games.
        grade: How many games are graded by the solver at most, evenly chosen, where that can be done.
        advance: Told how far the grading has come.
    """
    numbers = sorted(tally.games)
    games = [tally.games[number] for number in numbers]
    ours = [number % 2 for number in numbers]  # which player the first named agent is
    chosen = _chosen(numbers, grade) if can_grade(tally.plan.conditions.rules) else []
    qualities = _qualities(games, ours, chosen, advance)
    decided = [game.plies for game in games if game.winner is not None and not game.failed]
    seen = Counter((game.players, game.opening, game.landed) for game in games)
    return MatchReport(
        rules=str(tally.plan.conditions.rules),
        limit=str(tally.plan.conditions.limit),
        planned=tally.plan.games,
        sides=(
            _side(tally.plan.players[0], games, ours, qualities[0]),
            _side(tally.plan.players[1], games, [1 - player for player in ours], qualities[1]),
        ),
        estimate=estimate(tally.counts),
        lengths=Spread.of(game.plies for game in games),
        earliest_win=min(decided, default=None),
        repeats=len(games) - len(seen),
        graded=len(chosen),
        sprt=tally.verdict,
    )


def _chosen(numbers: list[int], most: int) -> list[int]:
    """Which games are graded, by their place: evenly spread, both games of a pair as far as possible."""
    pairs = sorted({number // 2 for number in numbers})
    count = min(len(pairs), (most + 1) // 2)
    wanted = {pairs[index * len(pairs) // count] for index in range(count)}
    return [place for place, number in enumerate(numbers) if number // 2 in wanted][:most]


def _qualities(
    games: list[GameRecord], ours: list[int], chosen: list[int], advance: Callable[[int, int], None]
) -> tuple[Quality | None, Quality | None]:
    if not chosen:
        return None, None
    found = [Quality(), Quality()]
    for index, grades in zip(chosen, grade_games([games[index] for index in chosen], advance), strict=True):
        found[0] += grades[ours[index]]
        found[1] += grades[1 - ours[index]]
    return found[0], found[1]


def _side(spec: str, games: list[GameRecord], players: list[int], quality: Quality | None) -> Side:
    """What one agent has done, who was this player in each of the games."""
    results = [[0, 0, 0], [0, 0, 0]]
    times: list[float] = []
    failures: Counter[str] = Counter()
    memory = lapses = 0
    for game, player in zip(games, players, strict=True):
        won, lost = game.winner == player, game.winner == 1 - player
        results[player][0 if won else 2 if lost else 1] += 1
        times += [taken for index, taken in enumerate(game.seconds) if game.mover(index) == player]
        memory = max(memory, game.memory[player])
        lapses += sum(game.mover(index) == player for index in game.lapses)
        if lost and game.failed:
            failures[game.ending] += 1
    return Side(
        spec,
        WinsDrawsLosses(*results[FIRST]),
        WinsDrawsLosses(*results[SECOND]),
        Spread.of(times),
        memory,
        dict(failures),
        lapses,
        quality,
    )
