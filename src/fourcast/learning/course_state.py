"""What is done of a course, kept in a file, so that nothing is learnt twice.

The file is NumPy's .npz, read without pickle: the arrays, and beside them a text in JSON that says what is
trained, how far it is and how it went.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fourcast.game.errors import BadData
from fourcast.learning.files import data_file
from fourcast.learning.pupil import Arrays, Judgement

_LISTS = ("weights", "means", "squares", "average")
#: What a damaged file may lead to.
_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError),
    *(AttributeError, ValueError, KeyError, TypeError, OverflowError),
)


@dataclass(frozen=True, slots=True)
class Epoch:
    """How an epoch went.

    Attributes:
        epoch: Its number, from 1.
        loss: Mean loss of its steps.
        held: How well the network does after it on what was held out.
        learning_rate: Of its last step.
    """

    epoch: int
    loss: float
    held: Judgement
    learning_rate: float

    def to_json(self) -> dict[str, Any]:
        """Its figures."""
        return {"epoch": self.epoch, "loss": self.loss} | {"held": self.held.to_json()}


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """How far a course has come.

    Attributes:
        arrays: Weights, means and squares of slopes, and the mean of the weights: four lists of arrays.
        step: Steps that are done.
        losses: Sum of those of the present epoch.
        curve: The epochs that are done.
    """

    arrays: Arrays
    step: int
    losses: Any
    curve: tuple[Epoch, ...]


def write_progress(path: Path, request: str, progress: Progress) -> None:
    """Put it into a file, in place of the one before.

    Raises:
        BadData: It cannot be written; the one before is still there.
    """
    facts = {"request": request, "step": progress.step, "losses": float(progress.losses)}
    facts["curve"] = [asdict(each) for each in progress.curve]
    named: dict[str, Any] = {
        f"{name}_{index}": np.asarray(array)
        for name, arrays in zip(_LISTS, progress.arrays, strict=True)
        for index, array in enumerate(arrays)
    }
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    with data_file(path) as fresh, fresh.open("wb") as file:
        np.savez(file, facts=text, **named)


def read_progress(path: Path | None, request: str, start: Arrays) -> Progress:
    """What of a course is done; its start, if there is no file.

    Args:
        path: The file.
        request: What is trained; a file of anything else is refused.
        start: What the course starts from.

    Raises:
        BadData: The file is of something else, or damaged, or cannot be read.
    """
    nothing = Progress(start, 0, np.float32(0), ())
    if path is None or not path.exists():
        return nothing
    try:
        if not path.is_file():
            raise BadData(f"{path}: it is not a file")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            facts = json.loads(found["facts"].tobytes())
            if facts["request"] != request:
                raise BadData(
                    f"{path} was begun with other settings or data: remove it, or write to another name"
                )
            arrays = tuple(
                [_like(found[f"{name}_{index}"], old) for index, old in enumerate(olds)]
                for name, olds in zip(_LISTS, start, strict=True)
            )
        curve = tuple(_epoch(each) for each in facts["curve"])
        return Progress(arrays, int(facts["step"]), np.float32(facts["losses"]), curve)
    except _FAULTS:
        raise BadData(
            f"{path} is damaged, or not what training keeps: remove it, or write to another name"
        ) from None
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}") from None


def _like(array: Any, old: Any) -> Any:
    if array.shape != old.shape or array.dtype != old.dtype or not np.isfinite(array).all():
        raise ValueError("weights of another network")
    return array


def _epoch(document: Any) -> Epoch:
    held = Judgement(**document["held"])
    return Epoch(int(document["epoch"]), float(document["loss"]), held, float(document["learning_rate"]))
