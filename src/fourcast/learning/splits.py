"""Splitting positions into those to learn from and those held out, so that nothing is on both sides.

A position, its duplicates and its mirror image are one group, and a group is never divided: whoever has seen
one of them knows the others. Rows are the numbers of positions in a set, from 0; labels may be any integers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadData, BadOption, shown
from fourcast.game.limit import check_count, check_seed
from fourcast.kernels.batch import Batch
from fourcast.learning.cells import Cells, cells_of, mirrored

Rows = npt.NDArray[np.int64]
Integers = npt.NDArray[np.integer]

SIZES = ("largest", "middle", "smallest")  # of the classes, in this order


class Split(NamedTuple):
    """Rows of two sides: int64 of shape (rows,) each.

    Attributes:
        train: Those to learn from.
        held: Those held out.
    """

    train: Rows
    held: Rows


@dataclass(frozen=True, slots=True)
class Leaks:
    """How many of the rows held out are known from the training side.

    Attributes:
        held: Rows held out.
        same: Those whose very position is among the training rows too.
        mirrored: Those of which only the mirror image is.
    """

    held: int
    same: int
    mirrored: int

    @property
    def leaked(self) -> int:
        """Rows held out that are known either way."""
        return self.same + self.mirrored

    def to_json(self) -> dict[str, int]:
        """The fields by name."""
        return asdict(self) | {"leaked": self.leaked}


def positions_of(given: Batch | Cells) -> Rows:
    """A number for each position that only its duplicates in the set share: int64 of shape (positions,)."""
    return _numbered(_texts(_cells(given)))


def groups_of(given: Batch | Cells) -> Rows:
    """A number for each position that it shares with its duplicates and mirror images in the same set.

    Args:
        given: Positions, or their cells: int8 of shape (positions, columns, rows).

    Returns:
        int64 of shape (positions,); numbers of different sets have nothing to do with each other.
    """
    cells = _cells(given)
    texts, images = _texts(cells), _texts(mirrored(cells))
    return _numbered(np.where(texts <= images, texts, images))


def folds(groups: Integers, labels: Integers, count: int, seed: int) -> list[Split]:
    """Divide the rows into so many parts with the same share of every label; each is held out once.

    Args:
        groups: The group of each row, of shape (rows,); none is divided.
        labels: Its label; a group counts as what its first row is.
        count: How many parts.
        seed: The same seed, the same parts.

    Raises:
        BadData: The arrays do not fit each other, or a part would be empty.
        BadLimit: The count is not a whole number, 2 or more.
    """
    count = check_count("folds", count, least=2)
    part = np.floor(_places(groups, labels, seed) * count).astype(np.int64)
    if len(np.unique(part)) < count:
        raise BadData(f"{len(part):,} positions are too few for {count} folds")
    return [Split(np.flatnonzero(part != each), np.flatnonzero(part == each)) for each in range(count)]


def balance(labels: Integers, rows: Rows, seed: int) -> Rows:
    """Repeat rows until every class is as large as the largest, for the training side only.

    Every row is there once; what its class lacks is drawn from it with replacement.

    Args:
        labels: The label of each row of the whole set.
        rows: The rows that may be used, of shape (rows,).
        seed: The same seed, the same rows.

    Returns:
        The rows with their repetitions, rising.
    """
    chance = np.random.default_rng(check_seed(seed))
    classes = _classes(labels, rows)
    most = max(map(len, classes))
    drawn = [chance.choice(each, most - len(each)) for each in classes]
    return np.sort(np.concatenate([*classes, *drawn]))


def balanced_subset(labels: Integers, rows: Rows, seed: int) -> Rows:
    """Draw rows without replacement, as many of every class as the smallest has, for rows held out.

    Arguments are those of `balance`.

    Returns:
        The rows, rising; none is there twice.
    """
    chance = np.random.default_rng(check_seed(seed))
    classes = _classes(labels, rows)
    least = min(map(len, classes))
    return np.sort(np.concatenate([chance.choice(each, least, replace=False) for each in classes]))


def leaked_rows(train_groups: Integers, held_groups: Integers) -> int:
    """How many rows held out belong to a group of which some row is on the training side."""
    return int(np.isin(held_groups, train_groups).sum())


def leaks_of(split: Split, positions: Integers, groups: Integers) -> Leaks:
    """What the two sides of a split have in common, the same positions and mirror images told apart.

    Args:
        split: Rows of a set.
        positions: What `positions_of` says of the set.
        groups: What `groups_of` says of it.
    """
    same = leaked_rows(positions[split.train], positions[split.held])
    either = leaked_rows(groups[split.train], groups[split.held])
    return Leaks(len(split.held), same, either - same)


def published_split(labels: Integers, seed: int = 229, *, size: str = "middle") -> tuple[Split, int]:
    """The protocol behind many published figures: balance first, then hold out a fifth. Not an honest one.

    Every class is drawn anew with replacement to one size, and the rows are then divided by chance, label by
    label. Copies of a row fall on both sides, and what is measured is partly memory. It is here to be
    compared with. Needs the extra `learn`.

    Args:
        labels: The label of each row, of shape (rows,).
        seed: Of the draw of every class, and of the split.
        size: How large every class becomes: as the largest, middle or smallest is.

    Returns:
        The rows of both sides with their repetitions, and how many of those held out are in training too.

    Raises:
        BadData: There are too few rows to hold out some of each class.
        BadOption: There is no such size.
    """
    if size not in SIZES:
        raise BadOption(f"size {shown(size)}: it is one of {', '.join(SIZES)}")
    check_seed(seed)
    classes = _classes(labels, np.arange(len(labels)))
    sizes = sorted(map(len, classes), reverse=True)
    wanted = {"largest": sizes[0], "middle": sizes[len(sizes) // 2], "smallest": sizes[-1]}[size]
    if wanted < 5:
        raise BadData(f"{wanted} positions of each class are too few to hold out a fifth")
    resample = require("sklearn.utils", "learn").resample
    rows = np.concatenate([resample(each, n_samples=wanted, random_state=seed) for each in classes])
    train, held = require("sklearn.model_selection", "learn").train_test_split(
        rows, test_size=0.2, random_state=seed, stratify=labels[rows]
    )
    return Split(train, held), leaked_rows(train, held)


def _places(groups: Integers, labels: Integers, seed: int) -> npt.NDArray[np.float64]:
    """Where the group of each row stands, in [0, 1), when those of its label queue up in random order."""
    if groups.ndim != 1 or groups.shape != labels.shape or not len(groups):
        raise BadData(f"every position needs a group and a label, not {groups.shape} and {labels.shape}")
    _, first, group, sizes = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    chance = np.random.default_rng(check_seed(seed))
    places = np.empty(len(first))
    classes = labels[first]
    for label in np.unique(classes):
        queue = chance.permutation(np.flatnonzero(classes == label))
        ends = sizes[queue].cumsum()
        # A group stands where its middle is, so that large ones are cut off as often as they are taken in.
        places[queue] = (ends - sizes[queue] / 2) / ends[-1]
    return places[group]


def _classes(labels: Integers, rows: Rows) -> list[Rows]:
    """The rows of each label."""
    if not len(rows):
        raise BadData("there is no position to draw from")
    return [rows[labels[rows] == label] for label in np.unique(labels[rows])]


def _cells(given: Batch | Cells) -> Cells:
    cells = cells_of(given) if isinstance(given, Batch) else given
    if cells.ndim != 3:
        raise BadData(f"cells must be of shape (positions, columns, rows), not {cells.shape}")
    return cells


def _texts(cells: Cells) -> npt.NDArray[np.bytes_]:
    """The cells of each position as one string, which NumPy can compare and sort."""
    flat = np.ascontiguousarray(cells + 2).reshape(len(cells), -1)  # 1 to 3: a zero byte would end it
    return flat.view(f"S{flat.shape[1]}")[:, 0]


def _numbered(texts: npt.NDArray[np.bytes_]) -> Rows:
    return np.unique(texts, return_inverse=True)[1].astype(np.int64)
