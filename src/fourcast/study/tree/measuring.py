"""The trees of minimax and alpha-beta, and a game of alpha-beta against the perfect player."""

from __future__ import annotations

from typing import Any

from fourcast.agents import agent
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.tree import END, LEAF, PRUNED, TreeNode
from fourcast.game.tree_words import worth
from fourcast.search.lookahead import Lookahead
from fourcast.study.study import Desk, Found, Settings, Task

DEPTH = 3
SEARCHES = {"minimax": False, "alpha-beta": True}
#: What trees are drawn of: those of the study `search`.
POSITIONS = {"early": "44", "middle": "343344463754", "complex": "5254327255656323377"}
PLAYERS = ("alphabeta:depth=4", "perfect")


def positions_of(settings: Settings) -> dict[str, str]:
    """The positions whose trees are drawn."""
    return {"early": POSITIONS["early"]} if settings.quick else POSITIONS


def tasks_of(settings: Settings) -> list[Task]:
    """The trees of each position, and the game."""
    trees = [
        Task(f"tree {name}", record_trees, {"moves": moves, "depth": DEPTH})
        for name, moves in positions_of(settings).items()
    ]
    return [*trees, Task("game", play, {"players": list(PLAYERS), "depth": DEPTH, "seed": settings.seed})]


def record_trees(arguments: dict[str, Any], _desk: Desk) -> Found:
    """The whole trees of both searches: every node with the columns that lead to it."""
    position = Position.from_moves(arguments["moves"])
    found: Found = {}
    for name, prunes in SEARCHES.items():
        depth = arguments["depth"]
        answer = Lookahead(STANDARD, depth, prunes=prunes, tree=depth).search(position, Limit())
        assert answer.tree is not None
        found[name] = {
            "column": answer.column,
            "points": answer.points,
            "nodes": answer.nodes,
            "leaves": answer.leaves,
            "cutoffs": answer.cutoffs,
            "tree": list(_flat(answer.tree, position.turn)),
        }
    return found


def _flat(tree: TreeNode, turn: int) -> Any:
    """Every node as a record, parents first; what it is worth is seen by the side that moves at the root."""
    waiting = [(tree, "", True)]
    while waiting:
        node, path, main = waiting.pop()
        kind = node.kind if node.kind in (PRUNED, END, LEAF) else "inner"
        words = "" if node.kind == PRUNED else worth(node, len(path), turn)
        yield {"path": path, "kind": kind, "worth": words, "best": node.best, "main": main}
        for child in reversed(node.children):
            assert child.column is not None
            waiting.append((child, path + column_name(child.column), main and child.best))


def play(arguments: dict[str, Any], desk: Desk) -> Found:
    """A game, and before every disc both searches beside each other."""
    players = [agent(spec, seed=arguments["seed"]) for spec in arguments["players"]]
    both = {name: Lookahead(STANDARD, arguments["depth"], prunes=prunes) for name, prunes in SEARCHES.items()}
    position = Position()
    moves: list[dict[str, Any]] = []
    while not position.is_over:
        desk.advance(f"disc {position.ply + 1}", position.ply, STANDARD.cells)
        said = players[position.turn].analyze(position, Limit())
        seen = {name: search.search(position, Limit()) for name, search in both.items()}
        moves.append(
            {
                "side": DISCS[position.turn],
                "column": said.column,
                "nodes": said.nodes,
                "points": said.points,
                "value": said.value,
                "score": said.score,
                "minimax": seen["minimax"].nodes,
                "alphabeta": seen["alpha-beta"].nodes,
                "same": seen["minimax"].column == seen["alpha-beta"].column,
            }
        )
        position = position.play(said.column)
    outcome = position.outcome
    assert outcome is not None
    return {"moves": moves, "outcome": str(outcome), "played": position.moves}
