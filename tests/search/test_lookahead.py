"""Minimax does what the definition says, and alpha-beta what minimax does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Analysis, GameOver, Geometry, Limit, Position, Rules, agent
from fourcast.evaluators.heuristics import heuristic
from fourcast.game.guess import centre_first
from fourcast.search.lookahead import Lookahead
from fourcast.search.orders import NAMES, column_orders
from tests import naive
from tests.boards import play_peacefully, play_some, twin, weights_of

#: With the depth that the naive twin can look ahead in no time.
DEPTHS = {"6x7x4": 3, "5x5x3": 3, "8x10x5": 2, "1x8x3": 5}
FIXED = ("centre", "edges", "left", "right")
#: How often each board is among the 500, and how deep it is searched at most.
BOARDS = {"6x7x4": (200, 7), "5x5x3": (150, 7), "8x10x5": (75, 4), "5x10x4": (50, 5), "4x4x4": (25, 7)}


def naive_order(name: str, columns: int) -> list[int]:
    """From the middle out, the left one of two first; or from a side."""
    order = sorted(range(columns), key=lambda column: (abs(column - (columns - 1) / 2), column))
    return {
        "centre": order,
        "edges": order[::-1],
        "left": list(range(columns)),
        "right": list(range(columns))[::-1],
    }[name]


@cache
def search(board: str, depth: int, order: str = "centre", kind: str = "alphabeta") -> Lookahead:
    """One search for each question, asked again and again."""
    return Lookahead(
        Geometry.parse(board), depth, prunes=kind != "minimax", order=order, whole=kind == "whole"
    )


def as_found(analysis: Analysis) -> tuple[object, ...]:
    """All that is said of the position itself."""
    return (
        analysis.column,
        analysis.value,
        analysis.points,
        analysis.score,
        analysis.bounds,
        analysis.exact,
        analysis.depth,
    )


def many_positions() -> list[tuple[str, int, Position]]:
    """500 positions of several boards whose games go on, each with a depth: of every one equally many."""
    found: list[tuple[str, int, Position]] = []
    for board, (count, deepest) in BOARDS.items():
        geometry = Geometry.parse(board)
        seeds = iter(range(10_000))
        for index in range(count):
            position = play_some(geometry, next(seeds))
            while position.is_over:
                position = play_some(geometry, next(seeds))
            found.append((board, 1 + index % deepest, position))
    assert len(found) == 500
    return found


@pytest.mark.parametrize("board", DEPTHS)
@pytest.mark.parametrize("name", ["windows", "threats"])
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), order=st.sampled_from(FIXED), data=st.data())
def test_minimax_is_that_of_the_naive_twin(
    board: str, name: str, seed: int, order: str, data: st.DataObject
) -> None:
    geometry = Geometry.parse(board)
    position = play_some(geometry, seed)
    if position.is_over:
        return
    depth = data.draw(st.integers(1, DEPTHS[board]))
    chosen = heuristic(name)
    weights = weights_of(chosen, geometry.connect)
    plain = Lookahead(geometry, depth, prunes=False, order=order, evaluation=name)
    found = plain.search(position, Limit())
    value, column = naive.minimax(
        *twin(position),
        depth,
        naive_order(order, geometry.columns),
        lambda board, grid: naive.evaluation(board, grid, weights),
    )
    assert found.column == column
    left = geometry.cells - position.ply
    if abs(value) > naive.WIN // 2:
        assert found.value == (1 if value > 0 else -1)
        assert found.exact
        assert found.plies_to_end == naive.WIN - abs(value)
        assert found.score is not None
        assert (found.score > 0) == (value > 0)
        assert found.points is None
    else:
        assert found.points == value / 1000
        assert found.value == pytest.approx(chosen.value(value / 1000))
        assert found.exact == (depth >= left)
        assert found.score == (0 if found.exact else None)
    assert found.depth == min(depth, left)


def test_minimax_and_alpha_beta_agree_on_500_positions() -> None:
    saved = 0
    for index, (board, depth, position) in enumerate(many_positions()):
        order = FIXED[index % 4]
        full = search(board, depth, order, "minimax").search(position, Limit())
        pruned = search(board, depth, order).search(position, Limit())
        assert as_found(pruned) == as_found(full), f"{position!r}, depth {depth}, {order}"
        assert pruned.nodes <= full.nodes
        assert full.cutoffs == 0
        saved += full.nodes > 5 * pruned.nodes
        other = search(board, depth, NAMES[(index + 1) % 5]).search(position, Limit())
        assert as_found(replace(other, column=full.column)) == as_found(full), "in whatever order"
    assert saved > 100


def test_every_column_has_minimaxs_value_where_all_are_asked_for() -> None:
    for board, depth, position in many_positions()[::5]:
        full = search(board, depth, "centre", "minimax").search(position, Limit())
        whole = search(board, depth, "centre", "whole").search(position, Limit())
        assert as_found(whole) == as_found(full)
        assert whole.values == full.values
        assert full.values is not None
        assert [column for column, value in enumerate(full.values) if value is not None] == list(
            position.legal
        )
        assert max(value for value in full.values if value is not None) == full.value
        pruned = search(board, depth).search(position, Limit())
        assert pruned.values is not None
        assert all(mine in (None, value) for mine, value in zip(pruned.values, full.values, strict=True))


def test_without_slip_expectimax_is_alpha_beta() -> None:
    for board, depth, position in many_positions()[::10]:
        for options in ("", ",values=all", ",eval=threats"):
            plain, wary = (
                agent(f"{name}:depth={depth}{options}", Rules(board)).analyze(position, Limit())
                for name in ("alphabeta", "expectimax")
            )
            assert as_found(plain) == as_found(wary)
            assert (plain.values, plain.pv) == (wary.values, wary.pv)


@pytest.mark.parametrize("kind", ["minimax", "alphabeta", "whole"])
def test_the_line_of_play_is_legal_and_is_worth_what_was_found(kind: str) -> None:
    ends = 0
    for board, depth, position in many_positions()[::4]:
        found = search(board, depth, "centre", kind).search(position, Limit())
        assert found.pv[0] == found.column
        after = position
        for column in found.pv:
            after = after.play(column)
        if found.score:
            assert after.outcome is not None
            assert len(found.pv) == found.plies_to_end
            assert after.outcome.winner == (position.turn if found.score > 0 else 1 - position.turn)
            ends += 1
        else:
            assert len(found.pv) == found.depth
    assert ends > 20


def test_orders_are_as_their_names_say() -> None:
    assert column_orders("centre", 7) == [[3, 2, 4, 1, 5, 0, 6]]
    assert column_orders("edges", 7) == [[6, 0, 5, 1, 4, 2, 3]]
    assert column_orders("left", 4) == [[0, 1, 2, 3]]
    assert column_orders("right", 4) == [[3, 2, 1, 0]]
    assert column_orders("centre", 4) == [[1, 2, 0, 3]]
    for columns in range(1, 36):
        for name in FIXED:
            assert column_orders(name, columns) == [naive_order(name, columns)]
        assert all(sorted(order) == list(range(columns)) for order in column_orders("random", columns))
    assert column_orders("random", 7, 1) == column_orders("random", 7, 1) != column_orders("random", 7, 2)
    assert len(set(map(tuple, column_orders("random", 7)))) > 50
    assert centre_first(Position.from_moves("444444")) == [2, 4, 1, 5, 0, 6]


def test_a_random_order_is_another_one_at_every_node_and_the_same_again() -> None:
    position = play_peacefully(Geometry(6, 7, 4), 3, 10)
    counts = {
        seed: Lookahead(Geometry(6, 7, 4), 6, order="random", seed=seed).search(position, Limit()).nodes
        for seed in range(6)
    }
    again = Lookahead(Geometry(6, 7, 4), 6, order="random", seed=3)
    assert [again.search(position, Limit()).nodes for _ in range(3)] == [counts[3]] * 3
    assert len(set(counts.values())) > 3


def test_a_finished_game_is_not_searched() -> None:
    with pytest.raises(GameOver, match="the game is over, first player"):
        search("6x7x4", 3).search(Position.from_moves("1212121"), Limit())
