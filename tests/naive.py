"""The slow, obvious twin of the game and of every kernel: lists of lists, no bits, nothing shared with src.

A grid is a list of columns; a column is the list of its discs from the bottom, 0 for the player who moved
first and 1 for the other. A board is (rows, columns, connect).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

Grid = tuple[tuple[int, ...], ...]
Cell = tuple[int, int]  # row from the bottom, column


class Board(NamedTuple):
    rows: int
    columns: int
    connect: int


def empty(board: Board) -> Grid:
    return ((),) * board.columns


def grid_after(board: Board, columns: list[int]) -> Grid:
    grid = empty(board)
    for column in columns:
        assert column in legal(board, grid)
        grid = drop(grid, column)
    return grid


def turn(grid: Grid) -> int:
    return sum(map(len, grid)) % 2


def drop(grid: Grid, column: int) -> Grid:
    return (*grid[:column], (*grid[column], turn(grid)), *grid[column + 1 :])


def disc(grid: Grid, cell: Cell) -> int | None:
    row, column = cell
    return grid[column][row] if row < len(grid[column]) else None


@cache
def windows(board: Board) -> list[list[Cell]]:
    """Every `connect` cells in line."""
    found = []
    for row in range(board.rows):
        for column in range(board.columns):
            for up, right in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                cells = [(row + up * step, column + right * step) for step in range(board.connect)]
                if all(0 <= r < board.rows and 0 <= c < board.columns for r, c in cells):
                    found.append(cells)
    return found


def has_line(board: Board, grid: Grid, player: int) -> bool:
    return any(all(disc(grid, cell) == player for cell in window) for window in windows(board))


def line_cells(board: Board, grid: Grid, player: int) -> set[Cell]:
    lines = [window for window in windows(board) if all(disc(grid, cell) == player for cell in window)]
    return {cell for line in lines for cell in line}


def is_full(board: Board, grid: Grid) -> bool:
    return all(len(column) == board.rows for column in grid)


def is_over(board: Board, grid: Grid) -> bool:
    return is_full(board, grid) or has_line(board, grid, 0) or has_line(board, grid, 1)


def legal(board: Board, grid: Grid) -> list[int]:
    if is_over(board, grid):
        return []
    return [column for column in range(board.columns) if len(grid[column]) < board.rows]


def winning_cells(board: Board, grid: Grid, player: int) -> set[Cell]:
    """Empty cells whose window is otherwise all the player's."""
    found = set()
    for window in windows(board):
        discs = [disc(grid, cell) for cell in window]
        if discs.count(player) == board.connect - 1 and discs.count(None) == 1:
            found.add(window[discs.index(None)])
    return found


def window_counts(board: Board, grid: Grid, player: int) -> list[int]:
    counts = [0] * (board.connect + 1)
    for window in windows(board):
        discs = [disc(grid, cell) for cell in window]
        if 1 - player not in discs:
            counts[discs.count(player)] += 1
    return counts


def mirror(grid: Grid) -> Grid:
    return grid[::-1]


# --- counting ---


def perft(board: Board, grid: Grid, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(board, drop(grid, column), depth - 1) for column in legal(board, grid))


def distinct(board: Board, grid: Grid, depth: int) -> list[int]:
    level = {grid}
    counts = [1]
    for _ in range(depth):
        level = {drop(each, column) for each in level for column in legal(board, each)}
        counts.append(len(level))
    return counts


# --- chance ---

_64 = 2**64


def split_mix(state: int) -> tuple[int, int]:
    state = (state + 0x9E3779B97F4A7C15) % _64
    mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % _64
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % _64
    return state, mixed ^ (mixed >> 31)


class Columns:
    """The columns that a stream yields: as many from each 64-bit number as leave 32 bits of it."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.each = 0
        while columns ** (self.each + 1) <= 2**32 and self.each < 32:
            self.each += 1
        self.fraction, self.left = 0, 0

    def draw(self, state: int) -> tuple[int, int]:
        """The stream's next state and a column."""
        if self.left == 0:
            state, self.fraction = split_mix(state)
            self.left = self.each
        self.left -= 1
        column, self.fraction = divmod(self.fraction * self.columns, _64)
        return state, column


def playouts(
    board: Board, grid: Grid, index: int, count: int, seed: int, slip: float, cap: int | None, aim: int
) -> list[int]:
    """Wins, draws and losses of the side to move, unfinished games, and plies, game by game."""
    tally = [0] * 5
    state = split_mix(seed ^ split_mix(index)[1])[1]
    stream = Columns(board.columns)
    for _ in range(count):
        now = grid
        plies = 0
        while not is_over(board, now) and (cap is None or plies < cap):
            if plies == 0 and aim >= 0:
                column = aim
                if slip > 0:
                    state, number = split_mix(state)
                    others = [other for other in legal(board, now) if other != aim]
                    if (number >> 11) / 2**53 < slip and others:
                        elsewhere = Columns(board.columns)
                        while column not in others:
                            state, column = elsewhere.draw(state)
            else:
                state, column = stream.draw(state)
                while column not in legal(board, now):
                    state, column = stream.draw(state)
            now = drop(now, column)
            plies += 1
        mover = turn(grid)
        if has_line(board, now, mover):
            tally[0] += 1
        elif has_line(board, now, 1 - mover):
            tally[2] += 1
        elif is_full(board, now):
            tally[1] += 1
        else:
            tally[3] += 1
        tally[4] += plies
    return tally


def random_play(board: Board, grid: Grid, slip: float, aim: int = -1) -> tuple[float, float, float]:
    """The exact chances that the side to move wins, draws and loses.

    Both players aim at any open column, each equally likely, and each disc may slip; the first is aimed at
    `aim` if that is not -1.
    """
    mover = turn(grid)
    if is_over(board, grid):
        won = [has_line(board, grid, player) for player in (mover, 1 - mover)]
        return (1.0, 0.0, 0.0) if won[0] else (0.0, 0.0, 1.0) if won[1] else (0.0, 1.0, 0.0)
    chances = [0.0, 0.0, 0.0]
    aims = [aim] if aim >= 0 else legal(board, grid)
    for aimed in aims:
        for landed, chance in landings(board, grid, aimed, slip):
            loss, draw, win = random_play(board, drop(grid, landed), slip)
            for index, part in enumerate((win, draw, loss)):
                chances[index] += part * chance / len(aims)
    return chances[0], chances[1], chances[2]


def sharp_aims(board: Board, grid: Grid) -> list[int]:
    """Where one aims who sees two discs ahead: each of these columns is as likely as another."""
    mover = turn(grid)
    for player in (mover, 1 - mover):
        sure = [
            column
            for column, discs in enumerate(grid)
            if (len(discs), column) in winning_cells(board, grid, player)
        ]
        if sure:
            return sure[:1]
    threats, wins = winning_cells(board, grid, 1 - mover), winning_cells(board, grid, mover)
    safe = [column for column in legal(board, grid) if (len(grid[column]) + 1, column) not in threats]
    patient = [column for column in safe if (len(grid[column]) + 1, column) not in wins]
    return patient or safe or legal(board, grid)


@cache
def sharp_play(board: Board, grid: Grid, slip: float) -> tuple[float, float, float, float]:
    """The exact chances that the side to move wins, draws and loses, and how many discs are to come.

    Both players aim by `sharp_aims`, and each disc may slip.
    """
    if has_line(board, grid, 1 - turn(grid)):
        return 0.0, 0.0, 1.0, 0.0
    if is_full(board, grid):
        return 0.0, 1.0, 0.0, 0.0
    sums = [0.0, 0.0, 0.0, 1.0]
    aims = sharp_aims(board, grid)
    for aimed in aims:
        for landed, chance in landings(board, grid, aimed, slip):
            loss, draw, win, discs = sharp_play(board, drop(grid, landed), slip)
            for index, part in enumerate((win, draw, loss, discs)):
                sums[index] += part * chance / len(aims)
    return sums[0], sums[1], sums[2], sums[3]


def sharp_game(board: Board, grid: Grid, slip: float, chance: Random) -> tuple[int, int]:
    """One such game: 1, 0 or -1 for the side to move, and its discs."""
    mover, discs = turn(grid), 0
    while not is_over(board, grid):
        column = chance.choice(sharp_aims(board, grid))
        others = [other for other in legal(board, grid) if other != column]
        if others and chance.random() < slip:
            column = chance.choice(others)
        grid = drop(grid, column)
        discs += 1
    return int(has_line(board, grid, mover)) - int(has_line(board, grid, 1 - mover)), discs


def landings(board: Board, grid: Grid, aimed: int, slip: float) -> Iterator[tuple[int, float]]:
    others = [column for column in legal(board, grid) if column != aimed]
    yield aimed, 1 - slip if others else 1.0
    for column in others:
        yield column, slip / len(others)


def aims_with_slip(board: Board, grid: Grid, slip: float) -> dict[int, float]:
    """What aiming at each open column is worth to the side to move, if both play as well as can be."""
    return {
        aimed: sum(
            chance * -worth_with_slip(board, drop(grid, landed), slip)
            for landed, chance in landings(board, grid, aimed, slip)
        )
        for aimed in legal(board, grid)
    }


@cache
def worth_with_slip(board: Board, grid: Grid, slip: float) -> float:
    if has_line(board, grid, 1 - turn(grid)):
        return -1.0
    return 0.0 if is_full(board, grid) else max(aims_with_slip(board, grid, slip).values())


@cache
def score(board: Board, grid: Grid) -> int:
    """The definition, move by move: the winner's discs left, counting the winning one."""
    cells = board.rows * board.columns
    ply = sum(map(len, grid))
    mover = turn(grid)
    if has_line(board, grid, 1 - mover):
        own = (cells + 1) // 2 if mover == 1 else cells // 2
        return -(own - (ply - 1) // 2)
    if is_full(board, grid):
        return 0
    return max(-score(board, drop(grid, column)) for column in legal(board, grid))


def opening_grids(board: Board, plies: int) -> list[set[Grid]]:
    """The positions after 0, 1, ... moves, both of each mirror pair."""
    levels = [{empty(board)}]
    for _ in range(plies):
        before = levels[-1]
        levels.append({drop(grid, column) for grid in before for column in legal(board, grid)})
    return levels


# --- searching ---


class Weights(NamedTuple):
    """What counts in a position: windows by how many discs they hold, and what `evaluation` says besides."""

    windows: Sequence[int]
    centre: int = 0
    timely: int = 0
    untimely: int = 0
    double: int = 0
    tempo: int = 0
    danger: int = 0
    fork: int = 0


def evaluation(board: Board, grid: Grid, weights: Weights) -> int:
    """What a position is worth to the side to move, who also gets `tempo` for having the move.

    Where the other side could win at once, that is a `danger`, and another `fork` for each further column.
    """
    mover = turn(grid)
    total = weights.tempo
    for player, sign in ((mover, 1), (1 - mover, -1)):
        counts = window_counts(board, grid, player)
        total += sign * sum(weights.windows[n] * counts[n] for n in range(1, board.connect + 1))
        middle = {(board.columns - 1) // 2, board.columns // 2}
        total += sign * weights.centre * sum(grid[column].count(player) for column in middle)
        total += sign * threats_worth(board, grid, player, weights)
    wins = [cell for cell in winning_cells(board, grid, 1 - mover) if cell[0] == len(grid[cell[1]])]
    if wins:
        total += weights.danger + weights.fork * (len(wins) - 1)
    return total


def threats_of(board: Board, grid: Grid, player: int) -> set[Cell]:
    """Winning cells that no disc can be dropped into yet."""
    return {(row, column) for row, column in winning_cells(board, grid, player) if row > len(grid[column])}


def is_timely(board: Board, cell: Cell, player: int) -> bool:
    """Whether the other side has to play the cell below, once everything else is full."""
    discs = board.rows * (board.columns - 1) + cell[0] - 1
    return discs % 2 != player


def threats_worth(board: Board, grid: Grid, player: int, weights: Weights) -> int:
    """Threats above a timely one of either side count for nothing, except that two may still be a double."""
    timely = {
        cell for side in (0, 1) for cell in threats_of(board, grid, side) if is_timely(board, cell, side)
    }
    total = 0
    own = threats_of(board, grid, player)
    for row, column in own:
        if (row + 1, column) in own:
            total += weights.double
        if not any((below, column) in timely for below in range(row)):
            total += weights.timely if is_timely(board, (row, column), player) else weights.untimely
    return total


WIN = 1_000_000_000


def minimax(
    board: Board,
    grid: Grid,
    depth: int,
    order: Sequence[int],
    worth: Callable[[Board, Grid], int],
    plies: int = 0,
) -> tuple[int, int | None]:
    """What a position is worth, looking so many plies ahead, and the first column in order that is worth it.

    A game that is won `n` plies from where the search began is worth WIN - n to the winner.
    """
    if has_line(board, grid, 1 - turn(grid)):
        return plies - WIN, None
    if is_full(board, grid):
        return 0, None
    if depth == 0:
        return worth(board, grid), None
    best, best_column = -2 * WIN, None
    for column in order:
        if len(grid[column]) < board.rows:
            value = -minimax(board, drop(grid, column), depth - 1, order, worth, plies + 1)[0]
            if value > best:
                best, best_column = value, column
    return best, best_column


@cache
def expectation(board: Board, grid: Grid, slip: float) -> float:
    """What the side to move can expect with best play to the end: a win counts 1, a loss -1."""
    if has_line(board, grid, 1 - turn(grid)):
        return -1.0
    if is_full(board, grid):
        return 0.0
    return max(aim_worth(board, grid, column, slip) for column in legal(board, grid))


def aim_worth(board: Board, grid: Grid, column: int, slip: float) -> float:
    """What it is worth to aim at a column."""
    return sum(
        chance * -expectation(board, drop(grid, landed), slip)
        for landed, chance in landings(board, grid, column, slip)
    )


def planes(board: Board, grid: Grid) -> dict[str, list[list[int]]]:
    """What a network sees, plane by plane: rows from the bottom, each a number for every column."""
    player = turn(grid)
    sets: dict[str, Callable[[Cell], bool]] = {
        "own": lambda cell: disc(grid, cell) == player,
        "other": lambda cell: disc(grid, cell) == 1 - player,
        "own_wins": lambda cell: cell in winning_cells(board, grid, player),
        "other_wins": lambda cell: cell in winning_cells(board, grid, 1 - player),
        "playable": lambda cell: len(grid[cell[1]]) == cell[0],
        "turn": lambda _: player == 0,
        "odd": lambda cell: (cell[0] + 1) % 2 == 1,
        "inside": lambda _: True,
    }
    return {
        name: [[int(belongs((row, column))) for column in range(board.columns)] for row in range(board.rows)]
        for name, belongs in sets.items()
    }
