"""`fourcast board`: draw a position and say what is going on in it."""

from __future__ import annotations

from typing import Any

from fourcast.cli.options import BoardOption, JsonOption, MovesArgument, TextOption, read_position
from fourcast.cli.screen import wants_colour, write_json
from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS, FIRST, PLAYERS, SECOND, Cell
from fourcast.game.position import Position


def board(
    moves: MovesArgument = "",
    board: BoardOption = None,
    text: TextOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a position with its legal columns, wins and threats.

    A threat is an empty cell, reachable now or later, where a disc completes a line.
    """
    position = read_position(moves, board, text)
    if as_json:
        write_json(describe(position))
        return
    print(position.draw(colour=wants_colour()))
    print()
    print("\n".join(in_words(position)))


def describe(position: Position) -> dict[str, Any]:
    """The position as JSON: columns from 0, cells as [row from the bottom, column], both from 0."""
    outcome = position.outcome
    turn = position.turn
    return position.to_json() | {
        "ply": position.ply,
        "turn": None if outcome else PLAYERS[turn],
        "legal": list(position.legal),
        "wins": list(position.winning_columns(turn)),
        "must_block": list(position.winning_columns(1 - turn)),
        "threats": {
            PLAYERS[player]: [list(cell) for cell in position.cells_of(position.winning_cells(player))]
            for player in (FIRST, SECOND)
        },
        "outcome": outcome
        and {
            "winner": None if outcome.winner is None else PLAYERS[outcome.winner],
            "plies": outcome.plies,
            "line": [list(cell) for cell in outcome.line],
        },
        "key": str(position.key),
    }


def in_words(position: Position) -> list[str]:
    """The same for people: columns by name, rows from 1 at the bottom."""
    outcome = position.outcome
    if outcome:
        return [f"Game over: {outcome}."]
    turn = position.turn
    lines = [
        f"Move {position.ply + 1}: {DISCS[turn]} ({PLAYERS[turn]} player) to play.",
        f"Legal columns: {_columns(position.legal)}",
        f"{DISCS[turn]} wins at once in: {_columns(position.winning_columns(turn))}",
    ]
    if blocks := position.winning_columns(1 - turn):
        lines.append(f"{DISCS[turn]} must block: {_columns(blocks)}")
    for player in (FIRST, SECOND):
        cells = position.cells_of(position.winning_cells(player))
        lines.append(f"Threats of {DISCS[player]}: {', '.join(map(_place, cells)) or 'none'}")
    return lines


def _columns(columns: tuple[int, ...]) -> str:
    return " ".join(map(column_name, columns)) or "none"


def _place(cell: Cell) -> str:
    return f"column {column_name(cell.column)} row {cell.row + 1}"
