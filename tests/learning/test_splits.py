"""Honest splits, and one that is not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import Position
from fourcast.game.errors import BadData, BadLimit, BadOption
from fourcast.kernels.batch import Batch
from fourcast.learning.cells import cells_of
from fourcast.learning.splits import (
    SIZES,
    Split,
    balance,
    balanced_subset,
    folds,
    groups_of,
    leaked_rows,
    leaks_of,
    positions_of,
    published_split,
)
from tests.boards import batches, play_some

Integers = npt.NDArray[np.int64]


@st.composite
def grouped(draw: st.DrawFn) -> tuple[Integers, Integers]:
    """Groups of one to four rows, in any order, and the labels -1, 0 and 1, which a group has in common."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(60, 100))  # at least 20 groups of some label are enough for five folds
    groups = chance.permutation(np.repeat(np.arange(count), chance.integers(1, 5, count)))
    return 7 * groups - 50, chance.integers(-1, 2, count)[groups]


@given(batches())
def test_twins_and_duplicates_are_one_group(positions: list[Position]) -> None:
    everyone = [*positions, *(position.mirror() for position in positions), *positions]
    batch = Batch.of(everyone)
    numbers, groups = positions_of(batch), groups_of(batch)
    for one, position in enumerate(everyone):
        for other, another in enumerate(everyone):
            assert (numbers[one] == numbers[other]) == (position == another)
            assert (groups[one] == groups[other]) == (another in (position, position.mirror()))
    assert (groups_of(cells_of(batch)) == groups).all()


@given(grouped(), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_every_row_is_held_out_once(rows: tuple[Integers, Integers], count: int, seed: int) -> None:
    groups, labels = rows
    parts = folds(groups, labels, count, seed)
    assert len(parts) == count
    assert sorted(row for part in parts for row in part.held) == list(range(len(groups)))
    for part in parts:
        assert sorted([*part.train, *part.held]) == list(range(len(groups)))
        assert not set(groups[part.train]) & set(groups[part.held])
        assert leaked_rows(groups[part.train], groups[part.held]) == 0
        for label in set(labels.tolist()):
            assert abs(sum(labels[part.held] == label) - sum(labels == label) / count) <= 4
    for part, again in zip(parts, folds(groups, labels, count, seed), strict=True):
        assert (again.train == part.train).all()
        assert (again.held == part.held).all()


def test_another_seed_holds_out_others() -> None:
    groups, labels = np.arange(300), np.repeat([0, 1, 2], 100)
    found = {tuple(folds(groups, labels, 5, seed)[0].held) for seed in range(5)}
    assert len(found) == 5
    assert [Counter(labels[list(held)].tolist()) for held in found] == [{0: 20, 1: 20, 2: 20}] * 5
    for part in folds(groups, labels, 5, 1):
        assert Counter(labels[part.held].tolist()) == {0: 20, 1: 20, 2: 20}


@given(st.integers(0, 2**32 - 1))
def test_classes_are_balanced_among_the_given_rows_alone(seed: int) -> None:
    labels = np.array([-1] * 5 + [0] * 2 + [1] * 20)
    rows = np.array([0, 1, 2, 5, *range(7, 17)])
    more, fewer = balance(labels, rows, seed), balanced_subset(labels, rows, seed)
    assert Counter(labels[more].tolist()) == {-1: 10, 0: 10, 1: 10}
    assert set(more) == set(rows), "none is lost, none comes from elsewhere"
    assert Counter(labels[fewer].tolist()) == {-1: 1, 0: 1, 1: 1}
    assert set(fewer) < set(rows)
    assert len(set(balanced_subset(labels, np.arange(27), seed))) == 6, "none is there twice"


def test_leaks_are_counted() -> None:
    moves = ("1", "7", "4", "4", "12", "76", "3", "112")
    batch = Batch.of([Position.from_moves(each) for each in moves])
    numbers, groups = positions_of(batch), groups_of(batch)
    split = Split(np.array([0, 2, 4]), np.array([1, 3, 5, 6, 7]))  # 1, 4, 12 | 7, 4, 76, 3, 112
    found = leaks_of(split, numbers, groups)
    assert (found.held, found.same, found.mirrored, found.leaked) == (5, 1, 2, 3)
    assert found.to_json() == {"held": 5, "same": 1, "mirrored": 2, "leaked": 3}
    assert leaked_rows(groups[split.train], groups[split.held]) == 3
    for honest in folds(groups, np.zeros(8, dtype=int), 2, 1):
        assert leaks_of(honest, numbers, groups).leaked == 0


@pytest.mark.parametrize(("size", "rows"), [("largest", 900), ("middle", 300), ("smallest", 120)])
def test_balancing_before_the_split_leaks(size: str, rows: int) -> None:
    labels = np.repeat([-1, 0, 1], [300, 120, 900])
    (train, held), leaked = published_split(labels, size=size)
    assert Counter(labels[train].tolist()) == dict.fromkeys([-1, 0, 1], rows * 4 // 5)
    assert Counter(labels[held].tolist()) == dict.fromkeys([-1, 0, 1], rows // 5)
    known = set(train.tolist())
    assert leaked == sum(row in known for row in held.tolist())
    # A row is missed by n draws of m rows with a chance of exp(-n / m), about.
    chance = np.mean([1 - np.exp(-0.8 * rows / sum(labels == label)) for label in (-1, 0, 1)])
    assert abs(leaked / len(held) - chance) < 0.08
    other, _ = published_split(labels, 1, size=size)
    assert (other.train != train).any()


def test_wrong_rows_are_one_line() -> None:
    groups, labels = np.arange(9), np.repeat([0, 1, 2], 3)
    with pytest.raises(BadData, match=r"every position needs a group and a label, not \(9,\) and \(8,\)"):
        folds(groups, labels[:8], 2, 1)
    with pytest.raises(BadData, match=r"every position needs a group"):
        folds(groups[:0], labels[:0], 2, 1)
    with pytest.raises(BadData, match=r"9 positions are too few for 12 folds"):
        folds(groups, labels, 12, 1)
    with pytest.raises(BadLimit, match=r"folds 1: it must be a whole number, 2 or more"):
        folds(groups, labels, 1, 1)
    with pytest.raises(BadLimit, match=r"seed -1"):
        folds(groups, labels, 2, -1)
    for draw in (balance, balanced_subset):
        with pytest.raises(BadData, match=r"there is no position to draw from"):
            draw(labels, groups[:0], 1)
    with pytest.raises(BadOption, match=f"size 'huge': it is one of {', '.join(SIZES)}"):
        published_split(labels, size="huge")
    with pytest.raises(BadData, match=r"3 positions of each class are too few"):
        published_split(labels)
    with pytest.raises(BadData, match=r"cells must be of shape"):
        groups_of(np.zeros((2, 42), dtype=np.int8))


def test_whole_games_fall_apart_into_groups() -> None:
    positions = [play_some(Position.from_moves("").geometry, seed) for seed in range(60)]
    batch = Batch.of([*positions, *(position.mirror() for position in positions)])
    groups = groups_of(batch)
    train, held = folds(groups, np.zeros(len(groups), dtype=int), 4, 3)[0]
    seen = set(positions_of(batch)[train].tolist())
    assert not any(number in seen for number in positions_of(batch)[held].tolist())
    everyone = list(batch)
    learnt = {everyone[row] for row in train}
    assert not any(everyone[row] in learnt or everyone[row].mirror() in learnt for row in held)
