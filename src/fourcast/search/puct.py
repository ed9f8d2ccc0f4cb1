"""Monte Carlo tree search that asks a network, on the kernels."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadModel
from fourcast.game.guess import centre_first
from fourcast.game.limit import MOST_COUNT, Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.kernels.answers import (
    EXACT,
    FULL,
    LIKED,
    NOTE_BYTES,
    NOTES,
    ORDER,
    POOL,
    PROOF,
    aims_at,
    settle,
    state_words,
    way_words,
)
from fourcast.kernels.batch import Batch
from fourcast.kernels.board import board_of, halves_of
from fourcast.kernels.chance import stream_seed
from fourcast.kernels.effort import DEADLINE, DEPTH, LEAVES, MOST_NODES, NODES, SIMULATIONS
from fourcast.kernels.memory import address_of
from fourcast.kernels.nodes import NODE_BYTES, keep_subtree
from fourcast.kernels.puct import gather
from fourcast.search.effort import Effort
from fourcast.search.pool import Pool
from fourcast.search.pool_tree import tree_of_pool
from fourcast.search.uct import continues
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
from fourcast.solver.memory import Memory

ENOUGH = 800  # simulations where nothing else bounds them
PROOF_NODES = 300
EXPLORE = 1.5
AT_ONCE = 16  # positions that the network is asked about together, at most
_RAMP = 16  # simulations before two are asked about together, and again for each one more
_KEPT_ANSWERS = 1 << 15
_TABLE_MB = 16  # for what the exact search has proven
_ALPHA = 10.0  # of Dirichlet's noise, divided among the columns
_IN_HAND = 0.02  # of the time, in case that an answer takes longer than those before
_MOVING = 2e-8  # seconds that it takes to see whether a node is kept, and to move it


Answer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]  # logits and values, see `Network.ask`


class Network(Protocol):
    """What the search asks of a network: `NetworkEvaluator` has it."""

    @property
    def mirror(self) -> bool:
        """Whether the answers of the mirror images come after those of the positions."""
        ...

    def ask(self, batch: Batch) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]:
        """Logits of shape (positions, columns), and values to the side to move, of shape (positions,)."""
        ...


class NetworkSearch(WatchedSearch):
    """PUCT with proofs over a network's values and liking, keeping its tree for the rest of the game.

    Attributes:
        rules: The game, with slip if it has any.
        evaluator: The network.
        simulations: Most simulations of one search; None leaves it to the limit.
        explore: How much the network's liking counts.
        at_once: Positions that it is asked about together, at most; fewer as long as the tree is small.
        proof: Nodes that the exact search may visit to prove a position before the network is asked about it;
            0 tries no proofs. With slip there are none.
        reuse: Whether the tree is kept.
        tree: Plies down to which the tree goes into the analysis.
        noise: The share of noise in what it likes in the root, for games to learn from; 0 for none.
        temperature: 0 to play the column that was visited most; else columns are drawn, by their visits to
            the power of one over this.
    """

    def __init__(
        self,
        rules: Rules,
        evaluator: Network,
        *,
        simulations: int | None = None,
        explore: float = EXPLORE,
        at_once: int = AT_ONCE,
        proof: int = PROOF_NODES,
        memory_mb: int = 64,
        reuse: bool = True,
        tree: int = 0,
        noise: float = 0.0,
        temperature: float = 0.0,
        answers: int = _KEPT_ANSWERS,
    ) -> None:
        """Make room for the search; `answers` of the network are kept, a power of 2.

        Raises:
            BadLimit: There is not that much memory.
        """
        geometry = rules.geometry
        super().__init__(Effort(state_words(geometry)))
        self.rules = rules
        self.evaluator = evaluator
        self.simulations = simulations
        self.explore = explore
        self.at_once = at_once
        self.proof = proof
        self.reuse = reuse
        self.tree = tree
        self.noise = noise
        self.temperature = temperature
        self._pool = Pool(memory_mb, NOTE_BYTES)
        self._notes: npt.NDArray[np.uint64] = np.empty(self._pool.size, dtype=np.uint64)
        words = self._effort.words
        words[POOL], words[NOTES] = self._pool.address, address_of(self._notes)
        self._exact = Memory(geometry, _TABLE_MB, 1) if proof and not rules.slip else None
        if self._exact is not None:
            words[EXACT], words[PROOF] = self._exact.addresses[0], proof
            self._exact.begin(None)
            self._exact.use_far()
        words[ORDER : ORDER + geometry.columns] = centre_first(Position(geometry))
        halves = halves_of(geometry)
        self._pending: npt.NDArray[np.uint64] = np.zeros((at_once, 2, halves), dtype=np.uint64)
        self._ways: npt.NDArray[np.uint64] = np.zeros((at_once, way_words(geometry)), dtype=np.uint64)
        self._keys: npt.NDArray[np.uint64] = np.zeros((answers, halves), dtype=np.uint64)
        self._said: npt.NDArray[np.float32] = np.zeros((answers, geometry.columns + 1), dtype=np.float32)
        self._kept: Position | None = None  # the root of the tree that is kept
        self._pace = 1e-6  # seconds that a position took, or more if some took longer

    def forget(self) -> None:
        """Keep nothing of what was searched."""
        self._kept = None

    def prepare(self) -> None:
        """Load what is compiled, and the network."""
        if not self._ready:
            position = Position(self.rules.geometry)
            self._grow(position, Limit(simulations=2), 0)
            self._answer(position, 0)
            self._keep(1, 0)
            self._kept, self._ready, self._pace = None, True, 1e-6
            self._grow(position, Limit(simulations=8), 0)  # to see how long it takes, once all is loaded
            self._kept = None

    def search(self, position: Position, limit: Limit, seed: int = 0) -> Analysis:
        """The best column as far as this search sees.

        Args:
            position: A position of this board whose game goes on.
            limit: `seconds`, `simulations` and `nodes` (of the tree) count. Simulations for an earlier
                position of the game are not counted.
            seed: Where the chance starts.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
            BadModel: The network fails, or does not tell what positions are worth.
        """
        check_question(position, self.rules.geometry)
        self.prepare()  # which is not part of the search
        self._grow(position, limit, seed)
        return self._answer(position, seed)

    def asking(self, position: Position, limit: Limit, seed: int = 0) -> Generator[Batch, Answer, Analysis]:
        """The same search step by step, so that many can be asked for together.

        It yields the positions that the network is to be asked about, is sent logits and values of them (not
        of mirror images), and returns what `search` does.

        Raises:
            GameOver: There is nothing left to play.
            BadShape: The position is on another board.
        """
        check_question(position, self.rules.geometry)
        self.prepare()
        yield from self._steps(position, limit, seed)
        return self._answer(position, seed)

    def proven_below(
        self, position: Position, chance: np.random.Generator
    ) -> tuple[Position, int, int] | None:
        """Something that the last search has proven on its way, by lot; without slip.

        Args:
            position: The position that was searched.
            chance: Where the lot comes from.

        Returns:
            A later position, the column to play there (the quickest win, or the slowest loss, as far as it
            is known), and the outcome to its side to move: 1, 0 or -1. None where the way down that was
            drawn leads to none.
        """
        node, found = self._pool.node(0), None
        while True:
            # A node that was decided at a glance has no children: there is little to learn of it.
            below = [child for child in self._pool.children(node) if child.count]
            if not below:
                return found
            node = below[int(chance.integers(len(below)))]
            position = position.play(node.column)
            best = best_child(self._pool.children(node)) if node.proven else None
            if best is not None and node.value is not None:
                found = position, best.column, round(-node.value)
                if chance.random() < 0.5:
                    return found

    def _grow(self, position: Position, limit: Limit, seed: int) -> None:
        steps = self._steps(position, limit, seed)
        batch = next(steps, None)
        while batch is not None:
            answer = self._ask(batch)
            try:
                batch = steps.send(answer)
            except StopIteration:
                batch = None

    def _steps(self, position: Position, limit: Limit, seed: int) -> Generator[Batch, Answer, None]:
        """Grow the tree, asking for what the network says."""
        effort, board = self._effort, board_of(position.geometry)
        known = effort.count(NODES)
        most = min(self.simulations or MOST_COUNT, limit.simulations or MOST_COUNT)
        if most == MOST_COUNT and limit.seconds is None:
            most = ENOUGH
        effort.begin(Limit(limit.seconds, simulations=most))
        room = min(limit.nodes or self._pool.size, self._pool.size)
        effort.words[MOST_NODES] = room
        effort.words[NODES] = self._continued(position, known, room, limit.seconds)
        effort.words[FULL] = 0
        aims = aims_at(position.geometry)
        effort.words[aims : aims + position.geometry.columns] = 0
        self._kept = None  # until it is whole again
        stones, stream = Batch.of(position).stones[0], stream_seed(seed)
        noisy = self.noise > 0
        while not effort.count(NODES) or not (effort.is_stopped or effort.count(FULL)):
            if noisy and effort.count(NODES) and self._pool.node(0).count:
                self._disturb(seed)
                noisy = False
            before = effort.count(SIMULATIONS)
            want = min(self.at_once, 1 + before // _RAMP)
            if limit.seconds is not None:
                # An answer cannot be broken off, so the last handful is as large as there is time for.
                left = (1 - _IN_HAND) * limit.seconds - effort.seconds
                fitting = int(left / (1.2 * self._pace))
                if fitting < 1 and effort.count(NODES):
                    break
                want = max(1, min(want, fitting))
                # Proofs may take until there is just time for the answers.
                effort.words[DEADLINE] = time.monotonic_ns() + max(
                    int(1e9 * (left - 1.2 * want * self._pace)), 0
                )
            count, stream = gather(
                board,
                effort.address,
                stones,
                self._pending,
                self._ways,
                self._keys,
                self._said,
                want,
                stream,
                self.explore,
                self.rules.slip,
            )
            stream = np.uint64(stream)  # a number of Python's would be taken for a signed one
            if not count:
                if effort.count(SIMULATIONS) == before:
                    break  # it is proven, or all that was allowed is done
                continue
            start = time.monotonic()
            logits, values = yield Batch(position.geometry, self._pending[:count])
            settle(
                board,
                effort.address,
                self._pending,
                self._ways,
                self._keys,
                self._said,
                logits,
                values,
                self.rules.slip,
            )
            took = (time.monotonic() - start) / count
            self._pace = max(took, 0.7 * self._pace + 0.3 * took)
        if self.reuse:
            self._kept = position

    def _ask(self, batch: Batch) -> Answer:
        """Logits and values; with the mirror images' if the network is to be asked about those too."""
        logits, values = self.evaluator.ask(batch)
        if values is None:
            raise BadModel("a network that does not tell what positions are worth cannot be searched with")
        if self.evaluator.mirror:
            count = len(batch)
            logits = (logits[:count] + logits[count:, ::-1]) / np.float32(2)
            values = (values[:count] + values[count:]) / np.float32(2)
        return logits, values

    def _disturb(self, seed: int) -> None:
        """Mix noise into what is liked in the root."""
        root = self._pool.node(0)
        chance = np.random.default_rng([seed & (1 << 63) - 1, 1])
        drawn = chance.dirichlet(np.full(root.count, _ALPHA / root.count))
        liked = self._liked()[root.first : root.first + root.count]
        liked[:] = (1 - self.noise) * liked + self.noise * drawn

    def _liked(self) -> npt.NDArray[np.float32]:
        """How much each node is liked."""
        return self._notes.view(np.float32).reshape(-1, 2)[:, LIKED]

    def _keep(self, used: int, root: int) -> int:
        notes = np.uint64(address_of(self._notes))
        return keep_subtree(board_of(self.rules.geometry), self._pool.address, used, root, notes)

    def _continued(self, position: Position, known: int, most: int, seconds: float | None) -> int:
        """How many nodes there are already for this position, moved to the front of the pool."""
        before = self._kept
        node, kept = None, 0
        in_time = seconds is None or 4 * known * _MOVING <= seconds
        if before is not None and in_time and continues(before, position):
            node = self._pool.find(position.columns_played[before.ply :])
        if node is not None and (node.visits or node.proven):
            kept = self._keep(known, node.index)
        if not 0 < kept <= most:
            self._empty()
            return 0
        return kept

    def _empty(self) -> None:
        """Keep nothing that was said or proven, so that what was asked before does not matter."""
        self._keys[:] = 0
        if self._exact is not None:
            self._exact.clear()
            self._exact.use_far()

    def _answer(self, position: Position, seed: int) -> Analysis:
        effort, pool, slip = self._effort, self._pool, self.rules.slip
        seconds = effort.seconds
        root = pool.node(0)
        liked = self._liked()
        children = sorted(pool.children(root), key=lambda child: -float(liked[child.index]))
        if slip:
            start = aims_at(position.geometry)
            shares: dict[int, float] = {
                child.column: effort.count(start + child.column) for child in children
            }
            best = best_landing(children, slip, {column: int(share) for column, share in shares.items()})
            values, bounds = aim_values(position, children, slip), None
        else:
            shares = {child.column: child.visits for child in children}
            best = best_child(children)
            values, bounds = move_values(position, root, children), score_bounds(position, root)
        if not any(shares.values()):
            shares = {child.column: float(liked[child.index]) for child in children}
        column = choose_column(position, best, values)
        if self.temperature > 0 and not root.proven:
            column = self._drawn(column, shares, seed)
        value = values[column]
        if root.value is not None and (root.proven or value is None):
            value = -root.value
        exact = bounds is not None and bounds[0] == bounds[1]
        tree = None
        if self.tree:
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
            memory=self._memory,
            tree=tree,
        )

    @property
    def _memory(self) -> int:
        """Bytes of the state, the tree, the answers that are kept, and what the exact search keeps."""
        tree = self._effort.count(NODES) * (NODE_BYTES + NOTE_BYTES)
        exact = 0 if self._exact is None else self._exact.nbytes
        return self._effort.memory + tree + self._keys.nbytes + self._said.nbytes + exact

    def _drawn(self, column: int, shares: Mapping[int, float], seed: int) -> int:
        """A column by chance, the likelier the more it was visited."""
        if not shares:
            return column
        weights = np.array(list(shares.values()), dtype=np.float64)
        weights = (weights / weights.max()) ** (1 / self.temperature)
        chance = np.random.default_rng([seed & (1 << 63) - 1, 2])
        return int(chance.choice(list(shares), p=weights / weights.sum()))
