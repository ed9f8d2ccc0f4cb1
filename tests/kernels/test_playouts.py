"""Random playouts: game by game like the naive twin, and fair."""

from __future__ import annotations

import math
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadLimit, BadShape, BadSlip, ColumnFull, Geometry, Position
from fourcast.evaluators import Evaluator, PlayoutEvaluator
from fourcast.kernels.batch import Batch
from fourcast.kernels.playouts import DRAWS, LOSSES, PLIES, UNFINISHED, WINS, playouts
from tests import naive
from tests.boards import BOARDS, batches, play_some, twin


@pytest.mark.slow
@settings(max_examples=60)
@given(
    batches(3), st.integers(-(2**70), 2**70), st.sampled_from([0.0, 0.2, 0.9]), st.sampled_from([None, 1, 7])
)
def test_playouts_are_those_of_the_naive_twin(
    positions: list[Position], seed: int, slip: float, cap: int | None
) -> None:
    chance = random.Random(seed)
    aims = [chance.choice([-1, *position.legal]) for position in positions]
    tally = playouts(Batch.of(positions), 3, seed=seed, slip=slip, cap=cap, columns=aims)
    for index, (position, aim) in enumerate(zip(positions, aims, strict=True)):
        wanted = naive.playouts(*twin(position), index, 3, seed % 2**64, slip, cap, aim)
        assert tally[index].tolist() == wanted


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_every_playout_is_counted_once(board: Geometry) -> None:
    positions = [play_some(board, seed) for seed in range(20)]
    tally = playouts(Batch.of(positions), 50, seed=3, cap=5)
    assert (tally[:, [WINS, DRAWS, LOSSES, UNFINISHED]].sum(axis=1) == 50).all()
    assert (tally[:, PLIES] <= 250).all()


@pytest.mark.parametrize("slip", [0.0, 0.3])
@pytest.mark.parametrize("aimed", [False, True])
def test_playouts_come_out_as_often_as_exact_enumeration_says(slip: float, aimed: bool) -> None:
    """Also with slip: the kernel draws it for the aimed disc only, the twin for every disc."""
    games = 200_000
    position = Position.from_moves("44422433112", "4x4x3")
    board, grid = twin(position)
    for aim in position.legal if aimed else [-1]:
        tally = playouts(Batch.of(position), games, seed=7, slip=slip, columns=[aim])[0]
        for found, chance in zip(tally[:3], naive.random_play(board, grid, slip, aim), strict=True):
            assert abs(found - games * chance) <= 5 * math.sqrt(games * chance * (1 - chance)) + 1e-9


def test_random_games_are_as_long_as_is_known() -> None:
    """First player's wins, draws and mean length of random Connect Four, known to three digits."""
    games = 400_000
    tally = playouts(Batch.of(Position()), games, seed=1)[0]
    assert tally[WINS] / games == pytest.approx(0.5556, abs=0.003)
    assert tally[DRAWS] / games == pytest.approx(0.0026, abs=0.0004)
    assert tally[PLIES] / games == pytest.approx(21.32, abs=0.06)


def test_every_column_is_drawn_alike() -> None:
    """One disc, then a look at where it went: by the line that only it completes."""
    games = 100_000
    position = Position.from_text("......./OOO..../XXX....", 4)
    tally = playouts(Batch.of(position), games, seed=5, cap=1)[0]
    expected = games / 7
    assert abs(tally[WINS] - expected) < 5 * math.sqrt(expected * 6 / 7)
    assert tally[UNFINISHED] == games - tally[WINS]


def test_a_finished_game_has_nothing_to_play_out() -> None:
    won = Position.from_moves("1212121")
    drawn = Position.from_text("XOX", 3)
    assert playouts(Batch.of(won), 9)[0].tolist() == [0, 0, 9, 0, 0]
    assert playouts(Batch.of(drawn), 9)[0].tolist() == [0, 9, 0, 0, 0]


def test_seeds_decide_and_neighbours_do_not() -> None:
    batch = Batch.of([Position(), Position.from_moves("44")])
    first = playouts(batch, 100, seed=1)
    assert np.array_equal(first, playouts(batch, 100, seed=1))
    assert not np.array_equal(first, playouts(batch, 100, seed=2))
    assert np.array_equal(first[:1], playouts(Batch.of(Position()), 100, seed=1))


def test_numpy_numbers_and_endless_caps_will_do() -> None:
    batch = Batch.of(Position.from_moves("44"))
    wanted = playouts(batch, 50, seed=-1)
    assert np.array_equal(wanted, playouts(batch, np.int32(50), seed=np.int64(-1), cap=2**63 - 1))  # type: ignore[arg-type]


def test_playouts_without_end_can_be_stopped() -> None:
    script = """
import signal, threading
from fourcast import Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.playouts import playouts
playouts(Batch.of(Position()), 10)
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    playouts(Batch.of(Position()), 10**12)
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "stopped\n"


# --- sharp ones: both sides win and block ---


@pytest.mark.parametrize("slip", [0.0, 0.3])
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_every_sharp_playout_is_counted_once(board: Geometry, slip: float) -> None:
    positions = [play_some(board, seed) for seed in range(20)]
    for cap in (5, None):
        tally = playouts(Batch.of(positions), 50, seed=3, cap=cap, slip=slip, sharp=True)
        assert (tally[:, [WINS, DRAWS, LOSSES, UNFINISHED]].sum(axis=1) == 50).all()
        left = [min(cap or board.cells, board.cells - position.ply) for position in positions]
        assert (tally[:, PLIES] <= 50 * np.array(left)).all()
        assert cap or not tally[:, UNFINISHED].any()


def test_who_can_win_at_once_does_and_who_faces_two_threats_loses() -> None:
    seen = set()
    for seed in range(300):
        position = play_some(Geometry(), seed)
        if position.is_over:
            continue
        tally = playouts(Batch.of(position), 20, seed=seed, sharp=True)[0].tolist()
        if position.winning_columns(position.turn):
            assert tally == [20, 0, 0, 0, 20]
            seen.add("win")
        elif len(position.winning_columns(1 - position.turn)) > 1:
            assert tally == [0, 0, 20, 0, 40]
            seen.add("loss")
    assert seen == {"win", "loss"}


def test_nobody_lets_the_other_side_win_while_there_is_another_column() -> None:
    """Three in a row one above the bottom: the disc below its end would be the last mistake."""
    position = Position.from_text("......./.XXX.../.OOX.../OXOO...", 4)
    assert position.turn == 0
    after = position.play(6)
    assert not after.winning_columns(0)
    tally = playouts(Batch.of([after]), 2000, seed=1, cap=2, sharp=True)[0]
    assert tally[LOSSES] == 0
    assert playouts(Batch.of([after]), 2000, seed=1, cap=2)[0][LOSSES] > 0, "who plays at random does"


@pytest.mark.parametrize("slip", [0.0, 0.3])
@pytest.mark.parametrize(
    ("board", "moves"), [("4x4x3", "4412"), ("4x4x4", "12343214"), ("3x5x4", "3342"), ("4x5x4", "33334524")]
)
def test_sharp_playouts_come_out_as_often_as_exact_enumeration_says(
    board: str, moves: str, slip: float
) -> None:
    games = 100_000
    position = Position.from_moves(moves, board)
    *chances, discs = naive.sharp_play(*twin(position), slip)
    tally = playouts(Batch.of(position), games, seed=7, slip=slip, sharp=True)[0]
    for found, chance in zip(tally[:3], chances, strict=True):
        assert abs(found - games * chance) <= 5 * math.sqrt(games * chance * (1 - chance)) + 1e-9
    assert tally[PLIES] / games == pytest.approx(discs, abs=0.1)


def test_sharp_playouts_are_on_average_those_of_the_naive_twin() -> None:
    chance, games = random.Random(3), 150
    for moves in ("33", "3342"):
        position = Position.from_moves(moves, "4x5x4")
        naively = [naive.sharp_game(*twin(position), 0.0, chance) for _ in range(games)]
        tally = playouts(Batch.of(position), 20_000, seed=1, sharp=True)[0]
        value, discs = (sum(each) / games for each in zip(*naively, strict=True))
        assert (tally[WINS] - tally[LOSSES]) / 20_000 == pytest.approx(value, abs=0.3)
        assert tally[PLIES] / 20_000 == pytest.approx(discs, abs=2)


def test_a_sharp_playouts_first_disc_can_be_aimed() -> None:
    position = Position.from_moves("414141")  # the fourth column wins
    tally = playouts(Batch.of([position] * 2), 100, seed=1, columns=[3, 6], sharp=True)
    assert tally[0].tolist() == [100, 0, 0, 0, 100]
    assert tally[1, LOSSES] == 100, "the other side wins in the first column"


def test_seeds_decide_sharp_playouts() -> None:
    batch = Batch.of([Position(), Position.from_moves("44")])
    first = playouts(batch, 100, seed=1, sharp=True)
    assert np.array_equal(first, playouts(batch, 100, seed=1, sharp=True))
    assert not np.array_equal(first, playouts(batch, 100, seed=2, sharp=True))
    assert not np.array_equal(first, playouts(batch, 100, seed=1))


def test_many_playouts_are_the_same_as_the_sum_of_few() -> None:
    """Beyond some number they run watched, in a thread of their own."""
    assert playouts(Batch.of(Position()), 150_000, seed=1)[0, :4].sum() == 150_000


def test_what_cannot_be_played_out_is_refused() -> None:
    batch = Batch.of(Position.from_moves("444444"))
    with pytest.raises(BadLimit, match="playouts 0: it must be a whole number, 1 or more"):
        playouts(batch, 0)
    with pytest.raises(BadLimit, match="cap 0: it must be"):
        playouts(batch, 1, cap=0)
    with pytest.raises(BadLimit, match=r"playouts 1\.5"):
        playouts(batch, 1.5)  # type: ignore[arg-type]
    with pytest.raises(BadSlip, match="slip 1"):
        playouts(batch, 1, slip=1)
    with pytest.raises(ColumnFull, match="move 7: column 4"):
        playouts(batch, 1, columns=[3])
    with pytest.raises(BadShape, match="as many whole columns"):
        playouts(batch, 1, columns=[1, 2])


def test_the_playout_evaluator_sees_who_is_winning() -> None:
    evaluator: Evaluator = PlayoutEvaluator(count=2000, seed=1)
    good = Position.from_moves("414141")  # three in a column, X to move
    values = evaluator.values(Batch.of([Position(), good, good.play(6), Position.from_moves("4141414")]))
    assert values[0] == pytest.approx(0.114, abs=0.05)
    assert values[1] > values[0]
    assert values[2] < values[1]
    assert values[3] == -1
