"""Solving positions of an opening book again, without it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.openings import stones_of
from fourcast.solver.book import Book
from fourcast.solver.solver import Solver


def check_book(book: Book, sample: int, seed: int, threads: int = 1) -> Iterator[tuple[Position, int, int]]:
    """Solve some of a book's positions, drawn by a seed, all different.

    Finished games are left out: there is nothing to solve.

    Yields:
        A position, its score in the book, and its score when solved.
    """
    solver = Solver(book.geometry, threads=threads, book=False)
    chance = np.random.default_rng(seed)
    chosen = chance.permutation(len(book))[:sample]
    for start in range(0, len(chosen), 2 * threads):
        some = chosen[start : start + 2 * threads]
        batch = Batch(book.geometry, stones_of(book.geometry, book.keys[some]))
        left = [
            (position, int(score))
            for position, score in zip(batch, book.scores[some], strict=True)
            if not position.is_over
        ]
        if left:
            solved = solver.solve_many([position for position, _ in left]).scores
            for (position, written), score in zip(left, solved, strict=True):
                yield position, written, int(score)
