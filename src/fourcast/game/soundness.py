"""What makes two sets of stones a position: the checks on boards that were not played move by move."""

from __future__ import annotations

from fourcast.game import bitboard
from fourcast.game.errors import BadShape, BothWon, FloatingDisc, ImpossibleCounts, PlayedOn
from fourcast.game.geometry import Geometry
from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS, FIRST, SECOND


def check_stones(geometry: Geometry, first: int, second: int) -> None:
    """Check that the two players' stones are a position.

    Raises:
        BadBoard: They are not; which kind of it says why, and the message names the place.
    """
    occupied = first | second
    if first & second:
        raise ImpossibleCounts("a cell holds a disc of each player")
    if occupied & ~geometry.full:
        raise BadShape(f"a disc lies outside board {geometry}")
    for column in range(geometry.columns):
        pile = occupied >> (column * geometry.height) & geometry.lane
        if pile & (pile + 1):
            hole = (~pile & (pile + 1)).bit_length() - 1
            above = (pile >> hole & -(pile >> hole)).bit_length() - 1 + hole
            place = _place(geometry, 1 << (column * geometry.height + above))
            raise FloatingDisc(f"{place}: the disc floats, the cell under it is empty")
    counts = first.bit_count(), second.bit_count()
    if counts[FIRST] - counts[SECOND] not in (0, 1):
        raise ImpossibleCounts(
            f"{counts[FIRST]} {DISCS[FIRST]} and {counts[SECOND]} {DISCS[SECOND]}: "
            f"{DISCS[FIRST]} moves first, so it must have as many as {DISCS[SECOND]} or one more"
        )
    mover = (counts[FIRST] + counts[SECOND]) & 1
    lines = [bitboard.line_cells(geometry, stones) for stones in (first, second)]
    if all(lines):
        places = [_place(geometry, line) for line in lines]
        raise BothWon(f"both players have a line: {DISCS[0]} at {places[0]}, {DISCS[1]} at {places[1]}")
    if lines[mover]:
        raise PlayedOn(
            f"{_place(geometry, lines[mover])}: {DISCS[mover]} has a line there, "
            f"but {DISCS[1 - mover]} has moved since"
        )


def _place(geometry: Geometry, bits: int) -> str:
    """The lowest cell of a set, as messages name it."""
    column, row = divmod((bits & -bits).bit_length() - 1, geometry.height)
    return f"row {geometry.rows - row}, column {column_name(column)}"
