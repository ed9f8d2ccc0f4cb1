"""Discs that slip: the study `slip`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.study.games import parts_of, play_series
from fourcast.study.slip.results import AGENTS, BLIND, DEEP, GROWTH_BOARD, SEEING, findings
from fourcast.study.slip.settings import (
    SLIP,
    boards,
    growing_slips,
    learning_boards,
    small_boards,
    turning_slips,
)
from fourcast.study.study import Desk, Found, Settings, Study, Task

_SAME = 1e-9  # values that differ by less are the same


def play(arguments: dict[str, Any], desk: Desk) -> Found:
    """Some games of a series with slip."""
    return play_series(
        (arguments["player"], arguments["against"]),
        Rules(arguments["board"], arguments["slip"]),
        arguments["games"],
        arguments["seed"],
        first=arguments["first"],
        advance=desk.advance,
    ).to_json()


def compare_moves(arguments: dict[str, Any], desk: Desk) -> Found:
    """How often the best column changes when discs may slip, by exact values with slip and without.

    Columns that are best with slip are compared with those that keep the outcome without it, and with those
    that keep the exact score, which a perfect player would choose among.
    """
    from fourcast.agents import agent
    from fourcast.solver import Solver

    geometry = Geometry.parse(arguments["board"])
    solver = Solver(geometry)
    players = {
        slip: agent(f"expectimax:values=all,solve={geometry.cells}", Rules(geometry, slip))
        for slip in arguments["slips"]
    }
    counts: dict[float, list[float]] = {slip: [0, 0, 0.0, 0.0] for slip in arguments["slips"]}
    total = arguments["positions"]
    for index, position in enumerate(_positions(geometry, arguments["plies"], total, arguments["seed"])):
        desk.advance("positions", index, total)
        scores = solver.analyze(position).scores or ()
        known = {column: score for column, score in enumerate(scores) if score is not None}
        highest = max(known.values())
        perfect = {column for column, score in known.items() if score == highest}
        good = {column for column, score in known.items() if _sign(score) == _sign(highest)}
        for slip, player in players.items():
            values = player.analyze(position, Limit()).values or ()
            worth = {column: value for column, value in enumerate(values) if value is not None}
            top = max(worth.values())
            best = {column for column, value in worth.items() if value > top - _SAME}
            lost = top - max(worth[column] for column in perfect)
            tally = counts[slip]
            tally[0] += not best & good
            tally[1] += not best & perfect
            tally[2] += max(lost, 0.0)
            tally[3] = max(tally[3], lost)
    return {
        "positions": total,
        "slips": [
            {
                "slip": slip,
                "other_outcome": int(tally[0]),
                "other_column": int(tally[1]),
                "mean_lost": tally[2] / total,
                "most_lost": tally[3],
            }
            for slip, tally in counts.items()
        ],
    }


def _positions(geometry: Geometry, plies: Sequence[int], count: int, seed: int) -> Iterator[Position]:
    """Different positions of random games that go on, where there is more than one column to choose from."""
    chance = random.Random(f"{geometry} {seed}")
    taken: set[int] = set()
    while len(taken) < count:
        wanted = chance.randint(plies[0], plies[1])
        position = Position(geometry)
        while not position.is_over and position.ply < wanted:
            position = position.play(chance.choice(position.legal))
        if not position.is_over and len(position.legal) > 1 and position.canonical_key not in taken:
            taken.add(position.canonical_key)
            yield position


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def train_cnn(arguments: dict[str, Any], desk: Desk) -> Found:
    """Train the published network anew, as the shipped one was, and keep how it went."""
    from fourcast.learning.course import Course
    from fourcast.learning.distilling import CNN, SHARE, train_network
    from fourcast.learning.misplayed import Misplays, lessons_of_games, play_games

    geometry, seed = Geometry.parse(arguments["board"]), arguments["seed"]
    wanted = Misplays(geometry, arguments["games"], arguments["teacher"], seed=seed)
    games = play_games(wanted, jobs=desk.jobs, watch=desk.advance)
    train, held = lessons_of_games(geometry, games, seed, SHARE)
    course = Course(arguments["epochs"], learning_rate=1e-3, seed=seed)
    trained = train_network(CNN, train, held, course, advance=desk.advance)
    return {
        "learnt_from": trained.learnt,
        "held_out": trained.judgement.positions,
        "seconds": trained.seconds,
        "curve": [
            {"epoch": each.epoch, "loss": each.loss, "held_loss": each.held.loss, "meant": each.held.perfect}
            for each in trained.curve
        ],
    }


def tasks(settings: Settings) -> Sequence[Task]:
    """Games by board, games by slip, moves that change, and learning curves."""
    made = []
    games = settings.choose(10, 200)
    for board in boards(settings):
        for name, spec in AGENTS.items():
            for first, count in parts_of(games, 50):
                made.append(_series(f"{board}, {name}, {first}", spec, "random", board, SLIP, first, count))
    for slip in growing_slips(settings):
        for name, spec in AGENTS.items():
            for first, count in parts_of(settings.choose(4, 100), 50):
                task = f"slip {slip:g}, {name}, {first}"
                made.append(_series(task, spec, "random", GROWTH_BOARD, slip, first, count))
        for first, count in parts_of(settings.choose(4, 100), 50):
            task = f"slip {slip:g}, {DEEP}, {first}"
            made.append(_series(task, SEEING, BLIND, GROWTH_BOARD, slip, first, count))
    made = [_seeded(task, settings.seed) for task in made]
    for board, plies in small_boards(settings).items():
        arguments = {
            "board": board,
            "plies": list(plies),
            "slips": list(turning_slips(settings)),
            "positions": settings.choose(60, 500),
            "seed": settings.seed,
        }
        made.append(Task(f"moves, {board}", compare_moves, arguments, alone=False))
    for board in learning_boards(settings):
        arguments = {
            "board": board,
            "games": settings.choose(12, 100),
            "teacher": "montecarlo:simulations=2000",
            "epochs": settings.choose(10, 40),
            "seed": 229,  # that of the shipped ones
        }
        made.append(Task(f"curve, {board}", train_cnn, arguments))
    return made


def _series(task: str, player: str, against: str, board: str, slip: float, first: int, games: int) -> Task:
    asked = {
        "player": player,
        "against": against,
        "board": board,
        "slip": slip,
        "first": first,
        "games": games,
    }
    return Task(task, play, asked, alone=False)


def _seeded(task: Task, seed: int) -> Task:
    return Task(task.name, task.measure, task.arguments | {"seed": seed}, alone=task.alone)


STUDY = Study(
    "slip",
    "Slip: when discs land elsewhere",
    "Every disc lands in another open column with a chance of its own. Four players, of which two do not "
    "know, meet a random one on five boards. How much do they still win, and what do they visit for it? "
    "How does that change as slip grows, and when is another column the best?",
    tasks,
    findings,
    extras=(("onnxruntime", "learn"),),
)
