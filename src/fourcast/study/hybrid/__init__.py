"""The boosted model and the hybrid that plays with it: the study `hybrid`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.study.games import parts_of, play_series
from fourcast.study.hybrid.protocols import HONEST, LEAKY, OURS, judge_published, judge_shipped
from fourcast.study.hybrid.results import (
    ABLATIONS,
    ITSELF,
    MCTS,
    OPPONENTS,
    PUBLISHED,
    SMALL_MCTS,
    YARDSTICK,
    findings,
)
from fourcast.study.study import Desk, Found, Settings, Study, Task

HYBRID = "hybrid"
_PLIES = (4, 4)  # random discs before games of the ablations, so that they differ


def play(arguments: dict[str, Any], desk: Desk) -> Found:
    """Some games of a series; the opponent may have a time of its own."""
    seconds = arguments.get("seconds")
    least, most = arguments.get("plies", (0, 0))
    return play_series(
        (arguments["player"], arguments["against"]),
        Rules(),
        arguments["games"],
        arguments["seed"],
        first=arguments["first"],
        their_limit=None if seconds is None else Limit(seconds=seconds),
        plies=(least, most),
        advance=desk.advance,
    ).to_json()


def solve_positions(arguments: dict[str, Any], desk: Desk) -> Found:
    """Random positions of 10 to 16 discs, and what the solver says of every column."""
    from fourcast.arena.quality import graded_positions

    solved = graded_positions(arguments["positions"], arguments["seed"], desk.advance)
    return {"solved": [[each.position.moves, list(each.scores)] for each in solved]}


def grade_moves(arguments: dict[str, Any], desk: Desk) -> Found:
    """How good a variant's moves are in the positions that were solved, and what they take."""
    from fourcast.agents import agent
    from fourcast.arena.quality import Graded, grade

    player = agent(arguments["player"], Rules(), seed=arguments["seed"])
    solved = [
        Graded(Position.from_moves(moves), tuple(scores))
        for moves, scores in desk.earlier["solved"]["solved"]
    ]
    found = grade(
        arguments["player"], lambda each: player.analyze(each, Limit()).column, solved, None, desk.advance
    )
    return {"good": found.good, "perfect": found.perfect, "seconds": found.seconds, "slowest": found.slowest}


def tasks(settings: Settings) -> Sequence[Task]:
    """The model by two protocols, the games, and the ablations."""
    # One thread: several wait for each other in vain where a machine has other work.
    common = {"every": settings.choose(8, 1), "rounds": 490, "seed": settings.seed, "threads": 1}
    made = [
        Task(LEAKY, judge_published, common | {"protocol": LEAKY}),
        Task(HONEST, judge_published, common | {"protocol": HONEST}),
        Task(OURS, judge_shipped, {"model": "uci", "every": settings.choose(6, 1)}),
    ]
    seconds = settings.choose(0.1, 5.0)
    games = {"random": (10, 200), ITSELF: (6, 100), SMALL_MCTS: (4, 100)}
    for opponent, counts in games.items():
        for first, count in parts_of(settings.choose(*counts), 20):
            arguments = {"player": HYBRID, "against": OPPONENTS[opponent], "games": count, "first": first}
            made.append(Task(f"{opponent}, {first}", play, arguments | {"seed": settings.seed}))
    for first, count in parts_of(settings.choose(2, 10), 2):
        arguments = {"player": HYBRID, "against": OPPONENTS[MCTS], "games": count, "first": first}
        timed = arguments | {"seconds": seconds, "seed": settings.seed}
        made.append(Task(f"{MCTS}, {first}", play, timed, alone=False))
    positions = {"positions": settings.choose(30, 200), "seed": settings.seed}
    made.append(Task("solved", solve_positions, positions))
    for name, spec in ABLATIONS.items():
        graded = positions | {"player": spec}
        made.append(Task(f"moves, {name}", grade_moves, graded, needs=("solved",)))
    for name, spec in ABLATIONS.items():
        for first, count in parts_of(settings.choose(4, 60), 20):
            arguments = {"player": spec, "against": YARDSTICK, "games": count, "first": first}
            opened = arguments | {"plies": list(_PLIES), "seed": settings.seed}
            made.append(Task(f"games, {name}, {first}", play, opened, alone=False))
    return made


STUDY = Study(
    "hybrid",
    "The hybrid: a boosted model early, playouts late",
    "A model that has learnt who wins positions of eight discs is asked early in the game, random "
    "playouts late. How good is the model, measured as was published and measured honestly? How well "
    "does the hybrid play, in what time, and what does each of its parts bring?",
    tasks,
    findings,
    PUBLISHED,
    extras=(("sklearn", "learn"),),
)
