"""What keys stand for: columns, or things to do."""

from __future__ import annotations

import pygame
from pygame.event import Event

from fourcast.desktop.words import LETTERS
from fourcast.game.notation import COLUMN_NAMES

_BY_KEY = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_RETURN: "drop",
    pygame.K_KP_ENTER: "drop",
    pygame.K_SPACE: "drop",
    pygame.K_DOWN: "drop",
    pygame.K_HOME: "first",
    pygame.K_END: "last",
    pygame.K_ESCAPE: "now",
    pygame.K_F1: "help",
    pygame.K_F11: "full",
}
_BY_LETTER = {
    "u": "undo",
    "r": "redo",
    "h": "hint",
    "s": "scores",
    "t": "threats",
    "n": "new",
    "p": "pause",
    "f": "full",
    "?": "help",
    ",": "back",
    ".": "on",
}
_WITH_CTRL = {"z": "undo", "y": "redo", "n": "new", "q": "quit", "w": "quit"}


def column_of(event: Event, columns: int) -> int | None:
    """The column that a key names; None if it names none. A capital letter never does."""
    letter = event.unicode
    if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META) or len(letter) != 1:
        return None
    column = COLUMN_NAMES.find(letter)
    if column >= LETTERS and columns <= LETTERS:
        return None
    return column if 0 <= column < columns else None


def action_of(event: Event) -> str | None:
    """What a key is to do, as `Window.act` has it; None if nothing."""
    if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
        return _WITH_CTRL.get(pygame.key.name(event.key))
    return _BY_KEY.get(event.key) or _BY_LETTER.get(event.unicode.lower())
