"""Sets of positions with labels, and positions by the moves that lead to them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadData, FourcastError, shown
from fourcast.game.geometry import Geometry
from fourcast.game.notation import COLUMN_NAMES, parse_moves
from fourcast.game.position import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of
from fourcast.kernels.moves import drop, legal_columns
from fourcast.kernels.tricks import Stones
from fourcast.learning.cells import cells_of
from fourcast.models.card import CLASSES

CLEAR = 1 / 3  # an agent's value beyond which a position counts as won or lost
MOST_POSITIONS = 5_000_000
UNKNOWN = "."  # what a column is worth, where that is not known
_WORTH = re.compile(r"\.|-?[0-9]{1,4}(\.[0-9]{1,20})?(e-[0-9]{1,3})?", re.ASCII)
_AT_ONCE = 65_536  # positions whose moves are replayed side by side

Flags = npt.NDArray[np.bool_]
Classes = npt.NDArray[np.int8]
Worths = npt.NDArray[np.float64]  # of columns: exact scores or an agent's values, not a number if unknown
Place = Callable[[int], str]  # what to call the position of an index in a message


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSet:
    """Positions of one board whose games go on, with what is known of them; seen from the side to move.

    Attributes:
        geometry: The board.
        stones: uint64 of shape (positions, 2, halves), as a `Batch` has them.
        moves: One way to reach each position, as a move string.
        scores: int16 of shape (positions,): the exact scores; None if an agent gave the labels.
        values: float64 of shape (positions,): what an agent thinks them worth, in [-1, 1]; None if they are
            exact.
        best: bool of shape (positions, columns): the columns that keep the exact score, or the one that the
            agent plays; None where they were not asked for.
        columns: float64 of shape (positions, columns): the exact score of every column, or what the agent
            thinks it worth; not a number where the column is full, or the agent does not say. None where
            they are not known.
        slip: The chance of a slip that the agent reckons with; exact scores know none.
    """

    geometry: Geometry
    stones: Stones
    moves: tuple[str, ...]
    scores: npt.NDArray[np.int16] | None = None
    values: npt.NDArray[np.float64] | None = None
    best: Flags | None = None
    columns: Worths | None = None
    slip: float = 0.0

    def __post_init__(self) -> None:
        if (self.scores is None) == (self.values is None):
            raise BadData("a set has either exact scores or an agent's values")
        if not 0 <= self.slip < 1 or (self.slip and self.scores is not None):
            raise BadData(f"slip {self.slip:g}: it is a number in [0, 1), and exact scores know none")
        columns = self.geometry.columns
        for each, shape in (
            (self.scores, (len(self),)),
            (self.values, (len(self),)),
            (self.best, (len(self), columns)),
            (self.columns, (len(self), columns)),
        ):
            if len(self.moves) != len(self) or (each is not None and each.shape != shape):
                raise BadData(f"a set of {len(self)} positions needs as many moves and labels")

    def __len__(self) -> int:
        return len(self.stones)

    @property
    def batch(self) -> Batch:
        """The positions, on the way into compiled code."""
        return Batch(self.geometry, self.stones)

    @property
    def plies(self) -> npt.NDArray[np.int64]:
        """How many discs have been dropped in each: int64 of shape (positions,)."""
        plies: npt.NDArray[np.int64] = np.bitwise_count(self.stones).sum(axis=(1, 2), dtype=np.int64)
        return plies

    @property
    def classes(self) -> Classes:
        """Whether the side to move loses (0), draws (1) or wins (2): int8 of shape (positions,).

        Exact scores tell; an agent's value counts as a win above `CLEAR`, and as a loss below -`CLEAR`.
        """
        if self.scores is not None:
            return classes_of(self.scores)
        assert self.values is not None
        return classes_of(np.where(np.abs(self.values) > CLEAR, self.values, 0.0))

    @property
    def counts(self) -> dict[str, int]:
        """How many positions there are of each class, wins first."""
        counts = class_counts(self.classes)
        return {name: counts[name] for name in reversed(CLASSES)}


def classes_of(scores: npt.NDArray[np.integer] | npt.NDArray[np.floating]) -> Classes:
    """Loss (0), draw (1) or win (2), by the signs of exact scores."""
    classes: Classes = (np.sign(scores) + 1).astype(np.int8)
    return classes


def class_counts(classes: Classes) -> dict[str, int]:
    """How many there are of each class, by name."""
    return {name: int((classes == each).sum()) for each, name in enumerate(CLASSES)}


def cells_texts(batch: Batch) -> list[str]:
    """Each position's cells as letters, column by column from the left, each from the bottom.

    `x` is the first player's disc, `o` the second's, `b` an empty cell, as in UCI's set.
    """
    cells = cells_of(batch).reshape(len(batch), batch.geometry.cells)
    second = np.bitwise_count(batch.stones).sum(axis=(1, 2)) % 2 == 1  # whose turn it is
    cells[second] *= -1
    letters = np.frombuffer(b"obx", dtype=np.uint8)[cells + 1]
    return _texts(letters)


def columns_texts(flags: Flags) -> list[str]:
    """The columns that are marked for each position, by name: "345"."""
    known: dict[bytes, str] = {}
    texts = []
    for row in flags:
        key = row.tobytes()
        if key not in known:
            known[key] = "".join(COLUMN_NAMES[column] for column in np.flatnonzero(row))
        texts.append(known[key])
    return texts


def flags_of(texts: Sequence[str], geometry: Geometry, place: Place) -> Flags:
    """The columns that are named for each position: bool of shape (positions, columns).

    Raises:
        BadData: A text is not columns of the board, each once.
    """
    flags = np.zeros((len(texts), geometry.columns), dtype=np.bool_)
    known: dict[str, list[int]] = {}
    for index, text in enumerate(texts):
        columns = known.get(text)
        if columns is None:
            try:
                columns = parse_moves(text, geometry)
            except FourcastError:
                columns = []
            if not columns or len(set(columns)) < len(text):
                raise BadData(f"{place(index)}: best {shown(text)} does not name columns of board {geometry}")
            known[text] = columns
        flags[index, columns] = True
    return flags


def worths_texts(worths: Worths) -> list[str]:
    """What each position's columns are worth, from the left: "-3 -2 . 4", a dot where that is not known."""
    known: dict[bytes, str] = {}
    texts = []
    for row in worths:
        key = row.tobytes()
        if key not in known:
            known[key] = " ".join(UNKNOWN if math.isnan(worth) else f"{worth:.17g}" for worth in row.tolist())
        texts.append(known[key])
    return texts


def worths_of(texts: Sequence[str], geometry: Geometry, name: str, place: Place) -> Worths:
    """What the columns of each position are worth: float64 of shape (positions, columns).

    Raises:
        BadData: A text is not a number or a dot for every column.
    """
    worths = np.full((len(texts), geometry.columns), np.nan)
    known: dict[str, list[float]] = {}
    for index, text in enumerate(texts):
        row = known.get(text)
        if row is None:
            words = text.split(" ")
            if len(words) != geometry.columns or not all(map(_WORTH.fullmatch, words)):
                raise BadData(
                    f"{place(index)}: {name} {shown(text)}: it needs a number or {UNKNOWN!r} for each of the "
                    f"{geometry.columns} columns of board {geometry}"
                )
            row = [math.nan if word == UNKNOWN else float(word) for word in words]
            known[text] = row
        worths[index] = row
    return worths


def best_of(worths: Worths) -> Flags:
    """The columns that are worth most: bool of shape (positions, columns)."""
    known = np.where(np.isnan(worths), -np.inf, worths)
    best: Flags = ~np.isnan(worths) & (known == known.max(axis=1, keepdims=True))
    return best


def check_labels(given: LabelledSet, place: Place) -> None:
    """Look whether the labels can be right: scores that the positions can have, columns that are open.

    Raises:
        BadData: One cannot.
    """
    if given.scores is not None:
        left = given.geometry.cells - given.plies
        least, most = -(left // 2), (left + 1) // 2
        index = _first((given.scores < least) | (given.scores > most))
        if index >= 0:
            raise BadData(
                f"{place(index)}: score {given.scores[index]} cannot be; it is {least[index]} to "
                f"{most[index]} after {given.plies[index]} plies"
            )
    if given.values is not None:
        index = _first(~(np.abs(given.values) <= 1))  # what is not a number is not, either
        if index >= 0:
            raise BadData(f"{place(index)}: value {given.values[index]} is not in [-1, 1]")
    if given.columns is not None:
        _check_columns(given, given.columns, place)
    if given.best is not None:
        index = _first((given.best & ~legal_columns(given.batch)).any(axis=1))
        if index >= 0:
            raise BadData(f"{place(index)}: a column of best is full")


def _check_columns(given: LabelledSet, worths: Worths, place: Place) -> None:
    """The same of what columns are worth, and whether all labels of a position agree."""
    name = "values" if given.scores is None else "scores"
    legal, known = legal_columns(given.batch), ~np.isnan(worths)
    wrong = [((known & ~legal).any(axis=1), "a full column is worth something")]
    if given.scores is None:
        wrong.append(((np.abs(worths) > 1).any(axis=1), "one is not in [-1, 1]"))
    else:
        highest = np.where(known, worths, -np.inf).max(axis=1)
        left = given.geometry.cells - given.plies
        outside = (worths < -(left // 2)[:, np.newaxis]) | (worths > ((left + 1) // 2)[:, np.newaxis])
        wrong += [
            ((legal & ~known).any(axis=1), "an open column has none"),
            ((known & (worths != np.rint(worths))).any(axis=1), "one is not a whole number"),
            (outside.any(axis=1), "one cannot be"),
            (highest != given.scores, "the highest is not the position's"),
        ]
        if given.best is not None:
            wrong.append(((best_of(worths) != given.best).any(axis=1), "best does not name the highest"))
    for flags, reason in wrong:
        if (index := _first(flags)) >= 0:
            raise BadData(f"{place(index)}: {name} {shown(worths_texts(worths[[index]])[0])}: {reason}")


def _first(wrong: npt.ArrayLike) -> int:
    """The first index that is marked, or -1."""
    found = np.flatnonzero(wrong)
    return int(found[0]) if len(found) else -1


def moves_texts(columns: npt.NDArray[np.int8]) -> list[str]:
    """Rows of columns, -1 after the last one, as move strings."""
    if not columns.shape[1]:
        return [""] * len(columns)
    names = np.frombuffer(COLUMN_NAMES.encode() + b"\0", dtype=np.uint8)
    return _texts(names[columns])


def _texts(letters: npt.NDArray[np.uint8]) -> list[str]:
    """Rows of letters as texts, without the zeros at their end."""
    packed = np.ascontiguousarray(letters).view(f"S{letters.shape[1]}")
    return [text.decode() for text in packed[:, 0].tolist()]


def replay(geometry: Geometry, moves: Sequence[str], place: Place) -> Stones:
    """The positions after these moves, as a `Batch` has them.

    Args:
        geometry: The board.
        moves: Move strings.
        place: What to call the position of an index in a message.

    Raises:
        BadData: Some moves cannot be played, or end the game.
    """
    stones = np.zeros((len(moves), 2, halves_of(geometry)), dtype=np.uint64)
    for start in range(0, len(moves), _AT_ONCE):
        some = moves[start : start + _AT_ONCE]
        wrong = _replay_some(geometry, some, stones[start : start + _AT_ONCE])
        if wrong >= 0:
            raise BadData(f"{place(start + wrong)}: {_fault(geometry, some[wrong])}")
    return stones


def _replay_some(geometry: Geometry, moves: Sequence[str], stones: Stones) -> int:
    """Fill the stones, which are all 0; the first index found whose moves will not do, or -1."""
    lengths = np.fromiter(map(len, moves), dtype=np.int64, count=len(moves))
    if (long := _first(lengths >= geometry.cells)) >= 0:
        return long
    longest = int(lengths.max(initial=0))
    letters = np.array(moves, dtype=f"U{max(longest, 1)}").view(np.uint32).reshape(len(moves), -1)
    known = np.full(129, -1, dtype=np.int64)
    for column, name in enumerate(COLUMN_NAMES[: geometry.columns]):
        known[[ord(name), ord(name.upper())]] = column
    columns = known[np.minimum(letters, 128)]
    for ply in range(longest):
        going = np.flatnonzero(lengths > ply)
        batch = Batch(geometry, stones[going])
        chosen = columns[going, ply]
        wrong = _first((chosen < 0) | ~legal_columns(batch)[np.arange(len(going)), chosen])
        if wrong >= 0:
            return int(going[wrong])
        stones[going] = drop(batch, chosen).stones
    return _first(~legal_columns(Batch(geometry, stones)).any(axis=1))


def _fault(geometry: Geometry, moves: str) -> str:
    """What is wrong with moves that will not do."""
    if len(moves) > geometry.cells:
        return f"{len(moves)} moves, and board {geometry} has {geometry.cells} cells"
    try:
        position = Position.from_moves(moves, geometry)
    except FourcastError as error:
        return str(error)
    return f"the game is over, {position.outcome}" if position.is_over else f"moves {shown(moves)}"
