"""Fourcast: a Connect Four laboratory.

    >>> import fourcast as fc
    >>> position = fc.Position.from_moves("4453")
    >>> position.legal
    (0, 1, 2, 3, 4, 5, 6)
    >>> print(position.play(2))
     | . . . . . . . |
     | . . . . . . . |
     | . . . . . . . |
     | . . . . . . . |
     | . . X O . . . |
     | . . O X X . . |
     +---------------+
       1 2 3 4 5 6 7

Columns are 0-based in Python and 1-based in move strings. Scores and values are seen from the side to move.
"""

from fourcast.agents import Agent, agent, agent_names, register
from fourcast.face import analyze, match, solve
from fourcast.game.analysis import Analysis
from fourcast.game.errors import (
    AgentFailed,
    BadBoard,
    BadBook,
    BadCell,
    BadData,
    BadExport,
    BadField,
    BadGeometry,
    BadLimit,
    BadModel,
    BadNotation,
    BadOption,
    BadRecord,
    BadResult,
    BadShape,
    BadSlip,
    BadStore,
    BadTest,
    BothWon,
    CannotPlay,
    ColumnFull,
    ColumnOffBoard,
    FloatingDisc,
    FourcastError,
    GameOver,
    IllegalMove,
    ImpossibleCounts,
    MissingExtra,
    NoDisplay,
    PlayedOn,
    PlayerLeft,
    UnknownEvaluation,
    UnknownPlayer,
    UnreachablePosition,
    Unreadable,
    UnsupportedGeometry,
    WorkersLost,
)
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit
from fourcast.game.outcome import Cell, Outcome
from fourcast.game.position import Position
from fourcast.game.record import GameRecord
from fourcast.game.rules import Rules

__version__ = "0.1.0"

__all__ = [
    # the game
    "Geometry",
    "STANDARD",
    "Rules",
    "Position",
    "Outcome",
    "Cell",
    "GameRecord",
    # asking about it
    "solve",
    "analyze",
    "Limit",
    "Analysis",
    # who plays it
    "agent",
    "agent_names",
    "Agent",
    "register",
    "match",
    # what can be wrong
    "FourcastError",
    "BadGeometry",
    "UnsupportedGeometry",
    "BadSlip",
    "BadLimit",
    "BadBook",
    "BadModel",
    "BadNotation",
    "IllegalMove",
    "ColumnOffBoard",
    "ColumnFull",
    "GameOver",
    "BadBoard",
    "BadShape",
    "BadCell",
    "FloatingDisc",
    "ImpossibleCounts",
    "BothWon",
    "PlayedOn",
    "UnreachablePosition",
    "UnknownPlayer",
    "PlayerLeft",
    "BadOption",
    "BadRecord",
    "BadStore",
    "BadField",
    "BadData",
    "BadExport",
    "WorkersLost",
    "UnknownEvaluation",
    "CannotPlay",
    "AgentFailed",
    "BadResult",
    "BadTest",
    "Unreadable",
    "MissingExtra",
    "NoDisplay",
    "__version__",
]
