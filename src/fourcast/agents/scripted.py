"""Players that follow a plain rule, without search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from fourcast.agents.chance import chance_for
from fourcast.agents.guard import guarded_columns
from fourcast.agents.options import one_of, whole
from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.guess import centre_first
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # rows up, columns right


class ScriptedAgent(ABC):
    """A player that needs no time: its rule leaves one column, or several that it draws from."""

    draws = False  # whether its rule may leave several

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.rules = rules
        self.seed = seed

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # it needs no time
        """A column that the rule gives; where it may leave several, the policy says how likely each was."""
        check_question(position, self.rules.geometry)
        columns = self.choices(position)
        if not self.draws:
            return Analysis(position, columns[0], pv=(columns[0],))
        shares = [0.0] * position.geometry.columns
        for column in columns:
            shares[column] = 1 / len(columns)
        column = chance_for(self.seed, position).choice(columns)
        return Analysis(position, column, policy=tuple(shares), pv=(column,))

    @abstractmethod
    def choices(self, position: Position) -> Sequence[int]:
        """The columns that the rule gives in a position whose game goes on, each equally likely."""


@register("random")
class RandomAgent(ScriptedAgent):
    """Plays any open column, each equally likely."""

    draws = True

    def choices(self, position: Position) -> Sequence[int]:
        """All that are open."""
        return position.legal


@register("lookahead", whole("plies", 2, "how far it looks", most=2), guard=False)
class LookaheadAgent(ScriptedAgent):
    """Wins in one, blocks a win in one, and else plays any column that gives none."""

    draws = True

    def __init__(self, rules: Rules, seed: int | None = None, *, plies: int = 2) -> None:
        super().__init__(rules, seed)
        self.plies = plies

    def choices(self, position: Position) -> Sequence[int]:
        """Those that the guard leaves."""
        return guarded_columns(position, self.plies)


@register("horizontal")
class HorizontalAgent(ScriptedAgent):
    """Extends its longest run in a row; else plays the leftmost open column."""

    def choices(self, position: Position) -> Sequence[int]:
        """The column where a disc makes the longest row of its own, if it joins any."""
        lengths = {column: _run(position, column, ((0, 1),)) for column in position.legal}
        longest = max(lengths.values())
        return position.legal[:1] if longest == 1 else _first(lengths, longest)


@register("vertical")
class VerticalAgent(ScriptedAgent):
    """Stacks one column while it can still win there; else moves on to the next."""

    def choices(self, position: Position) -> Sequence[int]:
        """The column with its highest pile on top that has room to be completed, the leftmost of equals."""
        rows, connect = position.geometry.rows, position.geometry.connect
        piles = {column: _run(position, column, ((1, 0),)) for column in position.legal}
        hopeful = {
            column: pile
            for column, pile in piles.items()
            if rows - _height(position, column) >= connect - (pile - 1)
        }
        return _first(hopeful, max(hopeful.values())) if hopeful else position.legal[:1]


@register("greedy", one_of("ties", "left", ("left", "centre"), "which of equal columns it plays"))
class GreedyAgent(ScriptedAgent):
    """Wins if it can, blocks if it must, else makes its longest line.

    Of equal columns it plays the leftmost, as the other scripted players do; with `ties=centre` the one
    nearest to the centre, which makes it harder to beat.
    """

    def __init__(self, rules: Rules, seed: int | None = None, *, ties: str = "left") -> None:
        super().__init__(rules, seed)
        self.ties = ties

    def choices(self, position: Position) -> Sequence[int]:
        """Win, block, or the column that makes the longest run."""
        for player in (position.turn, 1 - position.turn):
            if winning := position.winning_columns(player):
                return winning[:1]
        columns = position.legal if self.ties == "left" else centre_first(position)
        lengths = {column: _run(position, column, _DIRECTIONS) for column in columns}
        return _first(lengths, max(lengths.values()))


def _first(lengths: dict[int, int], longest: int) -> list[int]:
    return [column for column, length in lengths.items() if length == longest][:1]


def _height(position: Position, column: int) -> int:
    """How many discs are in a column."""
    geometry = position.geometry
    return (position.occupied >> (column * geometry.height) & geometry.lane).bit_length()


def _run(position: Position, column: int, directions: Sequence[tuple[int, int]]) -> int:
    """How many discs would stand in an unbroken line with one that the side to move drops there."""
    height, own = position.geometry.height, position.mine
    at = column * height + _height(position, column)
    longest = 1
    for up, right in directions:
        stride = right * height + up
        length = 1
        cell = at + stride
        while own >> cell & 1:  # no line leaves the board: above each column is a row without stones
            length += 1
            cell += stride
        cell = at - stride
        while cell >= 0 and own >> cell & 1:
            length += 1
            cell -= stride
        longest = max(longest, length)
    return longest
