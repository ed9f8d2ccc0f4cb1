"""Who plays in an exported file: the book, the solver and negamax, each as soon as it is ready, and in time.

Compiling takes some seconds, which nobody has during a game. So all of it is prepared in a thread, in the
order in which a game needs it. A move that cannot wait any longer is played with what there is.
"""

from __future__ import annotations

import threading
import time
from functools import cache

from fourcast.game.geometry import Geometry
from fourcast.game.guess import guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.search.deepening import Deepening
from fourcast.solver.book import Book
from fourcast.solver.recall import recall
from fourcast.solver.solver import Solver

PROOF = 0.85  # the share of a move's time that goes into solving; the rest is for a guess where that fails
LEAST = 0.02  # seconds that a search is worth beginning for


class Engine:
    """Plays one board. The first question may be asked before everything is ready.

    Attributes:
        geometry: The board.
        failure: What went wrong while it was prepared, if anything did.
    """

    def __init__(self, geometry: Geometry, book: bytes | None, *, solves: bool) -> None:
        """Begin to prepare.

        Args:
            geometry: The board.
            book: The opening book of this board, as a file holds it.
            solves: Whether the solver plays, and negamax only where that fails; or negamax alone.
        """
        self.geometry = geometry
        self.failure: Exception | None = None
        self._data = book
        self._solves = solves
        self._book: Book | None = None
        self._solver: Solver | None = None
        self._guesser: Deepening | None = None
        self._book_ready, self._solver_ready, self._ready = (threading.Event() for _ in range(3))
        threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        try:
            start = Position(self.geometry)
            if self._data is not None:
                book = Book.decode(self._data)
                recall(book, start)
                self._book = book
            self._book_ready.set()
            if self._solves:
                Solver(self.geometry, book=False).solve(start, limit=Limit(nodes=1))
                self._solver = Solver(self.geometry, book=self._book or False)
            self._solver_ready.set()
            guesser = Deepening(self.geometry, evaluation="threats")
            guesser.prepare()
            self._guesser = guesser
        except Exception as failure:  # noqa: BLE001  # whoever asks for a move sees to it
            self.failure = failure
        finally:
            for each in (self._book_ready, self._solver_ready, self._ready):
                each.set()

    def wait(self, seconds: float) -> bool:
        """Wait until all is prepared, but no longer than this; whether it is."""
        return self._ready.wait(seconds)

    def choose(self, position: Position, seconds: float, patience: float = 0.0) -> int:
        """A column for a position of this board whose game goes on.

        Args:
            position: The position.
            seconds: What the move may take.
            patience: How many seconds more it may take if something has to be prepared first.
        """
        end = time.monotonic() + seconds + patience

        def left() -> float:
            return min(end - time.monotonic(), seconds)

        legal = position.legal
        if len(legal) == 1:
            return legal[0]
        self._book_ready.wait(end - time.monotonic())
        if self._book and (known := recall(self._book, position)):
            return known.column
        if self._solves:
            self._solver_ready.wait(end - time.monotonic())
        if self._solver and left() > LEAST:
            began = time.monotonic()
            found = self._solver.solve(position, limit=Limit(seconds=PROOF * left()))
            seconds -= time.monotonic() - began
            if found.exact:
                return found.column
        self._ready.wait(end - time.monotonic())
        if self._guesser and left() > LEAST:
            return self._guesser.search(position, Limit(seconds=left())).column
        return guess(position)


@cache
def engine_for(geometry: Geometry, book: bytes | None, *, solves: bool) -> Engine:
    """The engine of a board: one for all games in this process."""
    return Engine(geometry, book, solves=solves)
