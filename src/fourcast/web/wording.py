"""Positions and analyses as the web has them: with words, threats, and trees that are not too large."""

from __future__ import annotations

from typing import Any

from fourcast.game import bitboard
from fourcast.game.analysis import Analysis, plies_to_end
from fourcast.game.outcome import FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.tree import TreeNode
from fourcast.game.words import signed


def position_json(position: Position) -> dict[str, Any]:
    """All that is to be seen of a position without a search."""
    outcome = position.outcome
    return position.to_json() | {
        "ply": position.ply,
        "turn": position.turn,
        "legal": list(position.legal),
        "outcome": None
        if outcome is None
        else {
            "winner": outcome.winner,
            "cells": [[cell.row, cell.column] for cell in outcome.line],
            "words": str(outcome),
        },
        "threats": threats_json(position),
    }


def threats_json(position: Position) -> list[dict[str, Any]]:
    """The empty cells where a side's next disc would make a line; none are playable once the game is over."""
    playable = 0 if position.is_over else bitboard.playable_cells(position.geometry, position.occupied)
    return [
        {
            "player": player,
            "row": cell.row,
            "column": cell.column,
            "odd": cell.row % 2 == 0,  # rows are counted from 1
            "playable": cell in position.cells_of(playable),
        }
        for player in (FIRST, SECOND)
        for cell in position.cells_of(position.winning_cells(player))
    ]


def analysis_json(analysis: Analysis, agent: str | None, slip: float, tree_nodes: int) -> dict[str, Any]:
    """An analysis with words for each column and for the whole."""
    record = analysis.to_json()
    if analysis.tree is not None:
        record["tree"] = tree_json(analysis.tree, tree_nodes)
    return record | {"agent": agent, "words": column_words(analysis), "summary": summary(analysis, slip)}


def column_words(analysis: Analysis) -> list[str]:
    """A few words for each column: "wins in 5", "draw", "+0.32", "full"; empty where nothing is known."""
    position = analysis.position
    words = []
    for column in range(position.geometry.columns):
        score = analysis.scores[column] if analysis.scores else None
        value = analysis.values[column] if analysis.values else None
        share = analysis.policy[column] if analysis.policy else None
        if score is None and column == analysis.column and analysis.exact:
            score = analysis.score
        if column not in position.legal:
            words.append("full")
        elif score is not None:
            words.append(short_verdict(position, score))
        elif value is not None:
            words.append(signed(value))
        else:
            words.append("" if share is None else f"{share:.0%}")
    return words


def summary(analysis: Analysis, slip: float) -> str:
    """What the position is worth to its side to move, in a few words; empty where nothing is known."""
    score = analysis.score if analysis.exact else None
    if score is None and analysis.scores is not None:
        score = analysis.scores[analysis.column]  # of one that does not play its best
    if score is not None:
        return short_verdict(analysis.position, score) + (" without slip" if slip else "")
    return "" if analysis.value is None else signed(analysis.value)


def short_verdict(position: Position, score: int) -> str:
    """A score in as few words as can be: "wins in 5", "draw"; the moves are those of whoever wins."""
    if score == 0:
        return "draw"
    return f"{'wins' if score > 0 else 'loses'} in {(plies_to_end(position, score) + 1) // 2}"


def tree_json(tree: TreeNode, most: int) -> dict[str, Any]:
    """A search tree, ply by ply as far as it fits; where children are left out, the node says so."""
    whole = tree.to_json()
    room = most - 1
    layer = [whole]
    while layer:
        children = [child for node in layer for child in node["children"]]
        if len(children) > room:
            for node in layer:
                if node["children"]:
                    node["children"], node["cropped"] = [], True
            break
        room -= len(children)
        layer = children
    return whole
