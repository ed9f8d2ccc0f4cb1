"""What a search with a table keeps: its state and the table, emptied for each question."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.evaluators.heuristics import Heuristic
from fourcast.game.errors import BadOption
from fourcast.game.geometry import Geometry
from fourcast.kernels.board import board_of
from fourcast.kernels.drafts import ADDRESS, BUCKETS, GENERATION, GENERATIONS, bucket_words
from fourcast.kernels.lookahead import WEIGHTS
from fourcast.kernels.memory import address_of
from fourcast.kernels.ranking import forget_good_moves, state_words, table_at
from fourcast.kernels.state import cell_worths
from fourcast.search.effort import Effort


class SearchMemory:
    """State and table of a search that is laid out as `kernels.deepening` says.

    Attributes:
        effort: The state.

    Raises:
        BadOption: There is not that much memory.
    """

    def __init__(self, geometry: Geometry, evaluation: Heuristic, table_mb: int) -> None:
        self._geometry = geometry
        self.effort = Effort(state_words(geometry))
        weights = evaluation.weights(geometry).view(np.uint64)
        self.effort.words[WEIGHTS : WEIGHTS + len(weights)] = weights
        size = bucket_words(geometry)
        buckets = (table_mb << 20) // (8 * size)
        try:
            self._table: npt.NDArray[np.uint64] = np.zeros(size * buckets, dtype=np.uint64)
        except (MemoryError, ValueError):  # NumPy's word for sizes beyond all bounds
            raise BadOption(f"table_mb={table_mb}: there is not that much memory") from None
        first = table_at(geometry)
        self.effort.words[first + ADDRESS] = address_of(self._table)
        self.effort.words[first + BUCKETS] = buckets
        self._generation = 0
        self._worths = cell_worths(geometry)

    def forget(self) -> None:
        """Empty the table, so that what was asked before does not matter."""
        self._generation += 1
        if self._generation == GENERATIONS:
            self._table[:] = 0
            self._generation = 1
        self.effort.words[table_at(self._geometry) + GENERATION] = self._generation
        forget_good_moves(board_of(self._geometry), self.effort.address, self._worths)

    @property
    def bytes(self) -> int:
        """How much the state, the table and the recursion take."""
        return self.effort.memory + self._table.nbytes
