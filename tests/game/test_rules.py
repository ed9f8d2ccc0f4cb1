"""Slip: where discs land."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import BadShape, BadSlip, ColumnFull, GameOver, Geometry, Position, Rules
from tests import naive
from tests.boards import positions, twin

GAMES = 20_000


def test_without_slip_every_disc_lands_where_it_is_aimed() -> None:
    position, chance = Position(), random.Random(1)
    state = chance.getstate()
    assert [Rules().land(position, column, chance) for column in range(7)] == list(range(7))
    assert chance.getstate() == state, "no chance is drawn where there is none"


@pytest.mark.parametrize("rng", [random.Random(1), np.random.default_rng(1)])
def test_discs_slip_into_the_other_open_columns_alike(rng: random.Random) -> None:
    position = Position.from_moves("111111")  # column 1 is full
    landed = Counter(Rules(slip=0.2).land(position, 3, rng) for _ in range(GAMES))
    assert set(landed) == {1, 2, 3, 4, 5, 6}
    assert abs(landed[3] / GAMES - 0.8) < 0.015
    for other in (1, 2, 4, 5, 6):
        assert abs(landed[other] / GAMES - 0.04) < 0.007


def test_the_last_open_column_cannot_be_missed() -> None:
    position = Position.from_moves("12", "1x3x3")
    assert position.legal == (2,)
    rules = Rules(position.geometry, slip=0.99)
    assert [rules.land(position, 2, random.Random(seed)) for seed in range(50)] == [2] * 50
    assert rules.landings(position, 2) == {2: 1.0}


@given(positions(), st.floats(0, 0.999), st.integers(0, 2**32))
def test_landings_are_the_chances_of_land(position: Position, slip: float, seed: int) -> None:
    rules = Rules(position.geometry, slip)
    board, grid = twin(position)
    for column in position.legal:
        chances = rules.landings(position, column)
        wanted = dict(naive.landings(board, grid, column, slip))
        assert {key: chance for key, chance in wanted.items() if chance} == pytest.approx(
            {key: chance for key, chance in chances.items() if chance}
        )
        assert rules.land(position, column, random.Random(seed)) in chances


class Fixed:
    """A source of chance that always gives the same number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def test_the_edges_of_chance_land_on_the_board() -> None:
    rules, position = Rules(slip=0.3), Position()
    edge = np.nextafter(0.3, 0)
    assert rules.land(position, 6, Fixed(0.0)) == 0
    assert rules.land(position, 6, Fixed(float(edge))) == 5
    assert rules.land(position, 6, Fixed(0.3)) == 6
    assert rules.land(position, 0, Fixed(0.0)) == 1


def test_rules_are_for_their_own_board() -> None:
    with pytest.raises(BadShape, match="on board 9x12x4, the rules are for 6x7x4"):
        Rules(slip=0.2).land(Position("9x12x4"), 3, random.Random(1))


def test_numpy_numbers_will_do() -> None:
    rules = Rules("9x12x4", np.float32(0.25))  # type: ignore[arg-type]
    position = Position.from_moves("ccc", "9x12x4")
    assert rules.slip == 0.25
    assert rules.land(position, np.int64(11), Fixed(0.9)) == 11  # type: ignore[arg-type]
    assert rules.landings(position, np.int64(11))[11] == 0.75  # type: ignore[arg-type]


def test_a_disc_can_only_be_aimed_where_it_may_be_dropped() -> None:
    rules = Rules(slip=0.2)
    with pytest.raises(ColumnFull, match="move 7: column 1 is full"):
        rules.land(Position.from_moves("111111"), 0, random.Random(1))
    with pytest.raises(GameOver, match="move 8"):
        rules.landings(Position.from_moves("1212121"), 0)


@pytest.mark.parametrize("slip", [-0.1, 1, 1.0, 2, float("nan"), float("inf"), True, "0.2", None, 10**400])
def test_slip_outside_its_range_is_refused(slip: float) -> None:
    with pytest.raises(BadSlip, match="slip"):
        Rules(slip=slip)


def test_rules_are_values() -> None:
    assert Rules("5x10x4", 0.2) == Rules(Geometry(5, 10, 4), 0.2)
    assert str(Rules(slip=0.2)) == "6x7x4 with slip 0.2"
    assert str(Rules()) == "6x7x4"
