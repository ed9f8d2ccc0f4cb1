"""Small networks, made by hand with weights drawn by lot, and the files that they become."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper

from fourcast import Geometry
from fourcast.game.geometry import STANDARD
from fourcast.kernels.planes import PLANES
from fourcast.models.card import Card
from fourcast.models.files import save_model
from fourcast.models.shelf import SHELF

CNN_PLANES = ("own", "other")


class Weights:
    """Tensors by name, drawn by lot."""

    def __init__(self, seed: int) -> None:
        self.tensors: list[TensorProto] = []
        self._chance = np.random.default_rng(seed)

    def draw(self, name: str, *shape: int, scale: float | None = None) -> str:
        """A tensor of a shape; without a scale, what goes in comes out about as large."""
        scale = scale or math.sqrt(2 / math.prod(shape[1:]))
        return self.put(name, (self._chance.standard_normal(shape) * scale).astype(np.float32))

    def put(self, name: str, numbers: npt.NDArray[Any]) -> str:
        self.tensors.append(numpy_helper.from_array(numbers, name))
        return name


def network_model(
    geometry: Geometry = STANDARD,
    planes: int = len(PLANES),
    *,
    value: bool = True,
    seed: int = 0,
    channels: int = 3,
    blocks: int = 1,
    sharpness: float = 1.0,
) -> Any:
    """A residual network as training makes them, but that it has learnt nothing."""
    weights, nodes = Weights(seed), []

    def add(kind: str, inputs: list[str], out: str, **told: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [out], **told))
        return out

    def convolution(source: str, out: str, before: int, after: int, size: int) -> str:
        kernel = weights.draw(f"{out}_w", after, before, size, size)
        bias = weights.draw(f"{out}_b", after, scale=0.1)
        return add("Conv", [source, kernel, bias], out, kernel_shape=[size, size], pads=[size // 2] * 4)

    def dense(source: str, out: str, before: int, after: int, scale: float) -> str:
        kernel = weights.draw(f"{out}_w", before, after, scale=scale)
        return add("Gemm", [source, kernel, weights.draw(f"{out}_b", after, scale=0.1)], out)

    cells = geometry.cells
    here = add("Relu", [convolution("planes", "in", planes, channels, 3)], "in_r")
    for block in range(blocks):
        there = add("Relu", [convolution(here, f"a{block}", channels, channels, 3)], f"a{block}_r")
        there = convolution(there, f"b{block}", channels, channels, 3)
        here = add("Relu", [add("Add", [here, there], f"s{block}")], f"s{block}_r")
    flat = add("Flatten", [here], "flat")
    dense(flat, "policy", channels * cells, geometry.columns, sharpness / np.sqrt(channels * cells))
    outputs = [helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["N", geometry.columns])]
    if value:
        worth = dense(flat, "worth", channels * cells, 1, 1 / np.sqrt(channels * cells))
        shape = weights.put("shape", np.array([-1], dtype=np.int64))
        add("Tanh", [add("Reshape", [worth, shape], "one")], "value")
        outputs.append(helper.make_tensor_value_info("value", TensorProto.FLOAT, ["N"]))
    inputs = [
        helper.make_tensor_value_info(
            "planes", TensorProto.FLOAT, ["N", planes, geometry.rows, geometry.columns]
        )
    ]
    graph = helper.make_graph(nodes, "network", inputs, outputs, weights.tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def network_card(kind: str = "network", geometry: Geometry = STANDARD, **changes: Any) -> Card:
    """The card of such a network before it is saved."""
    facts: dict[str, Any] = {
        "name": f"{kind}-{geometry}",
        "kind": kind,
        "purpose": "weights drawn by lot",
        "geometry": geometry,
        "planes": PLANES if kind == "network" else CNN_PLANES,
        "data": {"plies": [4, 12], "share_held_out": 0.2, "seed": 1},
    }
    return Card(**(facts | changes))


def save_network(
    folder: Path, kind: str = "network", geometry: Geometry = STANDARD, *, seed: int = 0, **changes: Any
) -> Path:
    """The path of the card of such a network, in a folder."""
    card = network_card(kind, geometry, **changes)
    model = network_model(geometry, len(card.planes), value=kind == "network", seed=seed)
    return save_model(folder, card, model.SerializeToString())


def ship_networks(folder: Path, *boards: str) -> Path:
    """A shelf of all that is shipped, and of tiny networks of both kinds for these boards in their places."""
    for kind in ("cnn", "network"):
        for board in boards:
            save_network(folder, kind, Geometry.parse(board))
    for path in SHELF.iterdir():
        if not (folder / path.name).exists():
            (folder / path.name).symlink_to(path)
    return folder
