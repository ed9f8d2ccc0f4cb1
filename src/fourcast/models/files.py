"""Model files: a card, NAME.json, and the model beside it: NAME.txt.gz for trees, NAME.onnx for networks.

Both are written beside their places and then put there, the card last, so that nothing is ever half written.
What is read may come from anywhere: it is limited in size, and its hash is checked before it is unpacked.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fourcast.files import all_in_place
from fourcast.game.errors import BadModel
from fourcast.models import card as cards
from fourcast.models.card import Card

MOST_BYTES = 64 << 20  # of a model's file, and of what it unfolds to
_GZIP = 16 + zlib.MAX_WBITS


def save_model(folder: Path, card: Card, text: bytes) -> Path:
    """Write a model and its card; those of the same name that were there are replaced.

    Args:
        folder: Where to; it is made if it is not there.
        card: The card; the hash and the size of the file are filled in.
        text: The model.

    Returns:
        The path of the card.

    Raises:
        BadModel: It cannot be written, or could not be read again; then what was there is still there.
    """
    # No time in it: the same model is the same file. A network's numbers would hardly become smaller.
    packed = gzip.compress(text, 9, mtime=0) if _is_packed(card) else text
    signed = replace(card, sha256=hashlib.sha256(packed).hexdigest(), size=len(packed), folder=folder)
    path = signed.path
    with _named(path):
        try:
            document = json.dumps(signed.to_json(), indent=2).encode() + b"\n"
        except TypeError as error:
            raise BadModel(str(error)) from None
        Card.decode(document)
        if max(len(text), len(packed)) > MOST_BYTES:
            raise BadModel(f"a model of more than {MOST_BYTES:,} bytes could not be read again")
        folder.mkdir(parents=True, exist_ok=True)
        with all_in_place(path.with_name(signed.file), path) as (fresh_model, fresh_card):
            fresh_model.write_bytes(packed)
            fresh_card.write_bytes(document)
    return path


def load_card(path: Path) -> Card:
    """Read a card.

    Raises:
        BadModel: It cannot be read, or it is not a sound card; the message names the file and says why.
    """
    with _named(path):
        card = Card.decode(_read(path, cards.MOST_BYTES), path.parent)
        if path.name != card.path.name:
            raise BadModel(f"it is the card of {card.name}, and its file is called otherwise")
    return card


def read_model_bytes(card: Card) -> bytes:
    """What a card's model file holds, unpacked if it is one that is packed.

    Raises:
        BadModel: It cannot be read, is not the file that the card describes, or is too large.
    """
    path = card.path.with_name(card.file)
    with _named(path):
        packed = _read(path, MOST_BYTES)
        if len(packed) != card.size or hashlib.sha256(packed).hexdigest() != card.sha256:
            raise BadModel("it is damaged, or not the file that its card describes: the hash does not agree")
        if not _is_packed(card):
            return packed
        unpacking = zlib.decompressobj(_GZIP)
        try:
            text = unpacking.decompress(packed, MOST_BYTES + 1)
        except zlib.error:
            raise BadModel("it is not a gzip file") from None
        if len(text) > MOST_BYTES:
            raise BadModel(f"it unfolds to more than {MOST_BYTES:,} bytes")
        if not unpacking.eof or unpacking.unused_data:
            raise BadModel("it is not one whole gzip file")
    return text


def _is_packed(card: Card) -> bool:
    return card.file.endswith(".gz")


def _read(path: Path, most: int) -> bytes:
    """All of a file, if that is no more than so many bytes."""
    if path.exists() and not path.is_file():  # a pipe would never end, or never begin
        raise BadModel("it is not a file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise BadModel(f"it has more than {most:,} bytes")
    return data


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Whatever goes wrong is told with the file's name before it."""
    try:
        yield
    except BadModel as error:
        raise BadModel(f"model {path}: {error}") from None
    except OSError as error:
        raise BadModel(f"model {path}: {error.strerror or error}") from None
    except ValueError as error:  # a path with a zero byte in it
        raise BadModel(f"model {str(path)!r}: {error}") from None
