"""The part of an exported file that contests call; `interop.export` writes it after `loading`."""

from __future__ import annotations

from typing import Any

from fourcast.interop.exported.loading import MOVE_SECONDS, FourcastError, _choose, _observation, _standard

# --- from here on, this is what the file holds ---

MAKING_SECONDS = 60.0  # the most that making a player waits for compiled code: no move is running yet


class AIAgent:
    """A player of the standard board.

    Attributes:
        player_id: Which discs are its own: 1 or 2.
    """

    def __init__(self, player_id: int) -> None:
        try:
            self.player_id: int = _observation.player_of(player_id)
        except FourcastError as error:
            raise ValueError(str(error)) from None
        _standard.wait(MAKING_SECONDS)

    def make_move(self, state: Any) -> int:
        """The column to play on a 6x7 array, top row first: 0 empty, 1 and 2 the players' discs.

        Raises:
            ValueError: The state is not a position that this player can move in.
        """
        try:
            position = _observation.contest_position(state, self.player_id)
        except FourcastError as error:
            raise ValueError(str(error)) from None
        return _choose(position, MOVE_SECONDS, 0.0)
