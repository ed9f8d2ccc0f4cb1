"""The folder in which a run is kept, so that whatever ends it costs no more than what was in hand.

`settings.json` says what was asked for. Of a generation there are `games-0007.npz` (and while they are played
`games-0007-003.npz`, a table each) and `learner-0007.npz` (weights and the optimizer's state).
`generations.jsonl` has a line for each one that is done, written last; what has no line is done again.
`graded.npz` holds the positions that the solver has solved.

Arrays are NumPy's .npz, read without pickle. All of it is checked when it is read.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.files import check_folder, claim
from fourcast.game.errors import BadData
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import halves_of
from fourcast.kernels.moves import legal_columns
from fourcast.learning.files import data_file
from fourcast.learning.grading_moves import SolvedMoves
from fourcast.learning.selfplay.generation import Generation
from fourcast.learning.selfplay.settings import Settings
from fourcast.learning.selfplay.table import Harvest

VERSION = 1
_HEADER = "fourcast selfplay"
#: What a damaged file may lead to.
_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError),
    *(AttributeError, ValueError, KeyError, TypeError, OverflowError, IndexError, RecursionError),
)

Arrays = dict[str, npt.NDArray[Any]]


def folder_of(out: Path) -> Path:
    """The folder of the run that makes a model."""
    return out.with_name(out.name + ".selfplay")


class Folder:
    """What is kept of a run.

    Attributes:
        path: The folder; it is made when there is something to keep.
        settings: Of the run.

    Raises:
        BadData: It is of other settings, damaged, or cannot be written to.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        wanted = {_HEADER: VERSION} | settings.to_json()
        text = json.dumps(wanted, indent=2) + "\n"
        self._digest = hashlib.sha256(text.encode()).hexdigest()
        file = path / "settings.json"
        with _told(path):
            path.mkdir(parents=True, exist_ok=True)
            check_folder(path)
            found = file.read_text(encoding="utf-8", errors="replace") if file.exists() else None
            others = any(path.iterdir())
        if found is None:
            if others:
                raise BadData(f"{path}: it is not the folder of a run; remove it, or write to another name")
            with data_file(file) as fresh:
                fresh.write_text(text, encoding="utf-8")
        elif found != text:
            raise BadData(f"{path} was begun with other settings{_differing(found, wanted)}")

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Have it to oneself as long as the block lasts.

        Raises:
            BadData: Another process is at work on it.
        """
        with ExitStack() as stack:
            with _told(self.path):
                claim(stack.enter_context((self.path / "settings.json").open("rb")))
            yield

    def generations(self) -> list[Generation]:
        """The generations that are done."""
        path = self.path / "generations.jsonl"
        with _told(path):
            data = path.read_bytes() if path.exists() else b""
        whole = data.rfind(b"\n") + 1  # what follows was being written when the end came
        found: list[Generation] = []
        for line in data[:whole].splitlines():
            try:
                each = Generation.from_json(json.loads(line))
                if each.number != len(found) + 1:
                    raise ValueError
            except _FAULTS:
                raise self._damaged(path) from None
            found.append(each)
        return found

    def add(self, generation: Generation) -> None:
        """Keep a generation that is done; it is done for good when its line is whole."""
        done = [*self.generations(), generation]
        with data_file(self.path / "generations.jsonl") as fresh:
            fresh.write_text("".join(json.dumps(each.to_json()) + "\n" for each in done), encoding="utf-8")

    def games(self, generation: int, table: int | None = None) -> Harvest | None:
        """What there is to learn of a generation's games, or of one table; None if it was not played."""
        path = self._games(generation, table)
        found = self._read(path)
        if found is None:
            return None
        try:
            harvest = Harvest(found["stones"], found["policy"], found["value"], found["counts"])
            self._check(harvest)
        except _FAULTS:
            raise self._damaged(path) from None
        return harvest

    def keep_games(self, harvest: Harvest, generation: int, table: int | None = None) -> None:
        """Keep what there is to learn; the whole of a generation takes the place of its tables."""
        self._write(
            self._games(generation, table),
            {name: getattr(harvest, name) for name in ("stones", "policy", "value", "counts")},
        )
        if table is None:
            self._remove(f"games-{generation:04d}-*.npz")

    def missing(self, generation: int) -> BadData:
        """What to say where games are not there that should be."""
        return BadData(f"{self._games(generation, None)} is missing: remove the whole folder to begin anew")

    def _games(self, generation: int, table: int | None) -> Path:
        part = "" if table is None else f"-{table:03d}"
        return self.path / f"games-{generation:04d}{part}.npz"

    def _check(self, harvest: Harvest) -> None:
        """Raise a ValueError at what no game can have led to."""
        geometry = self.settings.geometry
        count = len(harvest.value)
        shapes: tuple[tuple[npt.NDArray[Any], tuple[int, ...], str], ...] = (
            (harvest.stones, (count, 2, halves_of(geometry)), "uint64"),
            (harvest.policy, (count, geometry.columns), "float32"),
            (harvest.value, (count,), "float32"),
            (harvest.counts, (4,), "int64"),
        )
        if any(array.shape != shape or array.dtype != kind for array, shape, kind in shapes):
            raise ValueError("shape")
        if not count:
            return
        mine, theirs = harvest.stones[:, 0], harvest.stones[:, 1]
        bits = [geometry.full >> 64 * half & (1 << 64) - 1 for half in range(halves_of(geometry))]
        full = np.array(bits, dtype=np.uint64)
        if (mine & theirs).any() or ((mine | theirs) & ~full).any():
            raise ValueError("stones")
        legal = legal_columns(Batch(geometry, harvest.stones))
        sums = harvest.policy.sum(axis=1)
        if (harvest.policy[~legal] != 0).any() or not (np.abs(sums - 1) < 1e-3).all():
            raise ValueError("policy")
        if (harvest.policy < 0).any() or not (np.abs(harvest.value) <= 1).all():
            raise ValueError("value")

    def learner(self, generation: int) -> Path:
        """Where the learner's state is after a generation."""
        return self.path / f"learner-{generation:04d}.npz"

    @property
    def request(self) -> str:
        """What a learner's state must be of."""
        return self._digest

    def graded(self) -> SolvedMoves | None:
        """The positions that the solver has solved; None if that was not done yet."""
        path, geometry = self.path / "graded.npz", self.settings.geometry
        found = self._read(path)
        if found is None:
            return None
        try:
            solved = SolvedMoves(geometry, found["stones"], found["scores"])
            shapes = (len(solved), 2, halves_of(geometry)), (len(solved), geometry.columns)
            kinds = str(solved.stones.dtype), str(solved.scores.dtype)
            if (solved.stones.shape, solved.scores.shape) != shapes or kinds != ("uint64", "float64"):
                raise ValueError("shape")
            if len(solved) and (np.isnan(solved.scores) == legal_columns(solved.batch)).any():
                raise ValueError("columns")
        except _FAULTS:
            raise self._damaged(path) from None
        return solved

    def keep_graded(self, solved: SolvedMoves) -> None:
        """Keep positions that were solved."""
        self._write(self.path / "graded.npz", {"stones": solved.stones, "scores": solved.scores})

    def forget(self, games_before: int, generation: int, champion: int) -> None:
        """Remove what nobody will look at again.

        Args:
            games_before: Games of generations before this one are no longer learnt from.
            generation: The last that is done: learners before it go.
            champion: Whose network is still needed.
        """
        for file in self.path.glob("games-[0-9][0-9][0-9][0-9].npz"):
            if int(file.stem[-4:]) < games_before:
                file.unlink(missing_ok=True)
        for file in self.path.glob("learner-[0-9][0-9][0-9][0-9].npz"):
            if int(file.stem[-4:]) not in (generation, champion):
                file.unlink(missing_ok=True)

    def _remove(self, pattern: str) -> None:
        for file in self.path.glob(pattern):
            file.unlink(missing_ok=True)

    def _write(self, path: Path, arrays: Arrays) -> None:
        named: dict[str, Any] = dict(arrays)
        request = np.frombuffer(self._digest.encode(), dtype=np.uint8)
        with data_file(path) as fresh, fresh.open("wb") as file:
            np.savez_compressed(file, request=request, **named)

    def _read(self, path: Path) -> Arrays | None:
        with _told(path):
            if not path.exists():
                return None
            try:
                with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
                    arrays = {name: found[name] for name in found.files}
                if arrays.pop("request").tobytes() != self._digest.encode():
                    raise BadData(f"{path} is of another run: remove it")
            except _FAULTS:
                raise self._damaged(path) from None
        return arrays

    def _damaged(self, path: Path) -> BadData:
        return BadData(f"{path} is damaged: remove it, or the whole folder to begin anew")


def _differing(found: str, wanted: dict[str, Any]) -> str:
    """What is different, as far as it can be told."""
    try:
        before = json.loads(found)
        names = sorted(name for name in {*before, *wanted} if before.get(name) != wanted.get(name))
    except _FAULTS:
        names = []
    named = f" ({', '.join(names)})" if names else ""
    return f"{named}: remove it, or write to another name"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadData(f"{path}: {error.strerror or error}") from None
