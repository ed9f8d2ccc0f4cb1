"""A deep search and one with a model, asked together: tactics from the one, judgement from the other."""

from __future__ import annotations

import threading
import time
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import Analysis, BadShape, GameOver, Geometry, Limit, Position, Rules, agent
from fourcast.evaluators.phased import PhasedEvaluator
from fourcast.kernels.batch import Batch
from fourcast.search.batched import BatchedSearch
from fourcast.search.combined import CombinedSearch
from fourcast.search.deepening import Deepening
from fourcast.solver import Solver
from tests.boards import play_some

START = Position()


class Says:
    """Stands for a search: it says what it was told to, and keeps what it was asked."""

    geometry = START.geometry

    def __init__(self, column: int = 3, **facts: Any) -> None:
        told: dict[str, Any] = {"pv": (column,), "depth": 2, "nodes": 10} | facts
        self.answer = Analysis(START, column, **told)
        self.asked: list[Limit] = []
        self.stopped = 0

    def prepare(self) -> None:
        pass

    def stop(self) -> None:
        self.stopped += 1

    def search(self, _position: Position, limit: Limit, _seed: int = 0) -> Analysis:
        self.asked.append(limit)
        return self.answer


def together(deep: Any, batched: Any, nodes: int = 1000, weight: float = 0.25) -> CombinedSearch:
    return CombinedSearch(deep, batched, nodes=nodes, weight=weight, alone=128)


@cache
def small(board: str = "6x7x4", nodes: int = 2000, depth: int = 2) -> CombinedSearch:
    """Both searches as they are, with few playouts for a model."""
    geometry = Geometry.parse(board)
    deep = Deepening(geometry, evaluation="threats", table_mb=1, whole=True)
    batched = BatchedSearch(geometry, PhasedEvaluator(None, count=10), depth)
    return CombinedSearch(deep, batched, nodes=nodes, weight=0.5, alone=128)


def going_on(board: str, count: int) -> list[Position]:
    """Positions of games that go on."""
    found = (play_some(Geometry.parse(board), seed) for seed in range(10_000))
    return list(islice((position for position in found if not position.is_over), count))


# --- what both say is weighed ---


def test_each_column_is_worth_what_both_say_by_their_weights() -> None:
    deep = Says(3, values=(0.0, 0.4, 0.8, -0.4, 0.0, 0.0, 0.0))
    batched = Says(4, values=(0.0, 0.4, 0.0, 0.0, 0.8, -0.8, 0.4))
    found = together(deep, batched).search(START, Limit())
    assert found.values == pytest.approx((0.0, 0.4, 0.2, -0.1, 0.6, -0.6, 0.3))
    assert found.value == pytest.approx(0.6)
    assert (found.column, found.pv) == (4, (4,))
    assert not found.exact


@pytest.mark.parametrize(("weight", "column"), [(0.0, 5), (1.0, 1)])
def test_who_has_all_the_weight_decides_alone(weight: float, column: int) -> None:
    deep, batched = (Says(best, values=tuple(0.5 * (each == best) for each in range(7))) for best in (1, 5))
    assert together(deep, batched, weight=weight).search(START, Limit()).column == column


def test_of_equals_the_deep_searchs_column_is_played_or_else_the_one_nearest_to_the_centre() -> None:
    level = (0.5,) * 7
    assert together(Says(6, values=level), Says(1, values=level)).search(START, Limit()).column == 6
    deep, batched = Says(0, values=(0.0, *level[1:])), Says(1, values=level)
    assert together(deep, batched).search(START, Limit()).column == 3


def test_a_column_that_either_has_seen_lost_is_lost() -> None:
    deep = Says(3, values=(-1.0, 0.9, *[-0.8] * 5))
    batched = Says(0, values=(0.9, -1.0, *[-0.8] * 5))
    found = together(deep, batched, weight=0.5).search(START, Limit())
    assert found.values == pytest.approx((-1.0, -1.0, *[-0.8] * 5))
    assert found.column == 3


def test_a_column_that_the_deep_search_did_not_reach_is_worth_what_the_other_says() -> None:
    deep = Says(3, values=(None, 0.0, 0.0, 0.8, None, 0.0, 0.0))
    found = together(deep, Says(0, values=(0.5, *[0.0] * 6))).search(START, Limit())
    assert found.values == pytest.approx((0.5, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0))


def test_the_effort_of_both_is_told() -> None:
    deep = Says(values=(0.0,) * 7, nodes=30, leaves=4, memory=100, depth=9, cutoffs=5, table_hits=6)
    for depth in (0, 2):  # without depth, nothing was evaluated to the end
        batched = Says(values=(0.0,) * 7, nodes=8, leaves=7, memory=50, depth=depth, simulations=70)
        found = together(deep, batched).search(START, Limit())
        assert (found.nodes, found.leaves, found.memory, found.simulations) == (38, 11, 150, 70)
        assert (found.depth, found.cutoffs, found.table_hits) == (9, 5, 6)


def test_what_one_proves_is_the_answer() -> None:
    deep, batched = Says(2, exact=True, score=0, value=0.0), Says(5, values=(0.9,) * 7)
    assert together(deep, batched).search(START, Limit()).column == 2
    assert not batched.asked, "there is nothing left to ask"
    deep, batched = Says(2, values=(0.9,) * 7), Says(5, exact=True, score=7, value=1.0, values=(1.0,) * 7)
    found = together(deep, batched).search(START, Limit())
    assert (found.column, found.score, found.exact, found.nodes) == (5, 7, True, 20)


def test_who_has_nothing_to_say_leaves_it_to_the_other() -> None:
    silent = Says(2, depth=0)
    assert together(silent, Says(5, values=(0.1,) * 7)).search(START, Limit()).column == 5
    assert together(Says(5, values=(0.1,) * 7), silent).search(START, Limit()).column == 5


# --- limits ---


def test_the_limit_is_shared_out() -> None:
    deep, batched = Says(values=(0.0,) * 7, nodes=40), Says(values=(0.0,) * 7)
    search = together(deep, batched, nodes=1000)
    search.search(START, Limit(seconds=100, nodes=101, depth=5, simulations=7))
    assert deep.asked == [Limit(seconds=75, nodes=51, depth=5)]
    (rest,) = batched.asked
    assert (rest.nodes, rest.depth, rest.simulations) == (61, 5, 7)
    assert rest.seconds is not None
    assert 90 < rest.seconds <= 100, "what the other did not take"
    search.search(START, Limit())
    assert (deep.asked[-1], batched.asked[-1]) == (Limit(nodes=1000), Limit())


def test_no_more_is_spent_than_allowed() -> None:
    for position in going_on("6x7x4", 25):
        for amount in (1, 2, 3, 8, 50, 500):
            limit = Limit(seconds=1000, nodes=amount, simulations=amount, depth=1 + amount % 3)
            found = small().search(position, limit)
            assert 1 <= found.nodes <= amount
            assert found.simulations <= amount
            assert found.depth <= 1 + amount % 3
            assert found.column in position.legal


@pytest.mark.parametrize("seconds", [1e-9, 0.002])
def test_in_no_time_there_is_still_a_sensible_column(seconds: float) -> None:
    for position in going_on("6x7x4", 100):
        found = small().search(position, Limit(seconds=seconds))
        assert found.column in position.legal
        threats = position.winning_columns(1 - position.turn)
        if winning := position.winning_columns(position.turn):
            assert found.column in winning
        elif threats:
            assert found.column in threats


# --- sound answers ---


@pytest.mark.slow
@pytest.mark.parametrize("board", ["4x4x4", "5x5x3", "1x8x3"])
def test_a_game_that_is_seen_to_its_end_has_the_solvers_score(board: str) -> None:
    solver = Solver(board, table_mb=8)
    for position in [Position(board), *going_on(board, 30)]:
        found = small(board, 1_000_000, 20).search(position, Limit())
        assert found.exact
        assert found.score == solver.solve(position).score
        after = position.play(found.column)
        if not after.is_over:
            assert -(solver.solve(after).score or 0) == found.score


def test_what_it_calls_proven_is_so_on_the_standard_board() -> None:
    solver = Solver()
    proven = open_ = 0
    for position in (each for each in going_on("6x7x4", 150) if each.ply > 11):
        found = small().search(position, Limit(nodes=400, simulations=100_000), seed=1)
        if found.exact:
            assert found.score == solver.solve(position).score
            proven += 1
            continue
        assert found.values is not None
        assert found.value == found.values[found.column]
        for column, value in enumerate(found.values):
            if value is not None and abs(value) >= 1:
                after = position.play(column)
                assert not after.is_over
                assert -(solver.solve(after).score or 0) * value > 0, "a column that is called decided is"
        open_ += 1
    assert min(proven, open_) > 10


def test_an_evaluation_however_sure_proves_nothing() -> None:
    class Gloomy:
        def values(self, batch: Batch) -> npt.NDArray[np.float64]:
            return np.ones(len(batch))  # whoever is to move then has won

    batched = BatchedSearch(Geometry(), PhasedEvaluator(Gloomy(), 42, 42), 1)
    found = together(Says(3, values=(0.5,) * 7), batched, weight=0.5).search(START, Limit())
    assert found.values == pytest.approx((-0.25,) * 7)


def test_a_loss_that_was_proven_is_not_forgotten_when_the_nodes_run_out() -> None:
    """Whatever of a column was proven with fewer nodes is known with more."""
    deep = Deepening(Geometry(), evaluation="threats", table_mb=1, whole=True)
    kept = 0
    for position in going_on("6x7x4", 60):
        lost: set[int] = set()
        for nodes in (50, 100, 200, 400, 800, 1600):
            found = deep.search(position, Limit(nodes=nodes))
            now = {column for column, value in enumerate(found.values or ()) if value == -1}
            assert lost <= now
            kept += len(lost)
            lost = now
            if found.exact:
                break
    assert kept > 20


def test_the_same_seed_gives_the_same_answer() -> None:
    position, limit = Position.from_moves("4141"), Limit(nodes=600, simulations=5000)
    answers = [small().search(position, limit, seed) for seed in (4, 4, 5)]
    small().search(START, limit, 4)
    answers.append(small().search(position, limit, 4))
    said = [(each.column, each.values, each.pv, each.nodes) for each in answers]
    assert said[0] == said[1] == said[3], "whatever was asked before"
    assert said[0][1] != said[2][1]


# --- stopping ---


def stopped_while(search: CombinedSearch, running: Any) -> Analysis:
    """The answer of a search that is stopped as soon as one of its two is at work."""
    search.prepare()
    answers: list[Analysis] = []
    thread = threading.Thread(target=lambda: answers.append(search.search(START, Limit())), daemon=True)
    thread.start()
    while running.progress.nodes <= 1000:
        assert thread.is_alive()
        time.sleep(0.001)
    assert search.progress.nodes > 1000, "of the search that is running"
    search.stop()
    thread.join(timeout=60)
    assert not thread.is_alive()
    return answers[0]


def test_another_thread_can_stop_the_deep_search_and_the_other_does_not_begin() -> None:
    batched = Says(values=(0.0,) * 7)
    deep = Deepening(Geometry(), evaluation="threats", table_mb=1, whole=True)
    search = together(deep, batched, nodes=10**12)
    found = stopped_while(search, deep)
    assert found.column in START.legal
    assert not found.exact
    assert (batched.asked, batched.stopped) == ([], 0)
    search.search(START, Limit(nodes=100))
    assert len(batched.asked) == 1, "the next question is answered as if nothing had been"


def test_another_thread_can_stop_the_search_with_the_model() -> None:
    """It would not end while anybody waits."""
    batched = BatchedSearch(Geometry(), PhasedEvaluator(None, count=10_000), 30)
    deep = Says(2, values=(0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0))
    found = stopped_while(together(deep, batched), batched)
    assert (found.column, found.exact, deep.stopped) == (2, False, 0), "the deep search's answer stands"
    assert found.nodes > 1000


# --- questions ---


@pytest.mark.parametrize("board", ["6x7x4", pytest.param("8x10x5", marks=pytest.mark.slow)])
def test_the_strong_preset_plays_legal_games_by_the_limit(board: str) -> None:
    limit = Limit(nodes=500, simulations=200)
    player, again = (agent("hybrid:preset=strong,seconds=1000", Rules(board), seed=3) for _ in range(2))
    position = Position(board)
    while not position.is_over:
        found = player.analyze(position, limit)
        assert found.nodes <= 500
        assert found.simulations <= 200
        assert found.pv[0] == found.column
        if winning := position.winning_columns(position.turn):
            assert found.column in winning
        if position.ply % 5 == 0:
            assert again.analyze(position, limit).column == found.column, "the same seed, the same game"
        position = position.play(found.column)
    with pytest.raises(GameOver):
        player.analyze(position, limit)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(GameOver):
        small().search(Position.from_moves("1212121"), Limit())
    with pytest.raises(BadShape):
        small().search(Position("5x5x3"), Limit())
