"""The panel: who plays, how the game stands, buttons, and the moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame
from pygame import Rect, Surface

from fourcast.desktop.ink import box, line_height, put_disc, text_width, wrapped, write
from fourcast.desktop.layout import Layout
from fourcast.desktop.palette import (
    ACCENT,
    ACCENT_SOFT,
    BAD,
    FAINT,
    INK,
    LINE,
    MUTED,
    RAISED,
    SIDES,
    SURFACE,
)
from fourcast.desktop.words import game_words, moves_rows, player_words
from fourcast.game.outcome import FIRST, SECOND
from fourcast.session import Session

_GAP = 8


@dataclass(frozen=True, slots=True)
class Button:
    """Something to click.

    Attributes:
        action: What it does, by the name that the window has for it.
        label: What is written on it.
        short: The same, where there is little room.
        enabled: Whether it does anything now.
        on: Whether what it switches is on.
    """

    action: str
    label: str
    short: str
    enabled: bool = True
    on: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A place that can be clicked.

    Attributes:
        place: Where.
        action: What happens: a button's action, or `look`.
        ply: Of `look`: how many discs to have on the board.
    """

    place: Rect
    action: str
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """What the panel says.

    Attributes:
        status: How the game stands.
        detail: More about it.
        fault: Whether the detail is about something that went wrong.
    """

    status: str
    detail: str = ""
    fault: bool = False


def draw_panel(
    surface: Surface, layout: Layout, session: Session, said: Said, buttons: Sequence[Button], back: int
) -> list[Target]:
    """Draw the panel.

    Args:
        surface: The window.
        layout: Its places.
        session: The game.
        said: How it stands.
        buttons: What can be clicked.
        back: How many rows the list of moves is scrolled back.

    Returns:
        What can be clicked, and where.
    """
    if layout.beside:
        return _draw_beside(surface, layout.panel, session, said, buttons, back)
    return _draw_below(surface, layout.panel, session, said, buttons)


def _draw_beside(
    surface: Surface, panel: Rect, session: Session, said: Said, buttons: Sequence[Button], back: int
) -> list[Target]:
    scale = min(max(panel.height / 620, 0.62), 1.0)
    small, text, large = (max(int(size * scale), 14) for size in (19, 21, 30))
    y = panel.top
    if panel.height > 300:
        write(
            surface, game_words(session.rules), (panel.left + 4, y + 10), small, MUTED, room=panel.width - 8
        )
        y += int(30 * scale)
    high = int(42 * scale)
    for side in (FIRST, SECOND):
        _draw_player(surface, Rect(panel.left, y, panel.width, high), session, side, text)
        y += high + 4
    y += int(14 * scale)
    write(surface, said.status, (panel.left + 4, y + large // 3), large, INK, room=panel.width - 8)
    y += int(large * 0.95)
    lines = 3 if panel.height > 420 else 1
    for line in wrapped(said.detail, small, panel.width - 8, lines):
        write(surface, line, (panel.left + 4, y + small // 2), small, BAD if said.fault else MUTED)
        y += line_height(small)
    y = max(y, panel.top + int((30 + 92 + 14 + 28 + 3 * 19) * scale)) + int(8 * scale)
    targets = []
    high, wide = int(38 * scale), (panel.width - _GAP) // 2
    for number, button in enumerate(buttons):
        left = panel.left + (number % 2) * (wide + _GAP)
        place = Rect(left, y + (number // 2) * (high + 6), wide, high)
        targets.append(_draw_button(surface, place, button, button.label, text))
    y += (len(buttons) + 1) // 2 * (high + 6) + 6
    rest = Rect(panel.left, y, panel.width, panel.bottom - y)
    return targets + _draw_moves(surface, rest, session, small, back)


def _draw_below(
    surface: Surface, panel: Rect, session: Session, said: Said, buttons: Sequence[Button]
) -> list[Target]:
    roomy = panel.height > 100
    y = panel.top
    if roomy:
        wide = (panel.width - _GAP) // 2
        for side in (FIRST, SECOND):
            _draw_player(
                surface, Rect(panel.left + side * (wide + _GAP), y, wide, 28), session, side, 18, brief=True
            )
        y += 34
    size = 22 if roomy else 18
    status = write(surface, said.status, (panel.left + 2, y + 10), size, INK, room=panel.width - 4)
    room = panel.right - status.right - 14
    if room > 60:
        colour = BAD if said.fault else MUTED
        write(surface, said.detail, (status.right + 12, y + 10), 17, colour, room=room)
    y += 24
    rows = 2 if roomy or panel.height > 70 else 1
    across = (len(buttons) + rows - 1) // rows
    gap, high = 5, (panel.bottom - y - 5 * (rows - 1)) // rows
    wide = (panel.width - gap * (across - 1)) // across
    targets = []
    for number, button in enumerate(buttons):
        place = Rect(
            panel.left + (number % across) * (wide + gap), y + number // across * (high + gap), wide, high
        )
        label = button.label if text_width(button.label, 18) < wide - 10 else button.short
        targets.append(_draw_button(surface, place, button, label, 18 if wide > 60 else 15))
    return targets


def _draw_player(
    surface: Surface, place: Rect, session: Session, side: int, size: int, *, brief: bool = False
) -> None:
    position = session.position
    to_move = not position.is_over and position.turn == side
    box(surface, place, ACCENT_SOFT if to_move else SURFACE, edge=ACCENT if to_move else LINE)
    radius = place.height // 2 - 6
    put_disc(surface, side, (place.left + radius + 9, place.centery), radius)
    left = place.left + 2 * radius + 18
    if not brief:
        left = write(surface, SIDES[side], (left, place.centery), size, INK).right + 12
    name = player_words(session.names[side], session.rules)
    write(surface, name, (left, place.centery), size, MUTED, room=place.right - left - 8)


def _draw_button(surface: Surface, place: Rect, button: Button, label: str, size: int) -> Target:
    hover = button.enabled and place.collidepoint(pygame.mouse.get_pos())
    fill = ACCENT_SOFT if button.on else RAISED if button.enabled else SURFACE
    box(surface, place, fill, edge=ACCENT if button.on or hover else LINE, round_=8)
    ink = ACCENT if button.on else INK if button.enabled else FAINT
    write(surface, label, place.center, size, ink, anchor="centre", room=place.width - 6)
    return Target(place, button.action)


def _draw_moves(surface: Surface, place: Rect, session: Session, size: int, back: int) -> list[Target]:
    """As many of the last moves as there is room for; those that were taken back are faint."""
    high = line_height(size) + 5
    count = (place.height - 12) // high
    if count < 2:
        return []
    box(surface, place, SURFACE, edge=LINE)
    rows = moves_rows(session)
    if not rows:
        write(
            surface, "No moves yet; ? is for help", (place.left + 14, place.top + 6 + high // 2), size, MUTED
        )
        return []
    last = max(len(rows) - back, min(count, len(rows)))
    targets, wide = [], (place.width - 58) // 2
    for line, row in enumerate(range(max(last - count, 0), last)):
        y = place.top + 6 + line * high
        write(surface, f"{row + 1}.", (place.left + 44, y + high // 2), size, MUTED, anchor="right")
        for side, words in enumerate(rows[row]):
            if words:
                ply = 2 * row + side + 1
                spot = Rect(place.left + 50 + side * wide, y, wide - 6, high - 2)
                if ply == session.ply:
                    box(surface, spot, ACCENT_SOFT, round_=6)
                put_disc(surface, side, (spot.left + 14, spot.centery), high // 2 - 4)
                ink = INK if ply <= session.ply else MUTED
                write(surface, words, (spot.left + 32, spot.centery), size, ink)
                targets.append(Target(spot, "look", ply))
    return targets
