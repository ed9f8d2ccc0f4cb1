"""What models look at: numbers of a position in named groups, for whole batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from fourcast.game.errors import BadOption, BadShape, shown
from fourcast.game.geometry import Geometry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fourcast.kernels.batch import Batch

_SIDES = ("own", "other")
_DIRECTIONS = ("up", "falling", "across", "rising")


@dataclass(frozen=True, slots=True)
class Group:
    """Features that belong together.

    Attributes:
        name: What it is called; `kernels.features` has a kernel NAME_into.
        meaning: What it tells, in a few words.
        names: The names of its features on a board, in order.
    """

    name: str
    meaning: str
    names: Callable[[Geometry], list[str]]

    def size(self, geometry: Geometry) -> int:
        """How many features it has on a board."""
        return _size(self, geometry)

    def fill(self, batch: Batch, into: npt.NDArray[np.int16]) -> None:
        """Write its features of every position into an array of shape (positions, features).

        Raises:
            BadShape: The array has another shape.
        """
        from fourcast.kernels import features

        shape = (len(batch), self.size(batch.geometry))
        if into.shape != shape:  # compiled code would write wherever it leads
            raise BadShape(
                f"{self.name} of {batch.geometry} take an array of shape {shape}, not {into.shape}"
            )
        getattr(features, f"{self.name}_into")(batch.board, batch.stones, into)


@cache
def _size(group: Group, geometry: Geometry) -> int:
    return len(group.names(geometry))  # hundreds of names, which small batches should not wait for


def _letters(geometry: Geometry) -> list[str]:
    """Columns as letters, and on the widest boards by number."""
    few = geometry.columns <= 26
    return [chr(ord("a") + column) if few else f"c{column + 1}_" for column in range(geometry.columns)]


def _cell_names(geometry: Geometry) -> list[str]:
    return [f"{column}{row + 1}" for column in _letters(geometry) for row in range(geometry.rows)]


def _window_names(geometry: Geometry) -> list[str]:
    return [
        f"{direction}_{side}_{number}"
        for direction in _DIRECTIONS
        for side in _SIDES
        for number in range(1, geometry.connect)
    ]


def _pattern_names(geometry: Geometry) -> list[str]:
    """A window's name is its direction and its first cell, which is the lowest or the one to the left."""
    names = []
    for direction, across, up in zip(_DIRECTIONS, (0, 1, 1, 1), (1, -1, 0, 1), strict=True):
        for column, letter in enumerate(_letters(geometry)):
            for row in range(geometry.rows):
                last_column = column + across * (geometry.connect - 1)
                last_row = row + up * (geometry.connect - 1)
                if last_column < geometry.columns and 0 <= last_row < geometry.rows:
                    names.append(f"window_{direction}_{letter}{row + 1}")
    return names


def _potential_names(geometry: Geometry) -> list[str]:
    return [f"potential_{side}_{cell}" for side in _SIDES for cell in _cell_names(geometry)]


def _move_names(geometry: Geometry) -> list[str]:
    return [
        f"move_{column}_{place}_{side}"
        for column in _letters(geometry)
        for place in ("here", "above")
        for side in _SIDES
    ]


def _threat_names(_geometry: Geometry) -> list[str]:
    kinds = ("reach", "odd", "even", "timely", "untimely", "double", "lowest")
    return [f"threats_{side}_{kind}" for side in _SIDES for kind in kinds]


def _ladder_names(geometry: Geometry) -> list[str]:
    return [
        f"ladder_{column}_{side}_{what}"
        for column in _letters(geometry)
        for side in _SIDES
        for what in ("row", "above")
    ]


def _column_names(geometry: Geometry) -> list[str]:
    letters = _letters(geometry)
    return [*(f"height_{each}" for each in letters), *(f"odd_{each}" for each in letters), "odd_columns"]


def _parity_names(geometry: Geometry) -> list[str]:
    return [
        f"due_{direction}_{side}_{number}"
        for direction in _DIRECTIONS[1:]
        for side in _SIDES
        for number in range(geometry.connect)
    ]


def _control_names(geometry: Geometry) -> list[str]:
    return [
        *(f"lead_{column}" for column in _letters(geometry)),
        *(f"lead_row_{row + 1}" for row in range(geometry.rows)),
        "lead_middle",
        *(f"pairs_{direction}_{side}" for direction in _DIRECTIONS for side in _SIDES),
    ]


def _clock_names(_geometry: Geometry) -> list[str]:
    return ["discs", "turn", "open_columns"]


GROUPS = (
    Group("cells", "who has each cell", _cell_names),
    Group("windows", "windows that one side occupies alone, by direction and discs", _window_names),
    Group("patterns", "what is in each window", _pattern_names),
    Group("potential", "what the open windows through each empty cell are worth", _potential_names),
    Group("moves", "the same for the cell that can be played, and the one above it", _move_names),
    Group("threats", "winning cells by owner, odd and even row, within reach or in time", _threat_names),
    Group("ladders", "each column's lowest winning cell, and how far it is away", _ladder_names),
    Group("columns", "heights and whether they are odd", _column_names),
    Group("parity", "windows whose empty cells all come to one side at the end", _parity_names),
    Group("control", "discs by column, row and zone; neighbours", _control_names),
    Group("clock", "discs on the board, whose turn it is, open columns", _clock_names),
)
GROUP_NAMES = tuple(group.name for group in GROUPS)


@dataclass(frozen=True, slots=True)
class Features:
    """The features of some groups on a board.

    Attributes:
        geometry: The board.
        groups: The groups, in the order of their features.
    """

    geometry: Geometry
    groups: tuple[Group, ...] = GROUPS

    @classmethod
    def of(cls, geometry: Geometry | str, names: Iterable[str] | None = None) -> Features:
        """The features of the groups of these names, in that order; all of them by default.

        Raises:
            BadGeometry: It names no board that can be played.
            BadOption: There is no such group, one is named twice, or none is named.
        """
        chosen = list(GROUP_NAMES if names is None else names)
        for name in chosen:
            if name not in GROUP_NAMES:
                raise BadOption(
                    f"there is no group {shown(name)} of features; known: {', '.join(GROUP_NAMES)}"
                )
        if len(set(chosen)) < len(chosen) or not chosen:
            raise BadOption("name at least one group of features, and each once")
        return cls(Geometry.of(geometry), tuple(GROUPS[GROUP_NAMES.index(name)] for name in chosen))

    @property
    def names(self) -> list[str]:
        """The names of all features."""
        return [name for group in self.groups for name in group.names(self.geometry)]

    @property
    def spans(self) -> dict[str, slice]:
        """Where the features of each group stand."""
        found, first = {}, 0
        for group in self.groups:
            last = first + group.size(self.geometry)
            found[group.name] = slice(first, last)
            first = last
        return found

    def matrix(self, batch: Batch) -> npt.NDArray[np.int16]:
        """The features of positions: int16 of shape (positions, features).

        Raises:
            BadShape: The positions are on another board.
        """
        import numpy as np

        if batch.geometry != self.geometry:
            raise BadShape(
                f"the positions are on board {batch.geometry}, the features are of {self.geometry}"
            )
        spans = self.spans
        found = np.zeros(
            (len(batch), sum(group.size(self.geometry) for group in self.groups)), dtype=np.int16
        )
        for group in self.groups:
            # An array of its own: for a part of a wider one, every kernel would be compiled once more.
            numbers = np.zeros((len(batch), group.size(self.geometry)), dtype=np.int16)
            group.fill(batch, numbers)
            found[:, spans[group.name]] = numbers
        return found
