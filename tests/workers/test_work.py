"""Those who work: every item once and the same, whoever does it and whatever becomes of a process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import count, islice
from pathlib import Path
from typing import Any

import psutil
import pytest

from fourcast.game.errors import BadOption, WorkersLost
from fourcast.workers import HereWorkers, LocalWorkers, Work, Workers, find_workers
from fourcast.workers.processes import cores
from fourcast.workers.work import Handfuls, in_order
from tests.workers import chores


def work(function: Any, common: object = None, **options: int) -> Work[int, Any]:
    return Work(function, common, lambda number: f"of number {number}", **options)


_LEFT_IN_THE_MIDDLE = """
import os, time
from fourcast.workers.processes import worker_processes
if __name__ == "__main__":
    with worker_processes(2) as pool:
        waiting = [pool.submit(time.sleep, 60) for _ in range(4)]
        pool.submit(abs, 1)
        time.sleep(1)
    os._exit(0)
"""


def test_processes_that_are_left_in_the_middle_leave_nothing_to_complain_of() -> None:
    command = [sys.executable, "-c", _LEFT_IN_THE_MIDDLE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("workers", [HereWorkers(), LocalWorkers(2)], ids=["here", "processes"])
def test_every_item_once(workers: Workers) -> None:
    found = [pair for some in workers.map(work(chores.squares, 5), range(1000)) for pair in some]
    assert sorted(found) == [(number, number * number + 5) for number in range(1000)]
    assert list(workers.map(work(chores.squares, 5), [])) == []


def test_quick_items_go_out_by_the_handful_and_slow_ones_alone() -> None:
    quick = Handfuls(range(10_000), 0.04)
    assert quick.next() == [0]
    quick.learn([0], 0.001)
    assert len(quick.next()) == 40
    quick.learn([0] * 40, 0.0)
    for _ in range(60):
        quick.learn([0], 0.0)
    assert len(quick.next()) == 500, "the most"
    assert len(Handfuls(range(10), 0.04, most=1).next()) == 1
    slow = Handfuls(range(10), 0.04)
    slow.learn([0], 20.0)
    assert [len(slow.next()) for _ in range(12)] == [1] * 10 + [0, 0]


def test_what_was_handed_out_in_vain_comes_next_and_alone() -> None:
    handfuls = Handfuls(range(100), 1.0)
    handfuls.learn([0], 0.2)
    first = handfuls.next()
    assert first == [0, 1, 2, 3, 4]
    handfuls.put_back(first)
    alone = []
    while handfuls.in_doubt:
        alone.append(handfuls.next())
    assert alone == [[0], [1], [2], [3], [4]]
    assert handfuls.next() == [5, 6, 7, 8, 9]


def test_what_comes_in_any_order_can_be_put_in_order() -> None:
    handfuls = [(start, list(range(start, min(start + 3, 50)))) for start in range(7, 50, 3)]
    random.Random(1).shuffle(handfuls)
    assert list(in_order(handfuls, 7)) == list(range(7, 50))


def test_there_may_be_items_without_end() -> None:
    with LocalWorkers(2) as workers:
        found = list(islice(workers.map(work(chores.squares, 0), count()), 30))
    assert len(found) == 30


def test_processes_stay_from_one_piece_of_work_to_the_next() -> None:
    def processes(workers: Workers) -> set[int]:
        return {who for some in workers.map(work(chores.process_of, most=1), range(8)) for _, who in some}

    with find_workers(2, None) as workers:
        first, second = processes(workers), processes(workers)
    assert os.getpid() not in first
    assert first == second
    assert not any(psutil.pid_exists(who) and _runs(who) for who in first)
    with find_workers(1, None) as workers:
        assert processes(workers) == {os.getpid()}


def _runs(number: int) -> bool:
    try:
        psutil.Process(number).wait(10)
    except psutil.NoSuchProcess:
        return False
    except psutil.TimeoutExpired:
        return True
    return False


@pytest.mark.parametrize("stay", [False, True])
def test_what_a_process_had_that_died_is_done_by_another(stay: bool, tmp_path: Path) -> None:
    workers = LocalWorkers(2)
    if stay:
        workers.__enter__()
    found = [each for some in workers.map(work(chores.die_once, tmp_path), range(100)) for each in some]
    workers.__exit__()
    assert (tmp_path / "died").exists()
    assert sorted(found) == list(range(100))


def test_an_item_that_takes_its_process_with_it_each_time_is_named() -> None:
    with pytest.raises(WorkersLost, match=r"^a worker has died 3 times of number (7|11)$"):
        list(LocalWorkers(2).map(work(chores.die_of, {7, 11}), range(20)))
    with pytest.raises(WorkersLost, match=r"^a worker has died once of number \d+$"):
        list(LocalWorkers(2).map(work(chores.die_of, {7}, tries=1), range(20)))


@pytest.mark.parametrize("workers", [HereWorkers(), LocalWorkers(2)], ids=["here", "processes"])
def test_what_is_found_wrong_is_told_as_it_is(workers: Workers) -> None:
    with pytest.raises(BadOption, match=r"^3: it must be another number$"):
        list(workers.map(work(chores.refuse), range(10)))


def test_cores() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
