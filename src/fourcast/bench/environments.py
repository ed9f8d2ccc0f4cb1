"""How many steps a second environments take: many games together, and one by one beside PettingZoo's own.

What is timed is a piece of a run: a step of all games together, or one game where they are played one by one.
The median of the pieces counts, so that what else the machine does now and then does not.
"""

from __future__ import annotations

import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from fourcast.bench.report import Measurement, Report
from fourcast.extras import require
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.position import Position
from fourcast.interop.vector import Games

LARGE = Geometry(8, 10, 5)
GAMES = 4096
STEPS = 100  # of all games together, in a run
SINGLE_GAMES = 20  # one after the other, in a run
_BAR = 5e6
_SEED = 1

Pieces = Callable[[], Iterator[int]]  # does a piece of its work, and gives how many steps it was; and so on


def measure(*, peers: bool, repeat: int, advance: Callable[[str, int, int], None]) -> Report:
    """Measure on one core, one thing after the other, each compiled before it counts.

    Args:
        peers: Whether to measure the adapters too, beside PettingZoo's own environment and OpenSpiel.
        repeat: Runs of each; the median of all their pieces counts.
        advance: Told what is being measured, how many measurements are done, and how many there are.

    Raises:
        MissingExtra: A peer is not installed.
    """
    if peers:
        require("pyspiel", "bench")
        _peer_environment()
    steps: list[Callable[[], Measurement]] = [
        partial(_together, "games together", STANDARD, repeat, peers),
        partial(_together, "with slip 0.2", STANDARD, repeat, False, slip=0.2),
        partial(_together, "with an opponent", STANDARD, repeat, False, opponent="random", side="either"),
        partial(_together, "games together", LARGE, repeat, False),
    ]
    if peers:
        steps += [
            partial(_gymnasium_vector, repeat),
            partial(_gymnasium, repeat),
            partial(_pettingzoo, repeat),
        ]
    report = Report()
    for done, step in enumerate(steps):
        advance("measuring", done, len(steps))
        report.measurements.append(step())
    advance("measuring", len(steps), len(steps))
    return report


def _paces(works: Sequence[Pieces], repeat: int) -> list[float]:
    """Seconds a step of each of several works, run in turn, after one run that does not count."""
    paces: list[list[float]] = [[] for _ in works]
    for run in range(repeat + 1):
        for work, taken in zip(works, paces, strict=True):
            pieces = work()
            start = time.perf_counter()
            for steps in pieces:
                if run:
                    taken.append((time.perf_counter() - start) / steps)
                start = time.perf_counter()
    return [statistics.median(taken) for taken in paces]


def _together(name: str, board: Geometry, repeat: int, peers: bool, **settings: Any) -> Measurement:
    """Steps of 4,096 games in one call each, what is seen and the masks among them."""
    games = Games(GAMES, board, seed=_SEED, **settings)
    works = [_stepped(games, games.step, games.reset)]
    if peers:
        works.append(partial(_open_spiel, _random_games(board)))
    pace, *peer_pace = _paces(works, repeat)
    peer = ("OpenSpiel", 1 / peer_pace[0]) if peers else (None, None)
    bar = _BAR if board == STANDARD else None
    return Measurement(name, str(board), pace * GAMES, GAMES, "steps", bar, *peer)


def _stepped(games: Games, step: Callable[[Any], object], reset: Callable[[int], object]) -> Pieces:
    """The same steps over and over: columns chosen beforehand, and a seed that brings the same games."""
    chosen = []
    reset(_SEED)
    for _ in range(STEPS):
        chosen.append(games.sample())
        step(chosen[-1])

    def play() -> Iterator[int]:
        reset(_SEED)
        for columns in chosen:
            step(columns)
            yield GAMES

    return play


def _random_games(board: Geometry) -> list[tuple[int, ...]]:
    """The columns of some random games."""
    chance = random.Random(_SEED)
    games = []
    for _ in range(SINGLE_GAMES):
        position = Position(board)
        while not position.is_over:
            position = position.play(chance.choice(position.legal))
        games.append(position.columns_played)
    return games


def _open_spiel(games: list[tuple[int, ...]]) -> Iterator[int]:
    """OpenSpiel's states, one after the other from Python: what is seen, the mask, and the step."""
    game: Any = require("pyspiel", "bench").load_game("connect_four")
    for columns in games:
        state = game.new_initial_state()
        for column in columns:
            state.observation_tensor()
            state.legal_actions_mask()
            state.apply_action(column)
        yield len(columns)


def _gymnasium_vector(repeat: int) -> Measurement:
    """The same games as Gymnasium's vector environment."""
    from fourcast.interop.gymnasium_vector import ConnectFourVectorEnv

    environment = ConnectFourVectorEnv(GAMES, opponent=None)
    work = _stepped(environment.games, environment.step, lambda seed: environment.reset(seed=seed))
    (pace,) = _paces([work], repeat)
    return Measurement("Gymnasium, vector", str(STANDARD), pace * GAMES, GAMES, "steps", _BAR)


def _gymnasium(repeat: int) -> Measurement:
    """One game at a time against `random`, whose answer is part of the step."""
    from fourcast.interop.gymnasium import ConnectFourEnv

    environment = ConnectFourEnv("random")

    def play() -> Iterator[int]:
        environment.action_space.seed(_SEED)
        for seed in range(SINGLE_GAMES):
            seen, _ = environment.reset(seed=seed)
            steps, over = 0, False
            while not over:
                column = environment.action_space.sample(seen["action_mask"])
                seen, _, over, _, _ = environment.step(column)
                steps += 1
            yield steps

    (pace,) = _paces([play], repeat)
    return Measurement("Gymnasium, against random", str(STANDARD), pace, 1, "steps")


def _pettingzoo(repeat: int) -> Measurement:
    """One game at a time for two agents, beside PettingZoo's own: the same moves."""
    from fourcast.interop.pettingzoo import env

    games = _random_games(STANDARD)

    def play(environment: Any) -> Iterator[int]:
        for columns in games:
            environment.reset(seed=_SEED)
            for column in columns:
                environment.last()
                environment.step(column)
            yield len(columns)

    pace, peer_pace = _paces([partial(play, env()), partial(play, _peer_environment())], repeat)
    name, peer = "PettingZoo, two agents", "PettingZoo"
    return Measurement(name, str(STANDARD), pace, 1, "steps", None, peer, 1 / peer_pace)


def _peer_environment() -> Any:
    """PettingZoo's connect_four."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of how it is imported; the other way is newer
        return require("pettingzoo.classic.connect_four_v3", "bench").env()
