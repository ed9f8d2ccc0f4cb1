"""Tables handed to those who play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourcast.learning.selfplay.table import GateTask, Harvest, PlayTask, sit_down
from fourcast.workers import Work, Workers

Task = PlayTask | GateTask
Played = tuple[int, Harvest | list[float]]


def play_tables(workers: Workers, tasks: Sequence[Task]) -> Iterator[Played]:
    """Have all played; the number of each in the list and what came of it, as they end, each exactly once.

    Raises:
        WorkersLost: Those who play are gone, or a table has taken its process with it several times.
    """
    yield from workers.map(Work(sit_down_at, None, _named, most=1), enumerate(tasks))


def sit_down_at(_: None, tables: list[tuple[int, Task]]) -> Played:
    """What those who play are asked to do, of one table."""
    ((index, task),) = tables
    return index, sit_down(task)


def _named(table: tuple[int, Task]) -> str:
    return f"at table {table[0] + 1} of generation {table[1].generation}"
