"""What a network makes of positions, and that only networks of the board are asked."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadModel, Geometry, Position
from fourcast.evaluators import network as networks
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.kernels.planes import PLANES, planes_of
from fourcast.kernels.priors import write_priors
from fourcast.models.files import load_card, read_model_bytes
from fourcast.models.onnx_file import Network
from tests.boards import batches, play_some
from tests.models.networks import save_network
from tests.models.trained import saved

WIDE = Geometry.parse("8x10x5")


def some_positions(geometry: Geometry, count: int = 20) -> Batch:
    return Batch.of([play_some(geometry, seed) for seed in range(count)])


def naive_priors(position: Position, logits: list[float]) -> list[float]:
    """Shares of the open columns by what a network says of them."""
    weights = [np.exp(logits[column]) if column in position.legal else 0.0 for column in range(len(logits))]
    return [weight / sum(weights) if sum(weights) else 0.0 for weight in weights]


@settings(max_examples=40)
@given(positions=batches(4), seed=st.integers(0, 2**32), mirror=st.booleans())
def test_priors_are_those_of_the_naive_twin(positions: list[Position], seed: int, mirror: bool) -> None:
    batch = Batch.of(positions)
    count, columns = len(batch), batch.geometry.columns
    logits = (
        np.random.default_rng(seed).normal(size=(count * (1 + mirror), columns), scale=5).astype(np.float32)
    )
    priors = np.full((count, columns), 9.0)
    write_priors(batch.board, batch.stones, logits, mirror, priors)
    for index, position in enumerate(positions):
        expected = np.array(naive_priors(position, logits[index].tolist()))
        if mirror:
            image = naive_priors(position.mirror(), logits[count + index].tolist())
            expected = (expected + image[::-1]) / 2
        assert priors[index] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("geometry", [STANDARD, WIDE], ids=str)
def test_values_and_priors_are_what_the_network_says(tmp_path: Path, geometry: Geometry) -> None:
    path = save_network(tmp_path, geometry=geometry)
    batch = some_positions(geometry)
    card = load_card(path)
    policy, value = Network(card, read_model_bytes(card)).run(planes_of(batch, PLANES))
    assert value is not None
    values, priors = NetworkEvaluator(path, geometry).judge(batch)
    assert values.dtype == priors.dtype == np.float64
    assert values == pytest.approx(value, abs=1e-5)
    for position, shares, logits in zip(batch, priors, policy, strict=True):
        assert shares == pytest.approx(naive_priors(position, logits.tolist()), abs=1e-5)
    assert NetworkEvaluator(path, geometry).values(batch) == pytest.approx(values)
    assert NetworkEvaluator(path, geometry).priors(batch) == pytest.approx(priors)


@pytest.mark.parametrize("at_once", [256, 7])
def test_many_positions_are_asked_about_in_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    evaluator = NetworkEvaluator(save_network(tmp_path), mirror=True)
    batch = some_positions(STANDARD)
    one_by_one = [evaluator.judge(Batch(STANDARD, batch.stones[index : index + 1])) for index in range(20)]
    monkeypatch.setattr(networks, "_AT_ONCE", at_once)
    values, priors = evaluator.judge(batch)
    assert values == pytest.approx(np.concatenate([value for value, _ in one_by_one]), abs=1e-5)
    assert priors == pytest.approx(np.concatenate([prior for _, prior in one_by_one]), abs=1e-5)


def test_with_the_mirror_image_both_sides_of_the_board_are_alike(tmp_path: Path) -> None:
    path = save_network(tmp_path, mirror=True)
    batch = some_positions(STANDARD)
    values, priors = NetworkEvaluator(path).judge(batch)
    image_values, image_priors = NetworkEvaluator(path).judge(mirror_batch(batch))
    assert values == pytest.approx(image_values, abs=1e-5)
    assert priors == pytest.approx(image_priors[:, ::-1], abs=1e-5)
    plain = NetworkEvaluator(path, mirror=False)
    turned = plain.judge(mirror_batch(batch))
    assert values == pytest.approx((plain.values(batch) + turned[0]) / 2, abs=1e-5)
    assert priors == pytest.approx((plain.priors(batch) + turned[1][:, ::-1]) / 2, abs=1e-5)
    assert not np.allclose(plain.values(batch), turned[0], atol=1e-3)


def test_one_that_learnt_only_columns_does_not_tell_values(tmp_path: Path) -> None:
    evaluator = NetworkEvaluator(save_network(tmp_path, "cnn"))
    batch = some_positions(STANDARD)
    assert not evaluator.has_value
    assert evaluator.priors(batch).shape == (20, 7)
    for ask in (evaluator.values, evaluator.judge):
        with pytest.raises(BadModel, match="of the kind cnn, which does not tell what a position is worth"):
            ask(batch)


def test_what_is_of_another_board_or_kind_is_refused_by_name(tmp_path: Path) -> None:
    path = save_network(tmp_path)
    with pytest.raises(BadModel, match=r"network-6x7x4\.json: it is for board 6x7x4, not 8x10x5"):
        NetworkEvaluator(path, WIDE)
    with pytest.raises(BadModel, match=r"network-6x7x4\.json: it is for board 6x7x4, not 8x10x5"):
        NetworkEvaluator(path).values(some_positions(WIDE))
    with pytest.raises(BadModel, match=r"tiny\.json: it is of the kind boosted, not cnn or network"):
        NetworkEvaluator(saved(tmp_path))
    odd = save_network(tmp_path, "cnn", planes=("own", "heights"))
    with pytest.raises(BadModel, match=r"cnn-6x7x4\.json: there is no plane 'heights'; known: own"):
        NetworkEvaluator(odd)


def test_a_damaged_network_is_found_when_it_is_loaded(tmp_path: Path) -> None:
    evaluator = NetworkEvaluator(save_network(tmp_path, seed=11))
    (tmp_path / "network-6x7x4.onnx").write_bytes(b"PK")
    with pytest.raises(BadModel, match=r"network-6x7x4\.onnx: it is damaged"):
        evaluator.load()
    evaluator = NetworkEvaluator(save_network(tmp_path, seed=12))
    save_network(tmp_path, seed=13)
    with pytest.raises(BadModel, match=r"network-6x7x4\.json: another one has taken its place"):
        evaluator.load()


def test_an_evaluator_can_be_handed_to_another_process(tmp_path: Path) -> None:
    evaluator = NetworkEvaluator(save_network(tmp_path))
    evaluator.load()
    batch = some_positions(STANDARD)
    assert (pickle.loads(pickle.dumps(evaluator)).values(batch) == evaluator.values(batch)).all()
