"""Drawing positions from games: all different, mirror images counting as the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from fourcast.agents import Agent, agent, new_game
from fourcast.agents.human import HUMAN
from fourcast.agents.registry import read_spec
from fourcast.arena.roster import dismiss, player_here
from fourcast.game.errors import BadData, BadOption, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit, check_count, check_seed
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of
from fourcast.kernels.moves import drop, legal_columns
from fourcast.kernels.tricks import Stones
from fourcast.learning.cells import batch_of, cells_of, image_is_lesser, mirrored
from fourcast.learning.labelled import MOST_POSITIONS, Flags, moves_texts, replay
from fourcast.learning.part import Part
from fourcast.workers import Work, Workers
from fourcast.workers.work import in_order

RANDOM = "random"
MOST_POLICIES = 16
PLAY_LIMIT = Limit(nodes=200_000, simulations=10_000)  # for a disc of an agent: no time, so that games repeat

# How many games are played before it is looked how many new positions they gave, at least and at most; and
# how many may give none before there are thought to be no more. Random ones are played side by side, and
# an agent's are kept one by one, as they take their time.
_RANDOM_GAMES, _RANDOM_FRUITLESS = (256, 16_384), 10_000
_AGENTS_GAMES, _AGENTS_FRUITLESS = (1, 1), 200
# Games that end before the ply that was drawn are begun again, as often as that.
_RANDOM_ROUNDS, _AGENT_TRIES = 40, 10

Columns = npt.NDArray[np.int8]
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which positions are wanted.

    Attributes:
        geometry: The board.
        count: How many.
        plies: The least and the most discs that have been dropped; each ply is drawn as often, but there may
            be few early positions, and few games that last long.
        policies: Who plays both sides of a game, one after the other game by game: `random` (any open column)
            or the spec of an agent.
        noise: The share of an agent's discs that are dropped at random instead.
        seed: Where chance starts.
        slip: The chance that a disc of a game lands in another column; random games are the same anyway.

    Raises:
        BadOption, BadLimit: One of them is not in its range.
    """

    geometry: Geometry
    count: int
    plies: tuple[int, int]
    policies: tuple[str, ...] = (RANDOM,)
    noise: float = 0.0
    seed: int = 0
    slip: float = 0.0

    def __post_init__(self) -> None:
        if check_count("count", self.count) > MOST_POSITIONS:
            raise BadOption(f"count {shown(self.count)}: {MOST_POSITIONS:,} positions is the most")
        least, most = (check_count("plies", each, least=0) for each in self.plies)
        if not least <= most < self.geometry.cells:
            raise BadOption(
                f"plies {shown(least)}-{shown(most)}: on board {self.geometry} they are from 0 to "
                f"{self.geometry.cells - 1}, the lesser first"
            )
        if not 1 <= len(self.policies) <= MOST_POLICIES:
            raise BadOption(f"{len(self.policies)} policies: there are 1 to {MOST_POLICIES}")
        if not 0 <= self.noise <= 1:
            raise BadOption(f"noise {shown(self.noise)}: it must be a number from 0 to 1")
        check_seed(self.seed)
        Rules(self.geometry, self.slip)  # raises what it finds wrong

    @property
    def rules(self) -> Rules:
        """The game that is played."""
        return Rules(self.geometry, self.slip)

    def draw(
        self, part: Part, watch: Watch, *, fewer: bool = False, workers: Workers | None = None
    ) -> tuple[tuple[str, ...], Stones]:
        """The positions, always the same ones: the moves that lead to each, and its stones.

        Of a position and its mirror image it is the one with the lesser key.

        Args:
            part: Where they are kept as they are found; those that are there already are not drawn again.
            watch: Told what is being done, how much of it is done, and how much there is.
            fewer: Whether those that are found will do, if there are no more.
            workers: Who plays the games of agents, if this process shall not; random ones are soon played.

        Raises:
            BadData: There are fewer positions than that, or none are found any more.
            FourcastError: An agent cannot be had, or fails.
            WorkersLost: Those who play are gone, or a game has taken its process with it several times.
        """
        found, played = self._found_before(part)
        stones = [replay(self.geometry, found, part.place)]
        taken = set(_keys(stones[0]))
        by_agents = set(self.policies) != {RANDOM}
        fruitless = 0
        with ExitStack() as stack:
            players = [
                None if policy == RANDOM else find_agent(policy, self.rules, stack)
                for policy in self.policies
            ]
            if by_agents and workers is not None:
                rounds = self._rounds_by(workers, played)
            else:
                rounds = self._rounds(players, played, lambda: self.count - len(found))
            while len(found) < self.count:
                watch("positions", len(found), self.count)
                games, moves, new = next(rounds)
                played += games
                fresh = [index for index, key in enumerate(_keys(new)) if _add(taken, key)]
                fresh = fresh[: self.count - len(found)]
                fruitless = 0 if fresh else fruitless + games
                if fruitless > (_AGENTS_FRUITLESS if by_agents else _RANDOM_FRUITLESS):
                    if fewer:
                        break
                    part.forget()
                    raise BadData(self._exhausted(len(found)))
                if fresh:
                    stones.append(new[fresh])
                    texts = [moves[index] for index in fresh]
                    found += texts
                    part.add({"games": played, "found": texts})
        return tuple(found), np.concatenate(stones)

    def _rounds(
        self, players: list[Agent | None], played: int, missing: Callable[[], int]
    ) -> Iterator[tuple[int, list[str], Stones]]:
        """How many games are played at a time, and what they give, without end."""
        least, most = _RANDOM_GAMES if all(player is None for player in players) else _AGENTS_GAMES
        while True:
            games = min(max(missing(), least), most)
            moves, new = self._play(players, played, games)
            played += games
            yield games, moves, new

    def _rounds_by(self, workers: Workers, played: int) -> Iterator[tuple[int, list[str], Stones]]:
        """The same of agents' games, whoever plays them: one by one, in their order."""
        playing = Work(_play_some, self, named_game)
        for moves, new in in_order(workers.map(playing, count(played)), played):
            yield 1, moves, new

    def _found_before(self, part: Part) -> tuple[list[str], int]:
        """The moves of the positions that a part has, and after how many games."""
        found: list[str] = []
        played = 0
        for step in part.take("found"):
            texts, games = step["found"], step.get("games")
            if not isinstance(games, int) or not isinstance(texts, list):
                raise BadData(part.place(len(found)))
            played = games
            found += map(str, texts)
        if len(found) > self.count:
            raise BadData(part.place(self.count))
        return found, played

    def _exhausted(self, found: int) -> str:
        more = "" if set(self.policies) == {RANDOM} else "; more noise or other policies may bring more"
        least, most = self.plies
        return (
            f"only {found:,} different positions of plies {least}-{most} were found on board "
            f"{self.geometry}, not {self.count:,}{more}"
        )

    def _play(self, players: list[Agent | None], first: int, games: int) -> tuple[list[str], Stones]:
        """Play the games from number `first` on; a position of each, but for those that ended too soon."""
        chance = np.random.default_rng([self.seed, first])
        plies = chance.integers(self.plies[0], self.plies[1] + 1, size=games)
        whose = np.arange(first, first + games) % len(players)
        moves = np.full((games, self.plies[1]), -1, dtype=np.int8)
        stones = np.zeros((games, 2, halves_of(self.geometry)), dtype=np.uint64)
        there = np.zeros(games, dtype=np.bool_)
        for index, player in enumerate(players):
            own = np.flatnonzero(whose == index)
            if player is None:
                moves[own], stones[own], there[own] = _random_games(
                    self.geometry, plies[own], self.plies[1], chance
                )
                continue
            for game in own:
                alone = np.random.default_rng([self.seed, first + int(game), 1])
                position = _agent_game(self.rules, player, int(plies[game]), self.noise, alone)
                if position is not None:
                    moves[game, : position.ply] = position.columns_played
                    stones[game] = Batch.of(position).stones[0]
                    there[game] = True
        return _canonical(Batch(self.geometry, stones[there]), moves[there])


def named_game(number: int) -> str:
    """What a game is called if it takes its process with it."""
    return f"in game {number}"


def _play_some(sampling: Sampling, numbers: list[int]) -> tuple[int, Sequence[tuple[list[str], Stones]]]:
    """What those who play are asked to do: the number of the first game, and what each game gives."""
    players = [
        None if policy == RANDOM else player_here(policy, sampling.rules) for policy in sampling.policies
    ]
    return numbers[0], [sampling._play(players, number, 1) for number in numbers]


def find_agent(spec: str, rules: Rules, stack: ExitStack) -> Agent:
    """An agent that needs nobody at the keyboard; it is dismissed with the stack.

    Raises:
        FourcastError: There is none of that spec, or it does not play on this board.
    """
    if read_spec(spec)[0].name == HUMAN:
        raise BadOption("human: people play with fourcast play")
    player = agent(spec, rules, seed=0)
    stack.callback(dismiss, player)
    return player


def _random_games(
    geometry: Geometry, plies: npt.NDArray[np.int64], most: int, chance: np.random.Generator
) -> tuple[Columns, Stones, Flags]:
    """Random games, each up to its own ply; one that ends before is begun again.

    Returns:
        The columns played, -1 after the last one: shape (games, `most`); the stones; and which games have
        come to their ply and go on.
    """
    moves = np.full((len(plies), most), -1, dtype=np.int8)
    stones = np.zeros((len(plies), 2, halves_of(geometry)), dtype=np.uint64)
    there = np.zeros(len(plies), dtype=np.bool_)
    for _ in range(_RANDOM_ROUNDS):
        missing = np.flatnonzero(~there)
        if not len(missing):
            break
        # The fewer are missing, the more often each is tried: a wide round takes little longer.
        tried = np.repeat(missing, max(len(plies), _RANDOM_GAMES[0]) // len(missing))
        columns, words, arrived = _random_round(geometry, plies[tried], most, chance)
        which, first = np.unique(tried[arrived], return_index=True)
        moves[which], stones[which], there[which] = columns[arrived][first], words[arrived][first], True
    return moves, stones, there


def _random_round(
    geometry: Geometry, plies: npt.NDArray[np.int64], most: int, chance: np.random.Generator
) -> tuple[Columns, Stones, Flags]:
    """The same, but each game is played once."""
    moves = np.full((len(plies), most), -1, dtype=np.int8)
    stones = np.zeros((len(plies), 2, halves_of(geometry)), dtype=np.uint64)
    there = np.zeros(len(plies), dtype=np.bool_)
    going = np.arange(len(plies))
    for ply in range(most + 1):
        legal = legal_columns(Batch(geometry, stones[going]))
        open_columns = legal.cumsum(axis=1)
        on = open_columns[:, -1] > 0
        there[going] = on & (plies[going] == ply)
        on &= plies[going] > ply
        going, open_columns = going[on], open_columns[on]
        if not len(going):
            break
        which = chance.integers(open_columns[:, -1])
        columns = (open_columns > which[:, np.newaxis]).argmax(axis=1)
        stones[going] = drop(Batch(geometry, stones[going]), columns).stones
        moves[going, ply] = columns
    return moves, stones, there


def _agent_game(
    rules: Rules, player: Agent, ply: int, noise: float, chance: np.random.Generator
) -> Position | None:
    """The position of that ply in a game of an agent against itself; None if the games all end before."""
    for _ in range(_AGENT_TRIES):
        new_game(player, int(chance.integers(2**32)))
        position = Position(rules.geometry)
        while position.ply < ply and not position.is_over:
            if chance.random() < noise:
                column = int(chance.choice(position.legal))
            else:
                column = player.analyze(position, PLAY_LIMIT).column
            position = position.play(rules.land(position, column, chance))
        if not position.is_over:
            return position
    return None


def _canonical(batch: Batch, moves: Columns) -> tuple[list[str], Stones]:
    """The moves and stones of the positions or of their mirror images, whichever has the lesser key."""
    cells = cells_of(batch)
    turned = image_is_lesser(cells)
    stones = batch.stones.copy()
    stones[turned] = batch_of(batch.geometry, mirrored(cells[turned])).stones
    moves = moves.copy()
    moves[turned] = np.where(moves[turned] < 0, -1, batch.geometry.columns - 1 - moves[turned])
    return moves_texts(moves), stones


def _keys(stones: Stones) -> list[bytes]:
    """What tells positions apart."""
    data, size = stones.tobytes(), stones.itemsize * stones.shape[1] * stones.shape[2]
    return [data[start : start + size] for start in range(0, len(data), size)]


def _add(taken: set[bytes], key: bytes) -> bool:
    """Whether the key is new; from now on it is not."""
    before = len(taken)
    taken.add(key)
    return len(taken) > before
