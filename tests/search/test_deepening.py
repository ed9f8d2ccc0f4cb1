"""Iterative deepening: what it calls proven is so."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Analysis, Geometry, Limit, Position, Rules, agent
from fourcast.agents import Agent
from fourcast.solver import Solver
from tests import naive
from tests.boards import play_peacefully, play_some, twin

STANDARD = Geometry(6, 7, 4)
PLENTY = Limit(nodes=10_000_000)


@cache
def player(spec: str, board: str = "6x7x4") -> Agent:
    """One agent for each spec, asked again and again."""
    return agent(spec, Rules(board))


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def end_of_line(found: Analysis) -> Position:
    """Where the line of play leads; it is legal and begins with the column."""
    assert found.pv[:1] == (found.column,)
    after = found.position
    for column in found.pv:
        after = after.play(column)
    return after


@cache
def middle_positions() -> list[Position]:
    """300 positions of the standard board after 12 to 30 plies whose games go on, half of them peaceful."""
    found: list[Position] = []
    seed = 0
    while len(found) < 300:
        peaceful = play_peacefully(STANDARD, seed, 12 + seed % 19)
        found += [
            position
            for position in (peaceful, play_some(STANDARD, seed))
            if 12 <= position.ply <= 30 and not position.is_over
        ]
        seed += 1
    return found[:300]


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(["6x7x4", "8x10x5", "5x5x3", "4x5x4", "1x8x3"]), st.integers(0, 2**32))
def test_late_positions_are_solved(board: str, seed: int) -> None:
    geometry = Geometry.parse(board)
    position = play_peacefully(geometry, seed, max(geometry.cells - 9, 0))
    if position.is_over:
        return
    board_twin, grid = twin(position)
    score = naive.score(board_twin, grid)
    specs = ["negamax", "negamax:values=all", "negamax:eval=windows", "alphabeta:depth=9", "minimax:depth=9"]
    for spec in specs[: 3 if board == "4x5x4" else 5]:
        found = player(spec, board).analyze(position, PLENTY)
        assert found.exact
        assert (found.score, found.bounds) == (score, (score, score))
        assert found.value == sign(score)
        assert score == -naive.score(board_twin, naive.drop(grid, found.column)), "the column keeps it"
        assert len(found.pv) <= (found.plies_to_end or 0)
        end_of_line(found)


@pytest.mark.parametrize("board", ["4x5x4", "5x5x3", "1x8x3"])
def test_small_boards_are_solved_from_the_start(board: str) -> None:
    judge = Solver(board, table_mb=8)
    position = Position(board)
    for spec in ("negamax", "negamax:values=all"):
        found = player(spec, board).analyze(position, PLENTY)
        assert found.exact
        assert found.score == judge.solve(position).score
        after = end_of_line(found)
        assert after.is_over or (judge.solve(after).score or 0) * (-1) ** len(found.pv) == found.score


@pytest.mark.parametrize("spec", ["minimax:depth=5", "alphabeta:depth=6", "negamax", "negamax:values=all"])
def test_what_is_exact_is_what_the_solver_says(spec: str) -> None:
    judge = Solver(table_mb=16)
    found = [player(spec).analyze(position, Limit(nodes=20_000)) for position in middle_positions()[::2]]
    exact = [each for each in found if each.exact]
    assert len(exact) > 30
    scores = judge.solve_many([each.position for each in exact]).scores.tolist()
    assert [each.score for each in exact] == scores
    kept = [each.position.play(each.column) for each in exact]
    going_on = [(index, after) for index, after in enumerate(kept) if not after.is_over]
    after_scores = judge.solve_many([after for _, after in going_on]).scores.tolist()
    assert [scores[index] for index, _ in going_on] == [-score for score in after_scores]
    for each in exact:
        after = end_of_line(each)
        if each.score and spec.startswith("m"):
            assert after.is_over
            assert len(each.pv) == each.plies_to_end


@pytest.mark.parametrize(
    ("spec", "nodes"), [("negamax:values=all", 20_000), ("negamax", 20_000), ("negamax", 1000)]
)
def test_wins_and_losses_that_are_seen_are_real(spec: str, nodes: int) -> None:
    """Also those of columns that are not the best, and of searches that came to no end."""
    claims: list[tuple[Position, int]] = []
    for position in middle_positions():
        found = player(spec).analyze(position, Limit(nodes=nodes))
        assert found.column in position.legal
        assert found.values is not None
        if found.value in (1.0, -1.0):
            claims.append((position, int(found.value)))
        for column in position.legal:
            after, value = position.play(column), found.values[column]
            if after.is_over:
                winner = after.outcome.winner if after.outcome else None
                assert value in (None, 0.0 if winner is None else 1.0)
            elif value in (1.0, -1.0):
                claims.append((after, -int(value)))
    assert len(claims) > 300
    scores = Solver(table_mb=16).solve_many([position for position, _ in claims], weak=True).scores
    for (position, claim), score in zip(claims, scores.tolist(), strict=True):
        assert claim == score, repr(position)


def test_no_column_is_played_that_is_known_to_lose_while_another_is_not() -> None:
    """However early the search has to end."""
    doubts = 0
    for index, position in enumerate(middle_positions()):
        for spec in ("negamax", "negamax:values=all"):
            for nodes in (40 + index, 400 + 7 * index, 4000 + 7 * index):
                found = player(spec).analyze(position, Limit(nodes=nodes))
                assert found.values is not None or found.depth == 0
                lost = [column for column, value in enumerate(found.values or ()) if value == -1.0]
                if found.column in lost:
                    assert tuple(lost) == position.legal
                elif found.pv == (found.column,) and lost:
                    doubts += 1
    assert doubts > 5, "there was something to avoid"


def test_more_nodes_look_further() -> None:
    position = Position.from_moves("444")
    depths = [player("negamax").analyze(position, Limit(nodes=nodes)).depth for nodes in (100, 3000, 100_000)]
    assert depths == sorted(set(depths))
    assert depths[0] > 0


def test_values_are_those_of_one_iteration() -> None:
    """Also of one that was stopped: no column that was not reached seems better than the one played."""
    stopped = 0
    for seed in range(60):
        position = play_peacefully(Geometry(6, 7, 4), seed, seed % 12)
        found = agent("negamax:values=all").analyze(position, Limit(nodes=3000 + 100 * seed))
        assert found.values is not None
        known = [value for value in found.values if value is not None]
        stopped += len(known) < len(position.legal)
        assert found.values[found.column] in (None, max(known))
    assert stopped, "some were"
