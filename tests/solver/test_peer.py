"""Scores of the standard board beside those of another solver."""

from __future__ import annotations

import random
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from fourcast import Position
from fourcast.kernels.batch import Batch
from fourcast.solver import Solver
from tests.boards import play_peacefully

bitbully: Any = import_module("bitbully")


@cache
def solver() -> Solver:
    return Solver(book=False)


def peer_score(position: Position) -> int:
    core = bitbully.bitbully_core.BitBullyCore()
    board = bitbully.Board()
    for move in position.to_json()["moves"]:
        assert board.play(int(move) - 1)
    return int(core.mtdf(board.native, 0))


@pytest.mark.parametrize("ply", range(8, 41))
def test_random_positions_of_every_ply(ply: int) -> None:
    chance = random.Random(ply)
    positions: list[Position] = []
    while len(positions) < (4 if ply < 14 else 10):
        position = play_peacefully(Position().geometry, chance.randrange(2**32), ply)
        if not position.is_over and position.ply == ply:
            positions.append(position)
    assert solver().solve_many(Batch.of(positions)).scores.tolist() == list(map(peer_score, positions))
