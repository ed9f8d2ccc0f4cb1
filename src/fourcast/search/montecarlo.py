"""Flat Monte Carlo: random games of every column, and no tree."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from fourcast.game.analysis import Analysis
from fourcast.game.guess import centre_first
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.kernels.batch import Batch
from fourcast.kernels.playouts import LOSSES, WINS, playouts
from fourcast.search.progress import Progress

_CHUNK = 20_000  # discs between looks at the clock, at most: some tenths of a millisecond


class FlatSearch:
    """Plays every column out by chance, each equally often.

    Attributes:
        rules: The game, with slip if it has any.
        simulations: Games for each open column.
        cap: Plies of a game, after which it counts as drawn; None plays to the end.
    """

    def __init__(self, rules: Rules, *, simulations: int = 1000, cap: int | None = None) -> None:
        self.rules = rules
        self.simulations = simulations
        self.cap = cap
        self._stopped = False
        self._start = time.monotonic()
        self._totals: npt.NDArray[np.int64] = np.zeros((rules.geometry.columns, 2), dtype=np.int64)
        self._ready = False

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._stopped = True

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        games = int(self._totals[:, 0].sum())
        means = self._means()
        best = max(means, key=lambda column: means[column]) if means else None
        return Progress(0, games, best, time.monotonic() - self._start, games)

    def search(self, position: Position, limit: Limit, seed: int = 0) -> Analysis:
        """The column whose games went best on average; of equals, the one nearest to the centre.

        Args:
            position: A position of this board whose game goes on.
            limit: `seconds` and `simulations` (games of all columns together) count. Where games are fewer
                than columns, those nearest to the centre get them.
            seed: Where the chance starts; the same games are played first however many there are.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.rules.geometry)
        columns = centre_first(position)
        if not self._ready:  # loading compiled code is not part of the search
            self._play(position, columns[:1], 1, seed)
            self._ready = True
        self._stopped = False
        self._totals[:] = 0
        self._start = time.monotonic()
        games = self.simulations * len(columns)
        if limit.simulations is not None:
            games = min(games, limit.simulations)
        memory = self._spread(position, columns, games, limit.seconds, seed)
        return self._answer(position, columns, memory)

    def _spread(
        self, position: Position, columns: list[int], games: int, seconds: float | None, seed: int
    ) -> int:
        """Play games of all columns alike, as long as there is time; the bytes that it took."""
        each, rest = divmod(games, len(columns))
        chunk = max(1, _CHUNK // (len(columns) * position.geometry.cells))
        slowest = 0.0
        memory, number = 0, 0
        while each or rest:
            begin = time.monotonic()
            late = seconds is not None and begin + slowest > self._start + seconds
            if self._stopped or (late and number):
                break
            count = min(chunk, each)
            if each:
                each -= count
                memory = max(memory, self._play(position, columns, count, seed + number))
            else:
                memory = max(memory, self._play(position, columns[:rest], 1, seed + number))
                rest = 0
            number += 1
            slowest = max(slowest, time.monotonic() - begin)
        return memory + self._totals.nbytes

    def _play(self, position: Position, columns: list[int], count: int, seed: int) -> int:
        """Play so many games of some columns; the bytes that it took."""
        stones = np.repeat(Batch.of(position).stones, len(columns), axis=0)
        batch = Batch(position.geometry, stones)
        tally = playouts(batch, count, seed=seed, slip=self.rules.slip, cap=self.cap, columns=columns)
        self._totals[columns, 0] += count
        self._totals[columns, 1] += tally[:, WINS] - tally[:, LOSSES]
        return stones.nbytes + tally.nbytes

    def _means(self) -> dict[int, float]:
        return {column: total / count for column, (count, total) in enumerate(self._totals.tolist()) if count}

    def _answer(self, position: Position, columns: list[int], memory: int) -> Analysis:
        means = self._means()
        column = max(columns, key=lambda each: means.get(each, -2.0))
        games = int(self._totals[:, 0].sum())
        return Analysis(
            position,
            column,
            value=means.get(column),
            values=tuple(means.get(each) for each in range(position.geometry.columns)),
            pv=(column,),
            nodes=games,
            leaves=games,
            simulations=games,
            seconds=time.monotonic() - self._start,
            memory=memory,
        )
