"""Search trees as people see them: one SVG, the root at the left and a column of boxes for every ply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from fourcast.game.drawing import svg
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.tree import END, EXACT, INNER, LEAF, TABLE, TreeNode
from fourcast.game.tree_layout import Layout, Placed
from fourcast.game.tree_marks import (
    BEST,
    BRANCH,
    FAINT,
    LINE,
    MAIN,
    PAD,
    PRUNED,
    ROW,
    SMALL,
    STYLES,
    TEXT,
    box,
    cut,
    dots,
    length,
    plate,
    text,
)
from fourcast.game.tree_words import interest

# All in SVG units.
_MARGIN = 20
_LEAST_WIDTH = 760
_BOARD_WIDTH, _BOARD_HEIGHT = 260, 100  # at most
_FORK, _LABEL = 14, 18  # where edges fork, from their left end; where their labels are, from the right one
_TITLE = 15  # font size
_TALL = 1500  # trees at least this tall have their headings below, too
_SAMPLE = 44  # the room for a sign in the legend

Sign = tuple[str, str]  # an SVG fragment of `_SAMPLE` by `ROW`, its left middle at 0, 0; and what it means


def tree_svg(tree: TreeNode, position: Position, *, title: Sequence[str] = (), board: bool = True) -> str:
    """The tree as one SVG element that needs nothing else.

    All values are seen from the side that moves at the root. In a tree where every node is worth what its
    best move is worth, boxes with corners maximise and round ones minimise.

    Args:
        tree: What an analysis has recorded.
        position: The root.
        title: Lines to put above it; the first one stands out.
        board: Whether to draw the position beside the title.
    """
    layout = Layout(tree, position)
    parts, left, top = [], float(_MARGIN), float(_MARGIN)
    if board:
        drawn, width, height = _small_board(position)
        parts += [f'<g class="board" transform="translate({left:g} {top:g})">', drawn, "</g>"]
        left += width + 16
        top += height
    for number, words in enumerate(title):
        size = TEXT if number else _TITLE
        parts.append(text(left, _MARGIN + 10 + 20 * number, words, size=size, bold=not number))
    top = max(top, _MARGIN + 20.0 * len(title)) + 10
    ends = [left + length(words, _TITLE, bold=True) for words in title]
    width = max(_LEAST_WIDTH, layout.width + 2 * _MARGIN + 20, *(end + _MARGIN for end in ends))
    legend, top = _legend(layout, top, width)
    body, top = _body(layout, top + 8)
    height = top + _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" role="img" font-family="Helvetica, Arial, sans-serif" font-size="{TEXT}">',
            f"<title>{escape(', '.join(title) or 'a search tree')}</title>",
            f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
            *parts,
            *legend,
            *body,
            "</svg>",
        ]
    )


def _small_board(position: Position) -> tuple[str, float, float]:
    """The position, its width and its height."""
    drawn = svg(position)
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn)
    width, height = (int(side) for side in size.groups()) if size else (_BOARD_WIDTH, _BOARD_HEIGHT)
    scale = min(_BOARD_WIDTH / width, _BOARD_HEIGHT / height)
    return f'<g transform="scale({scale:.4f})">{drawn}</g>', scale * width, scale * height


def _legend(layout: Layout, top: float, width: float) -> tuple[list[str], float]:
    """What the signs mean that this tree has, in lines; and where they end."""
    side, other = DISCS[layout.turn], DISCS[1 - layout.turn]
    parts, x, y = ['<g class="legend">'], float(_MARGIN), top + ROW / 2
    for sign, meaning in _signs(layout):
        room = _SAMPLE + length(meaning, SMALL + 1) + 14
        if x > _MARGIN and x + room > width - _MARGIN:
            x, y = float(_MARGIN), y + ROW
        words = text(x + _SAMPLE, y, meaning, size=SMALL + 1)
        parts.append(f'<g transform="translate({x:g} {y:g})">{sign}</g>{words}')
        x += room
    notes = [f"All values are seen by {side}, who moves at the root: + is good for {side}, - for {other}."]
    if any(each.node and each.node.plies_to_end for each in layout.all):
        notes.append(
            f'"wins in 3": {side} wins with its 3rd move from there; "loses in 2": {other} with its 2nd.'
        )
    games = any(each.node and each.node.games for each in layout.all)
    visits = "games that went through it" if games else "positions visited in it and below"
    notes.append(f"The small number in a box: {visits}.")
    for note in notes:
        y += ROW
        parts.append(text(_MARGIN, y, note, size=SMALL + 1))
    return [*parts, "</g>"], y + ROW / 2


def _signs(layout: Layout) -> list[Sign]:
    nodes = [each.node for each in layout.all if each.node is not None]
    kinds = {node.kind for node in nodes}
    ways = {_way(each) for each in layout.all[1:]}
    side, other = DISCS[layout.turn], DISCS[1 - layout.turn]
    signs: list[Sign] = []
    if layout.minimax:
        signs.append(
            (box(0, 0, 34, INNER, side=layout.turn), f"{side} to move: the best for {side} counts (max)")
        )
        oval = box(0, 0, 34, INNER, oval=True, side=1 - layout.turn)
        signs.append((oval, f"{other} to move: the worst for {side} counts (min)"))
    if LEAF in kinds:
        signs.append(
            (box(0, 0, 34, LEAF), "evaluated, not searched" if layout.minimax else "not searched further")
        )
    if END in kinds:
        signs.append((box(0, 0, 34, END), "the game is over"))
    if TABLE in kinds:
        signs.append((box(0, 0, 34, TABLE), "known from the table"))
    meanings = {BEST: "best move", MAIN: "line of best play", PRUNED: "pruned: could not change the choice"}
    for way, meaning in meanings.items():
        if way in ways:
            line = f'<path d="M0 0H34" {STYLES[way]}/>'
            signs.append((line + (cut(17, 0) if way == PRUNED else ""), meaning))
    if any(node.bound != EXACT for node in nodes):
        signs.append((text(0, 0, "\u2265  \u2264"), "at least, at most: left as soon as that was known"))
    if any(_goes_on(node) for node in nodes):
        signs.append((dots(0, 0), "searched further than drawn"))
    return signs


def _body(layout: Layout, top: float) -> tuple[list[str], float]:
    """The headings, the edges and the boxes; and where they end."""
    start = top + ROW
    edges: dict[str, list[str]] = {way: [] for way in STYLES}
    labels, boxes = [], []
    for parent in layout.all:
        boxes.append(_node(layout, parent, start))
        for child in parent.below:
            edges[_way(child)].append(_edge(layout, parent, child, start))
            labels.append(_label(layout, child, start))
    parts = _headings(layout, top + ROW / 2)
    for way, lines in edges.items():
        if lines:
            parts += [f'<g class="{way}" {STYLES[way]}>', *lines, "</g>"]
    parts += [*labels, *boxes]
    end = start + layout.height
    if layout.height < _TALL:
        return parts, end
    return [*parts, *_headings(layout, end + ROW)], end + 1.5 * ROW


def _headings(layout: Layout, y: float) -> list[str]:
    pairs = zip(layout.lefts, layout.headings, strict=True)
    return [text(_MARGIN + left, y, heading, bold=True) for left, heading in pairs]


def _way(child: Placed) -> str:
    """How the edge to a child is drawn."""
    if child.node is None:
        return PRUNED
    if child.main:
        return MAIN
    return BEST if child.node.best else BRANCH


def _edge(layout: Layout, parent: Placed, child: Placed, start: float) -> str:
    right = _MARGIN + layout.lefts[parent.ply] + layout.widths[parent.ply]
    left = _MARGIN + layout.lefts[child.ply]
    return f'<path d="M{right:g} {start + parent.y:g}H{right + _FORK:g}V{start + child.y:g}H{left:g}"/>'


def _label(layout: Layout, child: Placed, start: float) -> str:
    """The column on an edge, or the bars of those that were pruned."""
    x, y = _MARGIN + layout.lefts[child.ply] - _LABEL, start + child.y
    return cut(x, y) if child.node is None else plate(x, y, child.path[-1], bold=child.node.best)


def _node(layout: Layout, each: Placed, start: float) -> str:
    left, width, y = _MARGIN + layout.lefts[each.ply], layout.widths[each.ply], start + each.y
    node = each.node
    if node is None:
        return text(left + 4, y, each.words, fill=FAINT, italic=True)
    where = f"after {each.path}" if each.path else "the root"
    hint = f"{where}: {each.words}, window {interest(node, each.ply)}, {_visited(node)}"
    oval, side = layout.minimax and each.ply % 2 == 1, (layout.turn + each.ply) % 2
    parts = [
        f'<g class="node {node.kind}"><title>{escape(hint)}</title>',
        box(left, y, width, node.kind, oval=oval, side=side, main=each.main),
        text(left + PAD, y, each.words, bold=each.main),
    ]
    if each.count:
        parts.append(text(left + width - PAD, y, each.count, size=SMALL, anchor="end", fill=LINE))
    if _goes_on(node):
        parts.append(dots(left + width, y))
    return "".join([*parts, "</g>"])


def _visited(node: TreeNode) -> str:
    if node.games:
        return f"{node.visits:,} game{'' if node.visits == 1 else 's'}"
    return f"{node.visits:,} visited"


def _goes_on(node: TreeNode) -> bool:
    """Whether its moves were looked at, but are not in the tree."""
    return node.kind == INNER and not node.children
