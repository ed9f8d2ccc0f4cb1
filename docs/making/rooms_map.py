"""Draws docs/images/rooms.svg: the rooms of the code, and which way they import.

What is drawn is read from the sources, so the drawing cannot say what is not so; a test holds the file to it.

    python docs/making/rooms_map.py
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.test_architecture import ROOMS, imports, modules, room  # noqa: E402  # found by the line above

DRAWING = ROOT / "docs" / "images" / "rooms.svg"
SOURCES = ROOT / "src" / "fourcast"

WIDTH, WIDE, HIGH, GAP, FLOOR = 720, 136, 62, 10, 94  # a drawing; a room; between rooms; from floor to floor

#: A few words on a room; for one that is not here, its docstring's beginning.
WORDS = {
    "game": "boards, rules, positions, records",
    "machine": "what figures depend on",
    "extras": "packages that may be missing",
    "files": "written whole or not at all",
    "processes": "workers that end when we end",
    "kernels": "compiled code, the only Numba",
    "solver": "exact scores, the opening book",
    "models": "model files and their cards",
    "evaluators": "what positions are worth",
    "search": "alpha-beta, UCT and the others",
    "agents": "who plays, found by name",
    "session": "a game at the board",
    "arena": "matches, ratings, stored games",
    "face": "solve, analyze and match in one call",
    "learning": "data sets, training, judging",
    "study": "published results, measured again",
    "interop": "exports, environments",
    "web": "the server and the page",
    "desktop": "a window to play in",
    "bench": "measurements beside peers",
    "cli": "the fourcast command",
}

STYLE = """<style>
  text { font: 11.5px ui-sans-serif, system-ui, sans-serif; fill: #1f2437; text-anchor: middle }
  .name { font: 600 14px ui-monospace, Menlo, Consolas, monospace }
  .note { fill: #5a6077 }
  rect { fill: #e9edfb; stroke: #7388d8 }
  .ground rect { fill: #fdeccb; stroke: #c98410 }
  .small rect { fill: #f0ede4; stroke: #b8b2a0 }
  path { fill: none; stroke: #5a6077; stroke-width: 1.5 }
  .head { fill: #5a6077; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #eceef7 }
    .note { fill: #a4abc3 }
    rect { fill: #272e4e; stroke: #7388d8 }
    .ground rect { fill: #4a3816; stroke: #f6b436 }
    .small rect { fill: #242838; stroke: #596080 }
    path { stroke: #a4abc3 }
    .head { fill: #a4abc3 }
  }
</style>"""

Imports = Mapping[str, set[str]]


class Stop(NamedTuple):
    """A room, or a gap between rooms that an arrow goes through."""

    name: str
    floor: int
    width: float


def all_imports() -> dict[str, set[str]]:
    """Of every room that there is, which others its files import, wherever the import stands."""
    found: dict[str, set[str]] = {}
    for path in modules():
        here = room(path)
        if here not in ROOMS:
            continue
        names = {
            name.split(".")[1]
            for name, _ in imports(ast.parse(path.read_text()))
            if name.startswith("fourcast.")
        }
        found.setdefault(here, set()).update(names & set(ROOMS) - {here})
    return {name: found[name] for name in ROOMS if name in found}


def below(name: str, graph: Imports) -> set[str]:
    """All that a room imports, itself or through others."""
    return graph[name] | {far for near in graph[name] for far in below(near, graph)}


def needed(graph: Imports) -> dict[str, set[str]]:
    """The imports without those that a way through another room implies."""
    return {
        name: {one for one in direct if not any(one in below(other, graph) for other in direct - {one})}
        for name, direct in graph.items()
    }


def floor_of(name: str, graph: Imports) -> int:
    """How many rooms stand below one, on the longest way down."""
    return 1 + max((floor_of(one, graph) for one in graph[name]), default=-1)


def words_of(name: str) -> str:
    """What a room is."""
    if name in WORDS:
        return WORDS[name]
    path = SOURCES / name / "__init__.py"
    document = (
        ast.get_docstring(ast.parse((path if path.exists() else SOURCES / f"{name}.py").read_text())) or ""
    )
    line = " ".join(document.splitlines()[:1]).replace("`", "")
    for stop in (":", ",", ";", "."):
        line = line.partition(stop)[0]
    return line


def ways(graph: Imports) -> list[list[Stop]]:
    """For each import the stops on its way down: the room, a gap on each floor between, the other room."""
    found = []
    for name, direct in graph.items():
        for one in sorted(direct, key=ROOMS.index):
            between = range(floor_of(name, graph) - 1, floor_of(one, graph), -1)
            gaps = [Stop(f"{name} to {one}", floor, 14) for floor in between]
            found.append([stop_of(name, graph), *gaps, stop_of(one, graph)])
    return found


def stop_of(name: str, graph: Imports) -> Stop:
    """Where a room stands."""
    return Stop(name, floor_of(name, graph), WIDE)


def places(graph: Imports) -> dict[Stop, tuple[float, float]]:
    """The middle of each stop's upper edge: each over what it leads to, as far as there is space."""
    down: dict[Stop, list[Stop]] = {stop_of(name, graph): [] for name in graph}
    for way in ways(graph):
        for here, there in pairwise(way):
            down.setdefault(here, []).append(there)
    top = max(stop.floor for stop in down)
    at: dict[Stop, tuple[float, float]] = {}
    for floor in range(top + 1):
        stops = [stop for stop in down if stop.floor == floor]
        wishes = {
            stop: fmean(at[one][0] for one in down[stop]) if down[stop] else WIDTH / 2 for stop in stops
        }
        stops.sort(key=lambda stop: wishes[stop])  # those with the same wish stay in their order
        y = (top - floor) * FLOOR + 34
        xs = spread(stops, [wishes[stop] for stop in stops])
        at.update({stop: (x, y) for stop, x in zip(stops, xs, strict=True)})
    return at


def spread(stops: Sequence[Stop], wishes: Sequence[float]) -> list[float]:
    """Where the stops of a floor stand, from left to right: near their wishes, none touching another."""
    offsets = [0.0]
    for left, right in pairwise(stops):
        offsets.append(offsets[-1] + (left.width + right.width) / 2 + GAP)
    groups: list[
        list[float]
    ] = []  # neighbours that stand as close as they may; each as if alone at its left end
    for wish, offset in zip(wishes, offsets, strict=True):
        groups.append([wish - offset])
        while len(groups) > 1 and fmean(groups[-2]) >= fmean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    xs = [fmean(group) for group in groups for _ in group]
    least = stops[0].width / 2
    most = WIDTH - stops[-1].width / 2 - offsets[-1]
    if most < least:
        raise ValueError(f"too many rooms on one floor: {[stop.name for stop in stops]}")
    return [min(max(x, least), most) + offset for x, offset in zip(xs, offsets, strict=True)]


def box(name: str, x: float, y: float, kind: str) -> str:
    """A room: its name and what it is."""
    lines = textwrap.wrap(words_of(name), 19)[:3]
    top = y + (HIGH - 15 * (len(lines) + 1)) / 2 + 13
    said = "".join(
        f'<text x="{x:g}" y="{top + 16 + 14 * row:g}">{escape(line)}</text>' for row, line in enumerate(lines)
    )
    return (
        f'<g class="{kind}"><rect x="{x - WIDE / 2:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="10"/>'
        f'<text class="name" x="{x:g}" y="{top:g}">{escape(name)}</text>{said}</g>'
    )


def arrow(points: Sequence[tuple[float, float]]) -> str:
    """From the lower edge of a room, past those between, to the upper edge of one that it imports."""
    x, y = points[0][0], points[0][1] + HIGH
    drawn = f"M{x:g} {y:g}"
    for to_x, upper in points[1:]:
        to_y = upper - 7
        bend = (to_y - y) * 0.6
        drawn += f"C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"
        if (to_x, upper) != points[-1]:
            drawn += f"V{upper + HIGH:g}"
        x, y = to_x, upper + HIGH
    x, y = points[-1][0], points[-1][1] - 7
    return f'<path d="{drawn}"/><path class="head" d="M{x - 5:g} {y - 2:g}h10l-5 9z"/>'


def note(y: float, words: str) -> str:
    """A line of small words across the drawing."""
    return f'<text class="note" x="{WIDTH / 2:g}" y="{y:g}">{escape(words)}</text>'


def draw() -> str:
    """The drawing, as SVG."""
    everything = all_imports()
    beneath = {
        name
        for name in everything
        if (SOURCES / f"{name}.py").exists() and ROOMS.index(name) < ROOMS.index("kernels")
    }
    graph = {name: direct - beneath for name, direct in everything.items() if name not in beneath}
    graph = needed(graph)
    at = places(graph)
    parts = [arrow([at[stop] for stop in way]) for way in ways(graph)]
    parts += [box(name, *at[stop_of(name, graph)], "ground" if name == "game" else "room") for name in graph]
    ground = max(y for _, y in at.values()) + HIGH
    parts.append(note(16, "An arrow leads to what is imported; what is below that may be imported too."))
    parts.append(note(ground + 34, "Beneath them all, a file each:"))
    for index, name in enumerate(sorted(beneath, key=ROOMS.index)):
        x = WIDTH / 2 + (index - (len(beneath) - 1) / 2) * (WIDE + GAP)
        parts.append(box(name, x, ground + 46, "small"))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 0 {WIDTH + 4} {ground + 50 + HIGH:g}" '
        f'role="img" aria-label="The rooms of the code and which way they import">\n{STYLE}\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    DRAWING.write_text(draw(), encoding="utf-8")
