"""Whom the phased evaluator asks, and what it makes of the answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import BadOption, Geometry, Position
from fourcast.evaluators import Evaluator
from fourcast.evaluators.boosted import BoostedEvaluator
from fourcast.evaluators.phased import PhasedEvaluator
from fourcast.evaluators.playouts import PlayoutEvaluator
from fourcast.kernels.batch import Batch
from tests.boards import play_peacefully
from tests.models.trained import saved

STANDARD = Geometry()


class Counting:
    """A model that remembers whom it was asked about."""

    def __init__(self) -> None:
        self.discs: list[int] = []

    def values(self, batch: Batch) -> npt.NDArray[np.float64]:
        self.discs += [position.ply for position in batch]
        return np.linspace(-0.9, 0.8, len(batch))


def after(*plies: int, seed: int = 1) -> list[Position]:
    """Games that go on after so many plies."""
    found = [play_peacefully(STANDARD, seed + index, count) for index, count in enumerate(plies)]
    assert [position.ply for position in found] == list(plies)
    assert not any(position.is_over for position in found)
    return found


def test_the_number_of_discs_tells_whom_to_ask() -> None:
    model = Counting()
    evaluator: Evaluator = PhasedEvaluator(model, count=20, seed=3)
    positions = after(*range(17))
    batch = Batch.of(positions)
    found = evaluator.values(batch)
    assert model.discs == list(range(13)), "the model up to 12 discs"
    said = np.linspace(-0.9, 0.8, 13)
    assert (found[:9] == said[:9]).all(), "up to 8 nobody else"
    played = PlayoutEvaluator(20, 3, sharp=True).values(Batch.of(positions[9:]))
    assert np.allclose(found[9:13], 0.7 * said[9:] + 0.3 * played[:4], rtol=0, atol=1e-15)
    assert (found[13:] == played[4:]).all(), "later the playouts alone"
    assert PhasedEvaluator(model, count=20).playouts(batch) == 20 * 8


def test_all_thresholds_can_be_moved() -> None:
    batch = Batch.of(after(0, 1, 2, 3, 4))
    model = Counting()
    found = PhasedEvaluator(model, early=1, late=2, share=0.25, count=10).values(batch)
    assert model.discs == [0, 1, 2]
    played = PlayoutEvaluator(10, 0, sharp=True).values(Batch(STANDARD, batch.stones[2:]))
    assert found[2] == pytest.approx(0.25 * 0.8 + 0.75 * played[0])
    assert (found[3:] == played[1:]).all()
    for early, late in ((0, 0), (42, 42), (-1, 42)):
        model = Counting()
        evaluator = PhasedEvaluator(model, early=early, late=late, count=10)
        evaluator.values(batch)
        assert model.discs == [discs for discs in range(5) if discs <= late]
        assert evaluator.playouts(batch) == 10 * sum(discs > early for discs in range(5))


def test_without_a_model_all_are_played_out() -> None:
    batch = Batch.of(after(0, 5, 10, 20))
    evaluator = PhasedEvaluator(None, count=30, seed=7)
    assert (evaluator.values(batch) == PlayoutEvaluator(30, 7, sharp=True).values(batch)).all()
    assert evaluator.playouts(batch) == 120


def test_a_trained_model_is_asked_early(tmp_path: Path) -> None:
    model = BoostedEvaluator(saved(tmp_path))
    batch = Batch.of(after(3, 8))
    assert (PhasedEvaluator(model).values(batch) == model.values(batch)).all()


def test_playouts_are_shared_out_evenly_within_a_number() -> None:
    model = Counting()
    evaluator = PhasedEvaluator(model, count=75)
    early, between, late = (Batch.of(after(*plies)) for plies in ((0, 4, 8), (9, 12, 11), (13, 20, 30)))
    assert evaluator.within(0, early) is evaluator, "nobody is played out"
    for batch in (between, late):
        assert evaluator.within(1000, batch) == evaluator
        for playouts in (3, 10, 100, 224):
            fewer = evaluator.within(playouts, batch)
            assert fewer is not None
            assert fewer.count == playouts // 3
            assert fewer.playouts(batch) <= playouts
    silent = evaluator.within(2, between)
    assert silent is not None
    assert (silent.values(between) == model.values(between)).all(), "the model still knows something"
    assert evaluator.within(2, late) is None, "nobody does"
    assert PhasedEvaluator(None).within(2, early) is None


def test_phases_that_leave_a_gap_are_refused() -> None:
    with pytest.raises(BadOption, match="asked alone up to 9 discs cannot be asked up to 8 only"):
        PhasedEvaluator(None, early=9, late=8)
