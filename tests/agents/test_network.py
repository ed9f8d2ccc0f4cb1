"""Players that ask a network, and those that search with one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fourcast import BadModel, CannotPlay, Geometry, Limit, Position, Rules
from fourcast.agents import agent
from fourcast.agents.guard import GuardedAgent, guarded_columns
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.kernels.batch import Batch
from tests.boards import play_peacefully
from tests.models.networks import save_network
from tests.models.trained import saved

pytestmark = pytest.mark.usefixtures("tiny_networks")
POSITIONS = [
    position
    for position in (play_peacefully(Geometry(), seed, seed % 30) for seed in range(60))
    if not position.is_over
]


@pytest.mark.parametrize("kind", ["cnn", "network"])
def test_the_likeliest_open_column_is_played(tiny_networks: Path, kind: str) -> None:
    player = agent(f"{kind}:guard=0")
    evaluator = NetworkEvaluator(tiny_networks / f"{kind}-6x7x4.json")
    for position in POSITIONS:
        found = player.analyze(position, Limit())
        shares = evaluator.priors(Batch.of(position))[0]
        assert found.policy == pytest.approx(shares)
        assert shares[found.column] == shares.max()
        assert found.pv == (found.column,)
        worth = evaluator.values(Batch.of(position))[0] if kind == "network" else None
        assert found.value == worth
        assert found.values is None


def test_of_columns_that_are_alike_the_centre_is_played(tmp_path: Path) -> None:
    path = save_network(tmp_path, mirror=True)
    for moves in ("", "44", "4444", "41714"):
        position = Position.from_moves(moves)
        found = agent(f"network:model={path}").analyze(position, Limit())
        image = agent(f"network:model={path}").analyze(position.mirror(), Limit())
        assert found.policy is not None
        assert image.policy == pytest.approx(found.policy[::-1], abs=1e-6)


def test_the_convolutional_one_stands_behind_the_guard_unless_told_otherwise() -> None:
    careful, careless = agent("cnn"), agent("cnn:guard=0")
    assert isinstance(careful, GuardedAgent)
    assert careful.plies == 2
    assert not isinstance(careless, GuardedAgent)
    overruled = 0
    for position in POSITIONS:
        allowed = guarded_columns(position, 2)
        found = careful.analyze(position, Limit())
        assert found.column in allowed
        assert found.policy is not None
        assert found.policy[found.column] == max(found.policy[column] for column in allowed)
        overruled += careless.analyze(position, Limit()).column not in allowed
    assert overruled > 3
    assert not isinstance(agent("network"), GuardedAgent)
    assert isinstance(agent("network:guard=1"), GuardedAgent)


@pytest.mark.parametrize(
    ("spec", "option"),
    [("cnn", "cnn:model"), ("network:auto", "network:model"), ("mcts:net=auto", "mcts:net")],
)
def test_a_board_that_none_is_shipped_for_is_refused_with_those_that_are(spec: str, option: str) -> None:
    with pytest.raises(
        CannotPlay,
        match=rf"^agent \w+ has no network for board 4x9x4, only for .*1x8x3.*8x10x5.*: {option}=PATH$",
    ):
        agent(spec, "4x9x4")


@pytest.mark.parametrize("spec", ["cnn:model={}", "network:{}", "mcts:net={}"])
def test_networks_of_ones_own_are_found_by_their_path(tmp_path: Path, spec: str) -> None:
    kind = "cnn" if spec.startswith("cnn") else "network"
    geometry = Geometry.parse("4x9x4")
    path = save_network(tmp_path, kind, geometry, name="mine")
    position = play_peacefully(geometry, 1, 9)
    for name in (path, path.with_suffix(".onnx")):
        found = agent(spec.format(name), geometry).analyze(position, Limit(simulations=20))
        assert found.column in position.legal
    with pytest.raises(BadModel, match=r"mine\.json: it is for board 4x9x4, not 6x7x4"):
        agent(spec.format(path))
    path.with_suffix(".onnx").write_bytes(b"nothing")
    with pytest.raises(BadModel, match=r"mine\.onnx: it is damaged"):
        agent(spec.format(save_truncated(tmp_path, kind)))


def save_truncated(folder: Path, kind: str) -> Path:
    """A network of the standard board that has lost its end."""
    path = save_network(folder, kind, seed=99, name="mine")
    data = path.with_suffix(".onnx").read_bytes()
    path.with_suffix(".onnx").write_bytes(data[: len(data) // 2])
    return path


def test_every_agent_takes_its_own_kind(tmp_path: Path) -> None:
    for spec, wanted in (
        ("cnn:network-6x7x4", "cnn"),
        ("network:cnn-6x7x4", "network"),
        ("mcts:net=cnn-6x7x4", "network"),
    ):
        with pytest.raises(BadModel, match=rf"it is of the kind \w+, not {wanted}$"):
            agent(spec)
    with pytest.raises(BadModel, match=r"tiny\.json: it is of the kind boosted, not network"):
        agent(f"network:{saved(tmp_path)}")
    with pytest.raises(BadModel, match="there is no model 'nobody'; shipped: "):
        agent("cnn:nobody")


def test_slip_makes_no_difference_to_who_does_not_search() -> None:
    for position in POSITIONS[:5]:
        plain, slippery = (
            agent("network", Rules(slip=slip)).analyze(position, Limit()) for slip in (0.0, 0.3)
        )
        assert (plain.column, plain.policy) == (slippery.column, slippery.policy)
        assert np.isclose(sum(plain.policy or ()), 1)
