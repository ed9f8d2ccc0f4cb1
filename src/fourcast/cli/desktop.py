"""`fourcast desktop`: a game in a window."""

from __future__ import annotations

import os
import random
import sys
from typing import Annotated

import typer

from fourcast.agents.human import HUMAN
from fourcast.agents.ladder import ladder
from fourcast.cli import FINE
from fourcast.cli.options import BoardOption, MovesArgument, SeedOption, SlipOption, read_position
from fourcast.cli.play import PlayerOption, farewell, to_go_on
from fourcast.extras import require
from fourcast.game.errors import BadOption, MissingExtra, shown
from fourcast.game.limit import Limit
from fourcast.game.rules import Rules
from fourcast.session import Session, seat

USUAL_LIMIT = "1s"
USUAL_SIZE = "1080x760"
_LEAST, _MOST = 240, 16_000  # pixels of a window's side
_EASY = 1  # the rung of the ladder that is the opponent when none is named


def desktop(
    moves: MovesArgument = "",
    first: PlayerOption = HUMAN,
    second: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The same of the second player; an easy agent by default."),
    ] = None,
    board: BoardOption = None,
    slip: SlipOption = 0.0,
    limit: Annotated[
        str | None,
        typer.Option(metavar="LIMIT", help="What an agent may spend on a move: 200ms, depth=6; else 1s."),
    ] = None,
    seed: SeedOption = None,
    size: Annotated[
        str, typer.Option(metavar="WxH", help="Pixels that the window measures at first.")
    ] = USUAL_SIZE,
) -> None:
    """Play in a window, with mouse and keyboard; ? shows the keys.

    Give MOVES to go on from there. It needs the extra desktop: pip install 'fourcast[desktop]'.
    """
    position = read_position(moves, board)
    rules = Rules(position.geometry, slip)
    easy = ladder(rules)[_EASY].spec
    names = (first, easy if second is None else second)
    text = USUAL_LIMIT if limit is None else limit
    allowed, pixels = Limit.parse(text), _read_size(size)
    _require_pygame()
    from fourcast.desktop.window import Window

    players = [seat(name, rules, seed, side) for side, name in enumerate(names)]
    session = Session(rules, names, players, allowed, start=position, chance=random.Random(seed))
    window = Window(session, text, pixels)
    ended = True
    try:
        ended = window.run()
    finally:  # Ctrl-C, too, leaves a game that can be gone on with
        _say_farewell(window.session, window.limit)
    if not ended:  # somebody thinks who cannot be stopped: nobody wants to wait for that
        sys.stdout.flush()
        os._exit(FINE)


def _say_farewell(session: Session, limit: str) -> None:
    opponent = ladder(session.rules)[_EASY].spec
    options = to_go_on(session.rules, session.names, opponent, None if limit == USUAL_LIMIT else limit)
    print(farewell("desktop", session, options))


def _read_size(text: str) -> tuple[int, int]:
    sides = text.lower().split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) < 6 for side in sides):
        raise BadOption(f"--size {shown(text)}: write it like {USUAL_SIZE}")
    width, height = map(int, sides)
    if not (_LEAST <= width <= _MOST and _LEAST <= height <= _MOST):
        raise BadOption(f"--size {shown(text)}: each side takes {_LEAST} to {_MOST} pixels")
    return width, height


def _require_pygame() -> None:
    """See that pygame-ce is there.

    Raises:
        MissingExtra: It is not, or it is pygame, of which it is another edition.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame = require("pygame", "desktop")
    if not getattr(pygame, "IS_CE", False):
        raise MissingExtra(
            "pygame is installed, and the window needs pygame-ce: pip uninstall pygame, then "
            "pip install 'fourcast[desktop]'"
        )
