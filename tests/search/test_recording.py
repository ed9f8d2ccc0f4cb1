"""The trees that searches record: what is in them, and that what they say is so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from fourcast import Limit, Position, Rules
from fourcast.agents import agent
from fourcast.game.tree import AT_LEAST, AT_MOST, END, EXACT, INNER, LEAF, PRUNED, TABLE, TreeNode
from fourcast.kernels.effort import RECORD_WORDS
from fourcast.search.effort import MOST_RECORDS
from fourcast.search.recording import tree_of

# Quiet, sharp (each side wins at once somewhere), with full columns, and near the end.
PLACES = [
    ("444", "6x7x4"),
    ("44552263", "6x7x4"),
    ("111111222222", "6x7x4"),
    ("4444432655", "6x7x4"),
    ("12", "3x3x3"),
    ("4123432114", "4x4x4"),
    ("", "5x10x4"),
]
SPECS = ["alphabeta:depth=4", "alphabeta:depth=4,order=edges,eval=power", "alphabeta:depth=3,values=all"]


def tree(spec: str, moves: str = "", board: str = "6x7x4", plies: int = 4) -> TreeNode:
    position = Position.from_moves(moves, board)
    found = agent(spec, Rules(board), tree=plies).analyze(position, Limit()).tree
    assert found is not None
    return found


def positions(node: TreeNode, position: Position) -> Iterator[tuple[TreeNode, Position]]:
    """Every node that was not pruned, and its position."""
    yield node, position
    for child in node.children:
        if child.kind != PRUNED:
            assert child.column is not None
            yield from positions(child, position.play(child.column))


def grade(node: TreeNode, before: int = 0) -> float:
    """A value on a scale where winning sooner is better, and losing later; so many plies come before."""
    assert node.value is not None
    if node.plies_to_end is not None:
        return node.value * (1e6 - node.plies_to_end - before)
    assert node.points is not None
    return node.points


def test_minimax_looks_at_everything() -> None:
    found = tree("minimax:depth=3", plies=3)
    assert found.sizes == (1, 7, 49, 343)
    assert found.visits == sum(1 for _ in found.walk()) == 400
    assert {node.kind for node in found.walk()} == {INNER, LEAF}
    assert {node.bound for node in found.walk()} == {EXACT}
    assert {node.window for node in found.walk()} == {None}


@pytest.mark.parametrize(("moves", "board"), PLACES)
@pytest.mark.parametrize("spec", ["minimax:depth=4", *SPECS])
def test_values_flow_from_the_best_child(spec: str, moves: str, board: str) -> None:
    for node, position in positions(tree(spec, moves, board), Position.from_moves(moves, board)):
        assert (node.kind == END) == position.is_over
        if not node.children:
            continue
        assert sorted(child.column or 0 for child in node.children) == list(position.legal)
        seen = [child for child in node.children if child.kind != PRUNED]
        assert [child.kind for child in node.children[len(seen) :]] == [PRUNED] * (
            len(position.legal) - len(seen)
        )
        assert node.visits == 1 + sum(child.visits for child in seen)
        assert grade(node) == max(-grade(child, 1) for child in seen)
        best = [child for child in seen if child.best]
        assert len(best) == (0 if node.bound == AT_MOST else 1)
        assert all(-grade(child, 1) == grade(node) for child in best)


@pytest.mark.parametrize(("moves", "board"), PLACES)
@pytest.mark.parametrize("spec", SPECS)
def test_bounds_hold_and_exact_values_are_those_of_minimax(spec: str, moves: str, board: str) -> None:
    whole = tree(spec.replace("alphabeta", "minimax").replace(",values=all", ""), moves, board)
    pruned = tree(spec, moves, board)
    assert grade(pruned) == grade(whole)
    pairs, bounds = [(pruned, whole)], set()
    while pairs:
        node, truth = pairs.pop()
        bounds.add(node.bound)
        if node.bound == EXACT:
            assert grade(node) == grade(truth)
        elif node.bound == AT_LEAST:
            assert grade(node) <= grade(truth)
        else:
            assert grade(node) >= grade(truth)
        twins = {child.column: child for child in truth.children}
        pairs += [(child, twins[child.column]) for child in node.children if child.kind != PRUNED]
    if board == "6x7x4":
        assert bounds >= {EXACT, AT_LEAST}


def test_a_value_within_its_window_is_exact_and_one_outside_is_a_bound() -> None:
    seen = set()
    for node in tree("alphabeta:depth=5", "444", plies=2).walk():
        if node.window is None or node.kind != INNER or node.value is None:
            continue
        low, high = node.window
        if not node.children:  # otherwise its children may tell more
            assert node.bound == (AT_MOST if node.value <= low else AT_LEAST if node.value >= high else EXACT)
            seen.add(node.bound)
    assert seen == {AT_LEAST, AT_MOST, EXACT}


@pytest.mark.parametrize("spec", ["minimax:depth=4", *SPECS, "alphabeta:depth=8"])
@pytest.mark.parametrize(("moves", "board"), PLACES)
def test_the_best_children_are_the_line_of_play(spec: str, moves: str, board: str) -> None:
    position = Position.from_moves(moves, board)
    analysis = agent(spec, Rules(board), tree=8).analyze(position, Limit())
    node, line = analysis.tree, []
    assert node is not None
    while best := [child for child in node.children if child.best]:
        node = best[0]
        line.append(node.column)
    assert tuple(line) == analysis.pv


def test_fewer_plies_are_kept_than_searched() -> None:
    found = tree("alphabeta:depth=5", "444", plies=2)
    assert found.depth == 2
    assert {node.kind for node in found.walk()} == {INNER, PRUNED}
    assert tree("alphabeta:depth=2", plies=5).depth == 2


def test_a_long_search_keeps_its_tree_too() -> None:
    analysis = agent("minimax:depth=7", tree=1).analyze(Position(), Limit())
    assert (analysis.nodes, analysis.depth) == (960_793, 7)
    assert analysis.tree is not None
    assert analysis.tree.sizes == (1, 7)


def test_a_tree_that_does_not_fit_is_only_a_root() -> None:
    records = np.zeros((MOST_RECORDS, RECORD_WORDS), dtype=np.int64)
    found = tree_of(records, Position(), depth=9, plies=9, nodes=5_000_000, unit=1, value=float)
    assert found == TreeNode(visits=5_000_000, cropped=True)


def test_of_a_position_that_was_searched_twice_the_last_time_counts() -> None:
    wide = (-(10**9) - 1, 10**9 + 1)
    rows = [  # ply, column, window, value, nodes
        (2, 0, *wide, 5, 1),
        (2, 1, *wide, 4, 1),
        (2, 1, *wide, 2, 1),
        (2, 0, *wide, 3, 1),
        (1, 0, *wide, -2, 5),
        (1, 1, *wide, -1, 1),
    ]
    found = tree_of(
        np.array(rows, dtype=np.int64),
        Position("4x2x3"),
        depth=3,
        plies=2,
        nodes=7,
        unit=1,
        value=lambda points: points / 10,
    )
    first, second = found.children
    assert [(child.column, child.value, child.best) for child in first.children] == [
        (1, 0.2, True),
        (0, 0.3, False),
    ]
    assert (first.best, second.kind, found.points) == (True, TABLE, 2)


def test_of_a_bound_and_an_exact_value_that_are_equal_the_exact_one_is_best() -> None:
    rows = [  # ply, column, window, value, nodes
        (2, 0, 0, 5, 5, 1),  # at least 5
        (2, 1, 0, 9, 5, 1),  # exactly 5
        (1, 0, 0, 9, -5, 3),  # hence exactly -5, although it was searched for more than 0
    ]
    found = tree_of(
        np.array(rows, dtype=np.int64), Position("4x2x3"), depth=4, plies=3, nodes=4, unit=1, value=float
    )
    node = found.children[0]
    assert [(child.bound, child.best) for child in node.children] == [(AT_LEAST, False), (EXACT, True)]
    assert node.bound == EXACT


def test_json_has_every_field() -> None:
    document = tree("alphabeta:depth=2", "444").to_json()
    assert document["column"] is None
    assert (document["bound"], document["visits"], document["window"]) == ("exact", document["visits"], None)
    third = document["children"][2]
    assert third["bound"] == AT_LEAST
    assert third["window"] == [-1.0, third["window"][1]]
    assert third["children"][-1] == TreeNode(6, PRUNED).to_json()
    assert third["children"][-1]["bound"] is None
    assert set(third) == {
        *(
            "column",
            "kind",
            "value",
            "points",
            "plies_to_end",
            "bound",
            "window",
            "visits",
            "best",
            "games",
            "cropped",
            "children",
        )
    }
