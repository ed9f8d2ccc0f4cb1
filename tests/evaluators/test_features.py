"""Features by name: which there are on a board, in which order, and what is not one."""

from __future__ import annotations

import numpy as np
import pytest

from fourcast import BadGeometry, BadOption, BadShape, Geometry, Position
from fourcast.evaluators.features import GROUP_NAMES, GROUPS, Features
from fourcast.kernels.batch import Batch
from tests import naive
from tests.boards import BOARDS, play_some, twin_board

WIDE = [Geometry(2, 27, 3), Geometry(1, 35, 4)]  # more columns than there are letters
SMALL = Geometry(4, 4, 4)


@pytest.mark.parametrize("geometry", [*BOARDS, *WIDE], ids=str)
def test_every_feature_has_a_name_of_its_own(geometry: Geometry) -> None:
    names = Features.of(geometry).names
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalnum() for name in names)


def test_columns_beyond_the_alphabet_have_numbers() -> None:
    assert Features.of("3x26x4", ["cells"]).names[-1] == "z3"
    assert Features.of("3x27x4", ["cells"]).names[-1] == "c27_3"


@pytest.mark.parametrize("geometry", [*BOARDS, *WIDE], ids=str)
def test_how_many_there_are_follows_from_the_board(geometry: Geometry) -> None:
    rows, columns, connect = geometry.rows, geometry.columns, geometry.connect
    assert {group.name: len(group.names(geometry)) for group in GROUPS} == {
        "cells": rows * columns,
        "windows": 8 * (connect - 1),
        "patterns": len(naive.windows(twin_board(geometry))),
        "potential": 2 * rows * columns,
        "moves": 4 * columns,
        "threats": 14,
        "ladders": 4 * columns,
        "columns": 2 * columns + 1,
        "parity": 6 * connect,
        "control": rows + columns + 9,
        "clock": 3,
    }


@pytest.mark.parametrize("names", [None, ["clock"], ["threats", "cells", "clock"], GROUP_NAMES[::-1]])
def test_spans_cover_every_feature_once_and_in_order(names: list[str] | None) -> None:
    features = Features.of("6x7x4", names)
    assert list(features.spans) == list(names or GROUP_NAMES)
    covered = [index for span in features.spans.values() for index in range(span.start, span.stop)]
    assert covered == list(range(len(features.names)))
    for group in features.groups:
        assert features.names[features.spans[group.name]] == group.names(features.geometry)


def test_groups_stand_in_the_order_in_which_they_are_named() -> None:
    batch = Batch.of([play_some(SMALL, seed) for seed in range(5)])
    one, other = Features.of(SMALL, ["clock", "cells"]), Features.of(SMALL, ["cells", "clock"])
    found, turned = one.matrix(batch), other.matrix(batch)
    assert found.dtype == np.int16
    assert found.shape == turned.shape == (5, 3 + 16)
    assert found[:, :3].tolist() == turned[:, 16:].tolist()
    assert found[:, 3:].tolist() == turned[:, :16].tolist()
    assert found[:, 0].tolist() == [position.ply for position in batch]
    assert Features.of(SMALL, ["cells"]).matrix(batch).tolist() == turned[:, :16].tolist()


def test_one_position_or_none_is_a_batch_too() -> None:
    features = Features.of(SMALL, ["cells", "clock"])
    position = Position.from_moves("12", SMALL)
    row = dict(zip(features.names, features.matrix(Batch.of(position))[0].tolist(), strict=True))
    assert {name: number for name, number in row.items() if number} == {
        "a1": 1,
        "b1": -1,
        "discs": 2,
        "open_columns": 4,
    }
    nothing = Batch(SMALL, np.zeros((0, 2, 1), dtype=np.uint64))
    assert features.matrix(nothing).shape == (0, 19)


def test_a_board_may_be_written() -> None:
    assert Features.of("6x7x4") == Features.of(Geometry(6, 7, 4)) == Features(Geometry(6, 7, 4))
    assert len(Features.of("6x7x4").names) == 353
    with pytest.raises(BadGeometry, match="write it as ROWSxCOLUMNSxCONNECT"):
        Features.of("six by seven")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["cells", "luck"], "there is no group 'luck' of features; known: cells, windows, patterns, "),
        ([3], "there is no group 3 of features"),
        ([], "name at least one group of features, and each once"),
        (["cells", "clock", "cells"], "name at least one group of features, and each once"),
    ],
)
def test_a_wrong_group_is_one_line(names: list[str], words: str) -> None:
    with pytest.raises(BadOption, match=words) as caught:
        Features.of("6x7x4", names)
    assert "\n" not in str(caught.value)


def test_positions_of_another_board_are_refused() -> None:
    """As many cells, so that only the board tells them apart."""
    batch = Batch.of(Position("7x6x4"))
    with pytest.raises(BadShape, match="the positions are on board 7x6x4, the features are of 6x7x4"):
        Features.of("6x7x4", ["cells"]).matrix(batch)


def test_an_array_of_another_shape_is_refused() -> None:
    batch = Batch.of(Position(SMALL))
    clock = GROUPS[GROUP_NAMES.index("clock")]
    with pytest.raises(BadShape, match=r"clock of 4x4x4 take an array of shape \(1, 3\), not \(1, 2\)"):
        clock.fill(batch, np.zeros((1, 2), dtype=np.int16))
