"""A tournament: games between many agents, everybody against everybody or by the Swiss system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, Literal

from fourcast.arena.match import check_agent
from fourcast.arena.openings import Openings
from fourcast.arena.ratings import Ratings, rate_results
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.results import Result
from fourcast.arena.running import play_all, settings_of
from fourcast.arena.standings import Standings
from fourcast.arena.store import Run, Store
from fourcast.arena.swiss import swiss_pairs
from fourcast.game.errors import BadField, BadOption, FourcastError, shown
from fourcast.game.limit import check_count, check_seed
from fourcast.game.record import GameRecord
from fourcast.workers import Workers

Format = Literal["round-robin", "swiss"]
FORMATS: tuple[Format, ...] = ("round-robin", "swiss")
VARIETY = 32  # openings of a round


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What is to be played.

    Attributes:
        agents: Specs by name; two or more.
        conditions: The rules, the time, and what happens when it is over.
        rounds: How often everybody meets everybody; in a Swiss tournament, how many rounds there are.
        format: `round-robin` or `swiss`.
        openings: Where games begin; a round has `VARIETY` of them, and each pair of agents another one in
            every round.
        seed: Where chance starts.
    """

    agents: dict[str, str]
    conditions: Conditions
    rounds: int = 1
    format: Format = "round-robin"
    openings: Openings = field(default_factory=Openings)
    seed: int = 0

    def __post_init__(self) -> None:
        check_count("rounds", self.rounds)
        check_seed(self.seed)
        if self.format not in FORMATS:
            raise BadOption(f"format {shown(self.format)}: it is one of {', '.join(FORMATS)}")
        if len(self.agents) < 2:
            raise BadField(f"a tournament takes two agents or more, not {len(self.agents)}")
        if len(set(self.agents.values())) < len(self.agents):
            raise BadField("an agent is in the field twice")
        for name, spec in self.agents.items():
            try:
                check_agent(spec, self.conditions.rules)
            except FourcastError as error:
                raise type(error)(f"{name}: {error}" if name != spec else str(error)) from None

    @property
    def settings(self) -> dict[str, Any]:
        """What says which run this is; a round-robin can be made longer, so its rounds do not."""
        return settings_of(self.conditions) | {
            "agents": self.agents,
            "format": self.format,
            "openings": {
                "plies": list(self.openings.plies),
                "fair": self.openings.fair,
                "count": self.openings.count,
                "seed": self.openings.seed,
            },
            "seed": self.seed,
        }

    @property
    def pairs_a_round(self) -> int:
        """How many pairs of games a round has."""
        size = len(self.agents)
        return size // 2 if self.format == "swiss" else size * (size - 1) // 2

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return 2 * self.rounds * self.pairs_a_round

    def starts(self) -> Callable[[int], tuple[int, ...]]:
        """The openings by number, each made when it is asked for."""
        made: list[tuple[int, ...]] = []
        more = self.openings.starts(self.conditions.rules)

        def start(number: int) -> tuple[int, ...]:
            made.extend(islice(more, number + 1 - len(made)) if number >= len(made) else ())
            return made[number]

        return start

    def round(
        self, number: int, pairs: Iterable[tuple[str, str]], starts: Callable[[int], tuple[int, ...]]
    ) -> Iterator[Fixture]:
        """The games of a round, both colours of a pair after each other.

        Args:
            number: Which round, from 0.
            pairs: Who meets, by name.
            starts: The openings by number.
        """
        for place, (first, second) in enumerate(pairs):
            index = number * self.pairs_a_round + place
            players = (self.agents[first], self.agents[second])
            start = starts(number + place % VARIETY)
            seed = self.seed * 1_000_003 + index
            yield Fixture(2 * index, players, start, seed)
            yield Fixture(2 * index + 1, (players[1], players[0]), start, seed)


class TournamentTally:
    """The results so far.

    Attributes:
        plan: What is played.
        results: Who has got what, by the game's number.
        failures: Games that an agent lost by failing, by name and reason.
    """

    def __init__(self, plan: TournamentPlan) -> None:
        self.plan = plan
        self.results: dict[int, Result] = {}
        self.failures: dict[tuple[str, str], int] = {}
        self._names = {spec: name for name, spec in plan.agents.items()}
        self._points = dict.fromkeys(plan.agents, 0.0)

    def add(self, number: int, game: GameRecord) -> bool:
        """Count a game, once; a tournament is never decided before its end."""
        if number >= self.plan.games or number in self.results:
            return False
        first, second = (self._names[spec] for spec in game.players)
        self.results[number] = Result(first, second, game.points)
        self._points[first] += game.points
        self._points[second] += 1 - game.points
        if game.failed:
            loser = second if game.points else first
            self.failures[loser, game.ending] = self.failures.get((loser, game.ending), 0) + 1
        return False

    @property
    def leaders(self) -> list[tuple[str, float]]:
        """Names and points, the most first."""
        return sorted(self._points.items(), key=lambda item: -item[1])

    def standings(self) -> Standings:
        """The table."""
        return Standings.of(self.results.values(), list(self.plan.agents))

    def ratings(self, anchor: tuple[str, float] | None = None) -> Ratings:
        """The ratings of all, from all games; with an anchor, that agent's rating is fixed."""
        return rate_results(self.results.values(), list(self.plan.agents), anchor)


def play_tournament(
    tally: TournamentTally,
    store: Store,
    run: Run,
    workers: Workers,
    watch: Callable[[], None] = lambda: None,
) -> None:
    """Play a tournament, or what is left of it.

    Args:
        tally: Has the plan, and is filled; what is in it when this is interrupted is in the store, too.
        store: Where the games are kept.
        run: The run in the store.
        workers: Who plays.
        watch: Called after every game.
    """
    plan = tally.plan

    def seen(number: int, game: GameRecord) -> bool:
        tally.add(number, game)
        watch()
        return False

    starts = plan.starts()
    if plan.format == "swiss":
        for number in range(plan.rounds):
            fixtures = plan.round(number, _swiss_round(plan, tally, number), starts)
            size = 2 * plan.pairs_a_round
            numbers = range(number * size, (number + 1) * size)
            play_all(store, run, plan.conditions, fixtures, numbers, workers, seen)
        return

    def everybody() -> Iterator[Fixture]:
        for number in range(plan.rounds):
            yield from plan.round(number, combinations(plan.agents, 2), starts)

    play_all(store, run, plan.conditions, everybody(), range(plan.games), workers, seen)


def _swiss_round(plan: TournamentPlan, tally: TournamentTally, number: int) -> list[tuple[str, str]]:
    """Who meets in a round, from the results of the rounds before."""
    points = dict.fromkeys(plan.agents, 0.0)
    met: set[frozenset[str]] = set()
    played = dict.fromkeys(plan.agents, 0)
    for index, result in tally.results.items():
        if index < 2 * number * plan.pairs_a_round:
            points[result.first] += result.points
            points[result.second] += 1 - result.points
            met.add(frozenset((result.first, result.second)))
            played[result.first] += 1
            played[result.second] += 1
    byes = {name: number - played[name] // 2 for name in plan.agents}
    for name, missed in byes.items():
        points[name] += 2 * missed  # as if it had won both games
    return swiss_pairs(list(plan.agents), points, met, byes)[0]
