"""What a search or a player has to say of a position: the one currency of the whole program."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from fourcast.game.notation import moves_text
from fourcast.game.position import Position
from fourcast.game.tree import TreeNode


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer to "what should the side to move play here, and what is it worth?".

    Scores and values are always seen from the side to move. A score is exact: 0 a draw, n > 0 a win with n
    discs of the winner's own left counting the winning one, n < 0 a loss likewise. A value is an estimate in
    [-1, 1]. Tuples by column have an entry for every column of the board, None where it cannot be played.

    Attributes:
        position: The position that was looked at.
        column: The best column, 0-based.
        score: The exact score of the position; None when it is not known.
        value: The estimated value of the position; None when there is none.
        scores: The exact score of every column, or None.
        values: The estimated value of every column, or None.
        policy: The share of attention or probability that each column got, summing to 1, or None.
        pv: The line of best play that was found, 0-based columns, `column` first.
        nodes: Positions visited.
        cutoffs: Positions left early because a bound was passed.
        table_hits: Answers taken from the transposition table.
        depth: Plies that were looked ahead.
        seconds: Wall-clock time spent.
        exact: Whether the score is proven.
        tree: The recorded search tree, when it was asked for.
        bounds: The least and the most that the score can be, as far as it is proven.
        points: What a heuristic evaluation gives the position, in its own units; None without one.
        leaves: Positions that an evaluation or a playout was asked about.
        simulations: Games played out.
        memory: Bytes that the search needed at its peak, for its tables, trees and recursion.
    """

    position: Position
    column: int
    score: int | None = None
    value: float | None = None
    scores: tuple[int | None, ...] | None = None
    values: tuple[float | None, ...] | None = None
    policy: tuple[float, ...] | None = None
    pv: tuple[int, ...] = ()
    nodes: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    depth: int = 0
    seconds: float = 0.0
    exact: bool = False
    tree: TreeNode | None = field(default=None, repr=False)
    bounds: tuple[int, int] | None = None
    points: float | None = None
    leaves: int = 0
    simulations: int = 0
    memory: int = 0

    @property
    def plies_to_end(self) -> int | None:
        """How many more discs will be dropped under best play, from an exact score; None without one."""
        return None if self.score is None else plies_to_end(self.position, self.score)

    def playing(self, column: int, policy: tuple[float, ...] | None = None) -> Analysis:
        """The same, but another column is played than the best one: what was said of that is taken back.

        What is known of each column stays, and the value is that of the column that is played.

        Args:
            column: What is played.
            policy: How likely each column was; None leaves what there is.
        """
        policy = self.policy if policy is None else policy
        if column == self.column:
            return replace(self, policy=policy)
        value = self.values[column] if self.values else None
        return replace(
            self,
            column=column,
            pv=(column,),
            policy=policy,
            value=value,
            points=None,
            score=None,
            bounds=None,
            exact=False,
        )

    def _repr_svg_(self) -> str:
        from fourcast.game.pictures import analysis_svg

        return analysis_svg(self)

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them, and the position as `board`, `moves` and `text`."""
        record: dict[str, Any] = self.position.to_json()
        for each in fields(self):
            if each.name not in ("position", "tree"):
                value = getattr(self, each.name)
                record[each.name] = list(value) if isinstance(value, tuple) else value
        record["plies_to_end"] = self.plies_to_end
        if self.tree:
            record["tree"] = self.tree.to_json()
        record["line"] = moves_text(self.pv)
        return record


def plies_to_end(position: Position, score: int) -> int:
    """How many more discs an exact score says will be dropped.

    A player who moves at ply p has used p // 2 discs before; a win with n discs left means the winner's
    last one is the (own discs - n + 1)th, where the first player owns one more on a board of odd cells.
    """
    cells, ply = position.geometry.cells, position.ply
    if score == 0:
        return cells - ply
    winner = position.turn if score > 0 else 1 - position.turn
    own = (cells + 1 - winner) // 2
    last = own - abs(score)  # the winner's discs before the winning one
    return 2 * last + winner + 1 - ply


def score_at_end(position: Position, plies: int, *, won: bool) -> int:
    """The exact score of a game that will be won by the side to move, or lost, after so many more plies."""
    winner = position.turn if won else 1 - position.turn
    own = (position.geometry.cells + 1 - winner) // 2
    score = own - (position.ply + plies - 1 - winner) // 2
    return score if won else -score
