"""Writing a network and its card, NAME.onnx and NAME.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fourcast.files import all_in_place
from fourcast.game.errors import BadModel
from fourcast.game.geometry import Geometry
from fourcast.models.card import FORMAT

ENDING = ".onnx"
PACKAGES = ("fourcast", "jax", "keras", "numpy", "onnx")


@dataclass(frozen=True, slots=True)
class NetworkCard:
    """What there is to know of a network; the fields are those of `fourcast.models.card.Card`.

    Attributes:
        name: What it is called.
        kind: `cnn` or `network`.
        purpose: What it is for, in one line.
        geometry: The board.
        planes: What it sees of a position, in order.
        mirror: Whether to ask it of the mirror image too, and to take the mean.
        data: What it learned from.
        training: How.
        metrics: How good it is.
    """

    name: str
    kind: str
    purpose: str
    geometry: Geometry
    planes: tuple[str, ...]
    mirror: bool
    data: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, graph: bytes) -> dict[str, Any]:
        """The card as its file has it."""
        return {
            "format": FORMAT,
            "name": self.name,
            "kind": self.kind,
            "purpose": self.purpose,
            "board": str(self.geometry),
            "file": self.name + ENDING,
            "sha256": hashlib.sha256(graph).hexdigest(),
            "bytes": len(graph),
            "planes": list(self.planes),
            "mirror": self.mirror,
            "data": dict(self.data),
            "training": dict(self.training),
            "metrics": dict(self.metrics),
            "versions": {name: version(name) for name in PACKAGES},
        }


def save_network(folder: Path, card: NetworkCard, graph: bytes) -> Path:
    """Write a network and its card; those of the same name that were there are replaced.

    Args:
        folder: Where to; it is made if it is not there.
        card: The card; the hash and the size of the file are filled in.
        graph: The network, in ONNX.

    Returns:
        The path of the card.

    Raises:
        BadModel: It cannot be written; then what was there is still there.
    """
    path = folder / f"{card.name}.json"
    try:
        document = json.dumps(card.to_json(graph), indent=2, allow_nan=False).encode() + b"\n"
        folder.mkdir(parents=True, exist_ok=True)
        with all_in_place(path.with_name(card.name + ENDING), path) as (model, facts):
            model.write_bytes(graph)
            facts.write_bytes(document)
    except OSError as error:
        raise BadModel(f"model {path}: {error.strerror or error}") from None
    except (TypeError, ValueError) as error:
        raise BadModel(f"model {path}: {error}") from None
    return path
