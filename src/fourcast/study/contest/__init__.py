"""A large field in a double round robin, and where our agents land in it: the study `contest`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fourcast.arena.field import read_field
from fourcast.arena.openings import Openings
from fourcast.arena.referee import Conditions, Fixture
from fourcast.arena.roster import dismiss_all, play_some
from fourcast.arena.store import Run, Store
from fourcast.arena.tournament import TournamentPlan, TournamentTally, play_tournament
from fourcast.game.rules import Rules
from fourcast.study.contest.results import OURS, PUBLISHED, every, findings, opponents
from fourcast.study.study import Desk, Found, Settings, Study, Task
from fourcast.workers import find_workers

FIELD = Path(__file__).with_name("contest-425.toml")
CONDITIONS = Conditions(Rules())
STORE = "contest.db"  # in the study's `work` folder
_AT_ONCE = 85  # opponents of a task


def plan_of(step: int, seed: int) -> TournamentPlan:
    """The contest: the field of the file, or one in so many of it; both colours, from the empty board.

    It is the plan of `fourcast tournament --field contest-425.toml`, so that what was played by that command
    is gone on from.
    """
    openings = Openings((0, 0), fair=False, seed=seed)
    return TournamentPlan(agents_of(step), CONDITIONS, 1, "round-robin", openings, seed)


def agents_of(step: int) -> dict[str, str]:
    """The field: specs by name."""
    return dict(list(read_field(FIELD).agents.items())[::step])


def play_field(arguments: dict[str, Any], desk: Desk) -> Found:
    """Play the contest, or what is left of it; its games are in `contest.db` in the study's `work` folder."""
    plan = plan_of(arguments["every"], arguments["seed"])
    tally = TournamentTally(plan)
    with Store(desk.folder / STORE) as store, find_workers(desk.jobs, None) as workers:
        run = run_of(store, plan)
        play_tournament(
            tally, store, run, workers, lambda: desk.advance("games", len(tally.results), plan.games)
        )
    standings = tally.standings()
    return {
        "games": len(tally.results),
        "failures": sum(tally.failures.values()),
        "version": run.version,
        "agents": [each.to_json() | {"spec": plan.agents[each.name]} for each in standings.agents],
        "points": standings.field.to_json(),
    }


def run_of(store: Store, plan: TournamentPlan) -> Run:
    """The run of this contest: one that is there, whichever version has begun it, or a new one."""
    from fourcast import __version__

    wanted = json.loads(json.dumps(plan.settings))
    begun = [run for run in store.runs() if run.kind == "tournament" and run.settings == wanted]
    if begun:
        return max(begun, key=lambda run: run.games)
    return store.run("tournament", plan.settings, __version__)


def meet_field(arguments: dict[str, Any], _desk: Desk) -> Found:
    """One of our agents against a part of the field, each as first and as second player."""
    ours, first, last = arguments["agent"], arguments["first"], arguments["last"]
    fixtures = []
    for place, opponent in list(enumerate(agents_of(arguments["every"]).values()))[first:last]:
        seed = arguments["seed"] * 1_000_003 + place
        fixtures.append(Fixture(2 * place, (ours, opponent), (), seed))
        fixtures.append(Fixture(2 * place + 1, (opponent, ours), (), seed))
    try:
        played = play_some(CONDITIONS, fixtures)
    finally:
        dismiss_all()
    results = [[0, 0, 0], [0, 0, 0]]
    times = []
    for number, game in played:
        side = number % 2
        points = game.points if side == 0 else 1 - game.points
        results[side][{1.0: 0, 0.5: 1, 0.0: 2}[points]] += 1
        times += [taken for index, taken in enumerate(game.seconds) if game.mover(index) == side]
    return {"results": results, "moves": len(times), "seconds": sum(times), "slowest": max(times)}


def tasks(settings: Settings) -> Sequence[Task]:
    """The contest, and then each of ours against all of the field."""
    step = every(settings)
    digest = hashlib.sha256(json.dumps(agents_of(step)).encode()).hexdigest()[:16]
    common = {"every": step, "seed": settings.seed, "field": digest}
    made = [Task("field", play_field, common)]
    count = opponents(settings)
    for name in OURS:
        for first in range(0, count, _AT_ONCE):
            part = {"agent": name, "first": first, "last": min(first + _AT_ONCE, count)}
            made.append(Task(f"{name}, {first}", meet_field, common | part, alone=False))
    return made


STUDY = Study(
    "contest",
    "The contest: 425 graded agents, everybody against everybody",
    "A field of 425 agents of graded strength, from random players to searches of thousands of "
    "positions, meets in a double round robin: each as first and as second player against each, 1 point "
    "for a win and 0.5 for a draw. How are the points spread, and where do our agents land?",
    tasks,
    findings,
    PUBLISHED,
    extras=(("onnxruntime", "learn"),),
)
