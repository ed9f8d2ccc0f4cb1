"""`fourcast tree`: what a search has looked at, as text, SVG or JSON."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import Annotated

import typer

from fourcast.agents import agent, agent_entries
from fourcast.agents.registry import Entry, read_spec
from fourcast.cli import FINE, FOUND_WRONG, complain
from fourcast.cli.options import BoardOption, JsonOption, MovesArgument, TextOption, read_position
from fourcast.cli.screen import write_json
from fourcast.cli.solving import check_going_on
from fourcast.files import in_place
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadOption
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.game.tree import MOST_DRAWN, PRUNED, TreeNode
from fourcast.game.tree_words import worth
from fourcast.game.words import counted

AGENT, PLIES, MOST_PLIES = "alphabeta:depth=3", 3, 20


def tree(
    moves: MovesArgument = "",
    spec: Annotated[str, typer.Option("--agent", "-a", metavar="AGENT", help="Who searches.")] = AGENT,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Draw it into this .svg file.")
    ] = None,
    plies: Annotated[
        int | None,
        typer.Option("--plies", metavar="N", min=1, max=MOST_PLIES, help="Plies to show; 3 by default."),
    ] = None,
    board: BoardOption = None,
    text: TextOption = None,
    slip: Annotated[
        float, typer.Option(metavar="P", help="Chance that a disc lands in another column.")
    ] = 0.0,
    limit: Annotated[
        str | None,
        typer.Option(
            "--limit",
            metavar="LIMIT",
            help="What the search may spend: 500ms, depth=6, nodes=100000, simulations=800; several with "
            "commas.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Repeat the same chances.")] = None,
    as_json: JsonOption = False,
) -> int:
    """Show the tree that an agent's search looks at: values, best moves, what was pruned.

    Every value is seen by the side that moves at the root, in points of the agent's evaluation; "wins in N"
    counts the moves of whoever wins. `*` marks the best move of a position; >= and <= stand before values
    that the search left as soon as that much was known.

    Exit code 1: the search has kept no tree, because the limit stopped it or it did not search.
    """
    position = check_going_on(read_position(moves, board, text))
    rules = Rules(position.geometry, slip)
    allowed = Limit() if limit is None else Limit.parse(limit)
    entry, given = read_spec(spec)
    _check_keeps_trees(entry)
    if out is not None:
        _check_svg(out)
    plies = plies or given.get("tree") or _plies_that_fit(position, PLIES)
    analysis = agent(spec, rules, seed, tree=plies).analyze(position, allowed)
    found = analysis.tree
    if found is None:
        return _without_tree(analysis, spec, limit, as_json)
    if out is not None or not as_json:
        _check_size(found, position)
    if out is not None:
        from fourcast.game.tree_drawing import tree_svg

        with in_place(out) as fresh:
            fresh.write_text(tree_svg(found, position, title=_title(analysis, spec)), encoding="utf-8")
    if as_json:
        write_json(analysis.to_json())
    elif out is not None:
        drawn = sum(node.kind != PRUNED for node in found.walk())
        print(f"{out}: {counted(drawn, 'node')} of {spec}, {_where(position)}: {_choice(analysis, found)}")
    else:
        _print(analysis, found, spec)
    return FINE


def _check_keeps_trees(entry: Entry) -> None:
    """Raise BadOption if an agent has no tree to show."""
    able = [each.name for each in agent_entries() if any(option.name == "tree" for option in each.options)]
    if entry.name not in able:
        raise BadOption(f"agent {entry.name} keeps no search tree; these do: {', '.join(able)}")


def _check_svg(out: Path) -> None:
    if out.name.lower() == ".svg":
        raise typer.BadParameter(f"{out} is an ending without a name; tree.svg would do", param_hint="-o")
    if out.suffix.lower() != ".svg":
        raise typer.BadParameter(f"{out} does not end in .svg", param_hint="-o")
    if not out.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {out.parent}", param_hint="-o")
    if out.is_dir():
        raise typer.BadParameter(f"{out} is a folder", param_hint="-o")


def _plies_that_fit(position: Position, most: int) -> int:
    """As many plies as can be drawn even if nothing is pruned, one at least."""
    columns = position.geometry.columns
    fitting = [plies for plies in range(1, most + 1) if _full(columns, plies) <= MOST_DRAWN]
    return max(fitting, default=1)


def _full(columns: int, plies: int) -> int:
    """The nodes of a tree in which nothing is pruned and no column full."""
    return sum(columns**ply for ply in range(plies + 1))


def _check_size(tree: TreeNode, position: Position) -> None:
    """Refuse a tree that is too large to draw, and say what would not be."""
    sizes = tree.sizes
    cropped = any(node.cropped for node in tree.walk())
    if sum(sizes) <= MOST_DRAWN and not cropped:
        return
    has = f"over {MOST_DRAWN:,} nodes" if cropped else f"{sum(sizes):,} nodes"
    if cropped:  # it was too large even to keep; of some trees there is nothing but the root
        fitting = len(sizes) - 1 or _plies_that_fit(position, MOST_PLIES)
    else:
        fitting = max(plies for plies in range(1, len(sizes)) if sum(sizes[: plies + 1]) <= MOST_DRAWN)
    raise typer.BadParameter(
        f"the tree has {has}, too many to draw; --plies {fitting} would do", param_hint="--plies"
    )


def _without_tree(analysis: Analysis, spec: str, limit: str | None, as_json: bool) -> int:
    """Say why there is nothing to see."""
    if as_json:
        write_json(analysis.to_json())
    why = f"it was not done within the limit {limit}" if limit and analysis.nodes else "it did not search"
    complain(f"{_where(analysis.position)}: {spec} has kept no tree, {why}")
    return FOUND_WRONG


def _title(analysis: Analysis, spec: str) -> list[str]:
    """Who has searched, where, and what it took."""
    counts = [(analysis.nodes, "node"), (analysis.leaves, "leaf"), (analysis.cutoffs, "cutoff")]
    counts += [(analysis.table_hits, "table hit")] * (analysis.table_hits > 0)
    counts += [(analysis.simulations, "simulation")] * (analysis.simulations > 0)
    effort = ", ".join(counted(number, thing).replace("leafs", "leaves") for number, thing in counts)
    turn = DISCS[analysis.position.turn]
    return [spec, f"{_where(analysis.position)}: {turn} plays {column_name(analysis.column)}", effort]


def _where(position: Position) -> str:
    """The position in words: "after 4453 (5x10x4)"."""
    moves = position.to_json()["moves"]
    where = "a drawn board" if moves is None else f"after {moves}" if moves else "the empty board"
    return where if position.geometry == STANDARD else f"{where} ({position.geometry})"


def _choice(analysis: Analysis, tree: TreeNode) -> str:
    turn = analysis.position.turn
    return f"{DISCS[turn]} plays {column_name(analysis.column)} ({worth(tree, 0, turn)})"


def _print(analysis: Analysis, tree: TreeNode, spec: str) -> None:
    from fourcast.game.tree_text import tree_text

    for line in _title(analysis, spec):
        print("\n".join(wrap(line, 80)))
    print(f"values are seen by {DISCS[analysis.position.turn]}; * is the best move\n")
    print(tree_text(tree, analysis.position))
