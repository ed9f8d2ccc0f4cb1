"""The blocks of a training that are done, kept in a file, so that nothing is trained twice.

It is gzipped JSON: what is trained and of what data, how many rounds each member shall have, how the log-loss
went, and the blocks as LightGBM's texts.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fourcast.game.errors import BadData, BadModel
from fourcast.learning.files import data_file
from fourcast.models.forest import Forest

_MOST_BYTES = 256 << 20  # of what it unfolds to
#: What a damaged file may lead to.
_FAULTS = (
    *(gzip.BadGzipFile, zlib.error, EOFError),
    *(ValueError, KeyError, TypeError, OverflowError, RecursionError, BadModel),
)


@dataclass(frozen=True, slots=True)
class Round:
    """How far training has come.

    Attributes:
        rounds: Rounds that are done, of all members.
        train: Log-loss on what it learns from, of the mean of the members so far.
        held: The same on what is held out.
        seconds: What it has taken so far, before and after every stop.
    """

    rounds: int
    train: float
    held: float
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What is done of a training.

    Attributes:
        request: What is trained: all settings but the number of rounds and members, and the data's hash.
        rounds: How many rounds a member was to have.
        curve: How the log-loss went, block by block.
        texts: The blocks, as LightGBM's texts.
    """

    request: str
    rounds: int
    curve: tuple[Round, ...]
    texts: tuple[bytes, ...]

    def write(self, path: Path) -> None:
        """Put it into a file, in place of the one before.

        Raises:
            BadData: It cannot be written; the one before is still there.
        """
        document = {
            "request": self.request,
            "rounds": self.rounds,
            "curve": [asdict(each) for each in self.curve],
            "blocks": [text.decode() for text in self.texts],
        }
        with data_file(path) as fresh:
            fresh.write_bytes(gzip.compress(json.dumps(document).encode(), 1, mtime=0))


def read_checkpoint(path: Path) -> Checkpoint | None:
    """The checkpoint in a file; None if there is no file.

    Raises:
        BadData: It cannot be read, or is no checkpoint, or damaged.
    """
    if not path.exists():
        return None
    try:
        if not path.is_file():
            raise BadData(f"{path}: it is not a file")
        with gzip.open(path) as file:
            return _sound(json.loads(file.read(_MOST_BYTES)))
    except _FAULTS:
        raise BadData(
            f"{path} is damaged, or not what training keeps: remove it, or write to another name"
        ) from None
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}") from None


def resume(path: Path | None, request: str, rounds: int, ends: Sequence[int]) -> Checkpoint:
    """What of a checkpoint this training would do as well; nothing, if there is no file.

    Args:
        path: The file.
        request: What is trained, and of what.
        rounds: How many rounds a member shall have.
        ends: After which rounds a block ends, those of all members counted.

    Raises:
        BadData: The file is of another training, or damaged.
    """
    found = None if path is None else read_checkpoint(path)
    if found is None:
        return Checkpoint(request, rounds, (), ())
    if found.request != request:
        raise BadData(f"{path} was begun with other settings or data: remove it, or write to another name")
    # One that was to have another number of rounds has a last block of another size, or too many blocks; and
    # where its second member begins, this one's first goes on, or the other way round.
    most = ends[-1] if found.rounds == rounds else min(rounds, found.rounds)
    wanted = [end for end in ends if end <= most]
    good = 0
    while good < min(len(found.curve), len(wanted)) and found.curve[good].rounds == wanted[good]:
        good += 1
    return Checkpoint(request, rounds, found.curve[:good], found.texts[:good])


def _sound(document: Any) -> Checkpoint:
    """The checkpoint that a document describes, if it is one."""
    curve = (
        Round(int(each["rounds"]), *(float(each[name]) for name in ("train", "held", "seconds")))
        for each in document["curve"]
    )
    texts = (str(text).encode() for text in document["blocks"])
    found = Checkpoint(str(document["request"]), int(document["rounds"]), tuple(curve), tuple(texts))
    if not found.texts or len(found.texts) != len(found.curve):
        raise ValueError("not as many blocks as it tells of")
    if len({Forest.from_text(text).features for text in found.texts}) > 1:  # raises what it finds wrong
        raise ValueError("blocks that look at other features")
    return found
