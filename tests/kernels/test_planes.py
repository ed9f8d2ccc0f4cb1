"""The planes that a network sees: the kernel against its naive twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import BadOption, Position
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.kernels.planes import PLANES, planes_of
from tests import naive
from tests.boards import batches, twin


@pytest.mark.slow
@given(positions=batches(4), names=st.lists(st.sampled_from(PLANES), max_size=9))
def test_the_planes_are_those_of_the_naive_twin_in_any_order(
    positions: list[Position], names: list[str]
) -> None:
    geometry = positions[0].geometry
    found = planes_of(Batch.of(positions), names)
    assert found.shape == (len(positions), len(names), geometry.rows, geometry.columns)
    assert found.dtype == np.float32
    for position, planes in zip(positions, found, strict=True):
        expected = naive.planes(*twin(position))
        assert list(expected) == list(PLANES), "every plane has a twin"
        for name, plane in zip(names, planes, strict=True):
            assert plane.tolist() == expected[name], name


@given(positions=batches(3))
def test_the_planes_of_a_mirror_image_are_the_planes_in_a_mirror(positions: list[Position]) -> None:
    batch = Batch.of(positions)
    assert (planes_of(mirror_batch(batch), PLANES) == planes_of(batch, PLANES)[..., ::-1]).all()


def test_a_plane_that_there_is_none_of_is_refused_by_name() -> None:
    with pytest.raises(BadOption, match="there is no plane 'height'; known: own, other, own_wins"):
        planes_of(Batch.of(Position()), ["own", "height"])
