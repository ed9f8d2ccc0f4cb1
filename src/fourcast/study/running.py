"""Measuring a study: task by task, each kept when it is done, so that the same command goes on.

`measurements.jsonl` has a line for the study and one for each measurement: what was asked, what was found,
how long that took, when, and on which machine. A measurement counts if the same is asked again; those that
nobody asks for any more stay where they are.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from fourcast.game.errors import BadData
from fourcast.learning.part import Part
from fourcast.machine import machine
from fourcast.study.study import Advance, Desk, Found, Settings, Study, Task
from fourcast.workers.processes import worker_processes

JOURNAL = "measurements.jsonl"
WORK = "work"  # the folder for files that measurements leave to later ones
_VERSION = 1
_STEPS = 1000  # of the progress bar, a task
_LOOK_EVERY = 0.1  # seconds between looks at whether Ctrl-C was pressed


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured for a study.

    Attributes:
        found: What each task has found, by its name.
        seconds: How long all of them took together.
        machines: The machines and versions that measured it, each once.
        days: The first and the last day of it, like 2026-01-31.
    """

    found: dict[str, Found]
    seconds: float
    machines: list[dict[str, Any]]
    days: tuple[str, str]


def measure_study(study: Study, settings: Settings, folder: Path, jobs: int, advance: Advance) -> Measured:
    """Measure what is not measured yet.

    Args:
        study: The study.
        settings: What is asked of it.
        folder: The study's own folder, which is there.
        jobs: How many processes may be used.
        advance: Told how far it is.

    Raises:
        BadData: What is kept in the folder is of something else, or damaged, or cannot be written.
    """
    tasks = list(study.tasks(settings))
    _check(tasks)
    here = machine("matplotlib") | {"cores": os.cpu_count() or 1}
    with _claimed(folder), Part(folder / JOURNAL, {"study": study.name}, "study", _VERSION) as kept:
        lines = {_asked(line["asked"]): line for line in _lines(kept)}
        done: dict[str, dict[str, Any]] = {}
        for alone, group in groupby(tasks, key=lambda task: task.alone):
            open_tasks = []
            for task in group:
                if (line := lines.get(_asked(_question(study, task)))) is not None:
                    done[task.name] = line
                else:
                    open_tasks.append(task)
            desk = Desk(settings, folder / WORK, jobs)
            runs = _in_turn if alone or jobs == 1 or len(open_tasks) < 2 else _side_by_side
            with closing(runs(study, open_tasks, desk, done, len(tasks), advance)) as running:
                for task, found, seconds in running:
                    line = {
                        "asked": _question(study, task),
                        "found": found,
                        "seconds": round(seconds, 6),
                        "day": datetime.now(UTC).date().isoformat(),
                        "on": here,
                    }
                    kept.add(line)
                    done[task.name] = line
        advance(study.name, len(tasks), len(tasks))
    return _summary(tasks, done)


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """Keep another run from measuring into the same folder, until this one ends, however that comes.

    Raises:
        BadData: Another one is at it, or the folder is gone.
    """
    if sys.platform == "win32":  # folders cannot be claimed there
        yield
        return
    import fcntl

    try:
        claim = os.open(folder / WORK, os.O_RDONLY)
    except OSError as error:
        raise BadData(f"{folder / WORK}: {error.strerror}") from None
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadData(
            f"{folder}: another run is measuring into it; wait for it, or take another -o"
        ) from None
    finally:
        os.close(claim)


def _check(tasks: Sequence[Task]) -> None:
    """Every task has a name of its own, and needs only what comes before it."""
    names: set[str] = set()
    for task in tasks:
        if task.name in names or not names >= set(task.needs):
            raise ValueError(
                f"task {task.name!r}: its name is taken, or it needs what does not come before it"
            )
        names.add(task.name)


def _in_turn(
    study: Study, tasks: Sequence[Task], desk: Desk, done: dict[str, Any], total: int, advance: Advance
) -> Generator[tuple[Task, Found, float], None, None]:
    """One task after the other, in this process."""
    for task in tasks:
        before = len(done)
        words = f"{study.name}: {task.name}"

        def inside(what: str, part: int, whole: int, before: int = before, words: str = words) -> None:
            share = min(part / whole, 1.0) if whole else 0.0
            detail = f", {what}" if what else ""
            advance(f"{words}{detail}", int(_STEPS * (before + share)), _STEPS * total)

        inside("", 0, 1)
        earlier = {name: done[name]["found"] for name in task.needs}
        yield _timed(task, Desk(desk.settings, desk.folder, desk.jobs, earlier, inside))


def _side_by_side(
    study: Study, tasks: Sequence[Task], desk: Desk, done: dict[str, Any], total: int, advance: Advance
) -> Generator[tuple[Task, Found, float], None, None]:
    """Several tasks at a time, in processes, each as soon as those that it needs are done."""
    waiting = list(tasks)
    running: set[Future[tuple[Task, Found, float]]] = set()
    with worker_processes(desk.jobs) as pool:
        while waiting or running:
            ready = [task for task in waiting if done.keys() >= set(task.needs)]
            waiting = [task for task in waiting if task not in ready]
            for task in ready:
                earlier = {name: done[name]["found"] for name in task.needs}
                running.add(pool.submit(_timed, task, Desk(desk.settings, desk.folder, 1, earlier)))
            left = len(waiting) + len(running)
            advance(f"{study.name}: {left} side by side", _STEPS * len(done), _STEPS * total)
            ended, running = wait(running, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
            for future in ended:
                yield future.result()


def _timed(task: Task, desk: Desk) -> tuple[Task, Found, float]:
    start = time.perf_counter()
    found = task.measure(task.arguments, desk)
    return task, found, time.perf_counter() - start


def _question(study: Study, task: Task) -> dict[str, Any]:
    """What is asked, as it is kept."""
    return {"task": task.name, "version": study.version, "arguments": task.arguments}


def _asked(question: Any) -> str:
    return json.dumps(question, sort_keys=True)


def _lines(kept: Part) -> Iterator[dict[str, Any]]:
    """The measurements that were kept, the latest last.

    Raises:
        BadData: One is not what it should be.
    """
    for number, line in enumerate(kept.take("asked"), 2):
        sound = isinstance(line.get("found"), dict) and isinstance(line.get("on"), dict)
        if (
            not sound
            or not isinstance(line.get("seconds"), float | int)
            or not isinstance(line.get("day"), str)
        ):
            raise BadData(f"{kept.path}, line {number}: it is damaged; remove the line, or the file")
        yield line


def _summary(tasks: Sequence[Task], done: dict[str, dict[str, Any]]) -> Measured:
    lines = [done[task.name] for task in tasks]
    machines: list[dict[str, Any]] = []
    for line in lines:
        if line["on"] not in machines:
            machines.append(line["on"])
    days = sorted(line["day"] for line in lines)
    found = {task.name: done[task.name]["found"] for task in tasks}
    return Measured(found, sum(line["seconds"] for line in lines), machines, (days[0], days[-1]))
