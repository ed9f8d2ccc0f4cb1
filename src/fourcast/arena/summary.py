"""Many numbers in a few: game lengths, times, memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Spread:
    """How numbers are spread, in their own unit; all but the count are None where there are none.

    Attributes:
        count: How many there are.
        mean: Their mean.
        sd: Their standard deviation, as of a sample (divided by count - 1); 0 for a single number.
        min: The least.
        max: The greatest.
        p99: The least of them that 99% do not exceed; the greatest where there are fewer than 100.
    """

    count: int = 0
    mean: float | None = None
    sd: float | None = None
    min: float | None = None
    max: float | None = None
    p99: float | None = None

    @classmethod
    def of(cls, numbers: Iterable[float]) -> Spread:
        """Summarises the numbers."""
        import numpy as np

        array = np.fromiter(numbers, dtype=np.float64)
        if not array.size:
            return cls()
        return cls(
            count=array.size,
            mean=float(array.mean()),
            sd=float(array.std(ddof=1)) if array.size > 1 else 0.0,
            min=float(array.min()),
            max=float(array.max()),
            p99=float(np.percentile(array, 99, method="inverted_cdf")),
        )

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)
