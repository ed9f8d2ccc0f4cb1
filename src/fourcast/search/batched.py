"""Negamax whose leaves are evaluated together: for evaluators that are quick in batches and slow alone."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.phased import PhasedEvaluator
from fourcast.game.analysis import Analysis, score_at_end
from fourcast.game.geometry import Geometry
from fourcast.game.guess import centre_first, guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import (
    DECIDED,
    NOBODY,
    OPEN,
    WINS,
    Children,
    Fates,
    back_up,
    fates_of,
    next_ply,
)
from fourcast.kernels.tricks import Stones
from fourcast.search.progress import Progress

MOST_POSITIONS = 1_000_000  # of a ply
_CHUNK = 2048  # leaves evaluated between looks at the clock
_CHUNK_PLAYED = 64  # if they are played out
_FEWEST = 10  # playouts that are worth looking a ply further ahead for, rather than playing out more often
_DULL = 1e-9  # values that differ by less are alike

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ply:
    """All positions that are so many plies away.

    Attributes:
        stones: The positions, as a Batch has them.
        fates: What is known of each at a glance.
        children: Which of the next ply's positions each column leads to; None at the last ply.
    """

    stones: Stones
    fates: Fates
    children: Children | None = None


@dataclass(frozen=True, slots=True)
class _Judged:
    """What every position of every ply is worth to its side to move, and what it took to find out.

    Attributes:
        values: One array for each ply, the first is the root's; beyond `DECIDED` a game is decided.
        leaves: How many positions were evaluated.
        playouts: How many games were played out for that.
        pace: Seconds that a position of the last ply took.
    """

    values: list[Values]
    leaves: int = 0
    playouts: int = 0
    pace: float = 0.0


class BatchedSearch:
    """Looks a number of plies ahead, full width, and evaluates all different positions at the end at once.

    Where a disc wins, it is played; where the other side's would, that is stopped. This is seen one ply
    beyond the depth.

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
        self._deadline: float | None = None
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
        if not self._ready:
            stones = Batch.of(Position(self.geometry)).stones
            next_ply(self.geometry, stones, fates_of(self.geometry, stones))
            for count in (1, 16):  # few and many are evaluated by different code
                self.evaluator.values(Batch(self.geometry, np.repeat(stones, count, axis=0)))
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
        self._deadline = None if limit.seconds is None else self._start + limit.seconds
        evaluator = replace(self.evaluator, seed=seed)
        depth = min(self.depth, limit.depth or self.depth, self.geometry.cells - position.ply)
        stones = Batch.of(position).stones
        plies = [Ply(stones, fates_of(self.geometry, stones))]
        judged = self._judge(position, plies)
        while len(plies) <= depth and self._go_down(plies, limit):
            if self._deadline is not None:  # then every ply is judged, so that there is an answer in time
                begun = time.monotonic()
                if begun + judged.pace * len(plies[-1].stones) > self._deadline:
                    break
                budget = None if limit.simulations is None else limit.simulations - judged.playouts
                found = self._judge_within(position, plies, budget, evaluator)
                if found is None:
                    break
                judged = replace(
                    found,
                    playouts=found.playouts + judged.playouts,
                    pace=(time.monotonic() - begun) / len(plies[-1].stones),
                )
                self._progress = Progress(len(plies) - 1, _size(plies), simulations=judged.playouts)
                if abs(judged.values[0][0]) >= DECIDED:
                    break
        if self._deadline is None:
            while len(plies) > 1:
                found = self._judge_within(position, plies, limit.simulations, evaluator)
                if found is not None:
                    judged = found
                    break
                plies.pop()
        return self._answer(position, plies[: len(judged.values)], judged)

    def _go_down(self, plies: list[Ply], limit: Limit) -> bool:
        """Add the next ply, if there is any and the limit allows for it."""
        last = plies[-1]
        most = min(limit.nodes or MOST_POSITIONS, MOST_POSITIONS)
        if self._stopped or len(last.stones) > most or not (last.fates == OPEN).any():
            return False
        stones, fates, children = next_ply(self.geometry, last.stones, last.fates)
        if _size(plies) + len(stones) > most:
            return False
        plies[-1] = replace(last, children=children)
        plies.append(Ply(stones, fates))
        return True

    def _judge_within(
        self, position: Position, plies: list[Ply], budget: int | None, evaluator: PhasedEvaluator
    ) -> _Judged | None:
        """Evaluate the last ply with so many playouts at most; None if they are too few, or time runs out."""
        if budget is not None:
            leaves = Batch(self.geometry, plies[-1].stones[plies[-1].fates == OPEN])
            fewer = evaluator.within(budget, leaves)
            if fewer.count < min(_FEWEST, evaluator.count) and len(plies) > 2:
                return None
            evaluator = fewer
        return self._judge(position, plies, evaluator)

    @overload
    def _judge(self, position: Position, plies: list[Ply], evaluator: None = None) -> _Judged: ...
    @overload
    def _judge(self, position: Position, plies: list[Ply], evaluator: PhasedEvaluator) -> _Judged | None: ...
    def _judge(
        self, position: Position, plies: list[Ply], evaluator: PhasedEvaluator | None = None
    ) -> _Judged | None:
        """Evaluate the last ply and carry the values back to the root; None if time runs out before.

        Without an evaluator, positions that are open at the end are worth nothing.
        """
        last = plies[-1]
        value = self._at_a_glance(last, position.ply + len(plies) - 1)
        leaves = np.flatnonzero(last.fates == OPEN)
        playouts = 0
        if len(leaves) and evaluator is not None:
            batch = Batch(self.geometry, last.stones[leaves])
            playouts = evaluator.playouts(batch)
            found = self._evaluate(batch, evaluator, _CHUNK if not playouts else _CHUNK_PLAYED)
            if found is None:
                return None
            value[leaves] = found
        values = [value]
        for back, ply in enumerate(reversed(plies[:-1]), start=2):
            value = self._at_a_glance(ply, position.ply + len(plies) - back)
            assert ply.children is not None
            back_up(ply.children, ply.fates, values[0], value)
            values.insert(0, value)
        return _Judged(values, len(leaves), playouts)

    def _evaluate(self, batch: Batch, evaluator: PhasedEvaluator, chunk: int) -> Values | None:
        """What positions are worth; None if time runs out or somebody stops it."""
        values = np.zeros(len(batch))
        slowest = 0.0
        for number, first in enumerate(range(0, len(batch), chunk)):
            begin = time.monotonic()
            if self._stopped or (self._deadline is not None and begin + slowest > self._deadline):
                return None
            part = Batch(self.geometry, batch.stones[first : first + chunk])
            values[first : first + chunk] = replace(evaluator, seed=evaluator.seed + number).values(part)
            slowest = max(slowest, time.monotonic() - begin)
        return values

    def _at_a_glance(self, ply: Ply, discs: int) -> Values:
        """The values of games that the next disc ends; those of others are 0 as yet."""
        return np.where(ply.fates == WINS, DECIDED + self.geometry.cells - discs, 0.0)

    def _answer(self, position: Position, plies: list[Ply], judged: _Judged) -> Analysis:
        worth = self._columns(position, plies, judged.values)
        best = max(worth.values())
        column = next(each for each in centre_first(position) if worth.get(each, -np.inf) > best - _DULL)
        decided = abs(best) >= DECIDED
        exact = decided or not (plies[-1].fates == OPEN).any()
        score = None
        if exact:
            ends = round(self.geometry.cells + 1 + DECIDED - abs(best)) - position.ply
            score = score_at_end(position, ends, won=best > 0) if decided else 0
        return Analysis(
            position,
            column,
            score=score,
            bounds=None if score is None else (score, score),
            value=float(np.clip(best, -1, 1)),
            values=tuple(
                None if each not in position.legal else float(np.clip(worth.get(each, -1.0), -1, 1))
                for each in range(self.geometry.columns)
            ),
            pv=self._line(position, column, plies, judged.values),
            nodes=_size(plies),
            leaves=judged.leaves,
            depth=len(plies) - 1,
            seconds=time.monotonic() - self._start,
            simulations=judged.playouts,
            exact=exact,
            memory=sum(ply.stones.nbytes + ply.fates.nbytes for ply in plies)
            + sum(ply.children.nbytes for ply in plies if ply.children is not None),
        )

    def _columns(self, position: Position, plies: list[Ply], values: list[Values]) -> dict[int, float]:
        """What each column is worth that a search goes down; beyond `DECIDED` it ends the game."""
        if plies[0].fates[0] == WINS:
            return dict.fromkeys(position.winning_columns(position.turn), float(values[0][0]))
        children = plies[0].children
        if len(plies) == 1 or children is None:  # there was no time to look at anything
            return {guess(position): 0.0}
        return {
            column: -float(values[1][child])
            for column, child in enumerate(children[0].tolist())
            if child != NOBODY
        }

    def _line(
        self, position: Position, column: int, plies: list[Ply], values: list[Values]
    ) -> tuple[int, ...]:
        """The line of play that led to the value, a column first."""
        line: list[int] = []
        index = 0
        for ply, after in zip(plies, values[1:], strict=False):
            if ply.children is None or ply.fates[index] != OPEN:
                break
            children = ply.children[index]
            played = [each for each in centre_first(position) if children[each] != NOBODY]
            line.append(min(played, key=lambda each: after[children[each]]) if line else column)
            position = position.play(line[-1])
            index = int(children[line[-1]])
        if line and plies[len(line)].fates[index] == WINS:
            line.append(position.winning_columns(position.turn)[0])
        return tuple(line) or (column,)


def _size(plies: list[Ply]) -> int:
    return sum(len(ply.stones) for ply in plies)
