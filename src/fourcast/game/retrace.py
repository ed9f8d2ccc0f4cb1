"""Finding an order of moves that leads to a board which came without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourcast.game import bitboard
from fourcast.game.errors import UnreachablePosition
from fourcast.game.outcome import SECOND

if TYPE_CHECKING:
    from fourcast.game.position import Position

MOST_BOARDS = 20_000


def retrace(position: Position) -> tuple[int, ...]:
    """The 0-based columns of some legal game that ends in this position.

    Discs are taken back one by one, depth first: the last mover's, from the top of a column, so that what
    remains has no line (the game would have ended there). Boards that led nowhere are not tried again.

    Raises:
        UnreachablePosition: There is no such game, or none was found within `MOST_BOARDS` boards.
    """
    geometry = position.geometry
    height = geometry.height
    stones = [position.first, position.second]
    taken: list[int] = []  # columns, last move first
    untried = [_tops(position, stones)]
    dead: set[int] = set()  # by occupied cells: the colours of those that remain are given
    while len(taken) < position.ply:
        player = (position.ply - len(taken) - 1) & 1
        moved = False
        while untried[-1] and not moved:
            column, owner, disc = untried[-1].pop()
            if owner != player or (stones[0] | stones[1]) ^ disc in dead:
                continue
            stones[owner] ^= disc
            if any(bitboard.has_line(geometry, side) for side in stones):
                dead.add(stones[0] | stones[1])
                stones[owner] ^= disc
                continue
            taken.append(column)
            untried.append(_tops(position, stones))
            moved = True
        if moved:
            continue
        dead.add(stones[0] | stones[1])
        if not taken:
            raise UnreachablePosition("no order of moves leads to this board")
        if len(dead) > MOST_BOARDS:
            raise UnreachablePosition(f"no order of moves to this board was found in {MOST_BOARDS:,} boards")
        untried.pop()
        column = taken.pop()
        occupied = stones[0] | stones[1]
        stones[1 - player] |= (occupied + (1 << column * height)) & ~occupied
    return tuple(reversed(taken))


def _tops(position: Position, stones: list[int]) -> list[tuple[int, int, int]]:
    """(column, owner, disc) of the topmost disc of every column that has one, the tallest column last."""
    height = position.geometry.height
    tops = []
    for column in range(position.geometry.columns):
        pile = (stones[0] | stones[1]) >> (column * height) & position.geometry.lane
        if pile:
            row = pile.bit_length() - 1
            disc = 1 << (column * height + row)
            tops.append((row, column, SECOND if stones[SECOND] & disc else 0, disc))
    return [(column, owner, disc) for _, column, owner, disc in sorted(tops)]
