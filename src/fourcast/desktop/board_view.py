"""The board as it is drawn: a wall, discs before it, a front with holes, and marks on top."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pygame
from pygame import Rect, Surface

from fourcast.desktop.ink import dashed_ring, put_disc, ring, write
from fourcast.desktop.layout import Layout
from fourcast.desktop.palette import (
    ACCENT,
    BAD,
    DISC_COLOURS,
    FRONT,
    FRONT_EDGE,
    GOOD,
    INK,
    MUTED,
    PAPER,
    WALL,
    WON,
    Colour,
)
from fourcast.game import bitboard
from fourcast.game.analysis import Analysis, plies_to_end
from fourcast.game.notation import column_name
from fourcast.game.outcome import FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.thoughts import best_columns
from fourcast.session import Drop

_FINE = 4  # the holes are drawn so many times as large, and made small
_EVEN = 0.06  # a value no farther from 0 is good for nobody
_LANDED = 0.78  # of a fall's time: when the disc is down, and jumps once
_JUMP = 0.09  # how high it jumps, in cells


@dataclass(frozen=True, slots=True)
class Fall:
    """A disc on its way down.

    Attributes:
        column: Where.
        row: Where it comes to rest.
        since: Seconds, by the window's clock.
        rows: How many rows it falls.
    """

    column: int
    row: int
    since: float
    rows: int

    def is_over(self, now: float) -> bool:
        """Whether it has come to rest."""
        return now >= self.since + self.seconds

    @property
    def seconds(self) -> float:
        """What it takes."""
        return 0.19 + 0.038 * self.rows

    def height(self, now: float) -> float:
        """How far it is above its place: 1 at the start, 0 at rest, and a little over 0 when it jumps."""
        done = min(max((now - self.since) / self.seconds, 0.0), 1.0)
        if done < _LANDED:
            return 1 - (done / _LANDED) ** 2
        jump = (done - _LANDED) / (1 - _LANDED)
        return _JUMP * 4 * jump * (1 - jump) / (self.rows + 1)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn besides the position.

    Attributes:
        held: The column that a disc is held over.
        hint: The column that is pointed at.
        worth: What the columns are worth.
        threats: Whether winning cells are marked.
        last: The disc that was dropped last.
        fall: It falls just now.
    """

    held: int | None = None
    hint: int | None = None
    worth: Analysis | None = None
    threats: bool = False
    last: Drop | None = None
    fall: Fall | None = None


def draw_board(surface: Surface, layout: Layout, position: Position, marks: Marks, now: float) -> None:
    """Draw the board and all that belongs to it."""
    pygame.draw.rect(surface, WALL, layout.board.inflate(-4, -4), border_radius=layout.edge * 2)
    outcome = position.outcome
    line = set(outcome.line) if outcome else set()
    for row, owners in zip(reversed(range(layout.geometry.rows)), position.to_rows(), strict=True):
        for column, owner in enumerate(owners):
            if owner:
                y = layout.y(row)
                if marks.fall and (marks.fall.row, marks.fall.column) == (row, column):
                    y -= int(marks.fall.height(now) * (y - layout.held_y))
                alpha = 110 if line and (row, column) not in line else 255
                put_disc(surface, owner - 1, (layout.x(column), y), layout.radius + 1, alpha=alpha)
    surface.blit(_front(layout.cell, layout.edge, layout.radius, *layout.board.size), layout.board)
    if marks.fall is None:
        _mark_line(surface, layout, position, marks)
    if marks.threats and outcome is None:
        _mark_threats(surface, layout, position)
    _mark_above(surface, layout, position, marks)
    for column in range(layout.geometry.columns):
        lit = column in (marks.held, marks.hint)
        point = (layout.x(column), layout.names.centery)
        size = min(max(int(layout.cell * 0.34), 12), 24)
        write(surface, column_name(column), point, size, INK if lit else MUTED, anchor="centre")
    if marks.worth is not None:
        _write_worth(surface, layout, marks.worth)


@lru_cache(maxsize=4)
def _front(cell: int, edge: int, radius: int, width: int, height: int) -> Surface:
    """The front of the board, a hole for every cell."""
    front = Surface((width, height), pygame.SRCALPHA)
    pygame.draw.rect(front, FRONT, front.get_rect(), border_radius=edge * 2)
    large = cell * _FINE
    tile = Surface((large, large), pygame.SRCALPHA)
    tile.fill(FRONT)
    middle = (large // 2, large // 2)
    pygame.draw.circle(tile, FRONT_EDGE, middle, radius * _FINE + int(2.2 * _FINE))
    # The hole has its rim's colour, or else black would be mixed into that when it is made small.
    pygame.draw.circle(tile, (*pygame.Color(FRONT_EDGE)[:3], 0), middle, radius * _FINE)
    small = pygame.transform.smoothscale(tile, (cell, cell))
    inner = Rect(edge, edge, width - 2 * edge, height - 2 * edge)
    front.fill((0, 0, 0, 0), inner)
    for y in range(inner.top, inner.bottom, cell):
        for x in range(inner.left, inner.right, cell):
            front.blit(small, (x, y))
    return front


def forget_fronts() -> None:
    """Let go of the fronts, which do not outlive pygame."""
    _front.cache_clear()


def _mark_line(surface: Surface, layout: Layout, position: Position, marks: Marks) -> None:
    """Ring the winning line, or the disc that was dropped last."""
    outcome = position.outcome
    if outcome and outcome.line:
        for row, column in outcome.line:
            ring(surface, WON, (layout.x(column), layout.y(row)), layout.radius, max(layout.cell // 18, 2))
    elif marks.last is not None:
        column = marks.last.landed
        row = _height(position, column) - 1
        ring(surface, WON, (layout.x(column), layout.y(row)), layout.radius + 1, max(layout.cell // 30, 1))


def _mark_threats(surface: Surface, layout: Layout, position: Position) -> None:
    """Triangles in odd rows and squares in even ones; filled where a disc can be dropped now."""
    playable = bitboard.playable_cells(position.geometry, position.occupied)
    both = position.winning_cells(FIRST) & position.winning_cells(SECOND)
    for player in (FIRST, SECOND):
        cells = position.winning_cells(player)
        now, shared = set(position.cells_of(cells & playable)), set(position.cells_of(both))
        for cell in position.cells_of(cells):
            size = max(int(layout.cell * (0.15 if cell in shared else 0.2)), 3)
            aside = (2 * player - 1) * layout.cell // 5 if cell in shared else 0
            x, y = layout.x(cell.column) + aside, layout.y(cell.row)
            points = [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)]
            if cell.row % 2 == 0:  # the lowest row is the first, so odd
                points = [(x, y - size), (x + size, y + size), (x - size, y + size)]
            thick = 0 if cell in now else max(layout.cell // 18, 2)
            pygame.draw.polygon(surface, DISC_COLOURS[player].face, points, thick)


def _mark_above(surface: Surface, layout: Layout, position: Position, marks: Marks) -> None:
    """Where the last disc was aimed, the disc that is held, and the hint."""
    y, thick = layout.held_y, max(layout.cell // 18, 2)
    last = marks.last
    if last is not None and last.aimed != last.landed:
        start, end = layout.x(last.aimed), layout.x(last.landed)
        way = 1 if end > start else -1
        aim = max(int(layout.cell * 0.26), 4)
        dashed_ring(surface, DISC_COLOURS[1 - position.turn].face, (start, y), aim, thick)
        tip, wing = end - way * thick, max(layout.cell // 7, 4)
        pygame.draw.line(surface, INK, (start + way * (aim + 4), y), (tip - way * wing, y), thick)
        pygame.draw.polygon(
            surface, INK, [(tip, y), (tip - way * wing, y - wing), (tip - way * wing, y + wing)]
        )
    if marks.held is not None and not position.is_over:
        put_disc(surface, position.turn, (layout.x(marks.held), y), layout.radius)
        row = _height(position, marks.held)
        if row < layout.geometry.rows:
            place = (layout.x(marks.held), layout.y(row))
            dashed_ring(
                surface, DISC_COLOURS[position.turn].face, place, int(layout.radius * 0.86), thick - 1
            )
    if marks.hint is not None and marks.hint != marks.held:
        size, x = max(int(layout.cell * 0.24), 5), layout.x(marks.hint)
        points = [(x - size, y - size), (x + size, y - size), (x, y + size)]
        pygame.draw.polygon(surface, DISC_COLOURS[position.turn].face, points)
        pygame.draw.polygon(surface, PAPER, points, 2)


def _write_worth(surface: Surface, layout: Layout, analysis: Analysis) -> None:
    """What each column is worth, in words if there is room; the best ones are framed."""
    best = best_columns(analysis)
    for column in analysis.position.legal:
        words = worth_words(analysis, column)
        if words is None:
            continue
        first, second, colour = words
        place = Rect(0, 0, layout.cell - 3, layout.worth.height)
        place.center = (layout.x(column), layout.worth.centery)
        if column in best:
            pygame.draw.rect(surface, ACCENT, place, width=2 if layout.cell > 36 else 1, border_radius=6)
        if layout.cell < 28:
            sign = {GOOD: "+", BAD: "-"}.get(colour, "=")
            write(surface, sign, place.center, max(place.height, 11), colour, anchor="centre")
            continue
        size = min(max(int(layout.cell * 0.29), 11), 21)
        if layout.cell < 44:
            first = first.replace("0.", ".")
        lines = [first, second] if second else [first]
        for number, line in enumerate(lines):
            y = place.centery + int((number - (len(lines) - 1) / 2) * size * 0.82)
            write(surface, line, (place.centerx, y), size, colour, anchor="centre", room=place.width)


def worth_words(analysis: Analysis, column: int) -> tuple[str, str, Colour] | None:
    """What a column is worth to the side to move, in two short lines, and their colour; None if not known."""
    score = analysis.scores[column] if analysis.scores else None
    if score is not None:
        if score == 0:
            return "Draw", "", INK
        moves = (plies_to_end(analysis.position, score) + 1) // 2
        return ("Win" if score > 0 else "Loss"), f"in {moves}", GOOD if score > 0 else BAD
    value = analysis.values[column] if analysis.values else None
    if value is None:
        return None
    colour = GOOD if value > _EVEN else BAD if value < -_EVEN else INK
    return f"{round(value, 2) + 0.0:+.2f}", "", colour


def _height(position: Position, column: int) -> int:
    """How many discs are in a column."""
    geometry = position.geometry
    return (position.occupied >> column * geometry.height & ((1 << geometry.rows) - 1)).bit_count()
