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
    EPOCH,
    EPOCHS,
    FAR,
    FAR_PLY,
    NEAR,
    TABLE_WORDS,
    bucket_shift,
    entry_words,
    facts_of,
    forget,
    lower_of,
    recall,
    remember,
    upper_of,
)
from fourcast.kernels.tricks import read

Words = npt.NDArray[np.uint64]

FACTS = (1 << 19) - 1  # without the epoch


@kernel
def remember_all(board: Board, tables: np.uint64, keys: Words, ply: int, facts: Words) -> None:
    for index in range(len(keys)):
        remember(board, tables, read(board, keys[index]), ply, facts[index])


@kernel
def recall_all(board: Board, tables: np.uint64, keys: Words, ply: int, facts: Words) -> None:
    for index in range(len(keys)):
        facts[index] = recall(board, tables, read(board, keys[index]), ply)


class Table:
    """A far table of any size, even one that no solver would use, and a near one for ply 10 and later."""

    def __init__(self, board: str, buckets: int) -> None:
        self.geometry = Geometry.parse(board)
        words = 2 * entry_words(self.geometry)
        self.words = np.zeros((2, words * buckets), dtype=np.uint64)
        self.tables = np.zeros(TABLE_WORDS, dtype=np.uint64)
        self.tables[EPOCH], self.tables[FAR_PLY] = 1, 10
        for index, table in enumerate((NEAR, FAR)):
            shift = bucket_shift(self.geometry, buckets)
            self.tables[table : table + 3] = address_of(self.words[index]), buckets, shift
        self.place = board_of(self.geometry), np.uint64(address_of(self.tables))

    def remember(self, facts: dict[int, int], ply: int = 5) -> None:
        keys = split(facts, self.geometry)
        remember_all(*self.place, keys, ply, np.array(list(facts.values()), dtype=np.uint64))

    def recall(self, keys: list[int], ply: int = 5) -> dict[int, int]:
        found = np.zeros(len(keys), dtype=np.uint64)
        recall_all(*self.place, split(keys, self.geometry), ply, found)
        return {key: int(facts) & FACTS for key, facts in zip(keys, found, strict=True) if facts}

    def forget(self) -> None:
        forget(*self.place)
        self.tables[FAR_PLY] = 10


def some_facts(chance: np.random.Generator) -> int:
    return int(
        facts_of(int(chance.integers(-60, 0)), int(chance.integers(0, 60)), np.uint64(chance.integers(1, 31)))
    )


def test_facts_hold_their_bounds() -> None:
    for lower, upper in ((-63, 63), (-64, 62), (0, 0), (-1, 5), (17, 17)):
        facts = facts_of(lower, upper, np.uint64(9))
        assert (lower_of(facts), upper_of(facts)) == (lower, upper)


@pytest.mark.parametrize(
    "buckets", [17, 1000, *(pytest.param(count, marks=pytest.mark.slow) for count in (16, 4096))]
)
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


@pytest.mark.parametrize("board", ["6x7x4", "7x8x4", "9x12x4"])
def test_a_table_that_was_emptied_has_nothing_however_often(board: str) -> None:
    table = Table(board, 2**13)
    for turn in range(2 * EPOCHS + 3):
        assert table.recall(list(range(1, 40))) == {}, f"after {turn} times"
        facts = int(facts_of(-1, turn % 60, np.uint64(turn % 7)))
        table.remember({7: facts, 7 + turn % 30: facts})
        assert table.recall([7]) == {7: facts}, "and what was there before does not stand in the way"
        table.forget()


def test_late_positions_are_kept_near_and_others_far() -> None:
    table = Table("6x7x4", 2**13)
    facts = int(facts_of(-1, 1, np.uint64(3)))
    table.remember({7: facts}, ply=10)
    assert table.words[0].any()
    assert not table.words[1].any()
    assert table.recall([7], ply=10)
    assert not table.recall([7], ply=9)
    table.remember({7: facts}, ply=9)
    assert table.words[1].any()
    assert table.recall([7], ply=9)
