"""A game that was played: who, from where, every disc, how it ended."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fourcast.game.errors import BadRecord, FourcastError, shown
from fourcast.game.notation import moves_text, parse_moves
from fourcast.game.outcome import FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.rules import Rules

# How a game ends on the board; any other ending is the reason why an agent lost it.
LINE, FULL = "line", "full"
MOST_WORDS = 1000  # characters that are kept of what went wrong
_LAST = 253_402_300_799  # the end of the year 9999, in seconds since 1970


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game.

    Attributes:
        rules: The board and its slip.
        players: The first and the second player, as specs.
        opening: The columns that were dropped before the players took over.
        aimed: The columns that the players aimed at after that, in turn.
        landed: The columns where those discs fell; with slip they may differ.
        seconds: What each of those moves took.
        winner: 0 the first player, 1 the second, None a draw.
        ending: `line`, `full`, or why the loser lost otherwise: `timeout`, `illegal`, `crash`, ...
        words: More about such an ending; else empty.
        seed: Where the game's chance started.
        memory: Bytes that each player's search needed at its peak; 0 where it does not say.
        limit: What a player could spend on a move.
        lapses: Which of the players' moves were drawn by lot, since their time was up: 0 is the first.
        finished: When it ended, in seconds since 1970; 0 where that is not known.
        version: The version of Fourcast that refereed it.
        machine: Where it was played.
    """

    rules: Rules
    players: tuple[str, str]
    opening: tuple[int, ...]
    aimed: tuple[int, ...]
    landed: tuple[int, ...]
    seconds: tuple[float, ...]
    winner: int | None
    ending: str
    words: str = ""
    seed: int = 0
    memory: tuple[int, int] = (0, 0)
    limit: str = ""
    lapses: tuple[int, ...] = ()
    finished: float = 0.0
    version: str = ""
    machine: str = ""

    @property
    def plies(self) -> int:
        """Discs on the board at the end, those of the opening included."""
        return len(self.opening) + len(self.landed)

    @property
    def points(self) -> float:
        """What the first player has got: 1, 0.5 or 0. The second has the rest."""
        return 0.5 if self.winner is None else 1.0 if self.winner == FIRST else 0.0

    @property
    def failed(self) -> bool:
        """Whether it ended because an agent failed, and not on the board."""
        return self.ending not in (LINE, FULL)

    @property
    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`."""
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]

    @property
    def moves(self) -> str:
        """Every disc's column as a move string, those of the opening included."""
        return moves_text((*self.opening, *self.landed))

    def mover(self, index: int) -> int:
        """Who made a move after the opening: 0 the first player, 1 the second."""
        return (len(self.opening) + index) & 1

    def positions(self) -> Iterator[Position]:
        """The position that the players began with, and those after each of their moves."""
        position = Position.from_moves(self.opening, self.rules.geometry)
        yield position
        for column in self.landed:
            position = position.play(column)
            yield position

    def checked(self) -> GameRecord:
        """The record, if it can have happened.

        Raises:
            BadRecord: It cannot: a move is not legal, or the end is not what the board says.
        """
        if not all(self.players):
            raise BadRecord("a player has no name")
        if not all(0 <= taken < math.inf for taken in self.seconds):
            raise BadRecord("a move took no time that can be")
        if not 0 <= self.finished <= _LAST:
            raise BadRecord(f"finished {shown(self.finished)}: that is no time that can be")
        if not all(0 <= number < 2**63 for number in (self.seed, *self.memory)):
            raise BadRecord("seed and memory are whole numbers, 0 to 2^63 - 1")
        if not all(0 <= index < len(self.landed) for index in self.lapses):
            raise BadRecord(f"lapses {shown(self.lapses)}: there are {len(self.landed)} moves")
        if not len(self.aimed) == len(self.landed) == len(self.seconds):
            raise BadRecord(f"{len(self.aimed)} aims, {len(self.landed)} moves, {len(self.seconds)} times")
        try:
            for index, position in enumerate(self.positions()):
                last = position
                if index < len(self.aimed):
                    position.check_move(self.aimed[index])
        except FourcastError as error:
            raise BadRecord(str(error)) from None
        if not self.rules.slip and self.aimed != self.landed:
            raise BadRecord("a disc fell elsewhere in a game without slip")
        outcome = last.outcome
        if outcome is None:
            if not self.failed:
                raise BadRecord(f"the game goes on, it has not ended by {shown(self.ending)}")
            if self.winner is None or self.winner == last.turn:
                raise BadRecord(f"whoever was to move has lost by {shown(self.ending)}")
        elif self.failed or (outcome.winner, outcome.winner is None) != (self.winner, self.ending == FULL):
            raise BadRecord(f"{outcome}, not {self.result} by {shown(self.ending)}")
        return self

    def _repr_svg_(self) -> str:
        from fourcast.game.pictures import record_svg

        return record_svg(self.checked())

    def to_json(self) -> dict[str, Any]:
        """As JSON knows it; columns as move strings."""
        return {
            "board": str(self.rules.geometry),
            "slip": self.rules.slip,
            "first": self.players[FIRST],
            "second": self.players[SECOND],
            "result": self.result,
            "ending": self.ending,
            "words": self.words,
            "plies": self.plies,
            "opening": moves_text(self.opening),
            "aimed": moves_text(self.aimed),
            "landed": moves_text(self.landed),
            "seconds": list(self.seconds),
            "memory": list(self.memory),
            "limit": self.limit,
            "lapses": list(self.lapses),
            "seed": self.seed,
            "finished": self.finished,
            "version": self.version,
            "machine": self.machine,
        }

    @classmethod
    def from_json(cls, record: Any) -> GameRecord:
        """Read what `to_json` wrote, and check it.

        Raises:
            BadRecord: Something is missing, is not what it should be, or cannot have happened.
        """
        if not isinstance(record, dict):
            raise BadRecord(f"a game is an object, not {shown(record)}")
        try:
            rules = Rules(_text(record, "board"), record.get("slip", 0.0))
            columns = {
                name: tuple(parse_moves(_text(record, name, ""), rules.geometry))
                for name in ("opening", "aimed", "landed")
            }
            seconds = _list(record, "seconds", [0.0] * len(columns["landed"]))
            memory = _list(record, "memory", [0, 0])
            return cls(
                rules,
                (_text(record, "first"), _text(record, "second")),
                **columns,
                seconds=tuple(float(each) for each in seconds),
                winner=winner_of(_text(record, "result")),
                ending=_text(record, "ending", LINE),
                words=_text(record, "words", "")[:MOST_WORDS],
                seed=int(record.get("seed", 0)),
                memory=(int(memory[FIRST]), int(memory[SECOND])),
                limit=_text(record, "limit", ""),
                lapses=tuple(int(each) for each in _list(record, "lapses", [])),
                finished=float(record.get("finished", 0.0)),
                version=_text(record, "version", ""),
                machine=_text(record, "machine", ""),
            ).checked()
        except BadRecord:
            raise
        except (FourcastError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise BadRecord(str(error)) from None


def winner_of(result: str) -> int | None:
    """Who won by `1-0`, `0-1` or `1/2-1/2`.

    Raises:
        BadRecord: It is none of these.
    """
    winners = {"1-0": FIRST, "0-1": SECOND, "1/2-1/2": None}
    if result not in winners:
        raise BadRecord(f"result {shown(result)} is none of 1-0, 0-1, 1/2-1/2")
    return winners[result]


def _list(record: dict[str, Any], name: str, default: list[Any]) -> list[Any]:
    value = record.get(name, default)
    if not isinstance(value, list):
        raise BadRecord(f"{name} {shown(value)} is not a list")
    return value


def _text(record: dict[str, Any], name: str, default: str | None = None) -> str:
    value = record.get(name, default)
    if not isinstance(value, str):
        raise BadRecord(f"{name} is missing" if value is None else f"{name} {shown(value)} is not a text")
    return value
