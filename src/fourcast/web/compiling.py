"""A process that compiles what a search needs, leaves it on the disk, and ends when its parent does.

Called as `python -m fourcast.web.compiling BOARD SLIP AGENT|solver [OPTION=VALUE ...]`.
"""

from __future__ import annotations

import os
import sys
import threading

from fourcast.game.rules import Rules
from fourcast.web.preparing import SOLVER, load
from fourcast.web.searches import lower_priority

NICER = 2  # somebody waits for it


def main(board: str, slip: str, spec: str, *given: str) -> None:
    """Compile it."""
    lower_priority(NICER)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    options = dict(each.split("=", 1) for each in given)
    load(Rules(board, float(slip)), None if spec == SOLVER else spec, options)


def _end_with_the_parent() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
