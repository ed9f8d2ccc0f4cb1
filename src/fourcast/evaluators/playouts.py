"""A position is worth what random play makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fourcast.kernels.batch import Batch


@dataclass(frozen=True, slots=True)
class PlayoutEvaluator:
    """The mean result of random playouts: 1 a win of the side to move, -1 a loss, 0 a draw or cut off.

    Attributes:
        count: Playouts of each position.
        seed: Where the chance starts.
        cap: Most plies of a playout; None plays to the end.
        sharp: Whether both sides win and block where they can.
    """

    count: int = 100
    seed: int = 0
    cap: int | None = None
    sharp: bool = False

    def values(self, batch: Batch) -> npt.NDArray[np.float64]:
        """What each position is worth to its side to move: shape (positions,), in [-1, 1]."""
        from fourcast.kernels.playouts import LOSSES, WINS, playouts

        tally = playouts(batch, self.count, seed=self.seed, cap=self.cap, sharp=self.sharp)
        means: npt.NDArray[np.float64] = (tally[:, WINS] - tally[:, LOSSES]) / self.count
        return means
