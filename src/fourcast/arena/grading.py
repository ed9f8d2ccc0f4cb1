"""How well agents have played, graded by the solver: what each move was worth beside the best one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from fourcast.game.analysis import score_at_end
from fourcast.game.geometry import STANDARD
from fourcast.game.position import Position
from fourcast.game.record import GameRecord
from fourcast.game.rules import Rules

_AT_ONCE = 64  # positions that are solved in one crossing
Advance = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Quality:
    """The moves of one agent.

    Attributes:
        moves: How many were graded.
        good: How many kept the game's value: won, drawn or lost.
        perfect: How many kept the exact score.
        loss: By how much they fell short of the best score, in all.
    """

    moves: int = 0
    good: int = 0
    perfect: int = 0
    loss: int = 0

    def __add__(self, other: Quality) -> Quality:
        return Quality(
            self.moves + other.moves,
            self.good + other.good,
            self.perfect + other.perfect,
            self.loss + other.loss,
        )

    def to_json(self) -> dict[str, Any]:
        """Shares of the moves, and the mean loss; null where there are none."""
        moves = self.moves or None
        return {
            "moves": self.moves,
            "good": moves and self.good / moves,
            "perfect": moves and self.perfect / moves,
            "mean_loss": moves and self.loss / moves,
        }


def can_grade(rules: Rules) -> bool:
    """Whether games by these rules are graded: those of the standard board, without slip."""
    return rules.geometry == STANDARD and not rules.slip


def grade_games(
    games: Sequence[GameRecord], advance: Advance = lambda _done, _total: None
) -> list[tuple[Quality, Quality]]:
    """The quality of both players' moves in each game, the first player's first.

    Moves that were drawn by lot count for nobody.

    Args:
        games: Games on the standard board without slip.
        advance: Told how many positions are solved, and how many there are.
    """
    walks = [list(game.positions()) for game in games]
    scores = _solved((position for walk in walks for position in walk), advance)
    return [_grade(game, walk, scores) for game, walk in zip(games, walks, strict=True)]


def _solved(positions: Iterable[Position], advance: Advance) -> dict[Position, int]:
    """The exact scores of those whose game goes on."""
    from fourcast.solver import Solver

    wanted = list({position: None for position in positions if not position.is_over})
    wanted.sort(key=lambda position: -position.ply)  # what is proven late helps early
    solver = Solver(STANDARD)
    scores: dict[Position, int] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        advance(start, len(wanted))
        some = wanted[start : start + _AT_ONCE]
        scores.update(zip(some, solver.solve_many(some).scores.tolist(), strict=True))
    return scores


def _grade(
    game: GameRecord, walk: Sequence[Position], scores: dict[Position, int]
) -> tuple[Quality, Quality]:
    found = [Quality(), Quality()]
    for index, (before, after) in enumerate(pairwise(walk)):
        if index in game.lapses:
            continue
        best = scores[before]
        if not after.is_over:
            got = -scores[after]
        else:
            won = after.outcome is not None and after.outcome.winner is not None
            got = score_at_end(before, 1, won=True) if won else 0
        good = (got > 0) == (best > 0) and (got < 0) == (best < 0)
        found[before.turn] += Quality(1, good, got == best, best - got)
    return found[0], found[1]
