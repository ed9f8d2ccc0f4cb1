"""Boosted trees: LightGBM, and scikit-learn's with the settings that were published."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax

from fourcast.evaluators.features import Features
from fourcast.extras import require
from fourcast.game.errors import BadOption
from fourcast.game.limit import check_seed
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.learning.checkpoint import Checkpoint, Round, resume
from fourcast.learning.metrics import Chances, Classes, log_loss_of
from fourcast.learning.tree_text import join_texts
from fourcast.models.forest import Forest

Matrix = npt.NDArray[np.int16]
Sums = npt.NDArray[np.float64]

_CLASSES = 3
BLOCK = 50  # rounds between checkpoints


@dataclass(frozen=True, slots=True)
class Settings:
    """How LightGBM learns.

    Attributes:
        rounds: Trees for each class.
        learning_rate: How much each of them counts.
        leaves: The most that a tree has.
        least: Positions that a leaf has at least.
        l2: What holds large leaves back.
        feature_share: Features that each tree may look at.
        members: Models whose mean is taken, each of that many rounds; they differ by chance only.
        seed: Where chance starts.
    """

    rounds: int = 1000
    learning_rate: float = 0.1
    leaves: int = 63
    least: int = 20
    l2: float = 30.0
    feature_share: float = 0.15
    members: int = 1
    seed: int = 229

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rounds", 1, 20_000),
            ("learning_rate", 1e-4, 1),
            ("leaves", 2, 1024),
            ("least", 1, 1_000_000),
            ("l2", 0, 1e6),
            ("feature_share", 1e-3, 1),
            ("members", 1, 20),
        ):
            if not least <= getattr(self, name) <= most:
                raise BadOption(f"{name} {getattr(self, name):g}: it must be {least:g} to {most:g}")
        check_seed(self.seed)

    def parameters(self, threads: int) -> dict[str, Any]:
        """The same in LightGBM's words."""
        return {
            "objective": "multiclass",
            "num_class": _CLASSES,
            "learning_rate": self.learning_rate,
            "num_leaves": self.leaves,
            "min_data_in_leaf": self.least,
            "lambda_l2": self.l2,
            "feature_fraction": self.feature_share,
            "deterministic": True,
            "force_col_wise": True,
            "num_threads": threads,
            "seed": self.seed,
            # Where values are cut into bins goes by chance too, and must not change from block to block.
            "data_random_seed": self.seed % 2**31,
            "verbosity": -1,
        }


Watch = Callable[[Round], None]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Features and classes of positions; `images` are the features of the mirror images."""

    features: Matrix
    images: Matrix
    classes: Classes

    @classmethod
    def of(cls, features: Features, batch: Batch, classes: Classes) -> Table:
        """The table of a batch."""
        return cls(features.matrix(batch), features.matrix(mirror_batch(batch)), classes)

    def only(self, rows: npt.NDArray[np.int64]) -> Table:
        """Some rows of it, as often as they are named."""
        return Table(self.features[rows], self.images[rows], self.classes[rows])


def train_boosted(
    train: Table,
    held: Table,
    features: Features,
    settings: Settings,
    *,
    threads: int = 2,
    checkpoint: Path | None = None,
    watch: Watch = lambda _round: None,
) -> tuple[bytes, list[Round]]:
    """Train LightGBM on positions and their mirror images.

    It goes on from the checkpoint, if there is one; the model is the same as if it had never been stopped.

    Args:
        train: What to learn from.
        held: What to tell the log-loss of meanwhile; nothing is chosen by it.
        features: What the columns of the tables are.
        settings: How to learn.
        threads: How many threads to use; the model does not depend on it.
        checkpoint: A file to keep what is done in; it stays until the caller removes it. One of another
            number of rounds or members is used as far as it goes.
        watch: Told after every block of rounds.

    Returns:
        The model as LightGBM's text, and how the log-loss went.

    Raises:
        BadData: The checkpoint is of other data or settings, or damaged, or cannot be written.
        MissingExtra: LightGBM is not installed.
    """
    lightgbm = require("lightgbm", "learn")
    rows = np.concatenate([train.features, train.images])
    classes = np.concatenate([train.classes, train.classes])
    request = _request(settings, rows, classes, held.features, held.classes)
    kept = resume(checkpoint, request, settings.rounds, _ends(settings))
    texts, curve = list(kept.texts), list(kept.curve)
    begun = time.perf_counter() - (curve[-1].seconds if curve else 0.0)
    parameters = settings.parameters(threads)
    data = lightgbm.Dataset(
        rows.astype(np.float32), classes, feature_name=features.names, params=parameters, free_raw_data=False
    )
    data.construct()
    means = _Means(settings, features, rows, held.features)
    for text in texts:
        means.add(text)
    while means.done < settings.rounds * settings.members:
        # Every block of rounds begins from these sums alone, with a seed of its own: so one that goes on from
        # a checkpoint goes the same way as one that was never stopped.
        # (`set_init_score(None)` would leave a new member the sums of the one before it.)
        data.set_field("init_score", None if means.is_first else means.sums)
        parameters["seed"] = settings.seed + means.done
        booster = lightgbm.train(parameters, data, means.next_block)
        texts.append(join_texts([booster.model_to_string().encode()]))
        means.add(texts[-1])
        on_train, on_held = (
            log_loss_of(true, softmax(each, axis=1))
            for true, each in ((classes, means.of_train), (held.classes, means.of_held))
        )
        curve.append(Round(means.done, on_train, on_held, time.perf_counter() - begun))
        if checkpoint is not None:
            Checkpoint(request, settings.rounds, tuple(curve), tuple(texts)).write(checkpoint)
        watch(curve[-1])
    return join_texts(texts, 1 / settings.members), curve


def _ends(settings: Settings) -> list[int]:
    """After which rounds a block ends, those of all members counted."""
    ends = [min(first + BLOCK, settings.rounds) for first in range(0, settings.rounds, BLOCK)]
    return [member * settings.rounds + end for member in range(settings.members) for end in ends]


class _Means:
    """What the trees so far add up to: of the member in training, and the mean with those before it.

    Attributes:
        done: Rounds of all members.
        sums: Of the present member, for the rows to learn from.
    """

    def __init__(self, settings: Settings, features: Features, rows: Matrix, held: Matrix) -> None:
        self.done = 0
        self._rounds = settings.rounds
        self._geometry = features.geometry
        self._rows = rows, held
        self._now = [np.zeros((len(each), _CLASSES)) for each in self._rows]
        self._before = [np.zeros_like(each) for each in self._now]

    @property
    def is_first(self) -> bool:
        """Whether the next block is the first of its member."""
        return self.done % self._rounds == 0

    @property
    def next_block(self) -> int:
        """How many rounds the next block has."""
        return min(BLOCK, self._rounds - self.done % self._rounds)

    @property
    def sums(self) -> Sums:
        return self._now[0]

    @property
    def of_train(self) -> Sums:
        """The mean of the members, for the rows to learn from."""
        return self._mean(0)

    @property
    def of_held(self) -> Sums:
        """The mean of the members, for the rows held out."""
        return self._mean(1)

    def _mean(self, side: int) -> Sums:
        # A member that has only begun knows little: it counts by how far it has come.
        members, part = divmod(self.done, self._rounds)
        if not part:
            return self._before[side] / members
        share = part / self._rounds if members else 1.0
        mean: Sums = (self._before[side] + share * self._now[side]) / (members + share)
        return mean

    def add(self, text: bytes) -> None:
        """Add a block of trees."""
        self.done += self.next_block
        forest = Forest.from_text(text)
        for now, before, rows in zip(self._now, self._before, self._rows, strict=True):
            now += forest.raw(self._geometry, rows)
            if self.is_first:  # the member is whole
                before += now
                now[:] = 0.0


def predict(forest: Forest, features: Features, table: Table, *, mirror: bool) -> Chances:
    """The chances of loss, draw and win, of shape (rows, 3); with `mirror` the mean with the mirror image."""
    found = forest.probabilities(features.geometry, table.features)
    return (found + forest.probabilities(features.geometry, table.images)) / 2 if mirror else found


@dataclass(frozen=True, slots=True)
class PublishedSettings:
    """The settings of scikit-learn's HistGradientBoosting that were published with 89.55%."""

    learning_rate: float = 0.34
    max_iter: int = 490
    max_leaf_nodes: int = 58
    max_depth: int = 7
    min_samples_leaf: int = 42
    l2_regularization: float = 3.11
    random_state: int = 229
    early_stopping: bool = False


def train_published(table: Table, settings: PublishedSettings | None = None) -> tuple[Any, float]:
    """Train scikit-learn's HistGradientBoosting; the model and the seconds it took."""
    ensemble = require("sklearn.ensemble", "learn")
    model = ensemble.HistGradientBoostingClassifier(**asdict(settings or PublishedSettings()))
    start = time.perf_counter()
    model.fit(table.features, table.classes)
    return model, time.perf_counter() - start


def _request(settings: Settings, *arrays: npt.NDArray[np.integer]) -> str:
    """What a checkpoint must be of: the data and all settings but the number of rounds."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return json.dumps(asdict(replace(settings, rounds=1, members=1)) | {"data": digest.hexdigest()})
