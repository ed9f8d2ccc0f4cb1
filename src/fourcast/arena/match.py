"""A match: many games between two agents, in pairs with the sides changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from fourcast.agents import agent
from fourcast.agents.human import HUMAN
from fourcast.agents.registry import read_spec
from fourcast.arena.openings import Openings
from fourcast.arena.pairs import PairCounts
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.running import play_all, settings_of
from fourcast.arena.sprt import Sprt, SprtState
from fourcast.arena.store import Run, Store
from fourcast.game.errors import BadOption
from fourcast.game.limit import check_count, check_seed
from fourcast.game.record import GameRecord
from fourcast.game.rules import Rules
from fourcast.workers import Workers

GAMES = 200


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What is to be played.

    Attributes:
        players: The two agents, as specs. Results are seen from the first named.
        conditions: The rules, the time, and what happens when it is over.
        games: How many at most; each opening is played twice, the sides changed.
        openings: Where games begin.
        sprt: A test that ends the match as soon as it is decided.
        seed: Where chance starts.
    """

    players: tuple[str, str]
    conditions: Conditions
    games: int = GAMES
    openings: Openings = field(default_factory=Openings)
    sprt: Sprt | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_count("games", self.games)
        check_seed(self.seed)
        for spec in self.players:
            check_agent(spec, self.conditions.rules)

    @property
    def settings(self) -> dict[str, Any]:
        """What says which run this is; not how many games, so that a match can be made longer."""
        return settings_of(self.conditions) | {
            "players": list(self.players),
            "openings": {
                "plies": list(self.openings.plies),
                "fair": self.openings.fair,
                "count": self.openings.count,
                "seed": self.openings.seed,
            },
            "seed": self.seed,
        }

    def fixtures(self) -> Iterator[Fixture]:
        """The games in order: 2 k and 2 k + 1 are a pair."""
        starts = self.openings.starts(self.conditions.rules)
        first, second = self.players

        def endless() -> Iterator[Fixture]:
            for pair in count():
                start = next(starts)
                seed = self.seed * 1_000_003 + pair
                yield Fixture(2 * pair, (first, second), start, seed)
                yield Fixture(2 * pair + 1, (second, first), start, seed)

        return islice(endless(), self.games)


def check_agent(spec: str, rules: Rules) -> None:
    """See that an agent can play, before any game is begun.

    Raises:
        FourcastError: There is no such agent, it cannot play by these rules, or it is a person.
    """
    entry = read_spec(spec)[0]
    if entry.name == HUMAN:
        raise BadOption("human: people play with fourcast play")
    made = agent(spec, rules, seed=0)
    end = getattr(made, "close", None)
    if end is not None:
        end()


class MatchTally:
    """The results so far, by pairs.

    Attributes:
        plan: What is played.
        games: The games by number.
        points: What the first named agent has got in all.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.points = 0.0
        self.games: dict[int, GameRecord] = {}
        self._pairs_in_order = 0  # pairs that are complete, and all before them
        self._ordered = PairCounts()
        self.verdict: SprtState | None = None

    def add(self, number: int, game: GameRecord) -> bool:
        """Count a game; True if the test is decided by it.

        The test looks at pairs in the order of the schedule, so that short games do not weigh more because
        they end sooner, and the verdict is the same however many play.
        """
        if number >= self.plan.games or number in self.games:
            return bool(self.verdict and self.verdict.verdict)
        self.games[number] = game
        self.points += self._points(number)
        while 2 * self._pairs_in_order in self.games and 2 * self._pairs_in_order + 1 in self.games:
            pair = self._pairs_in_order
            self._ordered += PairCounts.of([self._points(2 * pair) + self._points(2 * pair + 1)])
            self._pairs_in_order += 1
            if self.plan.sprt and not (self.verdict and self.verdict.verdict):
                self.verdict = self.plan.sprt.judge(self._ordered)
        return bool(self.verdict and self.verdict.verdict)

    def _points(self, number: int) -> float:
        """What the first named agent has got in a game."""
        points = self.games[number].points
        return points if number % 2 == 0 else 1 - points

    @property
    def counts(self) -> PairCounts:
        """All results, as pairs where both games are played."""
        numbers = sorted(self.games)
        pairs = [number for number in numbers if number % 2 == 0 and number + 1 in self.games]
        alone = [number for number in numbers if number ^ 1 not in self.games]
        return PairCounts.of(
            (self._points(number) + self._points(number + 1) for number in pairs), map(self._points, alone)
        )


def play_match(
    tally: MatchTally,
    store: Store,
    run: Run,
    workers: Workers,
    watch: Callable[[], None] = lambda: None,
) -> None:
    """Play a match, or what is left of it, until all is played or the test is decided.

    Args:
        tally: Has the plan, and is filled; what is in it when this is interrupted is in the store, too.
        store: Where the games are kept.
        run: The run in the store.
        workers: Who plays.
        watch: Called after every game.
    """

    def seen(number: int, game: GameRecord) -> bool:
        decided = tally.add(number, game)
        watch()
        return decided

    plan = tally.plan
    play_all(store, run, plan.conditions, plan.fixtures(), range(plan.games), workers, seen)
