"""The slow, obvious twin of the features of a position: each group as a dictionary, by the features' names.

It works on the grids of `tests.naive` and shares nothing with src, so that a number under the wrong name is
found as well as a wrong number. Sides are those of the side to move: own and other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.naive import Board, Cell, Grid, disc, turn, windows, winning_cells

Numbers = dict[str, int]


def sides(grid: Grid) -> list[tuple[str, int]]:
    """What the side to move and the other are called, and which player each is."""
    return [("own", turn(grid)), ("other", 1 - turn(grid))]


def letter(board: Board, column: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[column] if board.columns <= 26 else f"c{column + 1}_"


def cell_name(board: Board, cell: Cell) -> str:
    row, column = cell
    return f"{letter(board, column)}{row + 1}"


def all_cells(board: Board) -> list[Cell]:
    return [(row, column) for column in range(board.columns) for row in range(board.rows)]


def way(window: list[Cell]) -> str:
    """In which direction a window runs, from its first cell to the next."""
    step = (window[1][0] - window[0][0], window[1][1] - window[0][1])
    return {(1, 0): "up", (-1, 1): "falling", (0, 1): "across", (1, 1): "rising"}[step]


def cells(board: Board, grid: Grid) -> Numbers:
    worth = {turn(grid): 1, 1 - turn(grid): -1, None: 0}
    return {cell_name(board, cell): worth[disc(grid, cell)] for cell in all_cells(board)}


def window_totals(board: Board, grid: Grid) -> Numbers:
    """Windows that only one side is in, by direction and discs; lines do not count, their game is over."""
    found = {
        f"{direction}_{side}_{number}": 0
        for direction in ("up", "falling", "across", "rising")
        for side in ("own", "other")
        for number in range(1, board.connect)
    }
    for window in windows(board):
        discs = [disc(grid, cell) for cell in window]
        for side, player in sides(grid):
            name = f"{way(window)}_{side}_{discs.count(player)}"
            if 1 - player not in discs and name in found:
                found[name] += 1
    return found


def patterns(board: Board, grid: Grid) -> Numbers:
    found = {}
    for window in windows(board):
        discs = [disc(grid, cell) for cell in window]
        own, other = (discs.count(player) for _, player in sides(grid))
        name = f"window_{way(window)}_{cell_name(board, window[0])}"
        found[name] = board.connect if own > 0 and other > 0 else own if own > 0 else -other
    return found


def potential_of(board: Board, grid: Grid, cell: Cell, player: int) -> int:
    """1, 4, 16, 64, 256, 256, ... for 0, 1, 2, ... discs in each window that the other player is not in."""
    if disc(grid, cell) is not None:
        return 0
    total = 0
    for window in windows(board):
        discs = [disc(grid, each) for each in window]
        if cell in window and 1 - player not in discs:
            total += 4 ** min(discs.count(player), 4)
    return total


def potential(board: Board, grid: Grid) -> Numbers:
    return {
        f"potential_{side}_{cell_name(board, cell)}": potential_of(board, grid, cell, player)
        for side, player in sides(grid)
        for cell in all_cells(board)
    }


def moves(board: Board, grid: Grid) -> Numbers:
    found = {}
    for column in range(board.columns):
        for place, row in (("here", len(grid[column])), ("above", len(grid[column]) + 1)):
            for side, player in sides(grid):
                worth = potential_of(board, grid, (row, column), player) if row < board.rows else -1
                found[f"move_{letter(board, column)}_{place}_{side}"] = worth
    return found


def due_to(board: Board, cell: Cell) -> int:
    """The player whose turn it is when all other columns are full, and this one up to the cell."""
    discs = board.rows * (board.columns - 1) + cell[0]
    return discs % 2


def threats(board: Board, grid: Grid) -> Numbers:
    found: Numbers = {}
    for side, player in sides(grid):
        every = winning_cells(board, grid, player)
        far = {(row, column) for row, column in every if row > len(grid[column])}
        timely = {cell for cell in far if due_to(board, cell) == player}
        found |= {
            f"threats_{side}_reach": len(every - far),
            f"threats_{side}_odd": len([row for row, _ in far if (row + 1) % 2 == 1]),
            f"threats_{side}_even": len([row for row, _ in far if (row + 1) % 2 == 0]),
            f"threats_{side}_timely": len({column for _, column in timely}),
            f"threats_{side}_untimely": len(far - timely),
            f"threats_{side}_double": len([1 for row, column in every if (row + 1, column) in every]),
            f"threats_{side}_lowest": min((row + 1 for row, _ in timely), default=0),
        }
    return found


def ladders(board: Board, grid: Grid) -> Numbers:
    found = {}
    for column in range(board.columns):
        for side, player in sides(grid):
            rows = [row for row, where in winning_cells(board, grid, player) if where == column]
            name = f"ladder_{letter(board, column)}_{side}"
            found[f"{name}_row"] = min(rows) + 1 if rows else 0
            found[f"{name}_above"] = min(rows) + 1 - len(grid[column]) if rows else 0
    return found


def columns(board: Board, grid: Grid) -> Numbers:
    heights = {letter(board, column): len(grid[column]) for column in range(board.columns)}
    odd = {f"odd_{column}": height % 2 for column, height in heights.items()}
    return {
        **{f"height_{column}": height for column, height in heights.items()},
        **odd,
        "odd_columns": sum(odd.values()),
    }


def parity(board: Board, grid: Grid) -> Numbers:
    """Windows that become a player's own line if every empty cell goes to the player whom it is due to."""
    found = {
        f"due_{direction}_{side}_{number}": 0
        for direction in ("falling", "across", "rising")
        for side in ("own", "other")
        for number in range(board.connect)
    }
    for window in windows(board):
        discs = [disc(grid, cell) for cell in window]
        at_the_end = {
            due_to(board, cell) if disc(grid, cell) is None else disc(grid, cell) for cell in window
        }
        for side, player in sides(grid):
            name = f"due_{way(window)}_{side}_{discs.count(player)}"
            if at_the_end == {player} and name in found:
                found[name] += 1
    return found


def control(board: Board, grid: Grid) -> Numbers:
    lead = {cell: cells(board, grid)[cell_name(board, cell)] for cell in all_cells(board)}
    columns_left_out, rows_left_out = board.columns // 4, board.rows // 4
    found = {
        f"lead_{letter(board, column)}": sum(lead[row, column] for row in range(board.rows))
        for column in range(board.columns)
    }
    for row in range(board.rows):
        found[f"lead_row_{row + 1}"] = sum(lead[row, column] for column in range(board.columns))
    middle_columns = list(range(board.columns))[columns_left_out : board.columns - columns_left_out]
    middle_rows = list(range(board.rows))[rows_left_out : board.rows - rows_left_out]
    found["lead_middle"] = sum(lead[row, column] for row in middle_rows for column in middle_columns)
    for side, player in sides(grid):
        for direction, pairs in pairs_by_direction(board):
            found[f"pairs_{direction}_{side}"] = len(
                [1 for first, second in pairs if disc(grid, first) == disc(grid, second) == player]
            )
    return found


def pairs_by_direction(board: Board) -> Iterator[tuple[str, list[tuple[Cell, Cell]]]]:
    """Cells next to each other: windows of two."""
    every = windows(board._replace(connect=2))
    for direction in ("up", "falling", "across", "rising"):
        yield direction, [(pair[0], pair[1]) for pair in every if way(pair) == direction]


def clock(board: Board, grid: Grid) -> Numbers:
    return {
        "discs": sum(len(column) for column in grid),
        "turn": turn(grid),
        "open_columns": len([column for column in grid if len(column) < board.rows]),
    }


GROUPS: dict[str, Callable[[Board, Grid], Numbers]] = {
    "cells": cells,
    "windows": window_totals,
    "patterns": patterns,
    "potential": potential,
    "moves": moves,
    "threats": threats,
    "ladders": ladders,
    "columns": columns,
    "parity": parity,
    "control": control,
    "clock": clock,
}
