"""Writing and drawing with smooth edges: text cut to its room, discs, rounded boxes."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import pygame
from pygame import Rect, Surface

from fourcast.desktop.palette import DISC_COLOURS, INK, Colour

Anchor = Literal["left", "centre", "right"]

_FINE = 4  # discs are drawn so many times as large, and made small
_MOST_LETTERS = 400  # of a text that is written; more does not fit into any window


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    return pygame.font.Font(None, size)  # the one that comes with pygame: there is no other on every machine


def forget_fonts() -> None:
    """Let go of the fonts, which do not outlive pygame."""
    _font.cache_clear()
    disc.cache_clear()


def text_width(words: str, size: int) -> int:
    """Pixels that a text is wide."""
    return _font(size).size(_plain(words))[0]


def line_height(size: int) -> int:
    """Pixels from one line of text to the next."""
    return _font(size).get_linesize()


def write(
    surface: Surface,
    words: str,
    point: tuple[int, int],
    size: int,
    colour: Colour = INK,
    *,
    anchor: Anchor = "left",
    room: int | None = None,
) -> Rect:
    """Write one line whose middle is at the height of the point.

    Args:
        surface: Where to.
        words: What; characters that cannot be written are left out.
        point: The left end, the middle or the right end of it.
        size: Of the font, in pixels.
        colour: Of the letters.
        anchor: Which of these the point is.
        room: Pixels that it may be wide; what is longer is cut, with dots at its end.

    Returns:
        Where it is.
    """
    made = _font(size).render(fitting(words, size, room), True, colour)
    place = made.get_rect()
    place.centery = point[1]
    if anchor == "left":
        place.left = point[0]
    elif anchor == "right":
        place.right = point[0]
    else:
        place.centerx = point[0]
    surface.blit(made, place)
    return place


def fitting(words: str, size: int, room: int | None) -> str:
    """The text, cut to its room."""
    words = _plain(words)
    if room is None or text_width(words, size) <= room:
        return words
    while words and text_width(f"{words}…", size) > room:
        words = words[:-1]
    return f"{words.rstrip()}…"


def wrapped(words: str, size: int, room: int, most: int) -> list[str]:
    """The text in lines that fit the room, so many at most; the last one is cut if it has to be."""
    lines: list[str] = []
    rest = _plain(words).split()
    while rest and len(lines) < most:
        line = rest.pop(0)
        while rest and (len(lines) == most - 1 or text_width(f"{line} {rest[0]}", size) <= room):
            line = f"{line} {rest.pop(0)}"
        lines.append(fitting(line, size, room))
    return lines


def _plain(words: str) -> str:
    """The text as one line that can be written: an agent's name may hold anything."""
    return "".join(letter if letter.isprintable() else " " for letter in words[:_MOST_LETTERS])


def box(
    surface: Surface, place: Rect, colour: Colour, *, edge: Colour | None = None, round_: int = 10
) -> None:
    """A box with round corners."""
    pygame.draw.rect(surface, colour, place, border_radius=round_)
    if edge:
        pygame.draw.rect(surface, edge, place, width=1, border_radius=round_)


@lru_cache(maxsize=64)
def disc(player: int, radius: int, alpha: int = 255) -> Surface:
    """A player's disc: a cross on amber, a ring on blue.

    Args:
        player: 0 the first, 1 the second.
        radius: In pixels.
        alpha: How much of it is seen: 255 is all.
    """
    colours, large = DISC_COLOURS[player], radius * _FINE
    # Transparent, but of the disc's own colour: its edge would be dark if black were mixed in.
    drawn = Surface((2 * large, 2 * large), pygame.SRCALPHA)
    drawn.fill((*pygame.Color(colours.side)[:3], 0))
    middle = (large, large)
    pygame.draw.circle(drawn, colours.side, middle, large)
    pygame.draw.circle(drawn, colours.face, (large, int(large * 0.97)), int(large * 0.86))
    pygame.draw.circle(drawn, colours.side, middle, int(large * 0.72), width=max(int(large * 0.045), 1))
    thick = max(int(large * 0.2), 2)
    if player == 0:
        arm = int(large * 0.3)
        for along in range(-arm, arm + 1, 2):  # a line of dots has round ends
            for way in (-1, 1):
                pygame.draw.circle(drawn, colours.mark, (large + along, large + way * along), thick // 2)
    else:
        pygame.draw.circle(drawn, colours.mark, middle, int(large * 0.46), width=thick)
    small = pygame.transform.smoothscale(drawn, (2 * radius, 2 * radius))
    if alpha < 255:
        small.set_alpha(alpha)
    return small


def put_disc(surface: Surface, player: int, point: tuple[int, int], radius: int, *, alpha: int = 255) -> None:
    """Draw a disc round a point."""
    surface.blit(disc(player, radius, alpha), (point[0] - radius, point[1] - radius))


def ring(surface: Surface, colour: Colour, point: tuple[int, int], radius: int, thick: int) -> None:
    """A circle that is not filled."""
    pygame.draw.aacircle(surface, colour, point, radius, max(thick, 1))


def dashed_ring(surface: Surface, colour: Colour, point: tuple[int, int], radius: int, thick: int) -> None:
    """A circle of dashes."""
    place = Rect(0, 0, 2 * radius, 2 * radius)
    place.center = point
    for part in range(10):
        start = part * 0.6283
        pygame.draw.arc(surface, colour, place, start, start + 0.36, max(thick, 2))
