"""The transposition table never takes one position for another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import Geometry
from fourcast.kernels.batch import split, whole
from fourcast.kernels.board import Board, board_of, kernel
from fourcast.kernels.memory import address_of
from fourcast.kernels.table import (
    bucket_shift,
    entry_words,
    facts_of,
    lower_of,
    recall,
    remember,
    upper_of,
)
from fourcast.kernels.tricks import read

Words = npt.NDArray[np.uint64]


@kernel
def remember_all(
    board: Board, table: np.uint64, buckets: np.uint64, shift: np.uint64, keys: Words, facts: Words
) -> None:
    for index in range(len(keys)):
        remember(board, table, buckets, shift, read(board, keys[index]), facts[index])


@kernel
def recall_all(
    board: Board, table: np.uint64, buckets: np.uint64, shift: np.uint64, keys: Words, facts: Words
) -> None:
    for index in range(len(keys)):
        facts[index] = recall(board, table, buckets, shift, read(board, keys[index]))


class Table:
    """A table of any size, even one that no solver would use."""

    def __init__(self, board: str, buckets: int) -> None:
        self.geometry = Geometry.parse(board)
        self.words = np.zeros(2 * buckets * entry_words(self.geometry), dtype=np.uint64)
        self.place = (
            board_of(self.geometry),
            np.uint64(address_of(self.words)),
            np.uint64(buckets),
            np.uint64(bucket_shift(self.geometry, buckets)),
        )

    def remember(self, facts: dict[int, int]) -> None:
        keys = split(facts, self.geometry)
        remember_all(*self.place, keys, np.array(list(facts.values()), dtype=np.uint64))

    def recall(self, keys: list[int]) -> dict[int, int]:
        found = np.zeros(len(keys), dtype=np.uint64)
        recall_all(*self.place, split(keys, self.geometry), found)
        return {key: int(facts) for key, facts in zip(keys, found, strict=True) if facts}


def some_facts(chance: np.random.Generator) -> int:
    return int(
        facts_of(int(chance.integers(-60, 0)), int(chance.integers(0, 60)), np.uint64(chance.integers(1, 40)))
    )


def test_facts_hold_their_bounds() -> None:
    for lower, upper in ((-64, 63), (0, 0), (-1, 5), (17, 17)):
        facts = facts_of(lower, upper, np.uint64(9))
        assert (lower_of(facts), upper_of(facts)) == (lower, upper)


@pytest.mark.parametrize("buckets", [16, 17, 1000, 4096])
def test_of_all_keys_of_a_small_board_only_those_put_in_are_found(buckets: int) -> None:
    chance = np.random.default_rng(buckets)
    table = Table("4x4x3", buckets)  # 20 bits: every key there is can be tried
    kept = {int(key): some_facts(chance) for key in chance.integers(1, 2**20, 3000)}
    table.remember(kept)
    found = table.recall(list(range(1, 2**20)))
    assert found
    assert all(kept.get(key) == facts for key, facts in found.items())


@pytest.mark.parametrize("board", ["7x8x4", "8x10x5", "9x12x4", "7x16x5"])
def test_keys_that_differ_in_one_half_are_told_apart(board: str) -> None:
    """All in the same few buckets, where an entry takes more than one uint64."""
    chance = np.random.default_rng(1)
    table = Table(board, 4)
    bits = table.geometry.bits
    keys = [whole(chance.integers(0, 2**64, 2, dtype=np.uint64)) % 2**bits for _ in range(200)]
    keys += [key ^ (1 << int(bit)) for key in keys[:40] for bit in chance.integers(0, bits, 10)]
    kept: dict[int, int] = {}
    for key in keys:
        kept[key] = some_facts(chance)
        table.remember({key: kept[key]})
        found = table.recall(keys)
        assert found[key] == kept[key]
        assert all(kept.get(other) == facts for other, facts in found.items())


@pytest.mark.parametrize("board", ["6x7x4", "7x8x4", "9x12x4"])
def test_what_took_more_work_stays_and_the_other_place_gives_way(board: str) -> None:
    table = Table(board, 2**13)
    much, little = int(facts_of(0, 3, np.uint64(20))), int(facts_of(-1, 2, np.uint64(2)))
    table.remember({5: much})
    chance = np.random.default_rng(1)
    others = [int(key) for key in chance.integers(6, 2**49, 60_000)]
    table.remember(dict.fromkeys(others, little))
    assert table.recall([5]) == {5: much}
    assert table.recall([others[-1]]) == {others[-1]: little}, "the last one in is always there"
    table.remember({5: little})
    assert table.recall([5]) == {5: little}, "newer facts of the same position replace older ones"
