"""Games that one process plays side by side, so that the network is asked about all of them together.

A game is a generator: it yields positions and which network is to be asked about them, and is sent what that
one says. Which games lie on a table is settled beforehand, and each draws its chance from its own number: the
games are the same whoever plays them.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of
from fourcast.kernels.tricks import Stones
from fourcast.learning.cells import batch_of, cells_of, image_is_lesser, mirrored
from fourcast.learning.examples import held_out
from fourcast.learning.networks import NETWORK_PLANES
from fourcast.learning.selfplay.settings import SHARE, Settings
from fourcast.models.card import Card
from fourcast.search.puct import Answer, NetworkSearch

FULL_SHARE = 0.5  # of the moves, which are searched in full, with noise, and learnt from
NOISE = 0.25
MEMORY_MB, ANSWERS, AT_ONCE = 1, 1 << 10, 4  # of each search: there are many
TRUST = 0.4  # how much of what a position is worth goes by the search, and not by how the game ended
ASIDES = 4  # positions that a search has proven beside the game, at most, that are learnt after each
WARM = 0.25  # of the cells: plies after the opening whose moves are drawn by their shares
COOL = 0.25  # the temperature after that
FROM_START = 0.2  # of the games begin with the empty board; the others with random discs
DEEPEST = 0.85  # of the cells: the most random discs that a game begins with
GATE_DEEPEST = 0.2  # likewise, of the games of a gate
_TRIES = 20

Result = TypeVar("Result")
Asked = tuple[int, Batch]
Game = Generator[Asked, Answer, Result]


@dataclass(frozen=True, slots=True, eq=False)
class Harvest:
    """What there is to learn of games, each position seen from its side to move.

    Attributes:
        stones: uint64 of shape (positions, 2, halves), as a `Batch` has them.
        policy: float32 of shape (positions, columns): how much the search attended to each column, or the
            column that it has proven to be best.
        value: float32 of shape (positions,): what it is worth, proven or by the search and the game's end.
        counts: int64 of shape (4,): games, plies, games won by who moved first, draws.
    """

    stones: Stones
    policy: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    counts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def together(cls, parts: Sequence[Harvest]) -> Harvest:
        """Several as one."""
        return cls(
            np.concatenate([each.stones for each in parts]),
            np.concatenate([each.policy for each in parts]),
            np.concatenate([each.value for each in parts]),
            np.sum([each.counts for each in parts], axis=0, dtype=np.int64),
        )


def distinct(geometry: Geometry, harvest: Harvest) -> Harvest:
    """Each position once, mirror images being the same: with the mean of what is to be learnt of it.

    Few positions of the first plies, and of a full board's last ones, would else be most of all.
    """
    if not len(harvest):
        return harvest
    cells = cells_of(Batch(geometry, harvest.stones))
    turned = image_is_lesser(cells)
    stones, policy = harvest.stones.copy(), harvest.policy.copy()
    stones[turned] = batch_of(geometry, mirrored(cells[turned])).stones
    policy[turned] = policy[turned, ::-1]
    keys = stones.reshape(len(stones), -1)
    _, first, which, counts = np.unique(
        keys, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)  # as they came
    policies = np.zeros((len(first), geometry.columns))
    np.add.at(policies, which.ravel(), policy)
    values = np.bincount(which.ravel(), harvest.value.astype(np.float64))
    return Harvest(
        stones[first[order]],
        (policies[order] / counts[order, np.newaxis]).astype(np.float32),
        (values[order] / counts[order]).astype(np.float32),
        harvest.counts,
    )


@dataclass(frozen=True, slots=True)
class PlayTask:
    """Games of the champion against itself.

    Attributes:
        settings: Of the run.
        generation: Which.
        games: Their numbers.
        champion: The network, in ONNX.
    """

    settings: Settings
    generation: int
    games: range
    champion: bytes


@dataclass(frozen=True, slots=True)
class GateTask:
    """Pairs of games between a new network and the champion.

    Attributes:
        settings: Of the run.
        generation: Which.
        pairs: Their numbers.
        candidate: The new network, in ONNX.
        champion: The old one.
    """

    settings: Settings
    generation: int
    pairs: range
    candidate: bytes
    champion: bytes


def sit_down(task: PlayTask | GateTask) -> Harvest | list[float]:
    """Play the games of a table.

    Returns:
        What there is to learn; or of a gate's pairs, the new network's points in each.

    Raises:
        BadModel: A network fails.
    """
    settings = task.settings
    if isinstance(task, PlayTask):
        network = evaluator_of(settings.geometry, task.champion)
        played = side_by_side(
            [_game(settings, network, task.generation, number) for number in task.games], [network]
        )
        return _harvest(settings, played)
    networks = [evaluator_of(settings.geometry, graph) for graph in (task.candidate, task.champion)]
    games = [
        _gate_game(settings, networks, task.generation, number, first)
        for number in task.pairs
        for first in (0, 1)
    ]
    points = side_by_side(games, networks)
    return [one + other for one, other in zip(points[::2], points[1::2], strict=True)]


@lru_cache(maxsize=4)
def evaluator_of(geometry: Geometry, graph: bytes) -> NetworkEvaluator:
    """A network that is asked about positions as they are, not about their images too."""
    card = Card("selfplay", "network", "", geometry, planes=NETWORK_PLANES)
    return NetworkEvaluator(card, geometry, mirror=False, graph=graph)


def side_by_side(games: Sequence[Game[Result]], networks: Sequence[NetworkEvaluator]) -> list[Result]:
    """Play games to their ends, asking each network about all that wait for it at once."""
    ended: dict[int, Result] = {}
    waiting: dict[int, Asked] = {}

    def go_on(number: int, answer: Answer | None) -> None:
        try:
            waiting[number] = next(games[number]) if answer is None else games[number].send(answer)
        except StopIteration as end:
            ended[number] = end.value

    for number in range(len(games)):
        go_on(number, None)
    while waiting:
        for which, network in enumerate(networks):
            turn = [(number, batch) for number, (asked, batch) in waiting.items() if asked == which]
            if not turn:
                continue
            stones = np.concatenate([batch.stones for _, batch in turn])
            logits, values = network.ask(Batch(turn[0][1].geometry, stones))
            assert values is not None
            start = 0
            for number, batch in turn:
                end = start + len(batch)
                del waiting[number]
                go_on(number, (logits[start:end], values[start:end]))
                start = end
    return [ended[number] for number in range(len(games))]


#: What there is to learn of a game, how many discs were dropped, and who won, None for a draw.
Told = tuple[list["Lesson"], int, int | None]
Lesson = tuple[Position, npt.NDArray[np.float64], float, bool]  # policy, value, and whether that is proven


def _game(settings: Settings, network: NetworkEvaluator, generation: int, number: int) -> Game[Told]:
    """A game to learn from; it is over as soon as the search has proven who wins, or that nobody does."""
    chance = np.random.default_rng([settings.seed, generation, number])
    search = _search(settings, network)
    position = opening(settings.geometry, chance, DEEPEST) if chance.random() >= FROM_START else None
    position = position or Position(settings.geometry)
    start = position.ply
    warm = start + WARM * settings.geometry.cells
    lessons: list[Lesson] = []
    while not position.is_over:
        full = bool(chance.random() < FULL_SHARE)
        search.noise = NOISE if full else 0.0
        limit = Limit(simulations=settings.simulations if full else settings.quick)
        found = yield from _asking(0, search, position, limit, int(chance.integers(2**32)))
        policy = policy_of(found)
        if not settings.slip:
            lessons += _asides(search, position, chance)
        if found.bounds is not None:
            value = int(np.sign(found.bounds[0]))
            lessons.append((position, policy, float(value), True))
            winner = None if value == 0 else position.turn if value > 0 else 1 - position.turn
            return lessons, position.ply - start, winner
        if full:
            lessons.append((position, policy, found.value or 0.0, False))
        shares = policy if position.ply < warm else policy ** (1 / COOL)
        column = int(chance.choice(len(policy), p=shares / shares.sum()))
        position = position.play(settings.rules.land(position, column, chance))
    return lessons, position.ply - start, position.outcome.winner if position.outcome else None


def _asides(search: NetworkSearch, position: Position, chance: np.random.Generator) -> list[Lesson]:
    """Lessons of what the search has proven beside the game: as exact as any, and of other positions."""
    found: dict[int, Lesson] = {}
    for _ in range(ASIDES):
        aside = search.proven_below(position, chance)
        if aside is not None:
            there, column, value = aside
            policy = np.zeros(position.geometry.columns)
            policy[column] = 1
            found[there.key] = there, policy, float(value), True
    return list(found.values())


def _gate_game(
    settings: Settings, networks: Sequence[NetworkEvaluator], generation: int, pair: int, first: int
) -> Game[float]:
    """A game of a gate: the points of the new network, which is the first of the two."""
    chance = np.random.default_rng([settings.seed, generation, pair, 1])
    position = opening(settings.geometry, chance, GATE_DEEPEST)
    start = position.ply
    searches = [_search(settings, network) for network in networks]
    limit = Limit(simulations=max(settings.simulations // 2, settings.quick))
    while not position.is_over:
        which = first ^ (position.ply - start) % 2
        found = yield from _asking(which, searches[which], position, limit, int(chance.integers(2**32)))
        position = position.play(settings.rules.land(position, found.column, chance))
    winner = position.outcome.winner if position.outcome else None
    if winner is None:
        return 0.5
    return 1.0 if (first ^ (winner - start) % 2) == 0 else 0.0


def _search(settings: Settings, network: NetworkEvaluator) -> NetworkSearch:
    return NetworkSearch(  # without the solver's proofs: nobody teaches it
        settings.rules, network, memory_mb=MEMORY_MB, answers=ANSWERS, at_once=AT_ONCE, proof=0
    )


def _asking(
    which: int, search: NetworkSearch, position: Position, limit: Limit, seed: int
) -> Generator[Asked, Answer, Analysis]:
    """A search that says which network it asks."""
    steps = search.asking(position, limit, seed)
    try:
        batch = next(steps)
        while True:
            answer = yield which, batch
            batch = steps.send(answer)
    except StopIteration as end:
        found: Analysis = end.value
        return found


def policy_of(found: Analysis) -> npt.NDArray[np.float64]:
    """How much each column was attended to; a proven best one has all, and those that are proven lost none.

    With slip nothing is taken away: a column is then an aim, and none is lost for sure.
    """
    policy = np.array(found.policy, dtype=np.float64)
    if found.bounds is not None:
        policy[:] = 0
        policy[found.column] = 1
        return policy
    values = np.array([0.0 if value is None else value for value in found.values or ()])
    kept = np.where(values > -1, policy, 0.0)
    shares: npt.NDArray[np.float64] = kept if kept.sum() > 0 else policy
    shares /= shares.sum()
    return shares


def opening(geometry: Geometry, chance: np.random.Generator, deepest: float) -> Position:
    """A position after random discs, as many as it is drawn by lot, that nobody has won."""
    most = int(deepest * geometry.cells)
    for _ in range(_TRIES):
        position = Position(geometry)
        for _ in range(int(chance.integers(most + 1))):
            position = position.play(int(chance.choice(position.legal)))
            if position.is_over:
                break
        else:
            return position
    return Position(geometry)


def _harvest(settings: Settings, played: list[Told]) -> Harvest:
    """What there is to learn, without the positions that are held out."""
    geometry = settings.geometry
    stones, policies, values = [], [], []
    counts = np.zeros(4, dtype=np.int64)
    for lessons, plies, winner in played:
        counts += (1, plies, winner == 0, winner is None)
        for position, policy, value, proven in lessons:
            result = 0.0 if winner is None else 1.0 if winner == position.turn else -1.0
            stones.append(Batch.of(position).stones[0])
            policies.append(policy)
            values.append(value if proven else TRUST * value + (1 - TRUST) * result)
    whole = Harvest(
        np.array(stones, dtype=np.uint64).reshape(-1, 2, halves_of(geometry)),
        np.array(policies, dtype=np.float32).reshape(-1, geometry.columns),
        np.array(values, dtype=np.float32),
        counts,
    )
    kept = ~held_out(Batch(geometry, whole.stones), SHARE, settings.seed)
    return Harvest(whole.stones[kept], whole.policy[kept], whole.value[kept], counts)
