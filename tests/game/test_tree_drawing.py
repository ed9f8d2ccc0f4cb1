"""Search trees as drawings: everything is there, nothing is on top of anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

from fourcast import Limit, Position, Rules
from fourcast.agents import agent
from fourcast.game.tree import AT_LEAST, AT_MOST, END, INNER, LEAF, PRUNED, TABLE, TreeNode
from fourcast.game.tree_drawing import tree_svg
from fourcast.game.tree_text import tree_text
from fourcast.game.tree_words import worth

SVG = "{http://www.w3.org/2000/svg}"
CASES = [
    ("minimax:depth=2", "444", "6x7x4"),
    ("minimax:depth=3", "", "6x7x4"),
    ("alphabeta:depth=3", "444", "6x7x4"),
    ("alphabeta:depth=4,eval=power", "44552263", "6x7x4"),
    ("alphabeta:depth=2", "12a", "4x20x4"),
    ("alphabeta:depth=1", "", "6x7x4"),
    ("minimax:depth=9", "12", "3x3x3"),
]


@dataclass(frozen=True)
class Box:
    """A rectangle that something takes up."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def overlaps(self, other: Box) -> bool:
        """Whether both take up some place."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def is_within(self, other: Box) -> bool:
        """Whether the other one is around it."""
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom


def text_box(element: ElementTree.Element, dx: float = 0, dy: float = 0) -> Box:
    """What a text takes up in a wide font."""
    size = float(element.get("font-size", 12))
    words = element.text or ""
    width = size * len(words) * (0.66 if element.get("font-weight") == "bold" else 0.6)
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
    left = float(element.get("x", 0)) + dx - shift * width
    base = float(element.get("y", 0)) + dy
    return Box(left, base - 0.8 * size, left + width, base + 0.2 * size, words)


def rectangle(element: ElementTree.Element) -> Box:
    left, top, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
    return Box(left, top, left + width, top + height, "")


def texts(element: ElementTree.Element, dx: float = 0, dy: float = 0) -> Iterator[Box]:
    """All texts but those on the small board."""
    if element.get("class") == "board":
        return
    if moved := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        dx, dy = dx + float(moved[1]), dy + float(moved[2])
    if element.tag == f"{SVG}text":
        yield text_box(element, dx, dy)
    for child in element:
        yield from texts(child, dx, dy)


def node_groups(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [group for group in root.iter(f"{SVG}g") if (group.get("class") or "").startswith("node ")]


def tree(spec: str, moves: str, board: str = "6x7x4") -> tuple[TreeNode, Position]:
    position = Position.from_moves(moves, board)
    found = agent(spec, Rules(board), tree=4).analyze(position, Limit()).tree
    assert found is not None
    return found, position


def drawn(
    found: TreeNode, position: Position, title: tuple[str, ...] = ("who", "where")
) -> ElementTree.Element:
    return ElementTree.fromstring(tree_svg(found, position, title=title))


@pytest.mark.parametrize(("spec", "moves", "board"), CASES)
def test_every_node_is_drawn_and_no_text_is_on_another(spec: str, moves: str, board: str) -> None:
    found, position = tree(spec, moves, board)
    root = drawn(found, position, (spec, f"after {moves}", "57 nodes, 49 leaves, 0 cutoffs"))
    page = Box(0, 0, float(root.get("width", 0)), float(root.get("height", 0)), "page")
    groups = node_groups(root)
    kinds = [node.kind for node in found.walk() if node.kind != PRUNED]
    assert sorted(str(group.get("class")) for group in groups) == sorted(f"node {kind}" for kind in kinds)
    boxes = []
    for group in groups:
        box = rectangle(group.findall(f"{SVG}rect")[0])
        boxes.append(box)
        assert all(text_box(text).is_within(box) for text in group.findall(f"{SVG}text"))
    words = list(texts(root))
    assert len(words) > len(boxes)
    for things in (words, boxes):
        things.sort(key=lambda thing: thing.top)
        for index, thing in enumerate(things):
            assert thing.is_within(page), thing
            for other in things[index + 1 :]:
                if other.top >= thing.bottom:
                    break
                assert not thing.overlaps(other), (thing, other)


@pytest.mark.parametrize(("spec", "moves", "board"), CASES)
def test_what_was_pruned_is_marked_and_named(spec: str, moves: str, board: str) -> None:
    found, position = tree(spec, moves, board)
    root = drawn(found, position)
    stubs = [text.what for text in texts(root) if re.fullmatch(r"\d+ pruned: .*", text.what)]
    parents = [node for node in found.walk() if any(child.kind == PRUNED for child in node.children)]
    names = "123456789abcdefghijklmnopqrstuvwxyz"
    expected = []
    for parent in parents:
        columns = [child.column or 0 for child in parent.children if child.kind == PRUNED]
        expected.append(f"{len(columns)} pruned: {' '.join(names[column] for column in columns)}")
    assert sorted(stubs) == sorted(expected)
    dashed = [group for group in root.iter(f"{SVG}g") if group.get("stroke-dasharray")]
    assert sum(len(group) for group in dashed) == len(stubs)
    bars = [path for path in root.iter(f"{SVG}path") if path.get("class") == "cut"]
    legend = any(text.what.startswith("pruned:") for text in texts(root))
    assert (len(bars), legend) == ((len(stubs) + 1, True) if stubs else (0, False))
    assert bool(stubs) == spec.startswith("alphabeta:depth") * (not spec.endswith("=1"))


def test_parents_stand_in_the_middle_of_their_children_and_plies_side_by_side() -> None:
    found, position = tree("minimax:depth=2", "444")
    boxes = [rectangle(group.findall(f"{SVG}rect")[0]) for group in node_groups(drawn(found, position))]
    lefts = sorted({box.left for box in boxes})
    columns = [[box for box in boxes if box.left == left] for left in lefts]
    assert [len(column) for column in columns] == [1, 7, 49]
    (root,), middle, leaves = columns
    assert 2 * root.top == middle[0].top + middle[-1].top
    for index, box in enumerate(middle):
        assert 2 * box.top == leaves[7 * index].top + leaves[7 * index + 6].top


def test_headings_say_who_moves_and_who_maximises() -> None:
    found, position = tree("alphabeta:depth=3", "444")
    words = [text.what for text in texts(drawn(found, position))]
    assert [word for word in words if " to move" in word and ":" not in word][:4] == [
        "O to move, max",
        "X to move, min",
        "O to move, max",
        "X to move",
    ]
    assert any("seen by O, who moves at the root" in word for word in words)


def test_max_and_min_differ_in_shape_and_the_line_of_play_is_thickest() -> None:
    found, position = tree("minimax:depth=2", "444")
    root = drawn(found, position)
    rounds = [group.findall(f"{SVG}rect")[0].get("rx") for group in node_groups(root)]
    assert (rounds.count(None), len(rounds)) == (50, 57)
    groups = {group.get("class"): group for group in root.iter(f"{SVG}g")}
    assert [len(groups[way]) for way in ("main", "best", "branch")] == [2, 6, 48]
    widths = [float(groups[way].get("stroke-width", 1)) for way in ("branch", "best", "main")]
    assert widths == sorted(set(widths))


def test_the_position_and_the_title_are_there_and_escaped() -> None:
    found, position = tree("minimax:depth=1", "444")
    root = drawn(found, position, ("<mcts> & co",))
    assert "<mcts> & co" in [text.what for text in texts(root)]
    board = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "board")
    assert len(list(board.iter(f"{SVG}circle"))) == 42
    bare = tree_svg(found, position, board=False)
    assert "<circle" not in bare.replace('r="1.5"', "")


def test_a_monte_carlo_tree_is_drawn_too() -> None:
    """Averages, no windows, ends and table hits; nobody maximises, and one child was never visited."""
    deep = (
        TreeNode(0, LEAF, value=0.5, visits=50, best=True),
        TreeNode(1, END, value=-1.0, visits=30),
        TreeNode(2, TABLE, value=0.0),
        TreeNode(4, LEAF),
        TreeNode(5, END, value=0.0),
    )
    children = (
        TreeNode(3, INNER, value=0.3, visits=80, best=True, children=deep),
        TreeNode(1, value=-0.004, visits=20),
    )
    found = TreeNode(value=0.25, visits=101, games=True, children=children)
    position = Position.from_moves("4")
    root = drawn(found, position)
    words = [text.what for text in texts(root)]
    for word in ("O to move", "+0.25", "-0.30", "0.00", "+0.50", "X wins", "draw", "?", "101"):
        assert word in words, word
    assert not any("max" in word or "min" in word for word in words)
    assert {group.findall(f"{SVG}rect")[0].get("rx") for group in node_groups(root)} == {None}
    marks = {str(group.get("class")): group for group in node_groups(root)}
    assert len(marks["node end"].findall(f"{SVG}rect")) == 2
    assert len(marks["node table"].findall(f"{SVG}path")) == 1
    assert tree_text(found, position).splitlines() == [
        "O to move  +0.25  (101 visits)",
        "  4* -0.30  (80 visits)",
        "    1* +0.50  (50 visits)",
        "    2  X wins  (30 visits)",
        "    3  0.00  (table)",
        "    5  ?",
        "    6  draw",
        "  2  0.00  (20 visits)",
    ]
    assert "The small number in a box: games that went through it." in words
    assert tree_text(TreeNode(), position) == "O to move  ?"
    assert len(node_groups(drawn(TreeNode(), position))) == 1


def test_averages_over_positions_count_positions() -> None:
    position = Position.from_moves("2324")
    found = agent("expectimax:depth=3", Rules("6x7x4", 0.2), tree=1).analyze(position, Limit()).tree
    assert found is not None
    assert tree_text(found, position).splitlines()[0].endswith(f"({found.visits} nodes)")
    words = [text.what for text in texts(drawn(found, position))]
    assert "The small number in a box: positions visited in it and below." in words
    assert not any("max" in word or "min" in word for word in words)


def test_a_lone_root_of_a_monte_carlo_tree_is_drawn_as_what_it_is() -> None:
    position = Position.from_moves("435362")
    found, _ = tree("mcts", "435362")
    assert tree_text(found, position) == "X to move  wins in 1"
    (group,) = node_groups(drawn(found, position))
    assert group.get("class") == "node leaf"
    words = [text.what for text in texts(drawn(found, position))]
    assert not any("max" in word or "searched further than drawn" in word for word in words)


def test_what_was_left_out_for_want_of_room_has_dots() -> None:
    found = TreeNode(value=0.1, visits=9, children=(TreeNode(0, value=0.1, visits=8, cropped=True),))
    assert tree_text(found, Position()).splitlines()[1] == "  1  -0.10  (8 nodes)  ..."
    words = [text.what for text in texts(drawn(found, Position()))]
    assert "searched further than drawn" in words


@pytest.mark.parametrize(
    ("node", "ply", "words"),
    [
        (TreeNode(points=12.0, value=0.4), 0, "+12"),
        (TreeNode(points=12.0, value=0.4), 1, "-12"),
        (TreeNode(points=3.364, value=0.1), 1, "-3.4"),
        (TreeNode(points=-0.04, value=0.0), 0, "0"),
        (TreeNode(points=100.0, value=0.9, bound=AT_LEAST), 0, ">= +100"),
        (TreeNode(points=100.0, value=0.9, bound=AT_LEAST), 1, "<= -100"),
        (TreeNode(points=-2.0, value=-0.1, bound=AT_MOST), 1, ">= +2"),
        (TreeNode(value=1.0, plies_to_end=5), 0, "wins in 3"),
        (TreeNode(value=1.0, plies_to_end=5), 1, "loses in 3"),
        (TreeNode(value=-1.0, plies_to_end=4), 0, "loses in 2"),
        (TreeNode(value=-1.0, plies_to_end=4, bound=AT_MOST), 1, ">= wins in 2"),
        (TreeNode(kind=END, value=-1.0, plies_to_end=0), 1, "X wins"),
        (TreeNode(kind=END, value=-1.0, plies_to_end=0), 2, "O wins"),
        (TreeNode(kind=END, value=0.0, points=0.0), 1, "draw"),
        (TreeNode(value=0.333), 1, "-0.33"),
    ],
)
def test_values_are_those_of_the_side_that_moves_at_the_root(node: TreeNode, ply: int, words: str) -> None:
    assert worth(node, ply, turn=0) == words


def test_the_text_has_a_line_for_every_node() -> None:
    found, position = tree("alphabeta:depth=2", "444")
    lines = tree_text(found, position).splitlines()
    assert lines[:4] == ["O to move  -6  (21 nodes)", "  4* -6  (8 nodes)", "    4  -3", "    3* -6"]
    seen = [node for node in found.walk() if node.kind != PRUNED]
    pruned = [line for line in lines if "pruned: " in line]
    assert len(lines) == len(seen) + len(pruned)
    assert pruned == ["    pruned: 1 2 3 5 6 7"] * 6


@pytest.mark.parametrize(("moves", "board"), [("", "2x35x3"), ("44552263", "6x7x4")])
def test_the_text_fits_a_terminal(moves: str, board: str) -> None:
    position = Position.from_moves(moves, board)
    found = agent("alphabeta:depth=3,eval=power", Rules(board), tree=3).analyze(position, Limit()).tree
    assert found is not None
    deep = found
    for _ in range(17):  # twenty plies in all
        deep = TreeNode(
            0, value=-1.0, plies_to_end=30, visits=10**9, bound=AT_LEAST, best=True, children=(deep,)
        )
    lines = tree_text(deep, position).splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith(" " * 38 + "pruned: ") for line in lines)
