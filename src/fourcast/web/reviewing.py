"""Reviews of games: what each position was worth, and what each move gave away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fourcast.game.analysis import Analysis
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.web.answering import Answering
from fourcast.web.searches import Search
from fourcast.web.wording import summary

INACCURACY, MISTAKE, BLUNDER = "inaccuracy", "mistake", "blunder"

EACH = 1.0  # seconds that a position gets unless the request says otherwise
LEAST = 0.01  # seconds that it gets however many there are
NO_LINE = Limit(depth=1)
SLOWER = 3  # discs that an exact score may lose within the same outcome before it is worth a word
#: What a value in [-1, 1] may lose before it is called each of these, the worst first.
LOST_VALUES = ((0.6, BLUNDER), (0.3, MISTAKE), (0.15, INACCURACY))


@dataclass(frozen=True, slots=True)
class Review:
    """A game to look through, position by position.

    Attributes:
        position: The game's last position.
        rules: The board and slip.
        aims: With slip, the columns that were aimed at; None: those where the discs landed.
        agent: Who is asked where it is not solved.
        limit: What a position may take.
        seconds: What all may take.
    """

    position: Position
    rules: Rules
    aims: list[int] | None
    agent: str
    limit: Limit
    seconds: float

    def plies(self, answering: Answering, search: Search[Any]) -> Iterator[dict[str, Any]]:
        """What is to be said of each position, from the first on; in the thread of a search.

        Of the time that is left every position gets an equal share. Where it may be solved, half of that
        goes into proof, and the other half to the agent if that has failed.
        """
        played = self.position.columns_played
        end = time.monotonic() + self.seconds
        position = Position(self.rules.geometry)
        for ply in range(len(played) + 1):
            if search.is_stopped:
                return
            if position.is_over:
                yield _last(position)
                return
            share = max((end - time.monotonic()) / (len(played) + 1 - ply), LEAST)
            found = self._look(answering, search, position, min(self.limit.seconds or EACH, share))
            column = None if ply == len(played) else (self.aims or played)[ply]
            yield judged(found, column, self.rules.slip)
            if ply < len(played):
                position = position.play(played[ply])

    def _look(
        self, answering: Answering, search: Search[Any], position: Position, seconds: float
    ) -> Analysis:
        if not self.rules.slip:
            half = Limit(seconds / 2, nodes=self.limit.nodes)
            proven = answering.solve(search, position, half, NO_LINE)
            if proven.exact:
                return proven
        rest = Limit(seconds / 2, self.limit.depth, self.limit.nodes, self.limit.simulations)
        return answering.ask(search, position, self.rules, self.agent, rest)


def judged(found: Analysis, column: int | None, slip: float) -> dict[str, Any]:
    """What a position was worth, and what the column gave away that was played in it.

    Args:
        found: What is known of the position.
        column: What was played; None at the end of an unfinished game.
        slip: That of the game.
    """
    known: tuple[float | None, ...] | None = found.scores if found.exact and found.scores else found.values
    best = max((each for each in known or () if each is not None), default=None)
    loss = None
    if known is not None and best is not None and column is not None:
        own = known[column]
        loss = None if own is None else max(best - own, 0)
    exact = found.exact and found.scores is not None
    value = _sign(found.score) if exact and found.score is not None else found.value
    return {
        "ply": found.position.ply,
        "score": found.score if exact else None,
        "value": value,
        "exact": exact,
        "best": [each for each, worth in enumerate(known or ()) if worth is not None and worth == best]
        or [found.column],
        "column": column,
        "loss": None if loss is None else round(loss, 4),
        "judgement": None if loss is None or best is None else judgement(best, loss, exact=exact),
        "words": summary(found, slip),
    }


def judgement(best: float, loss: float, *, exact: bool) -> str | None:
    """What to call a move that was worth so much less than the best one; None if it is none of these.

    By exact scores a blunder loses what was not lost, a mistake throws a win away for a draw, and a move that
    only wins later or loses sooner is an inaccuracy. Values are estimates, and judged by how much they lose.
    """
    if not exact:
        return next((name for most, name in LOST_VALUES if loss >= most), None)
    before, after = _sign(best), _sign(best - loss)
    if after < before:
        return BLUNDER if after < 0 else MISTAKE
    return INACCURACY if loss >= SLOWER else None


def _last(position: Position) -> dict[str, Any]:
    """The end of a game: nothing is left to judge."""
    outcome = position.outcome
    assert outcome is not None
    score = 0 if outcome.is_draw else -((position.geometry.cells + 2 - position.ply) // 2)
    return {
        "ply": position.ply,
        "score": score,
        "value": _sign(score),
        "exact": True,
        "best": [],
        "column": None,
        "loss": None,
        "judgement": None,
        "words": str(outcome),
    }


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
