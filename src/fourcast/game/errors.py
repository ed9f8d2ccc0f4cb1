"""Everything that can be wrong with what a caller hands in, one named type each.

Every message is one line that says what was wrong and where, in the words of the player: moves, rows and
columns are counted from 1, rows from the top as they are written.
"""

from __future__ import annotations


class FourcastError(Exception):
    """The base of every error that Fourcast raises on purpose."""


class BadGeometry(FourcastError):
    """The text or the numbers do not describe a board that can be played."""


class UnsupportedGeometry(BadGeometry):
    """The board can be played, but it does not fit the 128 bits (or 35 column names) that Fourcast has."""


class BadSlip(FourcastError):
    """The slip is not a number in [0, 1)."""


class BadBook(FourcastError):
    """An opening book cannot be read or written, or is not sound."""


class BadModel(FourcastError):
    """A model cannot be read, written or found, is not sound, or is for another board."""


class BadExport(FourcastError):
    """An agent cannot be written into one file."""


class BadLimit(FourcastError):
    """A limit is not a positive amount, or its text cannot be read."""


class BadNotation(FourcastError):
    """A move string holds a character that names no column."""


class IllegalMove(FourcastError):
    """A disc cannot be dropped there."""


class ColumnOffBoard(IllegalMove):
    """The column is not on the board."""


class ColumnFull(IllegalMove):
    """The column has no empty cell left."""


class GameOver(IllegalMove):
    """The game had ended before this move."""


class BadBoard(FourcastError):
    """A drawn board (text, array or flat list) is not a position of this game."""


class BadShape(BadBoard):
    """The rows differ in length, or the board is not the size that was asked for."""


class BadCell(BadBoard):
    """A cell holds something that is neither empty nor a disc."""


class FloatingDisc(BadBoard):
    """A disc has an empty cell under it."""


class ImpossibleCounts(BadBoard):
    """The players cannot have dropped these numbers of discs in turn."""


class BothWon(BadBoard):
    """Both players have a line; the game ends with the first one."""


class PlayedOn(BadBoard):
    """A disc was dropped after the other player had a line."""


class BadRecord(FourcastError):
    """The record of a game cannot be read, or the game cannot have happened."""


class BadStore(FourcastError):
    """A file of games cannot be read or written, or is something else."""


class WorkersLost(FourcastError):
    """Those who work are gone, or were never there."""


class BadField(FourcastError):
    """A field of agents cannot be read, or is too small."""


class BadData(FourcastError):
    """A file of positions cannot be read or written, or is not what it should be."""


class UnreachablePosition(FourcastError):
    """No order of moves was found that leads to this position."""


class UnknownPlayer(FourcastError):
    """There is no player of that name."""


class PlayerLeft(FourcastError):
    """A person was asked for a move, and the input has ended."""


class BadOption(FourcastError):
    """An agent's option is not one that it has, or has a value that it does not take."""


class UnknownEvaluation(BadOption):
    """There is no evaluation of that name."""


class CannotPlay(FourcastError):
    """An agent does not play this board, or not with slip."""


class AgentFailed(FourcastError):
    """A foreign agent gave no move that can be played.

    Attributes:
        reason: What kind of failure it was: timeout, illegal, crash, memory, output, processes, exit, start
            or stopped.
        detail: What the agent last wrote to its standard error, several lines perhaps.
        words: The message without the agent's name and the reason.
    """

    def __init__(self, reason: str, message: str, detail: str = "", words: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.detail = detail
        self.words = words or message

    def __reduce__(self) -> tuple[type[AgentFailed], tuple[str, str, str, str]]:
        """Workers hand it to whoever waits for them, as a pickle."""
        return AgentFailed, (self.reason, str(self), self.detail, self.words)


class BadResult(FourcastError):
    """A result is not one that a game, or a pair of games, can have."""


class BadTest(FourcastError):
    """A sequential test cannot be read, or its two hypotheses cannot be told apart."""


class MissingExtra(FourcastError, ImportError):
    """A part of Fourcast needs packages that are not installed."""


class NoDisplay(FourcastError):
    """There is no screen to open a window on."""


class Unreadable(FourcastError):
    """A file cannot be read."""


def shown(value: object) -> str:
    """A value for a message, cut short: what people hand in may be endless."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        text = "a huge number"
    return text if len(text) <= 40 else f"{text[:37]}..."
