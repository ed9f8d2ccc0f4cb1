"""A table and deepening change what alpha-beta costs, and never what it finds."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import GameOver, Geometry, Limit, Position
from fourcast.search.lookahead import Lookahead
from fourcast.search.remembering import Remembering
from tests.boards import play_some

BOARDS = ("6x7x4", "8x10x5")
USES = list(product((False, True), repeat=3))


@cache
def remembering(board: str, depth: int, deepens: bool, answers: bool, suggests: bool) -> Remembering:
    geometry = Geometry.parse(board)
    return Remembering(geometry, depth, deepens=deepens, answers=answers, suggests=suggests, table_mb=1)


@cache
def plain(board: str, depth: int, prunes: bool) -> Lookahead:
    return Lookahead(Geometry.parse(board), depth, prunes=prunes)


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from(BOARDS), st.integers(1, 4))
def test_it_finds_what_minimax_finds(seed: int, board: str, depth: int) -> None:
    position = play_some(Geometry.parse(board), seed)
    if position.is_over:
        return
    wanted = plain(board, depth, False).search(position, Limit())
    for uses in USES:
        found = remembering(board, depth, *uses).search(position)
        assert (found.value, found.points) == (wanted.value, wanted.points), uses
        after = position.play(found.column)  # another column than minimax's may be as good
        assert len(found.pv) <= depth
        assert found.pv[0] == found.column
        if not after.is_over and depth > 1:
            reply = plain(board, depth - 1, False).search(after, Limit())
            assert reply.points == (None if wanted.points is None else -wanted.points)


@settings(max_examples=30)
@given(st.integers(0, 10**9), st.integers(1, 6))
def test_without_a_table_it_visits_what_alpha_beta_visits(seed: int, depth: int) -> None:
    position = play_some(Geometry(), seed)
    if position.is_over:
        return
    wanted = plain("6x7x4", depth, True).search(position, Limit())
    found = remembering("6x7x4", depth, False, False, False).search(position)
    assert (found.nodes, found.leaves, found.cutoffs) == (wanted.nodes, wanted.leaves, wanted.cutoffs)
    assert (found.column, found.pv) == (wanted.column, wanted.pv)


def test_deepening_costs_all_depths_and_the_table_saves() -> None:
    position = Position.from_moves("4435")
    depths = [plain("6x7x4", depth, True).search(position, Limit()).nodes for depth in range(1, 8)]
    assert remembering("6x7x4", 7, True, False, False).search(position).nodes == sum(depths)
    table = remembering("6x7x4", 7, False, True, False).search(position)
    assert table.nodes < depths[-1]
    assert table.table_hits > 0
    assert remembering("6x7x4", 7, True, False, True).search(position).nodes < sum(depths)


def test_there_is_nothing_to_search_when_the_game_is_over() -> None:
    with pytest.raises(GameOver):
        remembering("6x7x4", 3, True, True, True).search(Position.from_moves("1212121"))
