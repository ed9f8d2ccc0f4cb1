"""Settings that all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
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


@pytest.fixture(scope="module")
def tiny_networks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A shelf with tiny networks of both kinds for some boards; they know nothing."""
    from fourcast.models import shelf
    from tests.models.networks import ship_networks

    with pytest.MonkeyPatch.context() as patch:
        folder = ship_networks(tmp_path_factory.mktemp("shelf"), "6x7x4", "8x10x5", "5x5x3", "1x8x3")
        patch.setattr(shelf, "SHELF", folder)
        yield folder
