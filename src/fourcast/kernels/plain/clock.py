"""The time as Python reads it: the twin of `kernels.clock`."""

from __future__ import annotations

from time import monotonic_ns

#: The time in nanoseconds.
now = monotonic_ns
