"""Monte Carlo tree search, on the kernels."""

from __future__ import annotations

import numpy as np

from fourcast.evaluators.heuristics import UNIT, heuristic
from fourcast.game.analysis import Analysis
from fourcast.game.errors import UnreachablePosition
from fourcast.game.guess import centre_first
from fourcast.game.limit import MOST_COUNT, Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of
from fourcast.kernels.chance import stream_seed
from fourcast.kernels.effort import DEPTH, LEAVES, MOST_NODES, NODES, SIMULATIONS
from fourcast.kernels.nodes import NODE_BYTES, keep_subtree
from fourcast.kernels.uct import WEIGHTS, aims_at, order_at, simulate, state_words
from fourcast.search.effort import Effort, run
from fourcast.search.pool import Pool
from fourcast.search.pool_tree import tree_of_pool
from fourcast.search.verdict import (
    aim_values,
    best_child,
    best_landing,
    choose_column,
    line_of_play,
    move_values,
    policy,
    score_bounds,
)
from fourcast.search.watched import WatchedSearch

EXPLORE = 1.2
ENOUGH = 10_000  # games where nothing else bounds them
SHARP_UP_TO = 0.5  # slip beyond which a column that is aimed at is no likelier than not
_NO_NOTES = np.uint64(0)
_LONG = 200_000  # games that a person may have to wait for
_PACE = 1e-6  # seconds that a game takes, roughly
_MOVING = 2e-8  # seconds that it takes to see whether a node is kept, and to move it


class TreeSearch(WatchedSearch):
    """UCT with proofs, keeping its tree for the rest of the game.

    Attributes:
        rules: The game, with slip if it has any.
        simulations: Most games of one search; None leaves it to the limit.
        explore: How far a value may be off: this times sqrt(log(visits of the parent) / visits).
        sharp: Whether players of playouts see two discs ahead.
        cut: Plies of a playout, after which the position is evaluated; 0 plays to the end.
        evaluation: What a position is worth where a playout is cut.
        playouts: Games from each leaf.
        reuse: Whether the tree is kept.
        tree: Plies down to which the tree goes into the analysis, with at most `MOST_DRAWN` nodes; making
            it counts as time that the search has taken.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        simulations: int | None = None,
        explore: float = EXPLORE,
        sharp: bool = True,
        cut: int = 0,
        evaluation: str = "windows",
        playouts: int = 1,
        memory_mb: int = 64,
        reuse: bool = True,
        tree: int = 0,
    ) -> None:
        geometry = rules.geometry
        super().__init__(Effort(state_words(geometry)))
        self.rules = rules
        self.simulations = simulations
        self.explore = explore
        self.sharp = sharp and rules.slip <= SHARP_UP_TO
        self.cut = cut
        self.evaluation = heuristic(evaluation)
        self.playouts = playouts
        self.reuse = reuse
        self.tree = tree
        self._pool = Pool(memory_mb)
        weights = self.evaluation.weights(geometry).view(np.uint64)
        self._effort.words[WEIGHTS : WEIGHTS + len(weights)] = weights
        order = order_at(geometry)
        self._effort.words[order : order + geometry.columns] = centre_first(Position(geometry))
        self._kept: Position | None = None  # the root of the tree that is kept

    def forget(self) -> None:
        """Keep nothing of what was searched."""
        self._kept = None

    def search(self, position: Position, limit: Limit, seed: int = 0) -> Analysis:
        """The best column as far as this search sees.

        Args:
            position: A position of this board whose game goes on.
            limit: `seconds`, `simulations` and `nodes` (of the tree) count. Games that were simulated for an
                earlier position of the game are not counted.
            seed: Where the chance starts.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.rules.geometry)
        if not self._ready:  # loading compiled code is not part of the search
            self._grow(position, Limit(simulations=1), seed)
            self._answer(position)
            keep_subtree(board_of(self.rules.geometry), self._pool.address, 1, 0, _NO_NOTES)
            self._kept, self._ready = None, True
        self._grow(position, limit, seed)
        return self._answer(position)

    def _grow(self, position: Position, limit: Limit, seed: int) -> None:
        effort, slip = self._effort, self.rules.slip
        known = self._effort.count(NODES)
        games = min(self.simulations or MOST_COUNT, limit.simulations or MOST_COUNT)
        if games == MOST_COUNT and limit.seconds is None:
            games = ENOUGH
        effort.begin(Limit(limit.seconds, simulations=games))
        most = min(limit.nodes or self._pool.size, self._pool.size)
        effort.words[MOST_NODES] = most
        effort.words[NODES] = self._continued(position, known, most, limit.seconds)
        aims = aims_at(position.geometry)
        effort.words[aims : aims + position.geometry.columns] = 0
        self._kept = None  # until it is whole again
        stones = Batch.of(position).stones[0]

        def work() -> None:
            simulate(
                board_of(position.geometry),
                effort.address,
                self._pool.address,
                stones,
                stream_seed(seed),
                self.explore,
                slip,
                self.sharp,
                self.cut,
                self.evaluation.scale * UNIT,
                self.playouts,
            )

        expected = games if limit.seconds is None else min(games, limit.seconds / _PACE)
        run(work, effort.stop, long=expected > _LONG)
        if self.reuse:
            self._kept = position

    def _continued(self, position: Position, known: int, most: int, seconds: float | None) -> int:
        """How many nodes there are already for this position, moved to the front of the pool."""
        before = self._kept
        if before is None or not continues(before, position):
            return 0
        if seconds is not None and 4 * known * _MOVING > seconds:
            return 0
        node = self._pool.find(position.columns_played[before.ply :])
        if node is None or not (node.visits or node.proven):
            return 0
        kept = keep_subtree(board_of(self.rules.geometry), self._pool.address, known, node.index, _NO_NOTES)
        return kept if kept <= most else 0

    def _answer(self, position: Position) -> Analysis:
        effort, pool, slip = self._effort, self._pool, self.rules.slip
        seconds = effort.seconds
        root = pool.node(0)
        children = pool.children(root)
        if slip:
            shares = self._aims(position)
            best = best_landing(children, slip, shares)
            values, bounds = aim_values(position, children, slip), None
        else:
            shares = {child.column: child.visits for child in children}
            best = best_child(children)
            values, bounds = move_values(position, root, children), score_bounds(position, root)
        column = choose_column(position, best, values)
        value = -root.value if root.proven and root.value is not None else values[column]
        exact = bounds is not None and bounds[0] == bounds[1]
        tree = None
        if self.tree:  # which takes as long as many games
            tree = tree_of_pool(pool, position, plies=self.tree, slip=slip, column=column, value=value)
            seconds = effort.seconds
        return Analysis(
            position,
            column,
            score=bounds[0] if bounds is not None and exact else None,
            bounds=bounds,
            exact=exact,
            value=value,
            values=tuple(values),
            policy=policy(position, column, shares),
            pv=line_of_play(pool, position, column, slip),
            nodes=effort.count(NODES),
            leaves=effort.count(LEAVES),
            simulations=effort.count(SIMULATIONS),
            depth=effort.count(DEPTH),
            seconds=seconds,
            memory=effort.memory + effort.count(NODES) * NODE_BYTES,
            tree=tree,
        )

    def _aims(self, position: Position) -> dict[int, int]:
        """How often each column was aimed at."""
        start = aims_at(position.geometry)
        return {column: self._effort.count(start + column) for column in range(position.geometry.columns)}


def continues(before: Position, position: Position) -> bool:
    """Whether a position's game went through another one, earlier."""
    if position.ply <= before.ply or before.first & ~position.first or before.second & ~position.second:
        return False
    try:
        return position.columns_played[: before.ply] == before.columns_played
    except UnreachablePosition:
        return False
