"""A model for the beginning of a game, random playouts for its end, and a mixture of both in between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fourcast.evaluators.evaluator import Evaluator
from fourcast.game.errors import BadOption

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fourcast.kernels.batch import Batch


@dataclass(frozen=True, slots=True)
class PhasedEvaluator:
    """What a position is worth, by how many discs are on the board.

    Attributes:
        model: Whom to ask early in the game; None plays out from the first ply.
        early: Discs up to which the model is asked alone.
        late: Discs up to which it is asked at all.
        share: What the model counts in between; the playouts count the rest.
        count: Playouts of each position; with 0 the model counts alone in between.
        sharp: Whether both sides win and block in them where they can.
        seed: Where their chance starts.
    """

    model: Evaluator | None
    early: int = 8
    late: int = 12
    share: float = 0.7
    count: int = 75
    sharp: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if self.early > self.late:
            raise BadOption(
                f"a model that is asked alone up to {self.early} discs cannot be asked up to {self.late} only"
            )

    def values(self, batch: Batch) -> npt.NDArray[np.float64]:
        """What each position is worth to its side to move: shape (positions,), in [-1, 1]."""
        import numpy as np

        from fourcast.evaluators.playouts import PlayoutEvaluator
        from fourcast.kernels.batch import Batch

        modelled, played = self._phases(batch)
        values = np.zeros(len(batch))
        if modelled.any() and self.model is not None:
            values[modelled] = self.model.values(Batch(batch.geometry, batch.stones[modelled]))
        if played.any() and self.count:
            playouts = PlayoutEvaluator(self.count, self.seed, sharp=self.sharp)
            results = playouts.values(Batch(batch.geometry, batch.stones[played]))
            values[played & modelled] *= self.share
            values[played] += np.where(modelled[played], 1 - self.share, 1.0) * results
        return values

    def playouts(self, batch: Batch) -> int:
        """How many playouts these positions ask for."""
        return self.count * int(self._phases(batch)[1].sum())

    def within(self, playouts: int, batch: Batch) -> PhasedEvaluator | None:
        """The same with so few playouts of each position that all of them together keep within a number.

        None if that leaves nothing to go by: not one playout of each, and no model.
        """
        modelled, played = self._phases(batch)
        if not played.any():
            return self
        count = min(self.count, playouts // int(played.sum()))
        return None if not count and not modelled.all() else replace(self, count=count)

    def _phases(self, batch: Batch) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which positions the model is asked about, and which are played out."""
        import numpy as np

        discs = np.bitwise_count(batch.stones).sum(axis=(1, 2))
        if self.model is None:
            return np.zeros(len(batch), dtype=np.bool_), np.ones(len(batch), dtype=np.bool_)
        return discs <= self.late, discs > self.early
