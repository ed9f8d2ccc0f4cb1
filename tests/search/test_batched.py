"""Negamax that evaluates its leaves together sees what plain negamax sees."""

from __future__ import annotations

import threading
import time
from functools import cache
from itertools import islice

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Analysis, BadShape, GameOver, Geometry, Limit, Position
from fourcast.evaluators.phased import PhasedEvaluator
from fourcast.game.guess import centre_first
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import KERNELS
from fourcast.kernels.distinct import distinct_counts
from fourcast.search.batched import BatchedSearch
from fourcast.search.plies import Ply, add_ply
from fourcast.solver import Solver
from tests import naive_frontier
from tests.boards import play_peacefully, play_some, twin
from tests.naive import Grid

#: With the depth that the naive twin can look ahead in no time.
DEPTHS = {"6x7x4": 3, "5x5x3": 3, "8x10x5": 2, "3x32x4": 1, "1x8x3": 6, "8x1x3": 8, "4x4x4": 4}


def worth(grid: Grid) -> float:
    """What a position is worth: anything, and never the same for two that look alike."""
    total = sum(
        (7 * row + 31 * column + 101) * (disc + 1)
        for column, discs in enumerate(grid)
        for row, disc in enumerate(discs)
    )
    return (total * 7919 % 2001 - 1000) / 1001


class Scattered:
    """Evaluates by `worth`, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def values(self, batch: Batch) -> npt.NDArray[np.float64]:
        self.asked += len(batch)
        return np.array([worth(twin(position)[1]) for position in batch])


def scattered(board: str, depth: int) -> BatchedSearch:
    """A search that asks nobody else."""
    cells = Geometry.parse(board).cells
    return BatchedSearch(Geometry.parse(board), PhasedEvaluator(Scattered(), cells, cells), depth)


@cache
def playing_out(board: str = "6x7x4", depth: int = 3, count: int = 20) -> BatchedSearch:
    """A search that asks no model."""
    return BatchedSearch(Geometry.parse(board), PhasedEvaluator(None, count=count), depth)


def going_on(board: str, count: int) -> list[Position]:
    """Positions of games that go on."""
    found = (play_some(Geometry.parse(board), seed) for seed in range(10_000))
    return list(islice((position for position in found if not position.is_over), count))


@pytest.mark.parametrize("board", DEPTHS)
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), timed=st.booleans(), data=st.data())
def test_value_and_column_are_those_of_plain_negamax(
    board: str, seed: int, timed: bool, data: st.DataObject
) -> None:
    position = play_some(Geometry.parse(board), seed)
    if position.is_over:
        return
    depth = data.draw(st.integers(1, DEPTHS[board]))
    limit = Limit(seconds=1000) if timed else Limit()
    found = scattered(board, depth).search(position, limit)
    value, column = naive_frontier.negamax(*twin(position), depth, worth)
    assert found.column == column
    if abs(value) > 1:
        assert found.value == (1 if value > 0 else -1)
        assert found.exact
        assert found.plies_to_end == naive_frontier.SURE - abs(value)
        assert (found.score or 0) * value > 0
    else:
        assert found.value == pytest.approx(value, abs=1e-12)
        assert found.values is not None
        assert found.values[found.column] == found.value
        assert found.depth <= min(depth, position.geometry.cells - position.ply)


def test_every_column_has_its_own_value() -> None:
    seen = 0
    for position in going_on("5x5x3", 60):
        found = scattered("5x5x3", 2).search(position, Limit())
        assert found.values is not None
        if found.score:
            assert found.values[found.column] == found.value == (1 if found.score > 0 else -1)
            continue  # it ends there: others may be unknown
        for column in position.legal:
            after = position.play(column)
            expected = 0.0 if after.is_over else -naive_frontier.negamax(*twin(after), 1, worth)[0]
            assert found.values[column] == pytest.approx(min(max(expected, -1), 1), abs=1e-12)
            seen += 1
        assert [value is None for value in found.values] == [
            column not in position.legal for column in range(5)
        ]
    assert seen > 80


@pytest.mark.parametrize(
    "board", ["4x4x4", *(pytest.param(board, marks=pytest.mark.slow) for board in ("5x5x3", "1x8x3"))]
)
def test_a_game_that_is_seen_to_its_end_has_the_solvers_score(board: str) -> None:
    solver = Solver(board, table_mb=8)
    search = playing_out(board, depth=20)
    for position in [Position(board), *going_on(board, 40)]:
        for limit in (Limit(), Limit(seconds=1000)):
            found = search.search(position, limit)
            assert found.exact
            assert found.score == solver.solve(position).score
            assert found.bounds == (found.score, found.score)
            assert -_score(solver, position.play(found.column), found.score or 0) == found.score


def _score(solver: Solver, after: Position, wanted: int) -> int:
    """What a position is worth; of one that is over, that it is what was wanted."""
    if not after.is_over:
        return solver.solve(after).score or 0
    assert (after.outcome is not None and after.outcome.winner is None) == (wanted == 0)
    return -wanted


def test_decided_games_are_seen_on_the_standard_board() -> None:
    solver = Solver()
    decided = 0
    for position in going_on("6x7x4", 200):
        found = playing_out(depth=4, count=1).search(position, Limit())
        if found.exact:
            assert found.score == solver.solve(position).score
            decided += found.score != 0
    assert decided > 60


def test_the_line_of_play_is_legal_and_is_worth_what_was_found() -> None:
    ends = 0
    for board, depth in (("6x7x4", 4), ("5x5x3", 4), ("8x10x5", 2), ("8x1x3", 9)):
        for position in going_on(board, 30):
            found = scattered(board, depth).search(position, Limit())
            assert found.pv[0] == found.column
            after = position
            for column in found.pv:
                after = after.play(column)
            if found.exact:
                assert len(found.pv) == found.plies_to_end
                assert after.outcome is not None
                winner = None if not found.score else position.turn ^ (found.score < 0)
                assert after.outcome.winner == winner
                ends += 1
            else:
                mine = 1 if after.turn == position.turn else -1
                assert found.value == pytest.approx(0 if after.is_over else mine * worth(twin(after)[1]))
    assert ends > 20


def test_positions_that_several_lines_lead_to_are_evaluated_once() -> None:
    model = Scattered()
    search = BatchedSearch(Geometry(), PhasedEvaluator(model, 42, 42), 4)
    search.prepare()
    model.asked = 0
    counts = list(distinct_counts(Position(), 4))
    found = search.search(Position(), Limit())
    assert model.asked == found.leaves == counts[4] < 7**4
    assert found.nodes == sum(counts)
    search.search(Position(), Limit(seconds=1000))
    assert model.asked == counts[4] + sum(counts[1:]), "with a clock every ply is evaluated"


def test_of_equals_the_column_nearest_to_the_centre_is_played() -> None:
    class Dull:
        def values(self, batch: Batch) -> npt.NDArray[np.float64]:
            return np.full(len(batch), 0.25)

    for depth, value in ((1, -0.25), (2, 0.25), (3, -0.25)):
        found = BatchedSearch(Geometry(), PhasedEvaluator(Dull(), 42, 42), depth).search(Position(), Limit())
        assert (found.column, found.value, found.values) == (3, value, (value,) * 7)


def test_a_win_is_played_and_nothing_is_said_of_what_was_not_looked_at() -> None:
    found = playing_out().search(Position.from_moves("121212"), Limit())
    assert (found.column, found.value, found.nodes, found.simulations, found.pv) == (0, 1.0, 1, 0, (0,))
    assert found.values == (1.0, None, *[-1.0] * 5), "elsewhere than in the second column the other side wins"
    assert playing_out().search(Position.from_moves("121316"), Limit()).values == (1.0, *[None] * 6)
    blocked = playing_out().search(Position.from_moves("12131"), Limit())
    assert blocked.column == 0
    assert blocked.values is not None
    assert blocked.values[1:] == (-1.0,) * 6


@pytest.mark.parametrize("timed", [False, True])
def test_no_more_is_spent_than_allowed(timed: bool) -> None:
    deeper = set()
    clock = Limit(seconds=1000) if timed else Limit()
    for index, position in enumerate(going_on("6x7x4", 60)):
        for amount in (1, 2, 7, 8, 30, 100 + 37 * index, 5000):
            found = playing_out().search(position, Limit(nodes=amount).within(clock))
            assert 1 <= found.nodes <= amount
            assert found.column in position.legal
            deeper.add(found.depth)
            found = playing_out().search(position, Limit(simulations=amount).within(clock))
            assert found.simulations <= amount
            assert found.column in position.legal
        for depth in (1, 2, 5):
            assert playing_out().search(position, Limit(depth=depth).within(clock)).depth <= min(depth, 3)
    assert deeper == {0, 1, 2, 3}


def test_with_fewer_playouts_it_looks_less_far_or_plays_out_less_often() -> None:
    position = play_peacefully(Geometry(), 4, 8)
    assert not position.is_over
    spent = {
        amount: playing_out().search(position, Limit(simulations=amount))
        for amount in (3, 20, 500, 3000, 100_000)
    }
    assert [found.depth for found in spent.values()] == [0, 1, 2, 3, 3]
    assert spent[100_000].simulations == 20 * spent[100_000].leaves
    assert spent[3].value is None, "not one playout of each column"
    assert spent[3].simulations == 0
    assert spent[20].simulations == 2 * spent[20].leaves


def test_with_a_time_limit_the_playouts_of_all_plies_count() -> None:
    found = playing_out().search(Position(), Limit(seconds=1000))
    assert found.simulations == 20 * (7 + 49 + 238)
    found = playing_out().search(Position(), Limit(seconds=1000, simulations=2000))
    assert (found.depth, found.simulations) == (2, 20 * (7 + 49))


def test_no_ply_grows_beyond_what_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcast.search.batched.MOST_POSITIONS", 400)
    for limit in (Limit(), Limit(seconds=1000)):
        found = playing_out(depth=30).search(Position(), limit)
        assert (found.depth, found.nodes) == (3, 1 + 7 + 49 + 238)


@pytest.mark.parametrize("seconds", [1e-9, 0.002])
def test_in_no_time_there_is_still_a_sensible_column(seconds: float) -> None:
    for position in going_on("6x7x4", 250):
        found = playing_out(depth=12).search(position, Limit(seconds=seconds))
        assert found.column in position.legal
        threats = position.winning_columns(1 - position.turn)
        if winning := position.winning_columns(position.turn):
            assert found.column in winning
        elif threats:
            assert found.column in threats
        else:
            after = {column: position.play(column) for column in position.legal}
            lost = {column for column, each in after.items() if each.winning_columns(each.turn)}
            assert found.column not in lost or lost == set(after)


@pytest.mark.parametrize("limit", [Limit(), Limit(seconds=10_000)], ids=str)
def test_another_thread_can_stop_it(limit: Limit) -> None:
    """It would not end while anybody waits."""
    search = BatchedSearch(Geometry(), PhasedEvaluator(None, count=10_000), 30)
    position = Position.from_moves("4444")
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(search.search(position, limit)), daemon=True)
    thread.start()
    while search.progress.nodes < 500 or not search.progress.simulations:
        assert thread.is_alive()
        time.sleep(0.001)
    search.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    found = answers[0]
    assert found.column in position.legal
    assert not found.exact
    assert found.simulations == search.progress.simulations > 0
    if limit.seconds:
        assert found.depth >= 1, "the best so far"
        assert found.column == search.progress.column
    else:
        assert (found.depth, found.value, found.leaves) == (0, None, 0), "nothing was evaluated to the end"
    again = search.search(position, Limit(depth=1))
    assert (again.depth, again.leaves) == (1, 7), "and the next question is answered as if nothing had been"


def test_it_can_be_stopped_on_its_way_down(monkeypatch: pytest.MonkeyPatch) -> None:
    search = scattered("6x7x4", 20)
    search.prepare()

    def add_and_stop(geometry: Geometry, plies: list[Ply], most: int) -> bool:
        if len(plies) == 2:
            search.stop()
        return add_ply(geometry, plies, most)

    monkeypatch.setattr("fourcast.search.batched.add_ply", add_and_stop)
    found = search.search(Position(), Limit())
    assert (found.nodes, found.leaves, found.column) == (1 + 7 + 49, 0, 3)


def test_a_search_that_is_stopped_avoids_what_it_has_seen_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopping:
        def values(self, batch: Batch) -> npt.NDArray[np.float64]:
            search.stop()
            return np.zeros(len(batch))

    monkeypatch.setattr("fourcast.search.batched._CHUNK", 1)
    search = BatchedSearch(Geometry(), PhasedEvaluator(Stopping(), 42, 42), 4)
    seen = 0
    for position in going_on("6x7x4", 300):
        after = {column: position.play(column) for column in position.legal}
        lost = [column for column, each in after.items() if each.winning_columns(each.turn)]
        if position.winning_columns(position.turn) or centre_first(position)[0] not in lost:
            continue
        found = search.search(position, Limit())
        assert found.values is not None
        assert all(found.values[column] == -1 for column in lost)
        assert found.column not in lost or found.exact
        if not found.exact and not found.leaves:
            assert {value for value in found.values if value is not None} == {-1.0}, "no more is known"
            seen += 1
    assert seen > 5


def test_the_same_seed_plays_the_same_games() -> None:
    position = Position.from_moves("4141")
    fresh = BatchedSearch(Geometry(), PhasedEvaluator(None, count=20), 3)
    one, two, other = (
        search.search(position, Limit(), seed)
        for search, seed in ((playing_out(), 4), (fresh, 4), (fresh, 5))
    )
    assert (one.values, one.pv) == (two.values, two.pv)
    assert one.values != other.values
    assert fresh.search(position, Limit(), 4).values == one.values, "whatever was asked before"


def test_the_last_columns_are_played_to_the_end() -> None:
    for board in ("6x7x4", "8x10x5", "5x5x3", "1x8x3", "8x1x3"):
        geometry = Geometry.parse(board)
        for left in (1, 2, 4):
            for seed in range(60):
                position = play_peacefully(geometry, seed, geometry.cells - left)
                if position.is_over:
                    continue
                found = playing_out(board, depth=4).search(position, Limit())
                assert found.column in position.legal
                assert found.exact
                assert found.simulations == 0
                break


def test_a_finished_game_and_another_board_are_refused() -> None:
    with pytest.raises(GameOver, match="the game is over, first player"):
        playing_out().search(Position.from_moves("1212121"), Limit())
    with pytest.raises(BadShape, match="the position is on board 5x5x4, the agent plays 6x7x4"):
        playing_out().search(Position("5x5x4"), Limit())


def test_what_is_prepared_is_all_that_is_needed() -> None:
    """The playouts too, though a model is asked first."""

    def loaded() -> int:
        return sum(len(kernel.signatures) for kernel in KERNELS)

    search = BatchedSearch(Geometry(7, 6, 4), PhasedEvaluator(Scattered(), 8, 12, count=5), 2)
    search.prepare()
    before = loaded()
    for position in (Position("7x6x4"), Position.from_moves("6543211234", "7x6x4")):
        found = search.search(position, Limit())
        assert found.leaves > 0
        assert (found.simulations > 0) == (position.ply > 6)
    assert loaded() == before
