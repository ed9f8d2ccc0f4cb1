"""The optional parts: packages that are imported where they are used, and name themselves when missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from fourcast.game.errors import MissingExtra


def require(module: str, extra: str) -> ModuleType:
    """Import a module that one of the extras brings.

    Raises:
        MissingExtra: It, or something that it needs, is not installed; the message says what to install.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise MissingExtra(
            f"{missing.name} is not installed; bring it with: pip install 'fourcast[{extra}]'"
        ) from missing
