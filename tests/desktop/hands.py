"""Somebody at the window: real events, through SDL's queue."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pygame
from pygame.event import Event

from fourcast.desktop.window import Window
from fourcast.game.limit import Limit
from fourcast.game.notation import column_name
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.session import Session, seat
from fourcast.session.session import Seat

PATIENCE = 120.0  # seconds; what takes longer is broken


def open_game(
    *names: str,
    board: str = "6x7x4",
    moves: str = "",
    slip: float = 0.0,
    limit: str = "1s",
    size: tuple[int, int] = (900, 680),
    players: list[Seat] | None = None,
) -> Window:
    """A window with a game between two players."""
    rules, (first, second) = Rules(board, slip), names
    seats = players or [seat(name, rules, 1, side) for side, name in enumerate(names)]
    start = Position.from_moves(moves, board)
    return Window(Session(rules, (first, second), seats, Limit.parse(limit), start=start), limit, size)


def until(window: Window, condition: Callable[[], bool]) -> None:
    """Let the window run until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert window.step(), "it was closed"
        assert time.monotonic() < end, "it never came"


def settle(window: Window) -> None:
    """Let it run until it waits for the player."""
    window.step()
    until(window, lambda: window.is_idle)


def click(window: Window, point: tuple[int, int]) -> None:
    """Move the mouse to a place and press its button."""
    pygame.event.post(Event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=(0, 0, 0)))
    pygame.event.post(Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1))
    pygame.event.post(Event(pygame.MOUSEBUTTONUP, pos=point, button=1))
    window.step()


def click_column(window: Window, column: int) -> None:
    """Click into a column."""
    click(window, (window.layout.x(column), window.layout.y(0)))


def click_button(window: Window, action: str, row: int = 0) -> None:
    """Click what does something."""
    window.step()  # so that it is drawn
    places = [each.place for each in window.targets if (each.action, each.ply) == (action, row)]
    click(window, places[0].center)


def press(window: Window, key: str, mod: int = pygame.KMOD_NONE) -> None:
    """Press a key, by its letter or its name."""
    code = pygame.key.key_code({"?": "/"}.get(key, key).lower())
    letter = key if len(key) == 1 else ""
    pygame.event.post(Event(pygame.KEYDOWN, key=code, unicode=letter, mod=mod))
    pygame.event.post(Event(pygame.KEYUP, key=code, mod=mod))
    window.step()


def press_column(window: Window, column: int) -> None:
    """Type the name of a column."""
    press(window, column_name(column))


def thinkers() -> list[threading.Thread]:
    """Threads that think."""
    return [thread for thread in threading.enumerate() if thread.name == "thought"]
