"""What the window says: how the game stands, who plays, what the keys do."""

from __future__ import annotations

from fourcast.agents.human import HUMAN
from fourcast.agents.ladder import ladder
from fourcast.desktop.palette import SIDES
from fourcast.game.notation import column_name
from fourcast.game.rules import Rules
from fourcast.game.thoughts import thought
from fourcast.game.words import counted
from fourcast.session import Session

LETTERS = 9  # columns from which on letters name columns
KEYS = (
    ("1-9, a-z", "drop a disc into that column"),
    ("Left, Right", "choose a column"),
    ("Enter, Space", "drop a disc there"),
    ("u, Ctrl+Z", "undo"),
    ("r, Ctrl+Y", "redo"),
    ("h", "hint"),
    ("s, t", "scores, threats on or off"),
    ("n", "new game, other players or board"),
    (", and .", "one move back or on"),
    ("Home, End", "first or last position"),
    ("p", "pause agents, or play on from here"),
    ("Esc", "have an agent move now"),
    ("f, F11", "full screen on or off"),
    ("?, F1", "this help"),
    ("Ctrl+Q", "leave"),
)


def game_words(rules: Rules) -> str:
    """The rules in a line."""
    geometry = rules.geometry
    words = f"{geometry.rows} x {geometry.columns}, {geometry.connect} in a line"
    return f"{words}, slip {rules.slip:g}" if rules.slip else words


def player_words(spec: str, rules: Rules) -> str:
    """What to call a player: a level by its name, any other agent by its spec."""
    if spec == HUMAN:
        return "Human"
    return next((rung.label for rung in ladder(rules) if rung.spec == spec), spec)


def status_words(session: Session, *, paused: bool = False) -> str:
    """How the game stands, in a few words."""
    position = session.position
    outcome = position.outcome
    people = [side for side in (0, 1) if session.players[side] is None]
    if outcome is not None:
        if outcome.winner is None:
            return "A draw: the board is full"
        if len(people) == 1:
            return "You win!" if outcome.winner == people[0] else "You lose"
        return f"{SIDES[outcome.winner]} wins"
    side = SIDES[position.turn]
    if session.players[position.turn] is None:
        return f"{side} to move" if len(people) == 2 else f"Your turn, {side}"
    if not session.at_end:
        return f"Move {session.ply} of {len(session.drops)}"
    if paused:
        return "Paused"
    return f"{side} is thinking"


def detail_words(session: Session) -> str:
    """More about it: how far who thinks has come, or what was said of the last disc."""
    if session.thought is not None:
        progress = session.thought.progress
        if progress is None:
            return ""
        if session.thought.is_preparing:
            return "Preparing: loading the code for this board"
        parts = [f"depth {progress.depth}"] if progress.depth else []
        parts.append(
            counted(progress.simulations, "simulation")
            if progress.simulations
            else counted(progress.nodes, "node")
        )
        return ", ".join([*parts, f"{progress.seconds:.1f} s"])
    last = session.last
    if last is None:
        return ""
    side = SIDES[1 - session.position.turn]
    said = thought(last.analysis, session.rules.slip) if last.analysis is not None else ""
    words = f"{side} played {column_name(last.aimed)}"
    if last.aimed != last.landed:
        words = f"{side} aimed at {column_name(last.aimed)}, fell into {column_name(last.landed)}"
    return f"{words}: {said}" if said else words


def moves_rows(session: Session) -> list[tuple[str, str]]:
    """The moves in pairs, the first player's and the second's; a disc that slipped is 4>5."""
    names = [
        column_name(drop.landed)
        if drop.aimed == drop.landed
        else f"{column_name(drop.aimed)}>{column_name(drop.landed)}"
        for drop in session.drops
    ]
    return [(names[at], names[at + 1] if at + 1 < len(names) else "") for at in range(0, len(names), 2)]
