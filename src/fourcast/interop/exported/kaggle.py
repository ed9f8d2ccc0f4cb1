"""The part of an exported file that Kaggle's ConnectX calls; `interop.export` writes it after `loading`."""

from __future__ import annotations

from typing import Any

from fourcast.interop.exported.loading import MOVE_SECONDS, FourcastError, _choose, _observation

# --- from here on, this is what the file holds ---

KEPT_SECONDS = 10.0  # of the time beyond that for the moves, not to be used up by compiling


def agent(observation: Any, configuration: Any) -> int:
    """The column to play.

    Raises:
        ValueError: The observation is not a position that this player can move in.
    """
    seconds = _observation.seconds_field
    try:
        position = _observation.kaggle_position(observation, configuration)
        allowed = seconds(configuration, "actTimeout", seconds(configuration, "timeout", 1.0))
        beyond = seconds(observation, "remainingOverageTime", 0.0)
    except FourcastError as error:
        raise ValueError(str(error)) from None
    return _choose(position, min(MOVE_SECONDS, MOVE_SECONDS * allowed), max(beyond - KEPT_SECONDS, 0.0))
