"""Settings that all tests share."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# Compiling a kernel for a new board takes a second, which no deadline should count.
settings.register_profile(
    "fourcast", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fourcast")

for _name in ("NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(_name, None)

# Where the tests run in the background, a shell may have Ctrl-C ignored, by them and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
