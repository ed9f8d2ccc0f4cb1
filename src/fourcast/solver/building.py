"""Making an opening book: solve every position of the last ply, in several processes, and work backwards.

Scores go to a file beside the book as they come in, a byte each in its own place. A build that is killed
loses only the few positions that were being solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fourcast.files import in_place
from fourcast.game.errors import BadBook, BadLimit, WorkersLost
from fourcast.game.geometry import Geometry
from fourcast.game.limit import check_count
from fourcast.kernels.batch import Batch
from fourcast.kernels.openings import UNKNOWN, ScoreBytes, final_scores, opening_levels, stones_of
from fourcast.kernels.tricks import Stones
from fourcast.solver.book import MOST_PLIES, Book
from fourcast.solver.solver import Solver
from fourcast.workers import LocalWorkers, Work, Workers

Watch = Callable[[str, int, int], None]


def build_book(
    geometry: Geometry,
    plies: int,
    path: Path,
    *,
    jobs: int = 1,
    workers: Workers | None = None,
    resume: bool = False,
    table_mb: int = 64,
    watch: Watch = lambda _what, _done, _total: None,
) -> Book:
    """Make the book of a board and write it to a file.

    Args:
        geometry: The board.
        plies: The last ply to be in it.
        path: The file. What is done so far is kept beside it, in one that ends in `.part`.
        jobs: Processes that solve.
        workers: Who solves instead of them.
        resume: Go on where a build of the same book was stopped; without one, begin.
        table_mb: The size of each process's table.
        watch: Called now and then with what is being done, how much of it is done, and how much there is.

    Raises:
        BadBook: The file cannot be written; or there is a stopped build that was not to be resumed, or it is
            of another book; or a process of this machine that solves was killed.
        BadLimit: An argument is not in its range, or there are more positions than memory holds.
        WorkersLost: Those who solve instead are gone.
    """
    check_count("jobs", jobs)
    if check_count("plies", plies, least=0) > min(MOST_PLIES, geometry.cells):
        raise BadLimit(f"plies {plies}: {min(MOST_PLIES, geometry.cells)} is the most that a book holds")
    if path.is_dir():
        raise BadBook(f"book {path}: it is a folder")
    Solver(geometry, table_mb, book=False)  # if that cannot be had, now is the time to say so
    levels = opening_levels(geometry, plies, lambda ply, done, total: watch(f"ply {ply}", done, total))
    keys = levels[-1]
    with _kept_scores(path, f"fourcast-book-part 1 {geometry} plies={plies}\n", len(keys), resume) as scores:
        final = final_scores(geometry, keys)
        scores[final != UNKNOWN] = final[final != UNKNOWN]
        left = np.flatnonzero(scores == UNKNOWN)
        done = len(keys) - len(left)
        watch("positions", done, len(keys))
        solving = Work(_solve_some, (geometry, table_mb), _named, tries=1)
        try:
            for where, found in (workers or LocalWorkers(jobs)).map(
                solving, ((int(index), keys[index]) for index in left)
            ):
                scores[where] = found
                done += len(where)
                watch("positions", done, len(keys))
        except WorkersLost as error:
            if workers is not None:
                raise WorkersLost(f"{error}; resume to go on") from None
            raise BadBook(f"book {path}: a process that solves was killed; resume to go on") from None
        book = Book.from_last(geometry, levels, np.array(scores))
    try:
        with in_place(path) as fresh:
            fresh.write_bytes(book.encode())
        part_of(path).unlink()
    except OSError as error:
        raise BadBook(f"book {path}: {error.strerror}") from None
    return book


def part_of(path: Path) -> Path:
    """The file beside a book in which its build keeps what is done."""
    return path.with_name(path.name + ".part")


@contextmanager
def _kept_scores(path: Path, header: str, count: int, resume: bool) -> Iterator[npt.NDArray[np.int8]]:
    """The scores of a build, as an array that is a file."""
    part = part_of(path)
    begin = header.encode()
    try:
        if part.exists():
            if not resume:
                raise BadBook(f"{part} is a stopped build: resume it, or remove it first")
            with part.open("rb") as file:
                if file.read(len(begin)) != begin or part.stat().st_size != len(begin) + count:
                    raise BadBook(f"{part} is not a stopped build of this book")
        else:
            blank = np.full(count, UNKNOWN, dtype=np.int8)
            with in_place(part) as fresh:
                fresh.write_bytes(begin + blank.tobytes())
        scores = np.memmap(part, dtype=np.int8, mode="r+", offset=len(begin), shape=(count,))
    except OSError as error:
        raise BadBook(f"book {path}: {error.strerror}") from None
    try:
        yield scores
    finally:
        scores.flush()


def _named(item: tuple[int, Stones]) -> str:
    return f"at position {item[0] + 1} of the last ply"


@cache
def _solver(geometry: Geometry, table_mb: int) -> Solver:
    return Solver(geometry, table_mb, book=False)


def _solve_some(
    common: tuple[Geometry, int], handful: list[tuple[int, Stones]]
) -> tuple[list[int], ScoreBytes]:
    """Which positions are solved, and their scores: what those who solve are asked for.

    Args:
        common: The board, and the size of a process's table.
        handful: Positions, each with its place in the last ply, as keys.
    """
    geometry, table_mb = common
    keys = np.stack([key for _, key in handful])
    found = _solver(geometry, table_mb).solve_many(Batch(geometry, stones_of(geometry, keys)))
    return [where for where, _ in handful], found.scores.astype(np.int8)
