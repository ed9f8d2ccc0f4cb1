"""Windows that nobody sees, with discs that nobody has to wait for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from fourcast.desktop.board_view import Fall

REAL_SECONDS: Callable[[Any], float] = Fall.seconds.fget  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _unseen_and_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(Fall, "seconds", 0.02)
