"""The solver: exact scores, best columns and lines of play on any board."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadLimit, BadShape, GameOver
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import MOST_COUNT, Limit, check_count
from fourcast.game.position import Position
from fourcast.kernels.background import Control, run_watched
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.exact import (
    BUCKETS,
    MOST_NODES,
    NODES,
    SCRATCH,
    SHIFT,
    STOPPED,
    TABLE,
    bisect,
)
from fourcast.kernels.memory import address_of
from fourcast.kernels.table import LEAST_BUCKETS, bucket_shift, entry_words

NO_LIMIT = Limit()
_FAR = 127  # beyond any score


class _Stopped(Exception):
    """The limit is reached or somebody has called `stop`."""


class Solver:
    """Exact values on one board, with a table that is kept from one question to the next.

    One question at a time: a solver is not to be asked from two threads at once, but any may `stop` it.

    Attributes:
        geometry: The board.
        table_mb: The size of the table.

    Raises:
        BadLimit: The table is too small to be of use, or too large to be had.
    """

    def __init__(self, geometry: Geometry | str = STANDARD, table_mb: int = 64) -> None:
        self.geometry = Geometry.of(geometry)
        self.table_mb = check_count("table_mb", table_mb)
        words = entry_words(self.geometry)
        buckets = (self.table_mb << 20) // (16 * words)
        if buckets < LEAST_BUCKETS:
            least = -(-LEAST_BUCKETS * 16 * words >> 20)
            raise BadLimit(f"table_mb {self.table_mb}: on board {self.geometry} it must be {least} or more")
        try:
            self._table = np.zeros(2 * words * buckets, dtype=np.uint64)
        except MemoryError:
            raise BadLimit(f"table_mb {self.table_mb}: there is not that much memory") from None
        self._state = np.zeros(SCRATCH + (self.geometry.cells + 1) * self.geometry.columns, dtype=np.uint64)
        self._state[TABLE] = address_of(self._table)
        self._state[BUCKETS] = buckets
        self._state[SHIFT] = bucket_shift(self.geometry, buckets)

    def clear(self) -> None:
        """Forget everything that was proven."""
        self._table[:] = 0

    def stop(self) -> None:
        """End the question that is being answered, from another thread; its answer will not be exact."""
        self._state[STOPPED] = 1

    def solve(self, position: Position, *, weak: bool = False, limit: Limit = NO_LIMIT) -> Analysis:
        """The position's exact score, its best column, and best play to the end.

        Args:
            position: A position of this board whose game goes on.
            weak: Only ask who wins: the answer is in `value` (1 win, 0 draw, -1 loss); no score, no line.
            limit: `seconds` and `nodes`. Where they run out, the answer is not `exact`, and `bounds` says
                what was proven; once the score and the column are, only the line is cut short.

        Raises:
            GameOver: The game is over.
            BadShape: The position is on another board.
        """
        return self._ask(position, limit, partial(self._solve, weak=weak))

    def analyze(self, position: Position, *, limit: Limit = NO_LIMIT) -> Analysis:
        """The exact score of every legal column, the best one, and best play to the end.

        Args:
            position: A position of this board whose game goes on.
            limit: `seconds` and `nodes`. Where they run out, the answer is not `exact`, and columns that were
                not reached have no score.

        Raises:
            GameOver: The game is over.
            BadShape: The position is on another board.
        """
        return self._ask(position, limit, self._analyze)

    def _ask(self, position: Position, limit: Limit, answer: Callable[[Position], Analysis]) -> Analysis:
        """Answer within a limit, in a thread, so that Ctrl-C is heard; with nodes and seconds filled in."""
        if position.geometry != self.geometry:
            raise BadShape(f"the position is on board {position.geometry}, the solver is for {self.geometry}")
        if position.is_over:
            raise GameOver(f"the game is over, {position.outcome}")
        self._state[STOPPED] = self._state[NODES] = 0
        self._state[MOST_NODES] = limit.nodes or MOST_COUNT
        timer = threading.Timer(limit.seconds or 0, self.stop)
        start = time.perf_counter()
        if limit.seconds:
            timer.start()
        try:
            control = Control(self._state[:2].view(np.int64))
            found = run_watched(lambda _: answer(position), control=control)
        finally:
            timer.cancel()
        return replace(found, nodes=int(self._state[NODES]), seconds=time.perf_counter() - start)

    def _solve(self, position: Position, weak: bool) -> Analysis:
        lower, upper = self._bisect(position, *((-1, 1) if weak else (-_FAR, _FAR)))
        if lower < upper:
            column = self._guess(position)
            return Analysis(position, column, bounds=None if weak else (lower, upper))
        try:
            column, exact = self._best_column(position, lower, weak), True
        except _Stopped:
            column, exact = self._guess(position), False
        if weak:
            return Analysis(position, column, value=float(lower), exact=exact)
        line = self._line(position, column, lower) if exact else ()
        return Analysis(position, column, lower, pv=line, bounds=(lower, lower), exact=exact)

    def _analyze(self, position: Position) -> Analysis:
        scores: list[int | None] = [None] * self.geometry.columns
        try:
            for column in position.legal:
                scores[column] = self._score_of(position, column)
        except _Stopped:
            return Analysis(position, self._guess(position), scores=tuple(scores))
        best = max(score for score in scores if score is not None)
        column = next(c for c in self._centre_first(position) if scores[c] == best)
        line = self._line(position, column, best)
        return Analysis(position, column, best, None, tuple(scores), pv=line, bounds=(best, best), exact=True)

    def _bisect(self, position: Position, lower: int, upper: int) -> tuple[int, int]:
        """What is proven of the score of a position whose game goes on, asked within these bounds."""
        bounds = np.zeros(2, dtype=np.int64)
        stones = Batch.of(position).stones[0]
        bisect(board_of(self.geometry), np.uint64(address_of(self._state)), stones, lower, upper, bounds)
        return int(bounds[0]), int(bounds[1])

    def _score_of(self, position: Position, column: int, lower: int = -_FAR, upper: int = _FAR) -> int:
        """The score of playing a column, seen by who plays it; beyond these bounds, only that it is."""
        child = position.play(column)
        outcome = child.outcome
        if outcome:
            return 0 if outcome.is_draw else (self.geometry.cells + 1 - position.ply) // 2
        least, most = self._bisect(child, -upper, -lower)
        if least < most:
            raise _Stopped
        return -least

    def _best_column(self, position: Position, score: int, weak: bool = False) -> int:
        """The column nearest to the centre that keeps the score."""
        for column in self._centre_first(position):
            lower, upper = (max(score - 1, -1), 1) if weak else (score - 1, score)
            kept = self._score_of(position, column, lower, upper)
            if kept >= score:
                return column
        raise AssertionError("no column keeps the score")

    def _line(self, position: Position, column: int, score: int) -> tuple[int, ...]:
        """Best play from a column on, to the end of the game or of the limit."""
        line = [column]
        position = position.play(column)
        try:
            while not position.is_over:
                score = -score
                line.append(self._best_column(position, score))
                position = position.play(line[-1])
        except _Stopped:
            pass  # what there is of it is sound
        return tuple(line)

    def _guess(self, position: Position) -> int:
        """A sensible column where nothing is proven: win, block, or else the one nearest to the centre."""
        for player in (position.turn, 1 - position.turn):
            if winning := position.winning_columns(player):
                return winning[0]
        return self._centre_first(position)[0]

    def _centre_first(self, position: Position) -> list[int]:
        return sorted(position.legal, key=lambda column: abs(2 * column - self.geometry.columns + 1))
