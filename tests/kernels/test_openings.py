"""The positions of the first plies, and scores carried backwards, against the naive twin."""

from __future__ import annotations

import numpy as np
import pytest

from fourcast import Geometry, Position
from fourcast.kernels.batch import Batch, whole
from fourcast.kernels.openings import (
    UNKNOWN,
    final_scores,
    find_scores,
    opening_levels,
    scores_before,
    stones_of,
)
from tests import naive
from tests.boards import twin

BOARDS = ["4x4x3", "3x5x3", "4x4x4", "1x8x3", "8x10x5", "3x20x3", "6x7x4"]


def plies_for(board: str) -> int:
    return 3 if Geometry.parse(board).columns > 9 else 6


@pytest.mark.parametrize("board", BOARDS)
def test_levels_hold_every_position_once(board: str) -> None:
    geometry = Geometry.parse(board)
    plies = plies_for(board)
    levels = opening_levels(geometry, plies)
    naive_board = naive.Board(geometry.rows, geometry.columns, geometry.connect)
    for keys, grids in zip(levels, naive.opening_grids(naive_board, plies), strict=True):
        numbers = [whole(key) for key in keys]
        assert numbers == sorted(set(numbers)), "in rising order, none twice"
        found = {twin(position)[1] for position in Batch(geometry, stones_of(geometry, keys))}
        assert found | {grid[::-1] for grid in found} == grids
        assert all(grid[::-1] not in found or grid == grid[::-1] for grid in found), "one of each pair"


@pytest.mark.parametrize("board", ["4x4x3", "3x5x3", "3x4x3"])
def test_scores_go_back_to_the_start(board: str) -> None:
    geometry = Geometry.parse(board)
    levels = opening_levels(geometry, 7)

    def naive_scores(keys: np.ndarray) -> list[int]:
        return [naive.score(*twin(position)) for position in Batch(geometry, stones_of(geometry, keys))]

    scores = np.array(naive_scores(levels[-1]), dtype=np.int8)
    for keys, after in zip(levels[-2::-1], levels[:0:-1], strict=True):
        scores = scores_before(geometry, keys, after, scores)
        assert scores.tolist() == naive_scores(keys)


@pytest.mark.parametrize("board", ["4x4x3", "3x3x3", "2x3x3"])
def test_finished_games_have_their_score_and_others_none(board: str) -> None:
    geometry = Geometry.parse(board)
    for keys in opening_levels(geometry, 8):
        for position, score in zip(
            Batch(geometry, stones_of(geometry, keys)), final_scores(geometry, keys), strict=True
        ):
            assert score == (naive.score(*twin(position)) if position.is_over else UNKNOWN)


@pytest.mark.parametrize("board", ["5x4x4", "8x10x5"])
def test_scores_are_found_for_a_position_and_its_image_and_for_no_other(board: str) -> None:
    geometry = Geometry.parse(board)
    levels = opening_levels(geometry, 3)
    levels[2] = levels[2][::2]  # some are missing
    starts = np.cumsum([0, *map(len, levels)])
    keys = np.concatenate(levels)
    scores = (np.arange(len(keys)) % 100).astype(np.int8)
    for index, key in enumerate(keys):
        position = next(iter(Batch(geometry, stones_of(geometry, keys[index : index + 1]))))
        stones = Batch.of([position, position.mirror()]).stones
        assert find_scores(geometry, stones, keys, starts, scores).tolist() == [scores[index]] * 2
        assert whole(key) == min(position.key, position.mirror().key)
    absent = opening_levels(geometry, 2)[2][1::2]
    others = [*Batch(geometry, stones_of(geometry, absent)), Position.from_moves("1122", geometry)]
    assert set(find_scores(geometry, Batch.of(others).stones, keys, starts, scores)) == {UNKNOWN}
