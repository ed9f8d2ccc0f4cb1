"""Networks in ONNX: what a plain one says, and that nothing else gets through."""

from __future__ import annotations

import hashlib
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from fourcast import BadModel, Geometry
from fourcast.game.geometry import STANDARD
from fourcast.models.card import Card
from fourcast.models.files import load_card, read_model_bytes, save_model
from fourcast.models.onnx_file import Network
from fourcast.models.onnx_scan import scan
from fourcast.models.shelf import find
from tests.models.networks import network_card, network_model, save_network

SMALL = Geometry.parse("4x5x4")
PLANES = np.random.default_rng(1).random((3, 8, 6, 7), dtype=np.float32)


def opened(model: Any, card: Card | None = None) -> Network:
    return Network(card or network_card(), model.SerializeToString())


def test_a_network_comes_back_as_it_was_and_its_file_is_plain_onnx(tmp_path: Path) -> None:
    card = network_card(mirror=True)
    data = network_model().SerializeToString()
    path = save_model(tmp_path, card, data)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["network-6x7x4.json", "network-6x7x4.onnx"]
    assert (tmp_path / "network-6x7x4.onnx").read_bytes() == data == read_model_bytes(load_card(path))
    again = find(tmp_path / "network-6x7x4.onnx")
    assert (again.planes, again.mirror, again.size) == (card.planes, True, len(data))
    assert again.to_json() == card.to_json() | {"sha256": again.sha256, "bytes": again.size}
    onnx.checker.check_model(onnx.load(str(tmp_path / "network-6x7x4.onnx")))


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("network", {"planes": ...}, "planes is missing"),
        ("network", {"planes": []}, "planes is []"),
        ("network", {"planes": ["own", "own"]}, "planes is"),
        ("network", {"features": ["cells"]}, "there is no field 'features' in a card of the kind network"),
        ("cnn", {"classes": ["loss", "draw", "win"]}, "no field 'classes' in a card of the kind cnn"),
        ("cnn", {"kind": "boosted"}, "there is no field 'planes' in a card of the kind boosted"),
        ("cnn", {"kind": "pickle"}, "there is no field 'planes' in a card"),
        ("cnn", {"file": "cnn-6x7x4.txt.gz"}, "file is 'cnn-6x7x4.txt.gz', not 'cnn-6x7x4.onnx'"),
    ],
)
def test_every_kind_of_card_has_its_own_fields(
    tmp_path: Path, kind: str, changes: dict[str, Any], reason: str
) -> None:
    path = save_network(tmp_path, kind)
    document = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in document.items() if value is not ...}))
    with pytest.raises(BadModel) as caught:
        load_card(path)
    assert str(caught.value).startswith(f"model {path}: ")
    assert reason in str(caught.value)


def test_a_network_says_the_same_of_a_position_alone_and_among_others() -> None:
    network = opened(network_model())
    policy, value = network.run(PLANES)
    assert value is not None
    assert (policy.shape, value.shape) == ((3, 7), (3,))
    assert (np.abs(value) <= 1).all()
    for index in range(3):
        alone, worth = network.run(PLANES[index : index + 1])
        assert worth is not None
        assert alone[0] == pytest.approx(policy[index], abs=1e-5)
        assert worth[0] == pytest.approx(value[index], abs=1e-5)


def test_one_that_learnt_only_columns_tells_no_value() -> None:
    network = Network(network_card("cnn"), network_model(planes=2, value=False).SerializeToString())
    assert network.run(PLANES[:, :2].copy())[1] is None


def renamed(model: Any, old: str, new: str) -> Any:
    for node in model.graph.node:
        node.input[:] = [new if each == old else each for each in node.input]
        node.output[:] = [new if each == old else each for each in node.output]
    for each in (*model.graph.input, *model.graph.output):
        each.name = new if each.name == old else each.name
    return model


def typed(model: Any, kind: int) -> Any:
    model.graph.output[0].type.tensor_type.elem_type = kind
    return model


def with_shape(model: Any, tensor: Any, *shape: Any) -> Any:
    sides = tensor.type.tensor_type.shape.dim
    del sides[:]
    for side in shape:
        sides.add(**({"dim_param": side} if isinstance(side, str) else {"dim_value": side}))
    return model


def with_node(model: Any, node: Any) -> Any:
    model.graph.node.append(node)
    return model


def external(model: Any) -> Any:
    tensor = model.graph.initializer[0]
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "passwd"
    tensor.data_location = TensorProto.EXTERNAL
    tensor.ClearField("raw_data")
    return model


def external_constant(model: Any) -> Any:
    tensor = helper.make_tensor("hidden", TensorProto.FLOAT, [1], [1.0])
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/passwd"
    return with_node(model, helper.make_node("Constant", [], ["hidden"], value=tensor))


def looping(model: Any) -> Any:
    body = helper.make_graph([], "body", [], [])
    return with_node(model, helper.make_node("Relu", ["policy"], ["more"], body=body))


def with_function(model: Any) -> Any:
    model.functions.add(name="own", domain="here")
    return model


def not_a_number(model: Any) -> Any:
    for tensor in model.graph.initializer:
        if tensor.name == "policy_b":
            tensor.CopyFrom(numpy_helper.from_array(np.full(7, np.nan, dtype=np.float32), "policy_b"))
    return model


def lying(model: Any) -> Any:
    """It says one row for each position, and gives two."""
    model = renamed(model, "policy", "likes")
    model.graph.output[0].name = "policy"
    return with_node(model, helper.make_node("Concat", ["likes", "likes"], ["policy"], axis=0))


def swelling(model: Any) -> Any:
    """It is as many positions again with every node, and as few in the end."""
    names = ["planes", *(f"twice{index}" for index in range(26))]
    for before, after in itertools.pairwise(names):
        with_node(model, helper.make_node("Concat", [before, before], [after], axis=0))
    with_node(model, helper.make_node("ReduceMax", [names[-1]], ["most"], keepdims=0))
    model = renamed(model, "policy", "likes")
    model.graph.output[0].name = "policy"
    return with_node(model, helper.make_node("Add", ["likes", "most"], ["policy"]))


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (lambda: renamed(network_model(), "planes", "x"), "its input is 'x', not 'planes'"),
        (lambda: renamed(network_model(), "policy", "p"), "its output is 'p, value', not 'policy, value'"),
        (lambda: network_model(value=False), "its output is 'policy', not 'policy, value'"),
        (lambda: network_model(planes=2), r"its input planes is a tensor\(float\) of shape \['N', 2, 6, 7\]"),
        (lambda: network_model(SMALL), r"its input planes .*\['N', 8, 4, 5\], not"),
        (lambda: typed(network_model(), TensorProto.DOUBLE), "onnxruntime cannot read it: "),
        (lambda: external(network_model()), "a part of it is in another file, which is not read"),
        (lambda: external_constant(network_model()), "a part of it is in another file"),
        (lambda: looping(network_model()), "it has nodes within nodes"),
        (lambda: with_function(network_model()), "it has functions of its own"),
        (lambda: not_a_number(network_model()), "what comes out of it is not a number"),
        (lambda: swelling(network_model()), "it cannot be run: it takes more than 2,048 MB"),
        (lambda: lying(network_model()), "what comes out of it has another shape than it says"),
        (
            lambda: with_shape(m := network_model(), m.graph.input[0], 4, 8, 6, 7),
            "its input planes takes a fixed number of positions|cannot read it",
        ),
        (
            lambda: with_node(network_model(), helper.make_node("Loop", ["a", "b"], ["c"])),
            "it has the operator 'Loop', which is not read",
        ),
        (
            lambda: with_node(network_model(), helper.make_node("Relu", ["a"], ["c"], domain="com.evil")),
            "it has the operator 'com.evil.Relu', which is not read",
        ),
        (
            lambda: with_node(network_model(), helper.make_node("Conv", ["a", "b"], ["c"], pads=[10**9] * 4)),
            "a node is told the number 1000000000, which is too large",
        ),
    ],
)
def test_anything_but_a_plain_network_of_its_card_is_refused(
    spoilt: Any, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadModel, match=reason) as caught:
        opened(spoilt())
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", ""), "onnxruntime keeps its thoughts to itself"


@settings(max_examples=200)
@given(at=st.integers(0, 4000), byte=st.integers(0, 255), end=st.integers(0, 4000))
def test_no_damage_is_worse_than_one_line(at: int, byte: int, end: int) -> None:
    data = bytearray(network_model(SMALL, channels=1, blocks=0).SerializeToString())
    data[at % len(data)] = byte
    for damaged in (bytes(data), bytes(data[: end % len(data)])):
        try:
            Network(network_card(geometry=SMALL), damaged)
        except BadModel as error:
            assert "\n" not in str(error)


@given(st.binary(max_size=200))
def test_what_is_no_onnx_is_refused(data: bytes) -> None:
    with pytest.raises(BadModel, match=r"it is not ONNX|not read|too large"):
        scan(data)


def test_a_file_that_was_altered_or_cut_is_named(tmp_path: Path) -> None:
    path = save_network(tmp_path)
    file = tmp_path / "network-6x7x4.onnx"
    data = file.read_bytes()
    for wrong in (data[:-100], data[:-1] + b"x", b""):
        file.write_bytes(wrong)
        with pytest.raises(BadModel, match=r"network-6x7x4\.onnx: it is damaged, or not the file that"):
            read_model_bytes(load_card(path))
    cut = data[: len(data) // 2]
    file.write_bytes(cut)
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"sha256": hashlib.sha256(cut).hexdigest(), "bytes": len(cut)}))
    with pytest.raises(BadModel, match="it is not ONNX, or not whole"):
        Network(load_card(path), read_model_bytes(load_card(path)))


def test_the_board_of_the_card_counts() -> None:
    with pytest.raises(BadModel, match=r"its input planes .*not tensor\(float\) of shape \['N', 8, 6, 8\]"):
        opened(network_model(), network_card(geometry=Geometry.parse("6x8x4")))
    with pytest.raises(BadModel, match="it is of the kind boosted, not cnn or network"):
        opened(network_model(), Card("x", "boosted", "", STANDARD, ("cells",)))


def test_without_onnxruntime_one_line_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from tests.models.networks import network_card, network_model\n"
        "from fourcast.models.onnx_file import Network\n"
        "Network(network_card(), network_model().SerializeToString())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        "MissingExtra: onnxruntime is not installed; bring it with: pip install 'fourcast[learn]'"
        in done.stderr
    )
