"""What threads on one position tell each other; that they agree on its score is in tests/solver."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import Geometry
from fourcast.kernels.batch import split
from fourcast.kernels.board import Board, board_of, kernel
from fourcast.kernels.memory import address_of
from fourcast.kernels.state import TABLES
from fourcast.kernels.table import facts_of, remember
from fourcast.kernels.together import BACK, FOUND, PLACES, begin, end, is_busy, look_back, seat_words, step
from fourcast.kernels.tricks import read
from fourcast.solver.memory import Memory

Words = npt.NDArray[np.uint64]

PATH = {0: (4, 10), 1: (-5, 12), 2: (4, 13), 3: (-5, 14)}  # the question and the ply at each level


@kernel
def walk(board: Board, seat: np.uint64, level: int, key: Words, alpha: int, ply: int) -> None:
    step(board, seat, level, read(board, key), alpha, ply)


@kernel
def prove(board: Board, tables: np.uint64, key: Words, ply: int, lower: int, upper: int) -> None:
    remember(board, tables, read(board, key), ply, facts_of(lower, upper, np.uint64(1)))


@kernel
def busy(board: Board, work: np.uint64, keys: Words) -> tuple[bool, bool, bool]:
    first, second = read(board, keys[0]), read(board, keys[1])
    begin(work, first)
    both = is_busy(work, first), is_busy(work, second)
    end(work, first)
    return (*both, is_busy(work, first))


@pytest.fixture(params=["6x7x4", "8x10x5"])
def geometry(request: pytest.FixtureRequest) -> Geometry:
    return Geometry.parse(request.param)


def keys_of(geometry: Geometry, count: int) -> Words:
    """Keys that differ in their highest bits too."""
    return split([(1 << (geometry.bits - 2)) * (n % 2) + 977 * n + 1 for n in range(count)], geometry)


@pytest.mark.parametrize(
    ("level", "bounds", "found"),
    [
        (0, (5, 20), 5),  # more than 4
        (0, (4, 20), None),
        (1, (-20, -5), -5),  # at most -5
        (1, (-20, -4), None),
        (2, (6, 6), 6),
        (2, (-9, 4), 4),
        (3, (20, 20), None),  # where it is now; it will see that by itself
    ],
)
def test_it_goes_back_to_where_another_thread_has_settled_the_question(
    geometry: Geometry, level: int, bounds: tuple[int, int], found: int | None
) -> None:
    memory, board = Memory(geometry, 8, 1), board_of(geometry)
    keys = keys_of(geometry, 4)
    words = np.zeros(seat_words(geometry.cells), dtype=np.uint64)
    seat = np.uint64(address_of(words))
    for at, (alpha, ply) in PATH.items():
        walk(board, seat, at, keys[at], alpha, ply)
    prove(board, memory.addresses[0] + np.uint64(8 * TABLES), keys[level], PATH[level][1], *bounds)
    look_back(board, memory.addresses[0], seat, 3)
    if found is None:
        assert words[BACK] == 0
    else:
        assert words[BACK] == level + 1
        assert int(words[FOUND]) - 128 == found


def test_it_goes_back_as_far_as_it_can(geometry: Geometry) -> None:
    memory, board = Memory(geometry, 8, 1), board_of(geometry)
    keys = keys_of(geometry, 4)
    words = np.zeros(seat_words(geometry.cells), dtype=np.uint64)
    for at, (alpha, ply) in PATH.items():
        walk(board, np.uint64(address_of(words)), at, keys[at], alpha, ply)
    for level in (2, 1):
        prove(board, memory.addresses[0] + np.uint64(8 * TABLES), keys[level], PATH[level][1], 9, 9)
    look_back(board, memory.addresses[0], np.uint64(address_of(words)), 3)
    assert words[BACK] == 2


def test_a_thread_is_busy_with_a_position_from_begin_to_end(geometry: Geometry) -> None:
    work = np.zeros(PLACES, dtype=np.uint64)
    found = busy(board_of(geometry), np.uint64(address_of(work)), keys_of(geometry, 2))
    assert found == (True, False, False)
    assert not work.any()
