"""What a Monte Carlo tree has to say of its root: the column to play, and what each column is worth.

Without slip, a child is a move. With slip, it is where a disc may land, and a column is worth what aiming at
it is, whatever becomes of the disc (see `kernels.proofs`).
"""

from __future__ import annotations

from collections.abc import Mapping

from fourcast.game.analysis import score_at_end
from fourcast.game.guess import centre_first, guess
from fourcast.game.position import Position
from fourcast.game.rules import aim_shares
from fourcast.search.pool import Node, Pool


def best_child(children: list[Node]) -> Node | None:
    """The move to make: a proven win, else the most visited, and what is lost only if all is.

    Of wins the quickest, of losses the slowest; of equal visits the higher value; rather a proven draw than
    what looks worse.
    """
    if not children:
        return None
    wins = [child for child in children if child.proven and _value(child) > 0]
    if wins:
        return min(wins, key=lambda child: child.plies)
    others = [child for child in children if not (child.proven and _value(child) < 0)]
    if not others:
        return max(children, key=lambda child: child.plies)
    best = max(others, key=lambda child: (child.visits, _value(child)))
    draws = [child for child in others if child.proven]
    return draws[0] if draws and _value(best) < 0 else best


def best_landing(children: list[Node], slip: float, aims: dict[int, int] | None = None) -> Node | None:
    """The column to aim at with slip: one that nothing can better, else the one aimed at most often.

    Args:
        children: Where a disc may land.
        slip: The chance that it lands elsewhere.
        aims: How often each column was aimed at; without, the landing with the best value is chosen.
    """
    if not children:
        return None
    sign = 1.0 if aim_shares(slip, len(children))[0] >= 0 else -1.0
    if aims is None or all(child.proven for child in children):
        return max(children, key=lambda child: sign * _value(child))
    return max(
        children,
        key=lambda child: (
            child.proven and sign * _value(child) >= 1,
            aims[child.column],
            sign * _value(child),
        ),
    )


def _value(node: Node) -> float:
    return 0.0 if node.value is None else node.value


def move_values(position: Position, root: Node, children: list[Node]) -> list[float | None]:
    """What each column is worth without slip; None where nothing is known.

    Columns without a child are seen at a glance: they win or lose at once, or the board is full before
    anybody can win.
    """
    known = {child.column: child.value for child in children}
    drawn = root.proven and root.value == 0.0
    winning = position.winning_columns(position.turn)
    values: list[float | None] = [None] * position.geometry.columns
    for column in position.legal:
        if column in known:
            values[column] = known[column]
        elif column in winning:
            values[column] = 1.0
        else:
            after = position.play(column)
            lost = bool(after.winning_columns(after.turn)) or (root.proven and _value(root) > 0)
            values[column] = -1.0 if lost else 0.0 if drawn else None
    return values


def aim_values(position: Position, children: list[Node], slip: float) -> list[float | None]:
    """What aiming at each column is worth with slip; None where no disc landed."""
    values: list[float | None] = [None] * position.geometry.columns
    own, each = aim_shares(slip, len(children))
    shared = each * sum(_value(child) for child in children)
    for child in children:
        values[child.column] = None if child.value is None else own * child.value + shared
    return values


def choose_column(position: Position, best: Node | None, values: list[float | None]) -> int:
    """The column to play: that of the best child, or without children what a glance tells."""
    if best is not None:
        return best.column
    worth = {column: values[column] or 0.0 for column in position.legal}
    most = max(worth.values())
    guessed = guess(position)
    return next(column for column in (guessed, *centre_first(position)) if worth[column] == most)


def policy(position: Position, column: int, shares: Mapping[int, float]) -> tuple[float, ...]:
    """The share that each column got; all to the chosen one if there was nothing to share."""
    whole = sum(shares.values())
    if not whole:
        shares, whole = {column: 1}, 1
    return tuple(shares.get(each, 0) / whole for each in range(position.geometry.columns))


def score_bounds(position: Position, root: Node) -> tuple[int, int] | None:
    """The least and the most that the score can be where the root is proven; without slip.

    A proof tells within how many plies the winner wins for sure, while a glance has told that it is not at
    once: so the end lies between the two.
    """
    if not root.proven:
        return None
    if root.value == 0.0:
        return 0, 0
    won = _value(root) < 0
    soonest = min(root.plies, 3 if won else 4)
    ends = [score_at_end(position, plies, won=won) for plies in (root.plies, soonest)]
    return min(ends), max(ends)


def line_of_play(pool: Pool, position: Position, column: int, slip: float) -> tuple[int, ...]:
    """The line that the tree thinks best, a column first; without slip, up to a win that it sees."""
    line = [column]
    node = pool.child(pool.node(0), column)
    while node is not None:
        position = position.play(line[-1])
        children = pool.children(node)
        node = best_landing(children, slip) if slip else best_child(children)
        if node is not None and node.value is not None:
            line.append(node.column)
        elif not slip and (winning := position.winning_columns(position.turn)):
            return (*line, winning[0])
        else:
            break
    return tuple(line)
