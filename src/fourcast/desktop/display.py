"""Opening a window where somebody can see it."""

from __future__ import annotations

import os
import sys

import pygame
from pygame import Surface

from fourcast.desktop.board_view import forget_fronts
from fourcast.desktop.ink import disc, forget_fonts
from fourcast.game.errors import NoDisplay

DRIVER = "SDL_VIDEODRIVER"  # names the way to draw, where SDL is not to choose it
_UNSEEN = ("dummy", "offscreen")  # those that nobody looks at


def open_window(title: str, size: tuple[int, int]) -> Surface:
    """Open the window; it can be resized.

    Raises:
        NoDisplay: There is no screen to open it on.
    """
    wanted = os.environ.get(DRIVER, "")
    if not wanted and sys.platform == "linux":
        # SDL would look for a Wayland server all the same, which complains on stderr where there is none.
        if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
            raise NoDisplay("no window can be opened: there is no display, DISPLAY is not set")
        if not os.environ.get("WAYLAND_DISPLAY"):
            os.environ[DRIVER] = "x11"
    os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "fourcast")  # what window managers call it
    try:
        pygame.display.init()
        pygame.font.init()
        if pygame.display.get_driver() in _UNSEEN and pygame.display.get_driver() != wanted:
            raise pygame.error("there is no display")  # SDL would draw where nobody looks
        pygame.display.set_caption(title)
        pygame.display.set_icon(disc(0, 32))
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        close_window()
        raise NoDisplay(f"no window can be opened: {error}; is there a display?") from None
    return surface


def resize_window(size: tuple[int, int] | None) -> Surface:
    """Give the window a size, or the whole screen (None)."""
    if size is None:
        return pygame.display.set_mode(pygame.display.get_desktop_sizes()[0], pygame.FULLSCREEN)
    return pygame.display.set_mode(size, pygame.RESIZABLE)


def close_window() -> None:
    """Close it, and let go of what does not outlive it."""
    pygame.quit()
    forget_fonts()
    forget_fronts()
