"""What lies over the board for a while: the help, and the choices of a new game."""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame
from pygame import Rect, Surface

from fourcast.agents import agent_entries
from fourcast.agents.human import HUMAN
from fourcast.agents.ladder import ladder
from fourcast.desktop.ink import box, text_width, wrapped, write
from fourcast.desktop.palette import (
    ACCENT,
    ACCENT_INK,
    ACCENT_SOFT,
    BAD,
    INK,
    LINE,
    MUTED,
    PAPER,
    RAISED,
    SURFACE,
)
from fourcast.desktop.panel import Target
from fourcast.desktop.words import KEYS, LETTERS, player_words
from fourcast.game.geometry import Geometry
from fourcast.game.rules import Rules

BOARDS = ("6x7x4", "4x5x4", "5x6x4", "7x8x4", "5x10x4", "7x9x5", "8x10x5", "9x12x5")
SLIPS = ("0", "0.05", "0.1", "0.2", "0.3", "0.5")
LIMITS = ("100ms", "300ms", "1s", "3s", "10s", "30s")
ROWS = ("Amber", "Blue", "Board", "Slip", "Limit")
PLAYER_ROWS, BOARD_ROW, SLIP_ROW, LIMIT_ROW = (0, 1), 2, 3, 4


@dataclass
class Setup:
    """What a new game shall be; chosen line by line.

    Attributes:
        chosen: The choice of each of the `ROWS`: two specs, a board, a slip, a limit.
        row: The line that is being changed.
        fault: Why no game can be had by these choices.
    """

    chosen: list[str]
    row: int = 0
    fault: str = ""
    given: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.given = list(self.chosen)  # what the game was that is being left may be chosen again

    @property
    def rules(self) -> Rules:
        """The rules that are chosen."""
        return Rules(self.chosen[BOARD_ROW], float(self.chosen[SLIP_ROW]))

    def choices(self, row: int) -> list[str]:
        """What a line can be."""
        if row in PLAYER_ROWS:
            rules = self.rules
            levels = [rung.spec for rung in ladder(rules)]
            agents = [
                entry.name
                for entry in agent_entries()
                if entry.plays(rules) and not entry.raw and entry.name not in (HUMAN, *levels)
            ]
            offered = [HUMAN, *levels, *agents]
        else:
            offered = list({BOARD_ROW: BOARDS, SLIP_ROW: SLIPS, LIMIT_ROW: LIMITS}[row])
        return list(dict.fromkeys([*offered, self.given[row], self.chosen[row]]))

    def turn(self, row: int, by: int) -> None:
        """Choose the next of a line, or the one before; a level stays the same level on another board."""
        self.row, self.fault = row, ""
        choices, before = self.choices(row), self.rules
        self.chosen[row] = choices[(choices.index(self.chosen[row]) + by) % len(choices)]
        if row in (BOARD_ROW, SLIP_ROW):
            pairs = zip(ladder(before), ladder(self.rules), strict=True)
            same = {old.spec: new.spec for old, new in pairs}
            for player in PLAYER_ROWS:
                self.chosen[player] = same.get(self.chosen[player], self.chosen[player])

    def words(self, row: int) -> str:
        """A line's choice, as people read it."""
        chosen = self.chosen[row]
        if row in PLAYER_ROWS:
            return player_words(chosen, self.rules)
        if row == BOARD_ROW:
            board = Geometry.parse(chosen)
            return f"{board.rows} x {board.columns}, {board.connect} in a line"
        if row == SLIP_ROW:
            return "none" if chosen == "0" else f"{float(chosen):.0%} of discs"
        return f"{chosen} a move"


def draw_setup(surface: Surface, setup: Setup, *, preparing: bool = False) -> list[Target]:
    """Draw the choices.

    Args:
        surface: The window.
        setup: What is chosen.
        preparing: Whether the game is being prepared already.

    Returns:
        What can be clicked: `choose`, `less` and `more` with the line as ply, `start` and `cancel`.
    """
    width, height = surface.get_size()
    tight = height < 400
    step, size = (26, 18) if tight else (42, 21)
    place = _sheet(surface, min(460, width - 16), min(step * len(ROWS) + (96 if tight else 170), height - 8))
    pad = 10 if tight else 24
    y = place.top + (4 if tight else 46)
    if not tight:
        write(surface, "New game", (place.left + pad, place.top + 28), 28)
    targets = []
    for row, label in enumerate(ROWS):
        line = Rect(place.left + pad, y, place.width - 2 * pad, step - 4)
        if row == setup.row:
            box(surface, line, ACCENT_SOFT, round_=8)
        write(surface, label, (line.left + 8, line.centery), size, MUTED)
        less, more = Rect(line.left + 72, y, step, step - 4), Rect(line.right - step, y, step, step - 4)
        for arrow, way in ((less, -1), (more, 1)):
            points = [
                (arrow.centerx - way * 4, arrow.centery - 7),
                (arrow.centerx - way * 4, arrow.centery + 7),
            ]
            pygame.draw.polygon(surface, ACCENT, [*points, (arrow.centerx + way * 5, arrow.centery)])
        middle = ((less.right + more.left) // 2, line.centery)
        write(surface, setup.words(row), middle, size, anchor="centre", room=more.left - less.right - 4)
        targets += [Target(less, "less", row), Target(more, "more", row)]
        targets.append(Target(line, "choose", row))
        y += step
    for line_number, words in enumerate(wrapped(setup.fault, 17, place.width - 2 * pad, 2)):
        write(surface, words, (place.left + pad, y + 10 + 17 * line_number), 17, BAD)
    high = 28 if tight else 38
    bottom = place.bottom - (8 if tight else 18) - high
    start = Rect(place.right - pad - 120, bottom, 120, high)
    cancel = Rect(start.left - 110, bottom, 100, high)
    box(surface, start, ACCENT, round_=8)
    write(surface, "Wait ..." if preparing else "Start", start.center, size, ACCENT_INK, anchor="centre")
    box(surface, cancel, RAISED, edge=LINE, round_=8)
    write(surface, "Cancel", cancel.center, size, INK, anchor="centre")
    return [*targets, Target(start, "start"), Target(cancel, "cancel")]


def draw_help(surface: Surface, columns: int) -> None:
    """Draw what the keys do."""
    width, height = surface.get_size()
    notes = []
    if columns > LETTERS:
        notes.append("Letters name columns here: hold Shift for the other keys.")
    room = height - 24
    step = max(min((room - 70) // (len(KEYS) + len(notes)), 28), 11)
    size = max(min(int(step * 0.8), 20), 11)
    key_room = max(text_width(key, size) for key, _ in KEYS) + 16
    wide = min(key_room + max(text_width(what, size) for _, what in KEYS) + 56, width - 12)
    if notes:
        wide = min(max(wide, text_width(notes[0], size) + 48), width - 12)
    place = _sheet(surface, wide, min(step * (len(KEYS) + len(notes)) + 64, height - 8))
    y = place.top + 26
    write(surface, "Keys", (place.left + 20, y), 26 if step > 16 else 19)
    y += 22
    for key, what in KEYS:
        y += step
        write(surface, key, (place.left + 20, y - step // 3), size, ACCENT)
        room = place.right - place.left - key_room - 34
        write(surface, what, (place.left + 20 + key_room, y - step // 3), size, INK, room=room)
    for note in notes:
        y += step
        write(surface, note, (place.left + 20, y - step // 3), size, MUTED, room=place.width - 40)


def _sheet(surface: Surface, width: int, height: int) -> Rect:
    """A sheet in the middle of the window, all else dimmed."""
    veil = Surface(surface.get_size(), pygame.SRCALPHA)
    veil.fill((*pygame.Color(PAPER)[:3], 190))
    surface.blit(veil, (0, 0))
    place = Rect(0, 0, width, height)
    place.center = surface.get_rect().center
    box(surface, place, SURFACE, edge=LINE, round_=14)
    return place
