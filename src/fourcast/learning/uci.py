"""The "Connect-4" data set of the UCI Machine Learning Repository, rebuilt from first principles.

John Tromp made it in 1995: all positions of the standard board after eight plies that nobody has won and
whose next move is not forced (neither side could win at once), one of each mirror pair, with the result of
best play for the player who moved first, who is to move. It has 67,557 positions: 44,473 won, 16,635 lost,
6,449 drawn.

In its files a position is a line of 42 cells, column by column from the left, each from the bottom (a1, a2,
... g6): `x` the first player's disc, `o` the second's, `b` empty; and the result: win, loss or draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadData, shown
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import lines, winning_cells
from fourcast.kernels.openings import opening_levels, stones_of
from fourcast.learning.cells import Cells, cells_of, mirrored

PLIES = 8
COLUMNS = tuple(f"{column}{row}" for column, row in product("abcdefg", range(1, 7)))
CLASS = "class"
LABELS = ("loss", "draw", "win")  # of -1, 0 and 1
_LETTERS = {"x": 1, "b": 0, "o": -1}
_SYMBOLS = np.array(["o", "b", "x"])  # of -1, 0 and 1
MOST_ROWS = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class UciSet:
    """Positions of the standard board with the result of best play.

    Attributes:
        cells: int8 of shape (positions, 7, 6): 1 the first player, who is to move; -1 the second; 0 empty.
        labels: int8 of shape (positions,): 1 a win for the first player, 0 a draw, -1 a loss.
    """

    cells: Cells
    labels: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> dict[str, int]:
        """How many positions have each label."""
        return {name: int((self.labels == value).sum()) for value, name in enumerate(LABELS, start=-1)}

    def rows(self) -> Iterator[list[str]]:
        """The cells and the label of each position, as in UCI's files."""
        symbols = _SYMBOLS[self.cells.reshape(len(self), -1) + 1]
        for cells, label in zip(symbols.tolist(), self.labels.tolist(), strict=True):
            yield [*cells, LABELS[label + 1]]


def make_uci() -> UciSet:
    """The set, labelled by the solver and its book; always in the same order."""
    from fourcast.solver import Solver

    batch = Batch(STANDARD, stones_of(STANDARD, opening_levels(STANDARD, PLIES, lambda *_: None)[-1]))
    occupied = batch.stones[:, 0, 0] | batch.stones[:, 1, 0]
    playable = (occupied + np.uint64(STANDARD.bottom)) & np.uint64(STANDARD.full)
    forced = (winning_cells(batch)[:, :, 0] & playable[:, np.newaxis]).any(axis=1)
    wanted = Batch(STANDARD, batch.stones[~forced & ~lines(batch).any(axis=1)])
    labels = np.sign(Solver(STANDARD).solve_many(wanted).scores).astype(np.int8)
    return UciSet(cells_of(wanted), labels)


def read_uci(text: Iterable[str]) -> UciSet:
    """Read a set from lines like those of UCI's file, or of ours with a line of names before.

    Raises:
        BadData: A line is not 42 cells and a label; the message has its number.
    """
    cells: list[list[int]] = []
    labels: list[int] = []
    for number, line in enumerate(text, start=1):
        fields = [field.strip() for field in line.strip().split(",")]
        if fields == [""] or (number == 1 and fields == [*COLUMNS, CLASS]):
            continue
        if len(fields) != len(COLUMNS) + 1:
            raise BadData(f"line {number}: {len(fields)} fields, not {len(COLUMNS)} cells and a label")
        if odd := next((field for field in fields[:-1] if field not in _LETTERS), None):
            raise BadData(f"line {number}: cell {shown(odd)} is none of x, o, b")
        if fields[-1] not in LABELS:
            raise BadData(f"line {number}: label {shown(fields[-1])} is none of {', '.join(LABELS)}")
        if len(labels) == MOST_ROWS:
            raise BadData(f"line {number}: there are more than {MOST_ROWS:,} positions")
        cells.append([_LETTERS[field] for field in fields[:-1]])
        labels.append(LABELS.index(fields[-1]) - 1)
    if not labels:
        raise BadData("there is no position in it")
    return UciSet(np.array(cells, dtype=np.int8).reshape(-1, 7, 6), np.array(labels, dtype=np.int8))


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a set differs from ours; mirror images are the same position.

    Attributes:
        positions: How many it has.
        missing: Positions of ours that it lacks.
        strange: Positions that ours does not have.
        mislabelled: Positions of both that have another label.
        repeated: Positions that it has more than once.
    """

    positions: int
    missing: int
    strange: int
    mislabelled: int
    repeated: int

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not (self.missing or self.strange or self.mislabelled or self.repeated)


def compare(given: UciSet, ours: UciSet) -> Comparison:
    """Set a set beside ours."""
    known, theirs = _by_position(ours), _by_position(given)
    both = known.keys() & theirs.keys()
    return Comparison(
        positions=len(given),
        missing=len(known.keys() - theirs.keys()),
        strange=len(theirs.keys() - known.keys()),
        mislabelled=sum(known[each] != theirs[each] for each in both),
        repeated=len(given) - len(theirs),
    )


def _by_position(given: UciSet) -> dict[bytes, int]:
    """Labels by the lesser of a position and its mirror image."""
    images = zip(given.cells, mirrored(given.cells), given.labels.tolist(), strict=True)
    return {min(cells.tobytes(), image.tobytes()): label for cells, image, label in images}
