"""The signs that drawings of search trees are made of, as SVG, and their sizes in SVG units."""

from __future__ import annotations

from html import escape

from fourcast.game.tree import END, LEAF, TABLE

ROW, BOX = 22, 18  # from one line of boxes to the next, and the height of a box
EDGE = 60  # between the boxes of two plies
PAD = 11  # beside the text in a box
TEXT, SMALL = 12, 10  # font sizes

INK, LINE, FAINT = "#111111", "#444444", "#6b6b6b"
TINTS = ("#fdeccb", "#e3eaff")  # X and O to move, as their discs are amber and blue

PRUNED, BRANCH, BEST, MAIN = "pruned", "branch", "best", "main"
STYLES = {  # of edges, in the order in which they are drawn
    PRUNED: f'fill="none" stroke="{FAINT}" stroke-dasharray="4 3"',
    BRANCH: f'fill="none" stroke="{LINE}"',
    BEST: f'fill="none" stroke="{INK}" stroke-width="2.4"',
    MAIN: f'fill="none" stroke="{INK}" stroke-width="4.5"',
}


def length(words: str, size: float = TEXT, *, bold: bool = False) -> float:
    """How wide a text is at most, in the widest of the fonts that a reader is likely to have."""
    return (0.72 if bold else 0.64) * size * len(words)


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = TEXT,
    bold: bool = False,
    anchor: str = "start",
    fill: str = INK,
    italic: bool = False,
) -> str:
    """A text whose middle line is at y."""
    style = f' font-size="{size:g}"' if size != TEXT else ""
    style += ' font-weight="bold"' if bold else ""
    style += ' font-style="italic"' if italic else ""
    style += f' text-anchor="{anchor}"' if anchor != "start" else ""
    style += f' fill="{fill}"' if fill != INK else ""
    return f'<text x="{x:g}" y="{y + size / 3:g}"{style}>{escape(words)}</text>'


def box(
    x: float,
    y: float,
    width: float,
    kind: str = LEAF,
    *,
    oval: bool = False,
    side: int = 0,
    main: bool = False,
) -> str:
    """A node's outline, from x on and with its middle at y.

    Args:
        x: Its left side.
        y: Its middle.
        width: How wide it is.
        kind: That of the node: the end of a game has two outlines, what a table knew has bars at its sides,
            a leaf is white.
        oval: Whether its ends are round.
        side: Who moves there, 0 or 1: its tint.
        main: Whether it is on the line of best play.
    """
    shape = _outline(x, y, width, 0, oval, "#ffffff" if kind == LEAF else TINTS[side], 2.4 if main else 1)
    if kind == END:
        return shape + _outline(x, y, width, 2.5, oval, "none", 1)
    if kind == TABLE:
        bars = (f"M{at:g} {y - BOX / 2:g}v{BOX}" for at in (x + 6, x + width - 6))
        return f'{shape}<path d="{"".join(bars)}" stroke="{INK}" stroke-width="2"/>'
    return shape


def _outline(x: float, y: float, width: float, inset: float, oval: bool, fill: str, stroke: float) -> str:
    height = BOX - 2 * inset
    corners = f' rx="{height / 2:g}"' if oval else ""
    return (
        f'<rect x="{x + inset:g}" y="{y - height / 2:g}" width="{width - 2 * inset:g}" height="{height:g}"'
        f'{corners} fill="{fill}" stroke="{INK}" stroke-width="{stroke:g}"/>'
    )


def plate(x: float, y: float, words: str, *, bold: bool = False) -> str:
    """A few letters in the middle of an edge, which is covered where they stand."""
    half = length(words) / 2 + 3
    cover = f'<rect x="{x - half:g}" y="{y - 7:g}" width="{2 * half:g}" height="14" fill="#ffffff"/>'
    return cover + text(x, y, words, bold=bold, anchor="middle")


def cut(x: float, y: float) -> str:
    """What stands across the edge to those that were pruned."""
    bars = f"M{x - 5:g} {y + 6:g}l4 -12m4 0l-4 12"
    return f'<path class="cut" d="{bars}" stroke="{INK}" stroke-width="1.6" fill="none"/>'


def dots(x: float, y: float) -> str:
    """What follows a box whose moves were looked at but are not drawn."""
    return "".join(f'<circle cx="{x + 6 + 5 * step:g}" cy="{y:g}" r="1.5"/>' for step in range(3))
