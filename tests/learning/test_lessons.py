"""What networks are to learn of positions, and what they see of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadData, BadOption, Geometry, Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.planes import PLANES, planes_of
from fourcast.learning.lessons import SURE, lessons_of, together, worth_of
from fourcast.learning.positions import make_positions
from tests import naive
from tests.boards import BOARDS, play_some, twin
from tests.learning.nets import solved


@given(st.sampled_from(BOARDS), st.integers(0, 2**32))
@settings(max_examples=60)
def test_planes_show_what_is_on_the_board(geometry: Geometry, seed: int) -> None:
    position = play_some(geometry, seed)
    _, grid = twin(position)
    found = dict(zip(PLANES, planes_of(Batch.of(position), PLANES)[0], strict=True))
    for row in range(geometry.rows):
        for column in range(geometry.columns):
            owner = naive.disc(grid, (row, column))
            below = row == 0 or naive.disc(grid, (row - 1, column)) is not None
            cell = {name: plane[row, column] for name, plane in found.items()}
            assert cell["own"] == (owner == position.turn)
            assert cell["other"] == (owner == 1 - position.turn)
            assert cell["playable"] == (owner is None and below)
            assert cell["turn"] == (position.turn == 0)
            assert cell["odd"] == (row % 2 == 0)
            assert cell["inside"] == 1


def test_a_column_is_liked_by_its_score() -> None:
    made = solved()
    assert made.columns is not None
    assert made.best is not None
    lessons = lessons_of(made)
    assert np.allclose(lessons.policy.sum(axis=1), 1)
    assert not lessons.policy[~lessons.legal].any()
    assert (lessons.perfect == made.best).all()
    for row in range(0, len(made), 25):
        scores, liking = made.columns[row], lessons.policy[row]
        for one in np.flatnonzero(lessons.legal[row]):
            assert lessons.good[row, one] == (np.sign(scores[one]) == np.sign(np.nanmax(scores)))
            for other in np.flatnonzero(lessons.legal[row]):
                assert (liking[one] > liking[other]) == (scores[one] > scores[other])


def test_a_sooner_win_is_worth_more_and_any_win_far_more_than_a_draw() -> None:
    worth = worth_of(np.array([-21, -1, 0, 1, 5, 21]), Geometry())
    assert worth[[0, 2, 5]].tolist() == [-1, 0, 1]
    assert (np.diff(worth) > 0).all()
    assert worth[3] > SURE == pytest.approx(0.7)
    assert worth[1] == -worth[3]


@pytest.mark.slow
def test_an_agents_values_are_lessons_too() -> None:
    made = make_positions("4x5x4", 30, (4, 9), labels="mcts:60", seed=2)
    assert made.columns is not None
    assert made.best is not None
    lessons = lessons_of(made)
    assert np.allclose(lessons.policy.sum(axis=1), 1)
    assert not lessons.policy[~lessons.legal].any()
    most = lessons.policy.max(axis=1)
    assert (lessons.policy[made.best] == most).all(), "nothing is liked more than what it plays"
    assert lessons.good[made.best].all()
    assert np.allclose(lessons.value, made.values)  # type: ignore[arg-type]
    alone = lessons_of(replace(made, columns=None))
    assert (alone.policy == made.best).all(), "where it tells nothing of the others"


def test_an_older_set_without_scores_of_columns_will_do() -> None:
    made = replace(solved(), columns=None)
    lessons = lessons_of(made)
    assert ((lessons.policy > 0) == made.best).all()
    assert np.allclose(lessons.policy.sum(axis=1), 1)
    with pytest.raises(BadData, match="made with --no-moves"):
        lessons_of(replace(made, best=None))


def test_sets_add_up_but_only_of_one_board() -> None:
    one, other = lessons_of(solved(20)), lessons_of(solved(30, 4))
    both = together([one, other])
    assert len(both) == 50
    assert (both.stones[20:] == other.stones).all()
    assert (both.only(np.arange(20)).policy == one.policy).all()
    with pytest.raises(BadOption, match="of board 5x5x4, and one before it of 4x5x4"):
        together([one, lessons_of(solved(20, 1, "5x5x4"))])


def test_winning_cells_are_seen() -> None:
    planes = planes_of(Batch.of(Position.from_moves("112233")), ("own_wins", "other_wins", "own"))
    assert np.argwhere(planes[0, 0]).tolist() == [[0, 3]]
    assert np.argwhere(planes[0, 1]).tolist() == [[1, 3]]
    with pytest.raises(BadOption, match="there is no plane 'theirs'"):
        planes_of(Batch.of(Position()), ("theirs",))
