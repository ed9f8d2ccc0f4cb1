"""The slow, obvious twin of the search that goes down ply by ply: plain recursion, no code of src."""

from __future__ import annotations

from collections.abc import Callable

from tests import naive
from tests.naive import Board, Grid

OPEN, WINS, FULL, LOSES = "open", "wins", "full", "loses"
SURE = 1000.0  # a win n plies away is worth SURE - n


def wins_of(board: Board, grid: Grid, player: int) -> list[int]:
    """The columns where a disc of the player makes a line."""
    cells = naive.winning_cells(board, grid, player)
    return sorted(column for row, column in cells if row == len(grid[column]))


def fate(board: Board, grid: Grid) -> str:
    """What is seen at a glance of a game that goes on, or whose board is full."""
    if naive.is_full(board, grid):
        return FULL
    if wins_of(board, grid, naive.turn(grid)):
        return WINS
    other = 1 - naive.turn(grid)
    threats = wins_of(board, grid, other)
    stopped = [naive.drop(grid, column) for column in threats]
    return LOSES if threats and all(wins_of(board, each, other) for each in stopped) else OPEN


def sensible(board: Board, grid: Grid) -> list[int]:
    """The columns that stop the other side from winning at once; all open ones if it cannot."""
    return wins_of(board, grid, 1 - naive.turn(grid)) or naive.legal(board, grid)


def children(board: Board, grid: Grid) -> dict[int, Grid]:
    """What each sensible column leads to; nothing where somebody wins at once or the board is full."""
    if fate(board, grid) != OPEN:
        return {}
    return {column: naive.drop(grid, column) for column in sensible(board, grid)}


def negamax(
    board: Board, grid: Grid, depth: int, worth: Callable[[Grid], float], away: int = 0
) -> tuple[float, int | None]:
    """What a position is worth to its side to move, and the column to play: plain recursion, all columns.

    Wins in one are seen at a glance, also where the search ends. Of equal columns, one that stops the other
    side comes first, and else the one nearest to the centre.
    """
    known = fate(board, grid)
    if known == FULL:
        return 0.0, None
    if known == WINS:
        columns = wins_of(board, grid, naive.turn(grid))
        return SURE - away - 1, min(columns, key=lambda column: (off_centre(board, column), column))
    if depth == 0:
        return (away + 2 - SURE if known == LOSES else worth(grid)), None
    first = sensible(board, grid)
    order = sorted(
        naive.legal(board, grid),
        key=lambda column: (column not in first, off_centre(board, column), column),
    )
    values = {
        column: -negamax(board, naive.drop(grid, column), depth - 1, worth, away + 1)[0] for column in order
    }
    best = max(order, key=lambda column: values[column])
    return values[best], best


def off_centre(board: Board, column: int) -> int:
    return abs(2 * column - (board.columns - 1))
