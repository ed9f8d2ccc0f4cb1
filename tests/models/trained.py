"""Small models, trained on the spot, and the files that they become."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt

from fourcast import Geometry, Position
from fourcast.evaluators.features import Features
from fourcast.game.geometry import STANDARD
from fourcast.kernels.batch import Batch
from fourcast.models.card import Card
from fourcast.models.files import save_model

GROUPS = ("windows", "threats", "clock")
COLUMNS = 12

Rows = npt.NDArray[np.int16]


def random_rows(count: int, seed: int) -> Rows:
    """Whole numbers around zero, some features with few values and some with many."""
    chance = np.random.default_rng(seed)
    widths = np.array([1, 2, 3, 5, 9, 20, 50, 100, 500, 2000, 10000, 32767])
    return chance.integers(-widths, widths, size=(count, COLUMNS), endpoint=True).astype(np.int16)


def booster(rows: Rows, labels: npt.ArrayLike, rounds: int, **settings: Any) -> lightgbm.Booster:
    """A model of three classes."""
    chosen = {"objective": "multiclass", "num_class": 3, "num_threads": 1, "verbose": -1, "seed": 1}
    names = settings.pop("names", "auto")
    data = lightgbm.Dataset(rows.astype(np.float64), np.asarray(labels), feature_name=names)
    return lightgbm.train(chosen | settings, data, rounds)


@cache
def small_model(rounds: int = 4, leaves: int = 5) -> lightgbm.Booster:
    """A model of random rows, where the classes have something to do with the features."""
    rows = random_rows(600, 1)
    labels = (rows[:, 2].astype(int) + rows[:, 4] > 3) + (rows[:, 7] < 0)
    return booster(rows, labels, rounds, num_leaves=leaves)


def text_of(model: lightgbm.Booster) -> bytes:
    return bytes(model.model_to_string(), "utf-8")


def positions(count: int, seed: int, geometry: Geometry = STANDARD) -> list[Position]:
    """Positions of random games that go on."""
    chance = random.Random(seed)
    found: list[Position] = []
    position = Position(geometry)
    while len(found) < count:
        position = position.play(chance.choice(position.legal))
        if position.is_over:
            position = Position(geometry)
        else:
            found.append(position)
    return found


@cache
def position_model() -> lightgbm.Booster:
    """A model of positions, which learns who has more windows of three."""
    features = Features.of(STANDARD, GROUPS)
    rows = features.matrix(Batch.of(positions(800, 1)))
    names = features.names
    lead = sum(
        rows[:, names.index(f"{each}_own_3")].astype(int) - rows[:, names.index(f"{each}_other_3")]
        for each in ("up", "falling", "across", "rising")
    )
    return booster(rows, np.sign(lead) + 1, 8, num_leaves=7, names=names)


def card_of(name: str = "tiny", **changes: Any) -> Card:
    """The card of such a model before it is saved."""
    facts: dict[str, Any] = {
        "name": name,
        "kind": "boosted",
        "purpose": "who has more windows of three",
        "geometry": STANDARD,
        "features": GROUPS,
        "data": {"source": "random games", "rows": 800, "seed": 1},
        "training": {"rounds": 8, "settings": {"num_leaves": 7}, "seed": 1},
        "metrics": {"test": {"accuracy": 0.75, "log_loss": 0.5}},
        "versions": {"lightgbm": lightgbm.__version__},
    }
    return Card(**(facts | changes))


def saved(folder: Path, name: str = "tiny", **changes: Any) -> Path:
    """The path of the card of such a model, in a folder."""
    return save_model(folder, card_of(name, **changes), text_of(position_model()))
