"""Evaluations count what they say they count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Geometry, Position, UnknownEvaluation
from fourcast.evaluators import Evaluator
from fourcast.evaluators.heuristics import HEURISTICS, Heuristic, Terms, heuristic
from fourcast.kernels.batch import Batch
from fourcast.kernels.points import points
from tests import naive
from tests.boards import play_some, twin, weights_of

#: 64 and 128 bits, some filled to the last one; one row, one column; short, long and very long lines.
PLACES = [
    Geometry.parse(board)
    for board in (
        "6x7x4",
        "8x10x5",
        "5x5x3",
        "7x8x4",
        "15x8x4",
        "3x32x4",
        "1x8x3",
        "15x8x12",
    )
]


@pytest.mark.parametrize("geometry", PLACES, ids=str)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_every_evaluation_is_that_of_the_naive_twin(geometry: Geometry, seed: int) -> None:
    positions = [play_some(geometry, seed + index) for index in range(3)]
    for chosen in HEURISTICS.values():
        found = chosen.points(Batch.of(positions))
        assert found.shape == (3,)
        for position, worth in zip(positions, found, strict=True):
            expected = naive.evaluation(*twin(position), weights_of(chosen, geometry.connect))
            assert worth == pytest.approx(expected / 1000, abs=1e-9)


@given(st.integers(0, 2**32), st.lists(st.integers(-(10**6), 10**6), min_size=12, max_size=12))
def test_any_weights_will_do(seed: int, numbers: list[int]) -> None:
    position = play_some(Geometry(6, 7, 4), seed)
    found = points(Batch.of(position), np.array(numbers, dtype=np.int64))
    assert found.tolist() == [naive.evaluation(*twin(position), naive.Weights(numbers[:5], *numbers[5:]))]


def test_long_lines_are_counted_to_the_last_disc() -> None:
    """Two piles that grow side by side, on a board where twelve in line win."""
    weights = naive.Weights([3**number for number in range(13)])
    for plies in range(24):
        position = Position.from_moves(("12" * 12)[:plies], "15x8x12")
        found = points(Batch.of(position), np.array([*weights.windows, *weights[1:]], dtype=np.int64))
        assert found.tolist() == [naive.evaluation(*twin(position), weights)]


@pytest.mark.parametrize("kind", ["timely", "untimely", "double", "danger", "fork"])
def test_each_kind_of_threat_counts_by_itself(kind: str) -> None:
    chosen = Heuristic("one", lambda connect: Terms((0.0,) * (connect + 1), **{kind: 5.0}), scale=1.0)
    seen = set()
    for seed in range(200):
        position = play_some(Geometry(6, 7, 4), seed)
        expected = naive.evaluation(*twin(position), weights_of(chosen, 4)) / 1000
        assert chosen.points(Batch.of(position))[0] == expected
        seen.add(expected)
    assert len(seen) > 1, "there was something to count"


@pytest.mark.parametrize(
    ("moves", "name", "worth"),
    [
        ("", "windows", 0.0),
        ("4", "windows", -3.0),  # the other side has the centre
        ("41", "windows", 3.0),
        ("4152", "windows", 7.0),  # and two windows that hold two of its discs
        ("", "threats", 6.5),  # to have the move is worth something
        ("", "lines", 0.0),
        ("4455667", "lines", -1000.0),  # the game is lost
    ],
)
def test_what_can_be_counted_by_hand(moves: str, name: str, worth: float) -> None:
    assert heuristic(name).points(Batch.of(Position.from_moves(moves))).tolist() == [worth]


def test_the_first_player_wants_threats_on_odd_rows() -> None:
    """Where there are six rows: it is the second player who has to play below them in the end."""
    text = "......./......./......./XXX..../XOX...O/OXO..OO".replace("/", "\n")
    terms = Terms((0.0,) * 5, timely=1.0, untimely=100.0, double=10_000.0)
    chosen = Heuristic("threats", lambda _connect: terms, scale=1.0)
    mine = Position.from_text(text)
    theirs = Position.from_text(text.translate(str.maketrans("XO", "OX")))
    assert (mine.turn, theirs.turn) == (0, 0)
    assert chosen.points(Batch.of([mine, theirs])).tolist() == [1.0, -100.0]


@pytest.mark.parametrize("chosen", HEURISTICS.values(), ids=HEURISTICS)
def test_values_are_points_on_a_scale_from_a_loss_to_a_win(chosen: Heuristic) -> None:
    evaluator: Evaluator = chosen
    positions = [play_some(Geometry(6, 7, 4), seed) for seed in range(50)]
    found, values = chosen.points(Batch.of(positions)), evaluator.values(Batch.of(positions))
    assert (np.abs(values) <= 1).all()
    for each, value in zip(found, values, strict=True):
        assert chosen.value(float(each)) == pytest.approx(value)
    assert chosen.value(0.0) == 0.0
    assert chosen.value(chosen.scale) == pytest.approx(np.tanh(1))


def test_an_evaluation_is_found_by_name() -> None:
    assert {"windows", "power", "lines", "threats", "slippery"} <= set(HEURISTICS)
    assert heuristic("power").name == "power"
    with pytest.raises(UnknownEvaluation, match="there is no evaluation 'taste'; known: windows, power, "):
        heuristic("taste")
