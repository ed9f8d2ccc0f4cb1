"""Players that follow a plain rule, without search."""

from __future__ import annotations

from collections.abc import Sequence

from fourcast.agents.chance import chance_for
from fourcast.agents.guard import guarded_columns
from fourcast.agents.options import one_of, whole
from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.errors import GameOver
from fourcast.game.guess import centre_first
from fourcast.game.limit import Limit
from fourcast.game.outcome import Cell
from fourcast.game.position import Position
from fourcast.game.rules import Rules

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # rows up, columns right


class _Scripted:
    """A player that needs no time."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.rules = rules
        self.seed = seed

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # it needs no time
        """The column that the rule gives."""
        if position.is_over:
            raise GameOver(f"the game is over, {position.outcome}")
        column = self.choose(position)
        return Analysis(position, column, pv=(column,))

    def choose(self, position: Position) -> int:
        """The column to play."""
        raise NotImplementedError

    def _any_of(self, position: Position, columns: Sequence[int]) -> Analysis:
        """One of these columns, each equally likely."""
        share = 1 / len(columns)
        policy = tuple(share if column in columns else 0.0 for column in range(position.geometry.columns))
        column = chance_for(self.seed, position).choice(columns)
        return Analysis(position, column, policy=policy, pv=(column,))


@register("random")
class RandomAgent(_Scripted):
    """Plays any open column, each equally likely."""

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # it needs no time
        """Choose a column; the policy says how likely each was."""
        if position.is_over:
            raise GameOver(f"the game is over, {position.outcome}")
        return self._any_of(position, position.legal)


@register("lookahead", whole("plies", 2, "how far it looks", most=2), guard=False)
class LookaheadAgent(_Scripted):
    """Wins in one, blocks a win in one, and else plays any column that gives none."""

    def __init__(self, rules: Rules, seed: int | None = None, *, plies: int = 2) -> None:
        super().__init__(rules, seed)
        self.plies = plies

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # it needs no time
        """Choose a column; the policy says how likely each was."""
        if position.is_over:
            raise GameOver(f"the game is over, {position.outcome}")
        return self._any_of(position, guarded_columns(position, self.plies))


@register("horizontal")
class HorizontalAgent(_Scripted):
    """Extends its longest run in a row; else plays the leftmost open column."""

    def choose(self, position: Position) -> int:
        """The column where a disc makes the longest row of its own, if it joins any."""
        lengths = {column: _run(position, column, ((0, 1),)) for column in position.legal}
        longest = max(lengths.values())
        return position.legal[0] if longest == 1 else _first(lengths, longest)


@register("vertical")
class VerticalAgent(_Scripted):
    """Stacks one column while it can still win there; else moves on to the next."""

    def choose(self, position: Position) -> int:
        """The column with its highest pile on top that has room to be completed, the leftmost of equals."""
        rows, connect = position.geometry.rows, position.geometry.connect
        piles = {column: _run(position, column, ((1, 0),)) for column in position.legal}
        hopeful = {
            column: pile
            for column, pile in piles.items()
            if rows - _height(position, column) >= connect - (pile - 1)
        }
        return _first(hopeful, max(hopeful.values())) if hopeful else position.legal[0]


@register("greedy", one_of("ties", "left", ("left", "centre"), "which of equal columns it plays"))
class GreedyAgent(_Scripted):
    """Wins if it can, blocks if it must, else makes its longest line.

    Of equal columns it plays the leftmost, as the other scripted players do; with `ties=centre` the one
    nearest to the centre, which makes it harder to beat.
    """

    def __init__(self, rules: Rules, seed: int | None = None, *, ties: str = "left") -> None:
        super().__init__(rules, seed)
        self.ties = ties

    def choose(self, position: Position) -> int:
        """Win, block, or the column that makes the longest run."""
        for player in (position.turn, 1 - position.turn):
            if winning := position.winning_columns(player):
                return winning[0]
        columns = position.legal if self.ties == "left" else centre_first(position)
        lengths = {column: _run(position, column, _DIRECTIONS) for column in columns}
        return _first(lengths, max(lengths.values()))


def _first(lengths: dict[int, int], longest: int) -> int:
    return next(column for column, length in lengths.items() if length == longest)


def _height(position: Position, column: int) -> int:
    """How many discs are in a column."""
    geometry = position.geometry
    return (position.occupied >> (column * geometry.height) & geometry.lane).bit_count()


def _run(position: Position, column: int, directions: Sequence[tuple[int, int]]) -> int:
    """How many discs would stand in an unbroken line with one that the side to move drops there."""
    own = {(cell.row, cell.column) for cell in position.cells_of(position.mine)}
    at = Cell(_height(position, column), column)
    longest = 1
    for up, right in directions:
        length = 1
        for way in (1, -1):
            step = 1
            while (at.row + way * step * up, at.column + way * step * right) in own:
                length += 1
                step += 1
        longest = max(longest, length)
    return longest
