"""What a classifier learns from: positions and whether the side to move loses, draws or wins."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadData, BadOption, Unreadable, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import WINS, fates_of
from fourcast.kernels.tricks import Stones
from fourcast.learning.cells import batch_of, cells_of, mirrored
from fourcast.learning.files import read_uci_file
from fourcast.learning.labelled import Classes, class_counts, classes_of
from fourcast.learning.position_files import read_positions
from fourcast.learning.splits import Split
from fourcast.learning.uci import COLUMNS, UciSet, make_uci
from fourcast.models.card import CLASSES

UCI = "uci"  # the set that is made anew, not a file


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Positions of one board and their classes.

    Attributes:
        geometry: The board.
        stones: uint64 of shape (positions, 2, halves), as a `Batch` has them.
        classes: int8 of shape (positions,): 0 loss, 1 draw, 2 win for the side to move.
        sources: Where they come from: `uci`, or `file` and the names of files.
    """

    geometry: Geometry
    stones: Stones
    classes: Classes
    sources: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.classes)

    @property
    def batch(self) -> Batch:
        """The positions, on the way into compiled code."""
        return Batch(self.geometry, self.stones)

    @property
    def plies(self) -> tuple[int, int]:
        """The fewest and the most discs on a board."""
        discs = np.bitwise_count(self.stones).sum(axis=(1, 2))
        return int(discs.min()), int(discs.max())

    @property
    def counts(self) -> dict[str, int]:
        """How many positions there are of each class."""
        return class_counts(self.classes)

    def only(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Examples:
        """Some of them."""
        return Examples(self.geometry, self.stones[rows], self.classes[rows], self.sources)

    def quiet(self) -> Examples:
        """Those whose side to move cannot win with its next disc, which a search sees by itself."""
        return self.only(fates_of(self.geometry, self.stones) != WINS)


def load_examples(sources: Sequence[str], geometry: Geometry | None = None) -> Examples:
    """Positions from several sources.

    Args:
        sources: `uci` for UCI's set, made anew; files of UCI's form; files of `fourcast data positions`, CSV
            or Parquet.
        geometry: The board that they must be of; None takes that of the first.

    Raises:
        BadData, Unreadable: A file cannot be read, or is none of these; the message says which and why.
        BadOption: They are of different boards.
    """
    if not sources:
        raise BadOption("name a set to learn from: uci, or a file")
    parts = [_load(source) for source in sources]
    geometry = geometry or parts[0].geometry
    for part in parts:
        if part.geometry != geometry:
            raise BadOption(f"{part.sources[0]} is of board {part.geometry}, not {geometry}")
    found = Examples(
        geometry,
        np.concatenate([part.stones for part in parts]),
        np.concatenate([part.classes for part in parts]),
        tuple(name for part in parts for name in part.sources),
    )
    missing = [name for name, count in found.counts.items() if not count]
    if missing:
        raise BadData(
            f"there is no {' and no '.join(missing)} in {', '.join(found.sources)}: too few classes"
        )
    return found


def held_out(batch: Batch, share: float, seed: int) -> npt.NDArray[np.bool_]:
    """Which positions are never to be learnt from: bool of shape (positions,).

    It goes by a hash of the position and the seed, the same for a position and its mirror image. So of a
    position that turns up years later in another set it is known whether it was held out.
    """
    if not 0 < share < 1:
        raise BadOption(f"share {shown(share)}: it must be between 0 and 1")
    cells = cells_of(batch)
    flat, images = (np.ascontiguousarray(each + 1, dtype=np.uint8) for each in (cells, mirrored(cells)))
    key = seed.to_bytes(8, "big")
    most = int(share * 2**64)
    return np.array(
        [
            _hash(min(one.tobytes(), other.tobytes()), key) < most
            for one, other in zip(flat, images, strict=True)
        ],
        dtype=np.bool_,
    )


def split_by_hash(examples: Examples, share: float, seed: int) -> Split:
    """The rows to learn from, and those held out, by `held_out`.

    Raises:
        BadData: One side would have none of some class.
    """
    held = held_out(examples.batch, share, seed)
    for side, name in ((~held, "to learn from"), (held, "to hold out")):
        if len(np.unique(examples.classes[side])) < len(CLASSES):
            raise BadData(f"{len(examples):,} positions are too few: some class has none {name}")
    return Split(np.flatnonzero(~held), np.flatnonzero(held))


def _hash(text: bytes, key: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8, key=key).digest(), "big")


def _load(source: str) -> Examples:
    if source == UCI:
        return _of_uci(make_uci(), UCI)
    path = Path(source)
    if _is_of_uci(path):
        return _of_uci(_sound(read_uci_file(path), path), f"file {path.name}")
    labelled = read_positions(path)
    if labelled.slip:
        raise BadOption(f"{path.name} is of games with slip {labelled.slip:g}: boosted models know none")
    return Examples(labelled.geometry, labelled.stones, labelled.classes, (f"file {path.name}",))


def _of_uci(given: UciSet, name: str) -> Examples:
    return Examples(STANDARD, batch_of(STANDARD, given.cells).stones, classes_of(given.labels), (name,))


def _sound(given: UciSet, path: Path) -> UciSet:
    """The same, if its positions can be: compiled code takes for granted that discs lie on each other.

    Raises:
        BadData: A position cannot be; the message has its number.
    """
    discs = given.cells != 0
    floating = (discs[:, :, 1:] & ~discs[:, :, :-1]).any(axis=(1, 2))
    others = given.cells.sum(axis=(1, 2), dtype=np.int64) != 0
    for wrong, reason in (
        (floating, "a disc hangs in the air"),
        (others, "both players must have as many discs"),
    ):
        if wrong.any():
            raise BadData(f"{path}, position {np.argmax(wrong) + 1}: {reason}")
    return given


def _is_of_uci(path: Path) -> bool:
    """Whether a file begins like one of UCI's, with a line of names or without."""
    if path.is_fifo():  # which can be read only once, and may never begin
        raise Unreadable(f"cannot read {shown(str(path))}: it is a pipe; write it to a file first")
    try:
        with path.open("rb") as file:
            return file.readline(1000).count(b",") == len(COLUMNS)
    except OSError as error:
        raise Unreadable(f"cannot read {shown(str(path))}: {error.strerror or error}") from None
