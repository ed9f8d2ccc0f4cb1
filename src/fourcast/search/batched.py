"""Negamax whose leaves are evaluated together: for evaluators that are quick in batches and slow alone."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from fourcast.evaluators.phased import PhasedEvaluator
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import Geometry
from fourcast.game.limit import MOST_COUNT, Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import Values
from fourcast.search.plies import Outlook, Ply, add_ply, first_ply, size_of
from fourcast.search.progress import Progress

MOST_POSITIONS = 1_000_000  # of all plies together: some hundred megabytes
_CHUNK = 512  # leaves evaluated between looks at the clock, a millisecond or two
_CHUNK_DISCS = 200_000  # as many where they are played out
_FEWEST = 10  # playouts that are worth looking a ply further ahead for, rather than playing out more often


class BatchedSearch:
    """Looks a number of plies ahead, full width, and evaluates all different positions at the end at once.

    Where a disc wins, it is played; where the other side's would, that is stopped. This is seen up to two
    plies beyond the depth.

    Attributes:
        geometry: The board.
        depth: Plies to look ahead.
        evaluator: What a position is worth at the end.
    """

    def __init__(self, geometry: Geometry, evaluator: PhasedEvaluator, depth: int) -> None:
        self.geometry = geometry
        self.evaluator = evaluator
        self.depth = depth
        self._stopped = False
        self._start = time.monotonic()
        self._deadline = np.inf
        self._slowest = 0.0
        self._progress = Progress()
        self._ready = False

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._stopped = True

    @property
    def progress(self) -> Progress:
        """How far the search has come; another thread may ask."""
        return replace(self._progress, seconds=time.monotonic() - self._start)

    def prepare(self) -> None:
        """Load now what the first question would have to wait for."""
        if self._ready:
            return
        plies = [first_ply(Position(self.geometry))]
        add_ply(self.geometry, plies, MOST_POSITIONS)
        everybody = replace(self.evaluator, early=-1, late=self.geometry.cells)
        for count in (1, 16):  # few and many are evaluated by different code
            everybody.values(Batch(self.geometry, np.repeat(plies[0].stones, count, axis=0)))
        self._ready = True

    def search(self, position: Position, limit: Limit, seed: int = 0) -> Analysis:
        """The best column as far as it sees; of equals, the one nearest to the centre.

        Args:
            position: A position of this board whose game goes on.
            limit: `depth`, `nodes` (positions of all plies), `simulations` (playouts) and `seconds`. Where
                they do not allow for its depth, it looks less far ahead; with fewer playouts than there are
                positions, it plays out less often.
            seed: Where the chance of the playouts starts.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.geometry)
        self.prepare()
        self._stopped = False
        self._progress = Progress()
        self._start = time.monotonic()
        self._deadline = np.inf if limit.seconds is None else self._start + limit.seconds
        self._slowest = 0.0
        evaluator = replace(self.evaluator, seed=seed)
        depth = min(self.depth, limit.depth or self.depth, self.geometry.cells - position.ply)
        look = self._look_at_once if limit.seconds is None else self._look_further_and_further
        return self._answer(look(position, depth, limit, evaluator))

    def _look_at_once(
        self, position: Position, depth: int, limit: Limit, evaluator: PhasedEvaluator
    ) -> Outlook:
        """Go down to the depth, and evaluate only there; less far down if there are too few playouts."""
        plies = [first_ply(position)]
        seen = Outlook.of(position, plies)
        while len(plies) <= depth and not seen.is_decided and self._go_down(plies, limit):
            seen = Outlook.of(position, plies)
        if seen.judged or seen.is_decided:
            return seen
        for last in range(len(plies), 1, -1):
            found = self._judge(position, plies[:last], limit, evaluator)
            if found is not None:
                return found
        return seen

    def _look_further_and_further(
        self, position: Position, depth: int, limit: Limit, evaluator: PhasedEvaluator
    ) -> Outlook:
        """Evaluate every ply, one after the other, so that there is always an answer."""
        plies = [first_ply(position)]
        seen = Outlook.of(position, plies)
        pace = 0.0  # seconds that a position takes: the least, for others had to wait for the machine
        while len(plies) <= depth and not seen.is_decided:
            begin = time.monotonic()
            most = int(max(self._deadline - begin, 0) / pace) if pace else MOST_POSITIONS
            if not self._go_down(plies, limit, most):
                break
            found = self._judge(position, plies, limit, evaluator)
            if found is None:
                break
            seen = found
            taken = (time.monotonic() - begin) / len(plies[-1].stones)
            pace = min(pace or taken, taken)
        return seen if len(seen.plies) > 1 else Outlook.of(position, plies)

    def _go_down(self, plies: list[Ply], limit: Limit, most: int = MOST_POSITIONS) -> bool:
        """Add the next ply, if there is any and the limit allows for it."""
        room = min(limit.nodes or MOST_POSITIONS, MOST_POSITIONS) - size_of(plies)
        if self._stopped or not add_ply(self.geometry, plies, min(room, most)):
            return False
        self._progress = replace(self._progress, depth=len(plies) - 1, nodes=size_of(plies))
        return True

    def _judge(
        self, position: Position, plies: list[Ply], limit: Limit, evaluator: PhasedEvaluator
    ) -> Outlook | None:
        """Evaluate the last ply with the playouts that are left; None if they or the time do not suffice."""
        last = plies[-1]
        leaves = Batch(self.geometry, last.stones[last.leaves])
        if not len(leaves):
            return Outlook.of(position, plies)
        fewer = evaluator.within((limit.simulations or MOST_COUNT) - self._progress.simulations, leaves)
        if fewer is None or (len(plies) > 2 and fewer.count < min(_FEWEST, evaluator.count)):
            return None
        found = self._evaluate(leaves, fewer)
        if found is None:
            return None
        seen = Outlook.of(position, plies, found)
        self._progress = replace(self._progress, column=seen.column)
        return seen

    def _evaluate(self, batch: Batch, evaluator: PhasedEvaluator) -> Values | None:
        """What positions are worth; None if time runs out or somebody stops it."""
        values = np.zeros(len(batch))
        chunk = _CHUNK
        if evaluator.playouts(batch):
            chunk = min(chunk, max(1, _CHUNK_DISCS // (evaluator.count * self.geometry.cells)))
        for number, first in enumerate(range(0, len(batch), chunk)):
            begin = time.monotonic()
            if self._stopped or begin + self._slowest > self._deadline:
                return None
            part = Batch(self.geometry, batch.stones[first : first + chunk])
            asked = replace(evaluator, seed=evaluator.seed + number)
            values[first : first + chunk] = asked.values(part)
            played = self._progress.simulations + asked.playouts(part)
            self._progress = replace(self._progress, simulations=played)
            self._slowest = max(self._slowest, time.monotonic() - begin)
        return values

    def _answer(self, seen: Outlook) -> Analysis:
        known = seen.judged or seen.is_decided
        evaluated = len(seen.plies[-1].leaves) if seen.judged else 0
        score = seen.score
        return Analysis(
            seen.position,
            seen.column,
            score=score,
            bounds=None if score is None else (score, score),
            value=min(max(seen.value, -1.0), 1.0) if known else None,
            values=seen.known_values,
            pv=seen.line,
            nodes=size_of(seen.plies),
            leaves=evaluated,
            depth=len(seen.plies) - 1 if known else 0,
            seconds=time.monotonic() - self._start,
            simulations=self._progress.simulations,
            exact=score is not None,
            memory=sum(ply.memory for ply in seen.plies) + sum(values.nbytes for values in seen.values),
        )
