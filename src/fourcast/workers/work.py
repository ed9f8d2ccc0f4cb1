"""Work that can be shared out: a function, and items to call it with.

Items go out in handfuls, as many as take a tenth of a second or two, so that quick ones are not held up by
the post and slow ones are reported one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")

_MOST = 500


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Found]):
    """What is to be done with items, whoever does it.

    Attributes:
        function: Of a module, so that it can be called elsewhere by its name. It is given what all items have
            in common and a handful of items, and what it returns depends on nothing else, or only on time.
        common: What all items have in common.
        named: What an item is called, after "a worker has died 3 times", if it takes its process with it.
        most: Items in a handful, at most.
        tries: How often an item may take its process with it, on this machine; a cluster has its own count.
    """

    function: Callable[..., Found]
    common: object
    named: Callable[[Item], str]
    most: int = _MOST
    tries: int = 3

    def do(self, items: list[Item]) -> Found:
        """Do it here."""
        return self.function(self.common, items)


class Workers(Protocol):
    """Somebody who works."""

    def map(self, work: Work[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """Do the work for all items, and give back what it finds as it is done.

        What comes back is not always in order, and is of each item exactly once. Who stops asking gets
        nothing more. Items are taken as they are needed, so there may be any number of them.

        Raises:
            WorkersLost: Those who work are gone, or an item has taken its process with it several times.
            FourcastError: What the function itself finds wrong.
        """
        ...


class Handfuls(Generic[Item]):
    """Items in portions that take about the same time, as far as one can tell.

    Args:
        items: All of them.
        seconds: The time that a portion takes.
        most: Items in a portion, at most.
    """

    def __init__(self, items: Iterable[Item], seconds: float, most: int = _MOST) -> None:
        self._items = iter(items)
        self._portion = seconds
        self._most = most
        self._seconds: float | None = None  # that an item takes
        self._again: deque[list[Item]] = deque()

    def next(self) -> list[Item]:
        """The next portion; empty when there are no more."""
        if self._again:
            return self._again.popleft()
        size = 1 if self._seconds is None else int(self._portion / max(self._seconds, 1e-9))
        return list(islice(self._items, min(max(size, 1), self._most)))

    @property
    def in_doubt(self) -> bool:
        """Whether there are items that were handed out in vain."""
        return bool(self._again)

    def put_back(self, items: Sequence[Item]) -> None:
        """Have items again that were handed out in vain: next, and one by one."""
        self._again.extendleft([item] for item in reversed(items))

    def learn(self, items: Sequence[Item], seconds: float) -> None:
        """Take account of how long a portion took."""
        each = seconds / max(len(items), 1)
        self._seconds = each if self._seconds is None else 0.8 * self._seconds + 0.2 * each


def in_order(found: Iterable[tuple[int, Sequence[Found]]], start: int) -> Iterator[Found]:
    """What was found of numbered items, one by one in the order of their numbers.

    Args:
        found: The number of a handful's first item, and what was found of each item, whoever came first.
        start: The lowest number.
    """
    waiting: dict[int, Sequence[Found]] = {}
    for number, some in found:
        waiting[number] = some
        while start in waiting:
            ready = waiting.pop(start)
            start += len(ready)
            yield from ready
