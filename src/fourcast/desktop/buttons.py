"""The buttons: what can be done, and whether it can be done now."""

from __future__ import annotations

from fourcast.desktop.panel import Button
from fourcast.session import Session


def buttons_of(session: Session, *, paused: bool, scores: bool, threats: bool) -> list[Button]:
    """The buttons of a game, in their order.

    Args:
        session: The game.
        paused: Whether agents wait.
        scores: Whether scores are shown.
        threats: Whether threats are shown.
    """
    over, agents = session.position.is_over, session.is_agents_turn
    return [
        Button("undo", "Undo", "Undo", session.undo_ply is not None),
        Button("redo", "Redo", "Redo", session.redo_ply is not None),
        Button("hint", "Hint", "Hint", not over and not agents),
        _for_agents(session, paused),
        Button("scores", "Scores", "Scores", on=scores),
        Button("threats", "Threats", "Threats", on=threats),
        Button("new", "New game", "New"),
        Button("help", "Help", "?"),
    ]


def _for_agents(session: Session, paused: bool) -> Button:
    """What can be asked of agents: to move now, to wait, or to play on from a position that was looked at."""
    over = session.position.is_over
    if not session.at_end and not over and not session.is_persons_turn:
        return Button("pause", "Play on", "Play")
    if not session.has_person or (paused and session.is_agents_turn):
        return Button("pause", "Go on" if paused else "Pause", "Pause", not over, paused)
    return Button("now", "Move now", "Now", session.is_agents_turn)
