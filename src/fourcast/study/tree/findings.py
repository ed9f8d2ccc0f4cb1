"""What the trees show, drawn and counted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fourcast.game.notation import column_name
from fourcast.game.tree import PRUNED
from fourcast.study.findings import Cell, Column, Findings, Plot, Section, Table
from fourcast.study.study import Found, Settings
from fourcast.study.tree.drawing import draw_game, draw_trees
from fourcast.study.tree.measuring import DEPTH, PLAYERS, SEARCHES, positions_of

_ACROSS = 7


def findings_of(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """The trees side by side, counted by ply; and the game."""
    names = positions_of(settings)
    plots = [
        Plot(
            f"tree_{name}",
            f"The trees of minimax and alpha-beta, {name} position (moves {moves})",
            partial(_trees, found[f"tree {name}"]),
            "The same node stands at the same height in both. Boxes with corners: the side that moves at the "
            "root chooses (max); round ones: the other side (min). A box has the column and what it is worth "
            "to the root's side; bold is the line of best play. Dots are positions that were evaluated, and "
            "beside them what they are worth, in the order of the dots; X or O: that side has won. A cross "
            "on a dashed line, and a \u00d7 among the numbers, is a branch that alpha-beta left out.",
            height=13.0,
        )
        for name, moves in names.items()
    ]
    return Findings(
        [
            Section(
                f"The trees at depth {DEPTH}",
                [
                    "Both searches go through the columns from the centre out. Alpha-beta leaves a position "
                    "as soon as it is worse for the side that would have to choose it than what that side "
                    "has already; the move at the root and its worth are the same.",
                ],
                [_counts(names, found), *plots],
            ),
            _game_section(found["game"]),
        ]
    )


def _trees(found: Found, figure: object) -> None:
    draw_trees({name: found[name]["tree"] for name in SEARCHES}, figure)


def _counts(names: Mapping[str, str], found: Mapping[str, Found]) -> Table:
    rows: list[list[Cell]] = []
    for name in names:
        for search in SEARCHES:
            each = found[f"tree {name}"][search]
            plies = [
                sum(node["kind"] != PRUNED and len(node["path"]) == ply for node in each["tree"])
                for ply in range(DEPTH + 1)
            ]
            pruned = sum(node["kind"] == PRUNED for node in each["tree"])
            best = column_name(each["column"])
            counts = [each["nodes"], *plies, each["leaves"], pruned, each["cutoffs"]]
            rows.append([name, search, best, each["tree"][0]["worth"], *counts])
    columns = (
        Column("position", "position"),
        Column("search", "search"),
        Column("best", "best column"),
        Column("worth", "worth"),
        Column("nodes", "nodes", "count"),
        *(Column(f"ply_{ply}", f"ply {ply}", "count") for ply in range(DEPTH + 1)),
        Column("leaves", "evaluated", "count"),
        Column("pruned", "branches pruned", "count"),
        Column("cutoffs", "cutoffs", "count"),
    )
    expected = [(name, search) for name in names for search in SEARCHES]
    return Table("trees", "Nodes of the trees, by ply", columns, rows, expected)


def _game_section(game: Found) -> Section:
    moves = game["moves"]
    rows: list[list[Cell]] = [
        [
            number,
            each["side"],
            PLAYERS[(number - 1) % 2],
            column_name(each["column"]),
            _said(each),
            each["nodes"] or None,
            each["minimax"],
            each["alphabeta"],
            1 - each["alphabeta"] / each["minimax"],
            each["same"],
        ]
        for number, each in enumerate(moves, 1)
    ]
    columns = (
        Column("disc", "disc", "count"),
        Column("side", "side"),
        Column("player", "player"),
        Column("column", "column"),
        Column("worth", "worth to it", optional=True),
        Column("nodes", "its nodes", "count", optional=True),
        Column("minimax_nodes", f"minimax nodes, depth {DEPTH}", "count"),
        Column("alphabeta_nodes", "alpha-beta nodes", "count"),
        Column("pruned", "fewer", "share"),
        Column("same_move", "same move", "yes"),
    )
    down = -(-len(moves) // _ACROSS)
    return Section(
        "A game, move by move",
        [
            f"`{PLAYERS[0]}` (X) against `{PLAYERS[1]}` (O): {game['outcome']}. Before every disc, minimax "
            f"and alpha-beta were asked to depth {DEPTH} as well, whoever was to move.",
        ],
        [
            Plot(
                "game",
                "The game, a board for every disc",
                lambda figure: draw_game(game["played"], figure, _ACROSS),
                "X is filled, O is a ring; the star is the disc that was dropped last, the thick line the "
                "win.",
                height=1.35 * down + 0.2,
            ),
            Table("game", "The game, disc by disc", columns, rows, [*range(1, len(game["played"]) + 1)]),
        ],
    )


def _said(move: Mapping[str, float | None]) -> str | None:
    """What the side to move expected, in its own points; or its exact score."""
    if move["score"] is not None:
        return f"score {move['score']:+.0f}"
    if move["value"] is None:
        return None
    if move["points"] is None:
        return "wins" if move["value"] > 0 else "loses" if move["value"] < 0 else "draw"
    points = round(move["points"])
    return f"{points:+}" if points else "0"
