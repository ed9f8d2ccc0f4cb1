"""Games that are stepped together: like the naive twin, disc by disc, and fair."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import (
    BadGeometry,
    BadLimit,
    BadOption,
    BadShape,
    BadSlip,
    ColumnFull,
    ColumnOffBoard,
    Geometry,
    Position,
    UnsupportedGeometry,
)
from fourcast.interop.vector import AUTORESETS, SIDES, Autoreset, Games, Opponent, Side, Step, View
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import legal_columns
from tests.boards import geometries, twin_board
from tests.naive_stepping import Game

FEW = st.sampled_from([Geometry.parse(board) for board in ("6x7x4", "8x10x5", "1x8x3")])
SEEDS = st.integers(0, 2**32 - 1)
SLIPS = st.sampled_from([0.0, 0.2, 0.9])
OPPONENTS = st.sampled_from([None, "random"])


@pytest.mark.slow
@settings(max_examples=20)
@given(FEW, SEEDS, SLIPS, OPPONENTS, st.sampled_from(SIDES), st.sampled_from(AUTORESETS))
def test_games_are_those_of_the_naive_twin(
    board: Geometry, seed: int, slip: float, opponent: Opponent | None, side: Side, autoreset: Autoreset
) -> None:
    compare(board, seed, slip, opponent, side, autoreset)


@pytest.mark.slow
@settings(max_examples=60)
@given(geometries, SEEDS, SLIPS, OPPONENTS, st.sampled_from(SIDES), st.sampled_from(AUTORESETS))
def test_on_every_board_games_are_those_of_the_naive_twin(
    board: Geometry, seed: int, slip: float, opponent: Opponent | None, side: Side, autoreset: Autoreset
) -> None:
    compare(board, seed, slip, opponent, side, autoreset)


def compare(
    board: Geometry, seed: int, slip: float, opponent: Opponent | None, side: Side, autoreset: Autoreset
) -> None:
    games = Games(3, board, slip=slip, opponent=opponent, side=side, autoreset=autoreset, illegal="lose")
    seen: View | Step = games.reset(seed=seed)
    twins = [
        Game(twin_board(board), index, seed % 2**64, slip, bool(opponent), side, autoreset == "same_step")
        for index in range(3)
    ]
    chance = random.Random(seed)
    for _ in range(board.cells // 2):
        assert seen.observation.tolist() == [game.view() for game in twins]
        assert seen.action_mask.tolist() == [game.mask() for game in twins]
        columns = [chance.randrange(board.columns) for _ in twins]  # full ones now and then
        step = games.step(columns)
        wanted = [game.step(column) for game, column in zip(twins, columns, strict=True)]
        assert step.rewards.tolist() == [reward for reward, _, _ in wanted]
        assert step.terminations.tolist() == [ended for _, ended, _ in wanted]
        assert step.landed.tolist() == [landed for _, _, landed in wanted]
        assert step.ended.tolist() == [index for index, (_, ended, _) in enumerate(wanted) if ended]
        assert step.last.tolist() == [
            game.last for game, (_, ended, _) in zip(twins, wanted, strict=True) if ended
        ]
        seen = step


def test_every_column_that_is_sampled_can_be_played() -> None:
    games = Games(500, "1x8x3", slip=0.3, seed=3)
    for _ in range(60):
        columns = games.sample()
        assert legal_columns(games.batch)[np.arange(500), columns].all()
        games.step(columns)


def test_a_sample_favours_no_open_column() -> None:
    games = Games(60_000, seed=1)
    counts = np.bincount(games.sample(), minlength=7)
    assert (abs(counts - 60_000 / 7) < 5 * (60_000 / 7) ** 0.5).all()


def test_random_games_come_out_as_is_known_for_either_side() -> None:
    """The first player wins 55.56% of random games, and 0.26% are drawn."""
    for side, share in (("first", 0.5556), ("second", 0.4418), ("either", 0.4987)):
        games = Games(5000, opponent="random", side=side, seed=2)  # type: ignore[arg-type]
        results: list[float] = []
        for _ in range(63):  # whole games, three of each: those that end early are not favoured
            step = games.step(games.sample())
            results += step.rewards[step.ended].tolist()
        assert len(results) > 20_000
        assert results.count(1.0) / len(results) == pytest.approx(share, abs=0.015), side


def test_slip_is_as_likely_as_was_said() -> None:
    games = Games(50_000, slip=0.3, seed=5)
    landed = games.step(np.full(50_000, 3)).landed[:, 0]
    counts = np.bincount(landed, minlength=7) / 50_000
    assert counts[3] == pytest.approx(0.7, abs=0.01)
    assert counts[[0, 1, 2, 4, 5, 6]] == pytest.approx(0.05, abs=0.005)


def test_a_line_wins_and_the_next_game_begins() -> None:
    """Two games of the same moves, of which one is stopped short."""
    games = Games(2, illegal="lose", seed=1)
    for column in (0, 1, 0, 1, 0, 1):
        step = games.step([column, column])
        assert not step.terminations.any()
    step = games.step([0, 6])
    assert step.rewards.tolist() == [1, 0]
    assert step.terminations.tolist() == [True, False]
    assert step.ended.tolist() == [0]
    assert not step.observation[0].any()
    won = Position.from_moves("1212121")
    assert (step.last[0, :, :, 0] == (won.to_array() == 2)).all(), "seen by who would be next"
    assert list(games.batch) == [Position(), Position.from_moves("1212127")]


def test_against_an_opponent_all_is_seen_by_the_player() -> None:
    games = Games(300, opponent="random", side="either", autoreset="next_step", seed=4)
    seen: View | Step = games.reset()
    begun = {int(board[..., 0].sum() - board[..., 1].sum()) for board in seen.observation}
    assert begun == {0, -1}, "some begin, some are second"
    own = np.zeros(300, dtype=np.int64)
    for _ in range(6):
        step = games.step(games.sample())
        dropped = step.landed[:, 0] >= 0
        own = np.where(dropped, own + 1, 0)
        assert (step.observation[..., 0].sum(axis=(1, 2)) == own).all()
        assert (step.action_mask[step.ended] == 0).all()


def test_a_game_that_is_over_waits_for_the_next_step_if_asked() -> None:
    games = Games(1, autoreset="next_step", seed=1)
    for column in (0, 1, 0, 1, 0, 1, 0):
        step = games.step([column])
    assert step.terminations.all()
    assert step.action_mask.tolist() == [[0] * 7]
    assert list(games.batch) == [Position.from_moves("1212121")]
    step = games.step([99])  # whatever it is
    assert not step.terminations.any()
    assert step.rewards.tolist() == [0]
    assert list(games.batch) == [Position()]


def test_seeds_decide_and_neighbours_do_not() -> None:
    def landed(count: int, seed: int) -> list[int]:
        games = Games(count, slip=0.5, opponent="random", seed=seed)
        return [column for _ in range(5) for column in games.step(np.full(count, 3)).landed[0].tolist()]

    assert landed(1, 7) == landed(20, 7)
    assert landed(1, 7) != landed(1, 8)
    games = Games(20, slip=0.5, seed=1)
    first = games.step(games.sample())
    games.reset(seed=1)
    again = games.step(games.sample())
    assert (first.landed == again.landed).all()
    games.reset()
    assert (games.step(games.sample()).landed != again.landed).any(), "without a seed chance goes on"


def test_what_was_handed_out_stays_as_it_was() -> None:
    games = Games(4, seed=1)
    first = games.step([0, 1, 2, 3])
    kept = [each.copy() for each in first]
    games.step([3, 2, 1, 0])
    assert all((array == copy).all() for array, copy in zip(first, kept, strict=True))
    batch = games.batch
    games.step([0, 0, 0, 0])
    assert next(iter(batch)).moves == "14"


def test_a_column_that_cannot_be_played_is_refused_and_no_disc_dropped() -> None:
    games = Games(3, seed=1)
    for _ in range(6):
        games.step([2, 3, 4])
    before = games.batch.stones
    with pytest.raises(ColumnFull, match="game 1: move 7: column 4 is full"):
        games.step([0, 3, 0])
    with pytest.raises(ColumnOffBoard, match="game 2: move 7: there is no column 8 on board 6x7x4"):
        games.step([0, 0, 7])
    with pytest.raises(ColumnOffBoard, match="game 0: move 7: there is no column 0 on board 6x7x4"):
        games.step([-1, 0, 0])
    for wrong in ([0, 0], [0.5, 0.5, 0.5], [[0], [0], [0]]):
        with pytest.raises(BadShape, match="3 positions need as many whole columns"):
            games.step(wrong)
    assert (games.batch.stones == before).all()


def test_where_it_may_a_full_column_loses_the_game_but_none_is_beyond_the_board() -> None:
    games = Games(2, illegal="lose", seed=1)
    for _ in range(6):
        games.step([2, 3])
    step = games.step([0, 3])
    assert step.rewards.tolist() == [0, -1]
    assert step.terminations.tolist() == [False, True]
    assert step.landed.tolist() == [[0, -1], [-1, -1]]
    with pytest.raises(ColumnOffBoard):
        games.step([0, 7])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"count": 0}, BadLimit, "games 0: it must be a whole number, 1 or more"),
        ({"count": 2**21}, BadLimit, "games 2097152: 1,048,576 is the most"),
        ({"board": "6x7"}, BadGeometry, "write it as ROWSxCOLUMNSxCONNECT"),
        ({"board": "20x20x4"}, UnsupportedGeometry, "128 is the most"),
        ({"slip": 1.0}, BadSlip, "it must be a number in"),
        ({"opponent": "perfect"}, BadOption, "opponent 'perfect': it is random"),
        ({"side": "red"}, BadOption, "side 'red': it is first or second or either"),
        ({"autoreset": "never"}, BadOption, "autoreset 'never': it is same_step or next_step"),
        ({"illegal": "ignore"}, BadOption, "illegal 'ignore': it is error or lose"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Games(**({"count": 2} | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, 2**64])
def test_a_seed_that_is_none_is_named(seed: Any) -> None:
    with pytest.raises(BadLimit, match="seed"):
        Games(2, seed=seed)
    with pytest.raises(BadLimit, match="seed"):
        Games(2, seed=1).reset(seed)


def test_games_have_begun_once_they_are_made() -> None:
    assert Games(2, seed=1).step([3, 3]).landed[:, 0].tolist() == [3, 3]


def test_with_a_seed_for_each_a_game_is_the_one_of_its_seed() -> None:
    games, alone = Games(3, slip=0.5, opponent="random"), Games(1, slip=0.5, opponent="random", seed=7)
    games.reset([1, 7, None])
    for _ in range(5):
        assert games.sample()[1] == alone.sample()[0]
        assert (games.step([3, 3, 3]).landed[1] == alone.step([3]).landed[0]).all()


def test_a_column_of_more_bits_than_63_is_named_as_it_came() -> None:
    with pytest.raises(ColumnOffBoard, match="game 1: move 1: there is no column 18446744073709551616 on"):
        Games(2, seed=1).step(np.array([0, 2**64 - 1], dtype=np.uint64))


def test_numpy_is_all_that_it_needs() -> None:
    script = """
import sys
from fourcast.interop.vector import Games
Games(2).step([0, 1])
assert not {"gymnasium", "pettingzoo", "pyspiel"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_positions_are_a_batch() -> None:
    games = Games(2, "8x10x5", seed=1)
    games.step([1, 2])
    assert isinstance(games.batch, Batch)
    assert [position.moves for position in games.batch] == ["2", "3"]
    assert len(games) == 2
