"""Search trees and games as matplotlib draws them: side by side, and board by board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.extras import require
from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.tree import END, PRUNED
from fourcast.study.charts import LOOKS

_FIRST, _SECOND = LOOKS[0].colour, LOOKS[1].colour
_BRANCHES: dict[str, dict[str, Any]] = {
    "plain": {"colors": "#777777", "linewidths": 0.5},
    "cut": {"colors": "#999999", "linewidths": 0.5, "linestyles": [(0, (2, 2))]},
    "main": {"colors": "black", "linewidths": 1.8},
}
_LEAF_ROOM, _FAMILY = 1.0, 0.6  # of a leaf, and more after the leaves of one parent
_BOX_ROOM = 5.0  # of a box that has no leaves beside it: a game that is over before the last ply
_SIZES = (9.0, 8.0, 6.5, 5.6)  # of the letters, by ply
_LAST = 3  # the ply whose nodes are dots, with what they are worth beside all of them
_DOTS, _WORDS = _LAST - 0.42, _LAST - 0.36  # where these stand
#: By owner: nobody, the first player's filled, the second player's rings.
_DISCS: dict[int, dict[str, Any]] = {
    0: {"facecolor": "white", "edgecolor": "#CCCCCC", "linewidth": 0.4},
    1: {"facecolor": _FIRST, "edgecolor": "#003A5D", "linewidth": 0.6},
    2: {"facecolor": "white", "edgecolor": _SECOND, "linewidth": 2.0},
}

Nodes = Sequence[Mapping[str, Any]]


def rows_of(nodes: Nodes) -> dict[str, float]:
    """How far down each node stands: leaves one below the other, parents in the middle of their children."""
    children: dict[str, list[str]] = {}
    for node in nodes[1:]:
        children.setdefault(node["path"][:-1], []).append(node["path"])
    rows: dict[str, float] = {}
    at = 0.0
    last = max(len(node["path"]) for node in nodes)
    for node in nodes:
        if node["path"] not in children:
            room = _LEAF_ROOM if len(node["path"]) == last else _BOX_ROOM
            rows[node["path"]] = at + (room - _LEAF_ROOM) / 2
            at += room
        elif len(node["path"]) == last - 1:
            at += _FAMILY
    for path in sorted(children, key=len, reverse=True):
        rows[path] = (rows[children[path][0]] + rows[children[path][-1]]) / 2
    return rows


def draw_trees(trees: Mapping[str, Nodes], figure: Any) -> None:
    """Trees side by side; every node stands where the first tree, which is whole, has it.

    Args:
        trees: By name: records as `measuring.record_trees` has them, parents first.
        figure: Where.
    """
    panels = figure.subplots(1, len(trees), sharey=True)
    rows = rows_of(next(iter(trees.values())))
    for panel, (name, nodes) in zip(panels, trees.items(), strict=True):
        _draw_tree(panel, nodes, rows)
        visited = sum(node["kind"] != PRUNED for node in nodes)
        pruned = len(nodes) - visited
        cut = f", {pruned} branches pruned" if pruned else ""
        panel.set_title(f"{name}: {visited} nodes{cut}")
        panel.set_axis_off()
        panel.set_xlim(-0.2, 3.75)
    panels[0].set_ylim(max(rows.values()) + 1, -1.5)


def _draw_tree(panel: Any, nodes: Nodes, rows: Mapping[str, float]) -> None:
    families: dict[str, list[str]] = {}
    branches: dict[str, list[list[tuple[float, float]]]] = {look: [] for look in _BRANCHES}
    dots: list[tuple[float, float]] = []
    crosses: dict[int, list[tuple[float, float]]] = {}
    for node in nodes:
        path, ply, cut = node["path"], len(node["path"]), node["kind"] == PRUNED
        y = rows[path]
        end = _DOTS if ply == _LAST else ply - 0.22 if cut else float(ply)
        if ply:
            bend = ply - (0.6 if ply == _LAST else 0.45)
            look = "main" if node["main"] else "cut" if cut else "plain"
            branches[look].append([(ply - 1, rows[path[:-1]]), (bend, y), (end, y)])
        if cut:
            crosses.setdefault(3 if ply == _LAST else 5, []).append((end, y))
        elif ply == _LAST:
            dots.append((end, y))
        else:
            _draw_box(panel, node, ply, y)
        if ply == _LAST:
            families.setdefault(path[:-1], []).append(_short(node))
    collections = require("matplotlib.collections", "learn")
    for look, lines in branches.items():
        panel.add_collection(collections.LineCollection(lines, zorder=1, **_BRANCHES[look]))
    _draw_marks(panel, dots, marker=".", color="black", markersize=3)
    for size, places in crosses.items():
        _draw_marks(panel, places, marker="x", color="#333333", markersize=size)
    for path, words in families.items():
        panel.text(_WORDS, rows[path], "  ".join(words), fontsize=_SIZES[_LAST], va="center")


def _draw_marks(panel: Any, places: Sequence[tuple[float, float]], **style: Any) -> None:
    if places:
        panel.plot(*zip(*places, strict=True), linestyle="none", zorder=3, **style)


def _draw_box(panel: Any, node: Mapping[str, Any], ply: int, y: float) -> None:
    words = node["worth"].replace(">=", "\u2265").replace("<=", "\u2264")
    main = node["main"]
    panel.text(
        ply,
        y,
        f"{node['path'][-1]}: {words}" if ply else words,
        fontsize=_SIZES[ply],
        va="center",
        ha="center",
        weight="bold" if main else "normal",
        zorder=4,
        bbox={
            "boxstyle": "round,pad=0.2,rounding_size=0.6" if ply % 2 else "square,pad=0.25",
            "linewidth": 1.4 if main else 0.6,
            "facecolor": "#DDEBF5" if main else "white",
            "edgecolor": "black",
        },
    )


def _short(node: Mapping[str, Any]) -> str:
    """What a node of the last ply is worth, as short as can be."""
    if node["kind"] == PRUNED:
        return "\u00d7"
    words: str = node["worth"]
    return words[0] if node["kind"] == END else words


def draw_game(moves: str, figure: Any, across: int) -> None:
    """A game, a board for every disc, the last one marked; the winning line is struck through.

    Args:
        moves: All moves of it.
        figure: Where.
        across: How many boards stand beside each other.
    """
    down = -(-len(moves) // across)
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for number, panel in enumerate(panels, 1):
        panel.set_axis_off()
        if number <= len(moves):
            _draw_board(panel, Position.from_moves(moves[:number]), moves[number - 1], number)


def _draw_board(panel: Any, position: Position, last: str, number: int) -> None:
    rows, columns = position.geometry.rows, position.geometry.columns
    panel.set_aspect("equal")
    panel.set_xlim(-0.7, columns - 0.3)
    panel.set_ylim(-1.3, rows - 0.3)
    panel.plot(
        [-0.6, columns - 0.4, columns - 0.4, -0.6, -0.6],
        [-0.6, -0.6, rows - 0.4, rows - 0.4, -0.6],
        color="#444444",
        linewidth=0.8,
    )
    grid = list(reversed(position.to_rows()))
    collections = require("matplotlib.collections", "learn")
    for owner, style in _DISCS.items():
        places = [(x, y) for y, owners in enumerate(grid) for x, each in enumerate(owners) if each == owner]
        if places:  # one disc, set in many places, makes a small file
            across = [0.72 if owner == 2 else 0.84]
            discs = collections.EllipseCollection(
                across,
                across,
                [0],
                units="xy",
                offsets=places,
                offset_transform=panel.transData,
                zorder=2,
                **style,
            )
            panel.add_collection(discs)
    column = [column_name(each) for each in range(columns)].index(last)
    top = max(row for row, owners in enumerate(grid) if owners[column])
    panel.plot([column], [top], marker="*", color="white" if number % 2 else "black", markersize=4, zorder=4)
    outcome = position.outcome
    if outcome and outcome.line:
        cells = sorted(outcome.line)
        panel.plot(
            [cell[1] for cell in cells], [cell[0] for cell in cells], color="black", linewidth=2.5, zorder=3
        )
    for each in range(columns):
        panel.text(each, -1.05, column_name(each), fontsize=4.5, ha="center", va="center", color="#555555")
    panel.set_title(f"{number}: {DISCS[1 - number % 2]} {last}", fontsize=8, pad=2)
