"""What a search to a limited depth keeps in its table is what it finds there again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import Geometry
from fourcast.kernels.batch import split
from fourcast.kernels.board import Board, board_of, kernel
from fourcast.kernels.drafts import (
    ADDRESS,
    AT_LEAST,
    AT_MOST,
    BUCKETS,
    DRAFT_WORDS,
    EXACT,
    GENERATION,
    GENERATIONS,
    NO_MOVE,
    bound_of,
    bucket_words,
    depth_of,
    find_draft,
    keep_draft,
    move_of,
    value_of,
)
from fourcast.kernels.memory import address_of
from fourcast.kernels.tricks import Stones, read

Numbers = npt.NDArray[np.int64]

SMALL, LARGE = Geometry(6, 7, 4), Geometry(8, 10, 5)
MOST = 1_200_000_000  # beyond what any search counts


@kernel
def keep(board: Board, table: np.uint64, key: Stones, numbers: Numbers) -> None:
    keep_draft(board, table, read(board, key[0]), numbers[0], numbers[1], numbers[2], numbers[3])


@kernel
def find(board: Board, table: np.uint64, key: Stones, numbers: Numbers) -> bool:
    draft = find_draft(board, table, read(board, key[0]))
    numbers[0], numbers[1] = value_of(draft), depth_of(draft)
    numbers[2], numbers[3] = bound_of(draft), move_of(draft)
    return draft != np.uint64(0)  # type: ignore[no-any-return]


class Draft(NamedTuple):
    value: int
    depth: int
    bound: int = EXACT
    move: int = NO_MOVE


class Table:
    """A table of any size, which no search would use."""

    def __init__(self, geometry: Geometry, buckets: int = 1) -> None:
        self.geometry = geometry
        self.memory = np.zeros(buckets * bucket_words(geometry), dtype=np.uint64)
        self.words = np.zeros(DRAFT_WORDS, dtype=np.uint64)
        self.words[ADDRESS], self.words[BUCKETS] = address_of(self.memory), buckets
        self.begin(1)
        self.place = board_of(geometry), np.uint64(address_of(self.words))

    def begin(self, generation: int) -> None:
        self.words[GENERATION] = generation

    def keep(self, key: int, draft: Draft) -> None:
        keep(*self.place, split([key], self.geometry), np.array(draft, dtype=np.int64))

    def find(self, key: int) -> Draft | None:
        numbers = np.zeros(4, dtype=np.int64)
        return Draft(*numbers.tolist()) if find(*self.place, split([key], self.geometry), numbers) else None


class Bucket:
    """The twin of a table with one bucket: a deep draft, and whatever came last besides."""

    def __init__(self) -> None:
        self.deep: dict[int, Draft] = {}
        self.last: dict[int, Draft] = {}

    def keep(self, key: int, draft: Draft) -> None:
        deeper = any(kept.depth > draft.depth for other, kept in self.deep.items() if other != key)
        if deeper:
            self.last = {key: draft}
        else:
            self.deep = {key: draft}

    def find(self, key: int) -> Draft | None:
        return self.deep.get(key) or self.last.get(key)


drafts = st.builds(
    Draft,
    st.one_of(st.integers(-MOST, MOST), st.sampled_from([-MOST, -1, 0, 1, MOST])),
    st.integers(0, 128),
    st.sampled_from([AT_MOST, AT_LEAST, EXACT]),
    st.one_of(st.integers(0, 34), st.just(NO_MOVE)),
)


@pytest.mark.parametrize("geometry", [SMALL, LARGE], ids=str)
@given(draft=drafts, key=st.integers(1, 2**49))
def test_what_is_kept_is_found_whole(geometry: Geometry, draft: Draft, key: int) -> None:
    table = Table(geometry)
    assert table.find(key) is None
    table.keep(key, draft)
    assert table.find(key) == draft
    assert table.find(key + 1) is None


def test_keys_that_share_a_half_are_told_apart() -> None:
    low, high = 0x0123_4567_89AB, 0x1BCD << 64
    table = Table(LARGE)
    table.keep(low, Draft(1, 5))
    table.keep(low | high, Draft(2, 4))
    assert (table.find(low), table.find(low | high)) == (Draft(1, 5), Draft(2, 4))
    assert table.find(high) is None
    assert table.find(low | high << 1) is None
    table.keep(low | high << 1, Draft(3, 5))
    assert table.find(low) is None, "of equal depth, the last one stays"
    assert table.find(low | high << 1) == Draft(3, 5)


def test_what_was_searched_deeper_outlives_the_rest() -> None:
    table = Table(SMALL)
    table.keep(1, Draft(10, 9))
    for key in range(2, 50):
        table.keep(key, Draft(key, key % 9))
        assert (table.find(1), table.find(key)) == (Draft(10, 9), Draft(key, key % 9))
        assert table.find(key - 1) is None or key == 2
    table.keep(1, Draft(11, 3))
    assert table.find(1) == Draft(11, 3), "what is found of a position later is not lost"


@pytest.mark.parametrize("generation", [2, 3, GENERATIONS - 1])
def test_another_generation_has_nothing(generation: int) -> None:
    table = Table(SMALL)
    table.keep(7, Draft(1, 100))
    table.keep(8, Draft(1, 1))
    table.begin(generation)
    assert (table.find(7), table.find(8)) == (None, None)
    table.keep(8, Draft(-2, 1))
    table.keep(9, Draft(-3, 0))
    assert table.find(8) == Draft(-2, 1), "and depth of old does not count"
    assert table.find(9) == Draft(-3, 0)


@pytest.mark.parametrize("geometry", [SMALL, LARGE], ids=str)
@given(kept=st.lists(st.tuples(st.integers(1, 5), drafts), max_size=12), scale=st.sampled_from([0, 40]))
def test_a_bucket_is_that_of_the_naive_twin(
    geometry: Geometry, kept: list[tuple[int, Draft]], scale: int
) -> None:
    table, bucket = Table(geometry), Bucket()
    for number, draft in kept:
        table.keep(number << scale, draft)
        bucket.keep(number << scale, draft)
        for other in range(1, 6):
            assert table.find(other << scale) == bucket.find(other << scale)


@pytest.mark.parametrize("geometry", [SMALL, LARGE], ids=str)
def test_a_table_of_many_buckets_only_finds_what_was_kept(geometry: Geometry) -> None:
    table = Table(geometry, buckets=37)  # any number of them will do
    chance = np.random.default_rng(3)
    keys = [int(key) << shift for key in chance.integers(1, 2**40, 60) for shift in (0, geometry.bits - 41)]
    kept = {key: Draft(index - 60, index % 20) for index, key in enumerate(keys)}
    for key, draft in kept.items():
        table.keep(key, draft)
    found = {key: table.find(key) for key in kept}
    assert all(found[key] in (None, draft) for key, draft in kept.items())
    assert 37 < sum(draft is not None for draft in found.values()) <= 74
