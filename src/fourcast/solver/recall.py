"""What the opening book alone says of a position: without a search, and so at once."""

from __future__ import annotations

from fourcast.game.analysis import Analysis
from fourcast.game.guess import centre_first
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.openings import UNKNOWN
from fourcast.solver.book import Book


def recall(book: Book, position: Position) -> Analysis | None:
    """The exact score of every column, the best one, and best play as far as the book goes.

    It is what `Solver.analyze` says, but for the line's length. None if a column leads out of the book.

    Args:
        book: A book of the position's board.
        position: A position whose game goes on.
    """
    scores = _scores(book, position)
    if scores is None:
        return None
    best = max(scores.values())
    line: list[int] = []
    after, known = position, scores
    while known:
        top = max(known.values())
        line.append(next(column for column in centre_first(after) if known[column] == top))
        after = after.play(line[-1])
        known = (None if after.is_over else _scores(book, after)) or {}
    columns = range(position.geometry.columns)
    return Analysis(
        position,
        line[0],
        best,
        scores=tuple(scores.get(column) for column in columns),
        pv=tuple(line),
        bounds=(best, best),
        exact=True,
    )


def _scores(book: Book, position: Position) -> dict[int, int] | None:
    """The score of every column, seen by who plays it; None if the book does not have them all."""
    if position.ply >= book.plies:
        return None
    legal = position.legal
    children = [position.play(column) for column in legal]
    found = book.scores_of(Batch.of(children)).tolist()
    scores = {}
    for column, child, score in zip(legal, children, found, strict=True):
        outcome = child.outcome
        if outcome:
            scores[column] = 0 if outcome.is_draw else (position.geometry.cells + 1 - position.ply) // 2
        elif score == UNKNOWN:
            return None
        else:
            scores[column] = -score
    return scores
