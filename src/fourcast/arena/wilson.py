"""Where a share lies of which a sample is known, by Wilson."""

from __future__ import annotations

import math

_NORMAL = 1.96  # standard errors on either side of a 95% interval


def wilson_interval(hits: float, count: float) -> tuple[float, float]:
    """Where the true share lies, with 95% confidence; the share of the sample is in it, and 0 and 1 its ends.

    Args:
        hits: How often it was so.
        count: How often it could have been, independently; nothing is known where that is 0.
    """
    if not count:
        return 0.0, 1.0
    share, square = hits / count, _NORMAL**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    spread = _NORMAL * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    spread /= 1 + square / count
    # Rounding would leave a share of 1 outside, by a hair.
    return max(min(middle - spread, share), 0.0), min(max(middle + spread, share), 1.0)
