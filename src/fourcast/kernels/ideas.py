"""The ideas of the exact search, each of which can be left out to see what it brings.

What is left out is part of the board's type, like its size: whole boards are compiled without a trace of the
questions below, and a board that leaves something out (`LessBoard`) has machine code of its own.
"""

from __future__ import annotations

PLAN = 1 << 0
CAPS = 1 << 1
PAIRS = 1 << 2
PLANNED_WINS = 1 << 3
LOOK_FIRST = 1 << 4
THREATS_FIRST = 1 << 5
REACHABLE = 1 << 6
KEEP_THREATS = 1 << 7
LINES_FIRST = 1 << 8
MIRROR = 1 << 9
NEAR_ZERO = 1 << 10
TABLE = 1 << 11

#: What each is, in words.
IDEAS = {
    PLAN: "the plan of answering every disc on top",
    CAPS: "the plan, with columns that end under a winning cell",
    PAIRS: "the plan, with pairs of odd columns",
    PLANNED_WINS: "the plan, with wins by it",
    LOOK_FIRST: "all moves looked up before one is searched",
    THREATS_FIRST: "moves that make winning cells first",
    REACHABLE: "of winning cells, those that can be reached",
    KEEP_THREATS: "moves that give up a winning cell last",
    LINES_FIRST: "early on, cells of many lines first",
    MIRROR: "early on, mirror images share an entry",
    NEAR_ZERO: "questions near a draw first, not in the middle",
    TABLE: "the transposition table",
}
