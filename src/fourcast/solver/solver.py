"""The solver: exact scores, best columns and lines of play on any board."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadBook, BadShape, GameOver
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.guess import centre_first, guess
from fourcast.game.limit import Limit, check_count
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.kernels.background import run_watched
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.exact import bisect, bisect_each
from fourcast.kernels.memory import address_of
from fourcast.kernels.moves import legal_columns, lines
from fourcast.kernels.openings import UNKNOWN
from fourcast.solver.book import MOST_PLIES, Book, shipped_book
from fourcast.solver.memory import Memory
from fourcast.solver.team import bisect_together, prepare_team

NO_LIMIT = Limit()
Result = TypeVar("Result")
_FAR = 127  # beyond any score


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What is proven of many positions, an entry for each.

    Attributes:
        lower: int64: the least that its score can be.
        upper: int64: the most.
        nodes: int64: positions visited for it.
    """

    lower: npt.NDArray[np.int64]
    upper: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]

    @property
    def exact(self) -> npt.NDArray[np.bool_]:
        """Which scores are proven."""
        exact: npt.NDArray[np.bool_] = self.lower == self.upper
        return exact

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """The scores; where they are not exact, the lower bound."""
        return self.lower


class _Stopped(Exception):
    """The limit is reached or somebody has called `stop`."""


class Solver:
    """Exact values on one board, with a table that is kept from one question to the next.

    One question at a time: a solver is not to be asked from two threads at once, but any may `stop` it.

    Attributes:
        geometry: The board.
        table_mb: The size of the table.
        threads: How many threads work on a question.

    Raises:
        BadLimit: The table is too small to be of use, or too large to be had, or there is no thread.
        BadShape: The book is of another board.
    """

    def __init__(
        self,
        geometry: Geometry | str = STANDARD,
        table_mb: int = 64,
        threads: int = 1,
        book: Book | bool = True,
    ) -> None:
        """Set a solver up.

        Args:
            geometry: The board.
            table_mb: The size of the table.
            threads: How many threads work on a question.
            book: A book, or whether to use the one that is shipped for this board. If that one cannot be
                read, there is a warning at the first early position, and the solver goes on without it.
        """
        self.geometry = Geometry.of(geometry)
        self.table_mb = check_count("table_mb", table_mb)
        self.threads = check_count("threads", threads)
        self._chosen_book = book
        if isinstance(book, Book) and book.geometry != self.geometry:
            raise BadShape(f"the book is of board {book.geometry}, the solver is for {self.geometry}")
        self._memory = Memory(self.geometry, self.table_mb, self.threads)

    @cached_property
    def book(self) -> Book | None:
        """The opening book, if there is one; the shipped one is loaded when it is first asked for."""
        if isinstance(self._chosen_book, Book):
            return self._chosen_book
        try:
            return shipped_book(self.geometry) if self._chosen_book else None
        except BadBook as error:
            warnings.warn(f"{error}; going on without it", stacklevel=3)
            return None

    def _book_scores(self, batch: Batch) -> npt.NDArray[np.int64] | None:
        """What the book says of positions, UNKNOWN where it has none; None if all come too late."""
        discs = np.bitwise_count(batch.stones).sum(axis=(1, 2))
        if discs.min() > MOST_PLIES or self.book is None:
            return None
        return self.book.scores_of(batch).astype(np.int64)

    def prepare(self) -> None:
        """Load or compile now what the first questions would have to wait for; empties the table."""
        start = Position(self.geometry)
        self.solve(start, limit=Limit(nodes=1))
        self.solve_many([start, start], limit=Limit(nodes=1))
        if self.threads > 1:
            prepare_team(self._memory, Batch.of(start).stones[0])
        self.clear()

    def clear(self) -> None:
        """Forget everything that was proven (but not the book)."""
        self._memory.clear()

    def stop(self) -> None:
        """End the question that is being answered, from another thread; its answer will not be exact."""
        self._memory.stop()

    @property
    def nodes(self) -> int:
        """Positions visited for the question that is being answered, or was last; any thread may ask."""
        return self._memory.nodes

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

    def analyze(self, position: Position, *, limit: Limit = NO_LIMIT, line: Limit = NO_LIMIT) -> Analysis:
        """The exact score of every legal column, the best one, and best play to the end.

        Args:
            position: A position of this board whose game goes on.
            limit: `seconds` and `nodes`. Where they run out, the answer is not `exact`, and columns that were
                not reached have no score.
            line: What the line of play may take of that, once all columns have their scores: `depth`, its
                plies, and `nodes`. To find it can take longer than the scores, if those are in the book.

        Raises:
            GameOver: The game is over.
            BadShape: The position is on another board.
        """
        return self._ask(position, limit, partial(self._analyze, most=line))

    def solve_many(
        self,
        positions: Batch | Sequence[Position],
        *,
        weak: bool = False,
        limit: Limit = NO_LIMIT,
        fresh: bool = False,
    ) -> Scores:
        """The exact scores of many positions, in one crossing into compiled code.

        Args:
            positions: Positions of this board whose games go on; a `Batch` saves the time to make one.
            weak: Only ask who wins: scores are 1 for a win, 0 for a draw, -1 for a loss.
            limit: `seconds` and `nodes` for all of them together. Where they run out, the scores that are not
                exact are marked as such.
            fresh: Empty the table before each position and leave the book aside, as measurements want it;
                in one thread.

        Raises:
            GameOver: A game is over; the message says which.
            BadShape: There is no position, or one is on another board.
        """
        batch = positions if isinstance(positions, Batch) else Batch.of(positions)
        self._check(batch.geometry)
        if len(over := np.flatnonzero(lines(batch).any(axis=1) | (legal_columns(batch).sum(axis=1) == 0))):
            raise GameOver(f"position {over[0]}: the game is over")
        lower, upper = (-1, 1) if weak else (-_FAR, _FAR)
        bounds = np.full((len(batch), 2), (lower, upper), dtype=np.int64)
        known = None if fresh else self._book_scores(batch)
        if known is not None:
            bounds[known != UNKNOWN] = np.clip(known, lower, upper)[known != UNKNOWN, np.newaxis]
        nodes = np.zeros(len(batch), dtype=np.int64)
        taken = np.zeros(1, dtype=np.uint64)

        def cross(state: np.uint64) -> None:
            each = (batch.board, state, batch.stones, fresh, bounds, nodes, np.uint64(address_of(taken)))
            bisect_each(*each)

        def cross_all() -> None:
            if len(batch) == 1 and self.threads > 1 and not fresh:
                bisect_together(self._memory, batch.stones[0], bounds[0])
                nodes[0] = self._memory.nodes
                return
            states = self._memory.addresses[: 1 if fresh else None]
            if len(states) > 1:
                self._memory.share_out()
            with ThreadPoolExecutor(len(states)) as pool:
                list(pool.map(cross, states))

        self._within(limit, cross_all)
        bounds.clip(*self._unfold(-1, 1), out=bounds)
        return Scores(bounds[:, 0], bounds[:, 1], nodes)

    def _ask(self, position: Position, limit: Limit, answer: Callable[[Position], Analysis]) -> Analysis:
        """Answer within a limit, in a thread, so that Ctrl-C is heard; with nodes and seconds filled in."""
        self._check(position.geometry)
        check_question(position, self.geometry)
        start = time.perf_counter()
        found = self._within(limit, lambda: answer(position))
        return replace(found, nodes=self._memory.nodes, seconds=time.perf_counter() - start)

    def _check(self, geometry: Geometry) -> None:
        if geometry != self.geometry:
            raise BadShape(f"the position is on board {geometry}, the solver is for {self.geometry}")

    def _within(self, limit: Limit, work: Callable[[], Result]) -> Result:
        """Do work that searches within a limit, in a thread, so that Ctrl-C is heard."""
        self._memory.begin(limit.nodes)
        timer = threading.Timer(limit.seconds or 0, self.stop)
        if limit.seconds:
            timer.start()
        try:
            return run_watched(lambda _: work(), stop=self.stop)
        finally:
            timer.cancel()
            if limit.seconds:
                timer.join()  # so that it does not stop the next question

    def _solve(self, position: Position, weak: bool) -> Analysis:
        lower, upper = self._bisect(position, *((-1, 1) if weak else (-_FAR, _FAR)))
        if lower < upper:
            bounds = self._unfold(lower, upper) if weak else (lower, upper)
            return Analysis(position, guess(position), bounds=bounds)
        try:
            column, exact = self._best_column(position, lower, weak), True
        except _Stopped:
            column, exact = guess(position), False
        if weak:
            return Analysis(position, column, value=float(lower), exact=exact)
        line = self._line(position, column, lower) if exact else ()
        return Analysis(position, column, lower, pv=line, bounds=(lower, lower), exact=exact)

    def _analyze(self, position: Position, most: Limit) -> Analysis:
        scores: list[int | None] = [None] * self.geometry.columns
        try:
            for column in centre_first(position):
                scores[column] = self._score_of(position, column)
        except _Stopped:
            return self._part_of_analysis(position, tuple(scores))
        best = max(score for score in scores if score is not None)
        column = next(c for c in centre_first(position) if scores[c] == best)
        line = self._line(position, column, best, most)
        return Analysis(position, column, best, None, tuple(scores), pv=line, bounds=(best, best), exact=True)

    def _part_of_analysis(self, position: Position, scores: tuple[int | None, ...]) -> Analysis:
        """What is known when only some columns are scored: play the best of these only if it wins."""
        known = {column: score for column, score in enumerate(scores) if score is not None}
        least, most = self._unfold(-1, 1)
        if not known:
            return Analysis(position, guess(position), scores=scores, bounds=(least, most))
        best = max(known, key=lambda column: known[column])
        open_columns = [column for column in centre_first(position) if column not in known]
        column = best if known[best] > 0 or not open_columns else open_columns[0]
        bounds = known[best], most if open_columns else known[best]
        return Analysis(position, column, scores=scores, bounds=bounds)

    def _unfold(self, lower: int, upper: int) -> tuple[int, int]:
        """The bounds of a score whose sign lies between these."""
        most = (self.geometry.cells + 1) // 2
        return (-most if lower < 0 else lower), (most if upper > 0 else upper)

    def _bisect(self, position: Position, lower: int, upper: int) -> tuple[int, int]:
        """What is proven of the score of a position whose game goes on, asked within these bounds."""
        batch = Batch.of(position)
        known = self._book_scores(batch)
        if known is not None and known[0] != UNKNOWN:
            score = max(lower, min(upper, int(known[0])))
            return score, score
        bounds = np.array((lower, upper), dtype=np.int64)
        stones = batch.stones[0]
        if self.threads == 1:
            bisect(board_of(self.geometry), self._memory.addresses[0], stones, bounds)
        else:
            bisect_together(self._memory, stones, bounds)
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
        for column in centre_first(position):
            lower, upper = (max(score - 1, -1), 1) if weak else (score - 1, score)
            kept = self._score_of(position, column, lower, upper)
            if kept >= score:
                return column
        raise BadBook("the opening book contradicts itself: no column keeps the score that it gives")

    def _line(self, position: Position, column: int, score: int, most: Limit = NO_LIMIT) -> tuple[int, ...]:
        """Best play from a column on, to the end of the game or of the limit."""
        line = [column]
        position = position.play(column)
        if most.nodes is not None:
            self._memory.pause_after(most.nodes)
        try:
            while not position.is_over and len(line) < (most.depth or self.geometry.cells):
                score = -score
                line.append(self._best_column(position, score))
                position = position.play(line[-1])
        except _Stopped:
            pass  # what there is of it is sound
        return tuple(line)
