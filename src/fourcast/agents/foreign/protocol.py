"""The lines that we and a foreign agent say to each other; docs/foreign.md tells agents' authors."""

from __future__ import annotations

from fourcast.agents.foreign.process import shortened
from fourcast.game.errors import AgentFailed, BadNotation, IllegalMove, UnreachablePosition
from fourcast.game.notation import parse_column
from fourcast.game.position import Position
from fourcast.game.rules import Rules

HELLO = "fourcast 1"  # the version is raised when an agent that follows these lines would misunderstand us
READY = "ready"
END = "end"
QUIT = "quit"
ERROR = "error"

SIDES = ("first", "second")

#: The kinds of failure that an agent may admit; any other is a crash.
ADMITTED = ("illegal", "crash", "memory", "start")


def game_line(rules: Rules, side: int, seed: int | None) -> str:
    """A game begins: `game 6x7x4 0 first 17`. The side is 0 for the first player, 1 for the second."""
    return f"game {rules.geometry} {rules.slip:g} {SIDES[side]} {'-' if seed is None else seed}"


def move_line(position: Position, seconds: float) -> str:
    """Your move: the seconds for it, the moves so far, and the board from its top row: `move 1 44 ...`."""
    try:
        moves = position.moves or "-"
    except UnreachablePosition:
        moves = "?"
    grid = position.to_text().replace("\n", "/")
    return f"move {max(seconds, 0.001):.3f} {moves} {grid}"


def check_ready(answer: str) -> None:
    """See that an agent is ready.

    Raises:
        AgentFailed: It said something else.
    """
    word, _, rest = answer.partition(" ")
    if word == ERROR:
        raise _admitted(rest, "start")
    if word != READY:
        raise AgentFailed("start", f"it said {shortened(answer)} instead of {READY}")


def read_move(answer: str, position: Position) -> int:
    """The column, 0-based, that an agent names: by number or by letter, as people do.

    Raises:
        AgentFailed: It names none that can be played, or admits a failure.
    """
    word, _, rest = answer.partition(" ")
    if word == ERROR:
        raise _admitted(rest, "crash")
    try:
        return position.check_move(parse_column(answer, position.geometry))
    except (BadNotation, IllegalMove) as error:
        raise AgentFailed("illegal", f"it answered {shortened(answer)}: {error}") from None


def _admitted(rest: str, otherwise: str) -> AgentFailed:
    """The failure that an agent tells of."""
    kind, _, text = rest.partition(" ")
    if kind not in ADMITTED:
        kind, text = otherwise, rest
    return AgentFailed(kind, shortened(text)[1:-1] or "it said no more than error")
