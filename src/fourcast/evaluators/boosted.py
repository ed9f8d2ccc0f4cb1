"""A position is worth what boosted trees make of its features."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fourcast.evaluators.features import Features
from fourcast.game.errors import BadModel, BadOption
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.models.card import Card
from fourcast.models.files import load_card, read_model_bytes
from fourcast.models.shelf import find

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fourcast.kernels.batch import Batch
    from fourcast.models.forest import Forest

LOSS, DRAW, WIN = range(3)
_ROWS = 8192  # positions whose features are held at a time
_KEPT = 4  # models that a process keeps


class BoostedEvaluator:
    """Wins and losses as trees foresee them. Nothing but training needs LightGBM.

    Attributes:
        card: The model's card.
        features: What it looks at.
        mirror: Whether the mean with the mirror image is taken.
    """

    def __init__(
        self, model: Card | Path | str, geometry: Geometry = STANDARD, *, mirror: bool | None = None
    ) -> None:
        """Find the model; its file is read when it is first asked.

        Args:
            model: A card, the name of a shipped model, or the path of a card or of the model beside it.
            geometry: The board that it shall play on.
            mirror: Whether to take the mean with the mirror image; without it, what the card says.

        Raises:
            BadModel: There is no such model, it is not sound, or it is for another board.
        """
        card = model if isinstance(model, Card) else find(model)
        _check_kind(card)
        _check_board(card, geometry)
        try:
            self.features = Features.of(geometry, card.features)
        except BadOption as error:
            raise BadModel(f"model {card.path}: {error}") from None
        self.card = card
        self.mirror = card.mirror if mirror is None else mirror

    def load(self) -> None:
        """Read the model now, so that one that is damaged is found before it is asked.

        Raises:
            BadModel: The model cannot be read.
        """
        self._forest()

    def values(self, batch: Batch) -> npt.NDArray[np.float64]:
        """What each position is worth to its side to move: shape (positions,), in [-1, 1].

        That is how likely it wins less how likely it loses.

        Raises:
            BadModel: The model cannot be read, or is for another board.
        """
        found = self.probabilities(batch)
        values: npt.NDArray[np.float64] = found[:, WIN] - found[:, LOSS]
        return values

    def probabilities(self, batch: Batch) -> npt.NDArray[np.float64]:
        """How likely the side to move loses, draws and wins: shape (positions, 3).

        Raises:
            BadModel: The model cannot be read, or is for another board.
        """
        _check_board(self.card, batch.geometry)
        return ask_forest(self._forest(), self.features, batch, mirror=self.mirror)

    def _forest(self) -> Forest:
        """The trees, if they are those that the card promises."""
        forest = _load(self.card.path.absolute(), self.card.sha256)
        if forest.classes != len(self.card.classes) or list(forest.features) != self.features.names:
            raise BadModel(
                f"model {self.card.path}: it looks at other features, or tells other classes apart, "
                "than its card says"
            )
        return forest


def ask_forest(forest: Forest, features: Features, batch: Batch, *, mirror: bool) -> npt.NDArray[np.float64]:
    """What trees make of positions: the chances of loss, draw and win, of shape (positions, 3).

    Args:
        forest: The trees.
        features: What they look at.
        batch: The positions.
        mirror: Whether the mean with the mirror image is taken.
    """
    import numpy as np

    from fourcast.kernels.batch import Batch
    from fourcast.kernels.moves import mirror_batch

    found = np.empty((len(batch), forest.classes))
    for first in range(0, len(batch), _ROWS):
        part = Batch(batch.geometry, batch.stones[first : first + _ROWS])
        chances = forest.probabilities(batch.geometry, features.matrix(part))
        if mirror:
            image = features.matrix(mirror_batch(part))
            chances = (chances + forest.probabilities(batch.geometry, image)) / 2
        found[first : first + _ROWS] = chances
    return found


def _check_kind(card: Card) -> None:
    if card.kind != "boosted":
        raise BadModel(f"model {card.path}: it is of the kind {card.kind}, not boosted")


def _check_board(card: Card, geometry: Geometry) -> None:
    if geometry != card.geometry:
        raise BadModel(f"model {card.path}: it is for board {card.geometry}, not {geometry}")


@lru_cache(maxsize=_KEPT)
def _load(path: Path, sha256: str) -> Forest:
    """The trees of the model whose card is there and has that hash; a new one has another."""
    from fourcast.models.forest import Forest

    card = load_card(path)
    if card.sha256 != sha256:
        raise BadModel(f"model {path}: another one has taken its place")
    text = read_model_bytes(card)
    try:
        return Forest.from_text(text)
    except BadModel as error:
        raise BadModel(f"model {path.with_name(card.file)}: {error}") from None
