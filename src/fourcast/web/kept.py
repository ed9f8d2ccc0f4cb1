"""Solvers and agents that are kept from one request to the next, each lent to one search at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Thing = TypeVar("Thing")


class Kept:
    """Things that are costly to make, by what they are for; those not used for longest are let go.

    Two searches that want the same at once get one each, so that nobody waits for another one's search.

    Attributes:
        most: How many are kept that nobody uses.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._free: OrderedDict[int, tuple[Hashable, Any]] = OrderedDict()  # the longest unused first
        self._lock = threading.Lock()
        self._number = 0

    @contextmanager
    def lent(self, key: Hashable, make: Callable[[], Thing]) -> Iterator[Thing]:
        """One of those that are kept under a key, or a new one; what fails is not kept.

        Args:
            key: What it is for.
            make: Makes one.
        """
        thing: Thing | None = self._take(key)
        if thing is None:
            thing = make()
        yield thing
        self._give_back(key, thing)

    def _take(self, key: Hashable) -> Any:
        with self._lock:
            for number in reversed(self._free):
                if self._free[number][0] == key:
                    return self._free.pop(number)[1]
        return None

    def _give_back(self, key: Hashable, thing: Any) -> None:
        with self._lock:
            self._number += 1
            self._free[self._number] = (key, thing)
            while len(self._free) > self.most:
                self._free.popitem(last=False)

    def __len__(self) -> int:
        return len(self._free)
