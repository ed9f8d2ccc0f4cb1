"""A model's card: what it is for, what it was made of, how good it is, and the hash of its file.

A card is JSON and may come from anywhere, so everything in it is checked before it is believed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fourcast.game.errors import BadGeometry, BadModel, shown
from fourcast.game.geometry import Geometry

FORMAT = 1
CLASSES = ("loss", "draw", "win")
ENDINGS = {"boosted": ".txt.gz", "cnn": ".onnx", "network": ".onnx"}  # of the model's file, by kind
NETWORKS = ("cnn", "network")  # the kinds that are networks
MOST_BYTES = 1_000_000  # of a card
MOST_LETTERS = 500  # of a text in it
MOST_NAMES = 100  # of groups of features, or of planes
_DEEPEST = 8  # objects within objects

_BOOSTED_FIELDS, _NETWORK_FIELDS = {"features", "classes"}, {"planes"}  # fields that not every card has

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_HASH = re.compile(r"[0-9a-f]{64}")

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Card:
    """What there is to know of a model without opening it.

    Attributes:
        name: What it is called: small letters, digits, `.`, `_` and `-`.
        kind: What is in its file: `boosted`, trees in LightGBM's text; `cnn`, a network in ONNX that tells
            which column to play; `network`, one that also tells what the position is worth.
        purpose: What it is for, in one line.
        geometry: The board that it is for.
        features: The groups of features that it looks at, in order; none but trees do.
        sha256: The hash of its file; empty until it is saved.
        size: Of its file, in bytes; 0 until it is saved.
        classes: What trees tell apart, seen from the side to move; networks do not.
        mirror: Whether to ask it of the mirror image too, and to take the mean.
        data: What it learned from: source, rows, seed and the like.
        training: How: settings, seed, rounds, seconds and the like.
        metrics: How good it is: numbers, or named groups of them.
        versions: The packages that made it, and their versions.
        planes: The planes that it looks at, in order; none but networks do.
        folder: Where the card is; not part of it.
    """

    name: str
    kind: str
    purpose: str
    geometry: Geometry
    features: tuple[str, ...] = ()
    sha256: str = ""
    size: int = 0
    classes: tuple[str, ...] = CLASSES
    mirror: bool = False
    data: Facts = field(default_factory=dict)
    training: Facts = field(default_factory=dict)
    metrics: Facts = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    planes: tuple[str, ...] = ()
    folder: Path = field(default=Path(), compare=False)

    @property
    def file(self) -> str:
        """The name of the model's file, which stands beside the card."""
        return f"{self.name}{ENDINGS.get(self.kind, '')}"

    @property
    def path(self) -> Path:
        """Where the card is."""
        return self.folder / f"{self.name}.json"

    def to_json(self) -> dict[str, Any]:
        """The card as its file has it."""
        own: dict[str, Any] = {"features": list(self.features), "classes": list(self.classes)}
        if self.kind in NETWORKS:
            own = {"planes": list(self.planes)}
        return {
            "format": FORMAT,
            "name": self.name,
            "kind": self.kind,
            "purpose": self.purpose,
            "board": str(self.geometry),
            "file": self.file,
            "sha256": self.sha256,
            "bytes": self.size,
            **own,
            "mirror": self.mirror,
            "data": dict(self.data),
            "training": dict(self.training),
            "metrics": dict(self.metrics),
            "versions": dict(self.versions),
        }

    @classmethod
    def decode(cls, text: bytes, folder: Path = Path()) -> Card:
        """Read a card from what its file holds.

        Raises:
            BadModel: It is not a card, or not sound; the message says what is wrong.
        """
        if len(text) > MOST_BYTES:
            raise BadModel(f"a card of more than {MOST_BYTES:,} bytes is not read")
        try:
            document = json.loads(text.decode("utf-8"), parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise BadModel("it is not a card: it is not JSON") from None
        if not isinstance(document, dict) or "format" not in document:
            raise BadModel("it is not a model's card")
        return cls.from_json(document, folder)

    @classmethod
    def from_json(cls, document: Mapping[str, Any], folder: Path = Path()) -> Card:
        """The card that a JSON document describes.

        Raises:
            BadModel: It is not sound; the message names the field.
        """
        if document.get("format") != FORMAT or isinstance(document["format"], bool):
            raise BadModel(f"its format is {shown(document.get('format'))}, and only {FORMAT} is known here")
        kind = document.get("kind")
        others = _BOOSTED_FIELDS if isinstance(kind, str) and kind in NETWORKS else _NETWORK_FIELDS
        known = {name: field for name, field in _FIELDS.items() if name not in others}
        unknown = sorted(str(key) for key in set(document) - set(known))
        if unknown:
            whose = f"of the kind {kind}" if unknown[0] in others else ""
            raise BadModel(f"there is no field {shown(unknown[0])} in a card {whose}".rstrip())
        for name, (fits, wanted) in known.items():
            if name not in document:
                raise BadModel(f"{name} is missing")
            if not fits(document[name]):
                raise BadModel(f"{name} is {shown(document[name])}, not {wanted}")
        try:
            geometry = Geometry.parse(document["board"])
        except BadGeometry as error:
            raise BadModel(str(error)) from None
        card = cls(
            name=document["name"],
            kind=document["kind"],
            purpose=document["purpose"],
            geometry=geometry,
            features=tuple(document.get("features", ())),
            sha256=document["sha256"],
            size=document["bytes"],
            classes=tuple(document.get("classes", CLASSES)),
            mirror=document["mirror"],
            data=document["data"],
            training=document["training"],
            metrics=document["metrics"],
            versions=document["versions"],
            planes=tuple(document.get("planes", ())),
            folder=folder,
        )
        if document["file"] != card.file:
            raise BadModel(f"file is {shown(document['file'])}, not {shown(card.file)}")
        return card


def _refuse(constant: str) -> None:
    raise ValueError(constant)  # JSON knows neither NaN nor Infinity


def is_name(value: object) -> bool:
    """Whether a model can be called that."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def is_text(value: object) -> bool:
    """Whether it is a text that a card can hold: one line that a terminal shows as it is."""
    return isinstance(value, str) and len(value) <= MOST_LETTERS and value.isprintable()


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _is_whole(value: object) -> bool:
    return _is_number(value) and isinstance(value, int) and value >= 0


def _are_names(value: object) -> bool:
    if not isinstance(value, list) or not 0 < len(value) <= MOST_NAMES or not all(map(is_name, value)):
        return False
    return len(set(value)) == len(value)


def _is_fact(value: object) -> bool:
    return value is None or isinstance(value, bool) or _is_number(value) or is_text(value)


def _holds(value: object, leaf: Callable[[object], bool], depth: int = _DEEPEST) -> bool:
    """Whether there is nothing but such leaves in an object, and in the objects and lists within it."""
    if not isinstance(value, Mapping | list):
        return leaf(value)
    if not depth or (isinstance(value, Mapping) and not all(map(is_text, value))):
        return False
    within = value.values() if isinstance(value, Mapping) else value
    return all(_holds(each, leaf, depth - 1) for each in within)


def _object_of(leaf: Callable[[object], bool], depth: int = _DEEPEST) -> Callable[[object], bool]:
    return lambda value: isinstance(value, Mapping) and _holds(value, leaf, depth)


#: What each field of a card must be, and how that is said.
_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "format": (_is_whole, "a number"),
    "name": (is_name, "a name of small letters, digits, '.', '_' and '-'"),
    "kind": (
        lambda value: isinstance(value, str) and value in ENDINGS,
        ", ".join(tuple(ENDINGS)[:-1]) + f" or {tuple(ENDINGS)[-1]}",
    ),
    "purpose": (is_text, "a line of text"),
    "board": (is_text, "a board"),
    "file": (is_text, "the name of a file"),
    "sha256": (lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)), "a SHA-256 in hex"),
    "bytes": (_is_whole, "a number of bytes"),
    "features": (_are_names, "a list of groups of features, each once"),
    "planes": (_are_names, "a list of planes, each once"),
    "classes": (lambda value: value == list(CLASSES), ", ".join(CLASSES)),
    "mirror": (lambda value: isinstance(value, bool), "true or false"),
    "data": (_object_of(_is_fact), "an object of facts"),
    "training": (_object_of(_is_fact), "an object of facts"),
    "metrics": (_object_of(_is_number), "an object of numbers"),
    "versions": (_object_of(is_text, 1), "an object of texts"),
}
