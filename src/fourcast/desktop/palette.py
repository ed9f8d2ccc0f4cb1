"""The colours, which are those of the page in the dark; discs are told by their marks as well."""

from __future__ import annotations

from typing import NamedTuple

Colour = str

PAPER = "#11131d"
SURFACE = "#1a1d2b"
RAISED = "#242838"
INK = "#eceef7"
MUTED = "#a4abc3"
LINE = "#30354a"
FAINT = "#626a85"
ACCENT = "#a5b5ff"
ACCENT_INK = "#12162b"
ACCENT_SOFT = "#272e4e"
GOOD = "#7fdca5"
BAD = "#ff9d94"
WARN = "#ffc56b"

FRONT = "#33427c"
FRONT_EDGE = "#26325f"
WALL = "#141b38"
WON = "#ffffff"


class DiscColours(NamedTuple):
    """A player's disc.

    Attributes:
        face: The disc.
        side: Its edge.
        mark: The cross or ring on it.
    """

    face: Colour
    side: Colour
    mark: Colour


DISC_COLOURS = (DiscColours("#f6b436", "#c98410", "#5a3600"), DiscColours("#86a8ff", "#4d73d9", "#10215c"))
SIDES = ("Amber", "Blue")
