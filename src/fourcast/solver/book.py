"""The opening book: exact scores of every position of the first plies, in a small file.

A book holds no positions: they can be listed by anyone, ply by ply, one of each mirror pair, in the order of
their keys. So the file is a line of text and the scores in that order, compressed:

    fourcast-book 1 6x7x4 plies=8 positions=130811 sha256=<of what follows>
    <zlib: a signed byte a position>

It may come from anywhere, so nothing in it is believed before it is checked.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from fourcast.game.errors import BadBook, BadGeometry, BadLimit
from fourcast.game.geometry import Geometry
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.openings import (
    UNKNOWN,
    ScoreBytes,
    Starts,
    find_scores,
    opening_levels,
    scores_before,
)
from fourcast.kernels.tricks import Stones

VERSION = 1
MOST_PLIES = 12
MOST_BYTES = 64 << 20  # of a file, and of what it unfolds to

_HEADER = re.compile(
    rb"fourcast-book (?P<version>\d{1,9}) (?P<board>\d{1,3}x\d{1,3}x\d{1,3}) plies=(?P<plies>\d{1,3}) "
    rb"positions=(?P<positions>\d{1,9}) sha256=(?P<sha256>[0-9a-f]{64})\n"
)


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """Exact scores of the first plies of one board.

    Attributes:
        geometry: The board.
        keys: The keys of its positions, ply after ply, each in rising order, one of each mirror pair.
        starts: Where each ply's keys begin, and at last where they end.
        scores: The score of each, seen from the side to move.
    """

    geometry: Geometry
    keys: Stones
    starts: Starts
    scores: ScoreBytes

    @classmethod
    def of_levels(cls, geometry: Geometry, levels: list[Stones], scores: ScoreBytes) -> Book:
        """The book that has the scores of these plies' positions, one ply after the other."""
        starts = np.cumsum([0, *map(len, levels)])
        return cls(geometry, np.concatenate(levels), starts, scores)

    @classmethod
    def from_last(cls, geometry: Geometry, levels: list[Stones], last: ScoreBytes) -> Book:
        """The book whose last ply has these scores; the plies before it follow from them."""
        scores = [last]
        for keys, after in zip(levels[-2::-1], levels[:0:-1], strict=True):
            scores.insert(0, scores_before(geometry, keys, after, scores[0]))
        return cls.of_levels(geometry, levels, np.concatenate(scores))

    @classmethod
    def load(cls, path: Path) -> Book:
        """Read a book from a file.

        Raises:
            BadBook: The file cannot be read, or it is not a sound book; the message says why.
        """
        try:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise BadBook(f"book {path}: {error.strerror}") from None
        try:
            return cls.decode(data)
        except BadBook as error:
            raise BadBook(f"book {path}: {error}") from None

    @classmethod
    def decode(cls, data: bytes) -> Book:
        """Read a book from what a file holds.

        Raises:
            BadBook: It is not a sound book.
        """
        header = _HEADER.match(data)
        if header is None or len(data) > MOST_BYTES:
            raise BadBook("it is not a Fourcast book")
        if int(header["version"]) != VERSION:
            raise BadBook(f"it is of version {int(header['version'])}, and only {VERSION} is known here")
        packed = data[header.end() :]
        if hashlib.sha256(packed).hexdigest().encode() != header["sha256"]:
            raise BadBook("it is damaged: the checksum does not agree")
        plies, positions = int(header["plies"]), int(header["positions"])
        if plies > MOST_PLIES or positions > MOST_BYTES:
            raise BadBook(f"{positions} positions up to ply {plies} are more than are taken")
        try:
            geometry = Geometry.parse(header["board"].decode())
            scores = np.frombuffer(zlib.decompressobj().decompress(packed, positions + 1), dtype=np.int8)
        except (BadGeometry, zlib.error) as error:
            raise BadBook(f"it is not sound: {error}") from None
        if len(scores) != positions:
            raise BadBook("it is not sound: it does not hold as many scores as it says")
        try:
            levels = opening_levels(geometry, plies, most=positions)
        except BadLimit as error:
            raise BadBook(f"it is not sound: {error}") from None
        if positions != sum(map(len, levels)):
            raise BadBook("it is not sound: it holds more scores than there are positions")
        if np.any(np.abs(scores.astype(np.int64)) > (geometry.cells + 1) // 2):
            raise BadBook("it is not sound: it holds scores that this board cannot have")
        return cls.of_levels(geometry, levels, scores)

    def encode(self) -> bytes:
        """The book as a file holds it."""
        packed = zlib.compress(self.scores.tobytes(), 9)
        digest = hashlib.sha256(packed).hexdigest()
        header = f"fourcast-book {VERSION} {self.geometry} plies={self.plies} positions={len(self)}"
        return f"{header} sha256={digest}\n".encode() + packed

    @property
    def plies(self) -> int:
        """The last ply whose positions it holds."""
        return len(self.starts) - 2

    def __len__(self) -> int:
        return len(self.scores)

    def scores_of(self, batch: Batch) -> ScoreBytes:
        """The exact scores of many positions of its board; UNKNOWN where it has none."""
        return find_scores(self.geometry, batch.stones, self.keys, self.starts, self.scores)

    def score(self, position: Position) -> int | None:
        """The exact score of a position; None if it is not in the book."""
        if position.geometry != self.geometry or position.ply > self.plies:
            return None
        score = int(self.scores_of(Batch.of(position))[0])
        return None if score == UNKNOWN else score


@cache
def shipped_book(geometry: Geometry) -> Book | None:
    """The book that comes with the package for a board, if there is one.

    Raises:
        BadBook: It cannot be read or is not sound.
    """
    path = shipped_path(geometry)
    return Book.load(path) if path.exists() else None


def shipped_path(geometry: Geometry) -> Path:
    """Where the package has the book of a board, if it has one."""
    return Path(__file__).parent / "books" / f"{geometry}.book"
