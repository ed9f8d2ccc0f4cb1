"""Expectimax: what is to be expected where discs slip, by the definition."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import GameOver, Geometry, Limit, Position, Rules, agent
from fourcast.game.rules import aim_shares
from fourcast.game.tree import AT_LEAST, AT_MOST, END, EXACT, PRUNED, TABLE, TreeNode
from fourcast.search.expectimax import Expectimax
from tests import naive
from tests.boards import play_peacefully, play_some, twin

SLIPS = [0.1, 0.2, 0.5, 0.9]
#: Boards that a naive search can play to the end from this ply on.
FROM = {"4x4x3": 7, "5x5x3": 17, "6x7x4": 35, "8x10x5": 74, "1x8x3": 2}


@cache
def search(board: str, slip: float, *, whole: bool) -> Expectimax:
    """One search for each question, asked again and again; it looks to the end of the game."""
    return Expectimax(Rules(board, slip), 2, solve=128, whole=whole, table_mb=4)


def aims(position: Position, slip: float) -> dict[int, float]:
    """What each column is worth to aim at."""
    board, grid = twin(position)
    return {column: naive.aim_worth(board, grid, column, slip) for column in position.legal}


def check(position: Position, slip: float) -> None:
    wanted = aims(position, slip)
    best = max(wanted.values())
    for whole in (True, False):
        found = search(str(position.geometry), slip, whole=whole).search(position, Limit())
        assert found.exact
        assert found.depth == position.geometry.cells - position.ply
        assert found.value == pytest.approx(best, abs=1e-6)
        assert wanted[found.column] == pytest.approx(best, abs=1e-6)
        assert found.values is not None
        for column, value in enumerate(found.values):
            if column in wanted and (whole or value is not None):
                assert value == pytest.approx(wanted[column], abs=1e-6)
            else:
                assert value is None
        assert found.values[found.column] == found.value


@pytest.mark.parametrize("slip", SLIPS)
def test_a_tiny_board_from_every_early_position(slip: float) -> None:
    for grids in naive.opening_grids(naive.Board(3, 3, 3), 3):
        for grid in grids:
            drawn = [
                ["." if row >= len(column) else "XO"[column[row]] for column in grid] for row in (2, 1, 0)
            ]
            check(Position.from_text("\n".join("".join(row) for row in drawn), 3), slip)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.sampled_from(list(FROM)),
    st.integers(0, 2**32),
    st.sampled_from(SLIPS),
    st.integers(0, 2),
)
def test_late_positions_are_worth_what_the_naive_twin_says(
    board: str, seed: int, slip: float, more: int
) -> None:
    position = play_peacefully(Geometry.parse(board), seed, FROM[board] + more)
    if not position.is_over:
        check(position, slip)


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("4x4x3", 0.462625),
        ("4x5x3", 0.559892),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in (("4x4x4", 0.003227), ("4x5x4", 0.004070))),
    ],
)
def test_the_published_values_of_empty_boards(board: str, value: float) -> None:
    found = agent("expectimax", Rules(board, 0.2)).analyze(Position(board), Limit())
    assert found.exact
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.score is None, "a score is of the game without slip"


def test_where_most_discs_slip_one_aims_elsewhere() -> None:
    """With two open columns and nine discs of ten going astray, the other column is the better aim."""
    seen = 0
    for seed in range(400):
        position = play_some(Geometry(4, 4, 3), seed)
        winning = position.winning_columns(position.turn)
        if len(position.legal) == 2 and len(winning) == 1:
            found = search("4x4x3", 0.9, whole=False).search(position, Limit())
            assert found.value is not None
            assert found.value >= 0.8 - 1e-9
            if found.value < 1:  # otherwise it does not matter
                assert found.column not in winning
                seen += 1
    assert seen > 3


def test_values_lie_between_a_loss_and_a_win_where_the_end_is_not_seen() -> None:
    for seed in range(40):
        position = play_some(Geometry(6, 7, 4), seed)
        if position.is_over:
            continue
        for slip in (0.2, 0.9):
            found = Expectimax(Rules("6x7x4", slip), 3, whole=True, table_mb=1).search(position, Limit())
            assert found.values is not None
            known = [value for value in found.values if value is not None]
            assert len(known) == len(position.legal)
            assert all(-1 <= value <= 1 for value in known)
            assert found.value == max(known) == found.values[found.column]


def test_pruning_does_not_change_the_column() -> None:
    for seed in range(60):
        position = play_some(Geometry(6, 7, 4), seed)
        if position.is_over or position.ply > 30:
            continue
        one, all_of_them = (
            Expectimax(Rules("6x7x4", 0.2), 3, whole=whole, table_mb=1).search(position, Limit())
            for whole in (False, True)
        )
        assert one.column == all_of_them.column
        assert one.value is not None
        assert all_of_them.value is not None
        assert abs(one.value - all_of_them.value) < 0.1, "of the other landings it has an earlier estimate"


def test_it_looks_to_the_end_only_when_it_is_near() -> None:
    search = Expectimax(Rules("5x5x3", 0.2), 2, solve=6, table_mb=1)
    far, near = (play_peacefully(Geometry(5, 5, 3), 10, plies) for plies in (15, 20))
    assert not far.is_over
    assert not near.is_over
    assert (search.search(far, Limit()).depth, search.search(far, Limit()).exact) == (2, False)
    found = search.search(near, Limit())
    assert (found.depth, found.exact) == (25 - near.ply, True)
    assert search.search(near, Limit(depth=3)).depth == 2, "a limit keeps it from it"


def test_a_finished_game_is_not_searched() -> None:
    with pytest.raises(GameOver, match="the game is over, first player"):
        search("6x7x4", 0.2, whole=True).search(Position.from_moves("1212121"), Limit())


# --- the tree ---


def worth(position: Position, slip: float) -> float:
    """What a position is worth to its side to move, to the end of the game."""
    if position.is_over:
        return -1.0 if position.outcome and position.outcome.winner is not None else 0.0
    return max(aims(position, slip).values())


def nodes_of(tree: TreeNode, position: Position) -> Iterator[tuple[TreeNode, Position]]:
    """Every node that was not pruned, and its position."""
    yield tree, position
    for child in tree.children:
        if child.kind != PRUNED:
            assert child.column is not None
            yield from nodes_of(child, position.play(child.column))


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("slip", [0.2, 0.5, 0.9])
def test_the_tree_says_what_is_so_and_marks_what_is_played(slip: float, whole: bool) -> None:
    ends = 0
    for board, plies in (("3x3x3", 4), ("4x4x3", 8)):
        tree_of = Expectimax(Rules(board, slip), 2, solve=128, whole=whole, table_mb=4, tree=20)
        for seed in range(12):
            root = play_peacefully(Geometry.parse(board), seed, plies)
            if root.is_over:
                continue
            found = tree_of.search(root, Limit())
            assert found.tree is not None
            for node, position in nodes_of(found.tree, root):
                assert (node.kind == END) == position.is_over
                assert node.plies_to_end == (0 if node.kind == END and node.value else None)
                assert node.value is not None
                ends += node.kind == END
                true = worth(position, slip)
                if node.bound != AT_MOST:
                    assert node.value <= true + 2e-6
                if node.bound != AT_LEAST:
                    assert node.value >= true - 2e-6
                best = [child.column for child in node.children if child.best]
                if node is found.tree:
                    assert best == [found.column]
                elif node.bound == EXACT and node.children and node.visits:
                    values = aims(position, slip)
                    assert best[0] is not None
                    assert values[best[0]] == pytest.approx(max(values.values()), abs=1e-5)
    assert ends > 50


@pytest.mark.parametrize("slip", [0.2, 0.9])
@pytest.mark.parametrize("moves", ["444", "43536", "4433554", "4444432655"])
def test_a_node_is_worth_what_its_landings_make_it(moves: str, slip: float) -> None:
    root = Position.from_moves(moves)
    found = Expectimax(Rules("6x7x4", slip), 4, table_mb=4, tree=4).search(root, Limit()).tree
    assert found is not None
    checked = 0
    for node, position in nodes_of(found, root):
        if not node.children:
            continue
        # The least and the most that the landings can be worth to who moves at the node.
        least, most = [], []
        for child in node.children:
            value = 0.0 if child.value is None else -child.value
            least.append(-1.0 if child.kind == PRUNED or child.bound == AT_LEAST else value)
            most.append(1.0 if child.kind == PRUNED or child.bound == AT_MOST else value)
        own, each = aim_shares(slip, len(position.legal))
        low, high = (own * (max if own >= 0 else min)(side) + each * sum(side) for side in (least, most))
        assert node.value is not None
        if node.bound != AT_MOST:
            assert node.value <= high + 1e-5
        if node.bound != AT_LEAST:
            assert node.value >= low - 1e-5
        if node.bound == EXACT and node is not found:
            assert least == most
        checked += 1
    assert checked > 50


def test_of_columns_that_are_equally_good_the_one_that_is_played_is_marked() -> None:
    position = Position.from_moves("3223", "3x3x3")
    found = agent("expectimax:depth=20,eval=lines,tree=3", Rules("3x3x3", 0.2)).analyze(position, Limit())
    assert found.tree is not None
    assert [child.column for child in found.tree.children if child.best] == [found.column]


def test_a_node_left_because_a_landing_wins_shows_that_landing_and_no_table() -> None:
    position = Position.from_moves("43536")
    found = agent("expectimax:depth=4", Rules("6x7x4", 0.1), tree=2).analyze(position, Limit())
    assert found.tree is not None
    assert found.table_hits == 0
    assert not [node for node in found.tree.walk() if node.kind == TABLE]
    left = [child for child in found.tree.children if not child.best]
    assert len(left) == 6
    for child in left:
        assert [(each.column, each.kind) for each in child.children if each.best] == [(6, END)]
        assert {each.kind for each in child.children if not each.best} == {PRUNED}
