"""From a request to an `Analysis`: who is asked, what it may spend, and what was known before."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fourcast.agents import Agent, new_game
from fourcast.agents import agent as make_agent
from fourcast.agents.registry import Entry
from fourcast.game.analysis import Analysis
from fourcast.game.errors import CannotPlay
from fourcast.game.geometry import Geometry
from fourcast.game.guess import guess
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules
from fourcast.web.faults import NotOffered, TooMuch
from fourcast.web.kept import Kept
from fourcast.web.players import TREE, read_player, why_not
from fourcast.web.preparing import NotPrepared, Preparing
from fourcast.web.searches import Search
from fourcast.web.settings import Settings

if TYPE_CHECKING:
    from fourcast.solver import Book

SOLVER_MB = 64
PERFECT = "perfect"
VALUES = "values"  # the option of agents that do not look at every column closely unless they are told to
MOST_KNOWN = 4096  # answers of the solver that are kept
LEAST_SECONDS = 1e-4  # what a position gets when the time is up: then only the simplest are solved
BOOK_PLIES = 8  # up to there the scores are known at once, and a line of play would take longer than they do
SHORT_LINE, LONG_LINE = Limit(depth=12, nodes=2_000), Limit(nodes=200_000)

Work = Callable[[Search[Analysis]], Analysis]


class Answering:
    """Answers questions about positions, with solvers and agents that it keeps.

    Attributes:
        settings: What may be asked for.
        preparing: Which boards have their code.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.preparing = Preparing(settings)
        self.solvers = Kept(most=settings.searches + 1)
        self.agents = Kept(most=settings.searches + 2)
        self._known: OrderedDict[Position, Analysis] = OrderedDict()
        self._books: dict[Geometry, Book | None] = {}
        self._lock = threading.Lock()

    def question(
        self,
        position: Position,
        rules: Rules,
        spec: str | None,
        limit: Limit,
        seed: int | None = None,
        tree: int = 0,
    ) -> Work:
        """What has to be done to answer a question; all that can be wrong with it is found now.

        Raises:
            FourcastError: The game is over, or there is no such agent, or it may not be asked that.
        """
        check_question(position, rules.geometry)
        if spec is None:
            if rules.slip:
                raise CannotPlay("with slip no score is exact: name an agent, expectimax for one")
            if tree:
                raise NotOffered("the solver keeps no tree: name an agent, alphabeta for one")
            self.preparing.check(rules.geometry)
            return self._or_a_guess(position, lambda search: self.solve(search, position, limit))
        entry, given = read_player(spec, self.settings)
        self._options(entry, given, rules.geometry, tree)
        if why := why_not(entry, rules):
            raise CannotPlay(f"agent {entry.name}: {why}")
        self.preparing.check(rules.geometry)
        if limit.is_open and entry.name == PERFECT:
            limit = Limit(seconds=self.settings.seconds)
        return self._or_a_guess(
            position, lambda search: self.ask(search, position, rules, spec, limit, seed, tree)
        )

    def _or_a_guess(self, position: Position, work: Work) -> Work:
        """The same work; where it is stopped before it can begin, the best so far is a guess."""

        def done(search: Search[Analysis]) -> Analysis:
            try:
                return work(search)
            except NotPrepared:
                return Analysis(position, guess(position))

        return done

    def at_once(self, position: Position) -> Analysis | None:
        """The exact score of every column, if it was found before or is in the book: then nobody has to wait.

        It takes a millisecond at most. The book is looked into once its code is loaded.
        """
        if (known := self._remembered(position)) is not None:
            return known
        geometry = position.geometry
        if position.ply >= BOOK_PLIES or not self.preparing.is_done(Rules(geometry), None):
            return None
        book = self._books.get(geometry)
        if book is None:
            return None
        from fourcast.solver.recall import recall  # loaded by now

        found = recall(book, position)
        if found is not None:
            self._remember(found)
        return found

    def _options(self, entry: Entry, given: dict[str, Any], geometry: Geometry, tree: int) -> dict[str, Any]:
        """What an agent is told besides its spec.

        Raises:
            NotOffered: It keeps no tree, and one is asked for.
        """
        names = {option.name for option in entry.options}
        options: dict[str, Any] = {}
        if VALUES in names and VALUES not in given and not tree:
            options[VALUES] = "all"
        if TREE in names:
            options[TREE] = tree_plies(geometry, tree or given.get(TREE, 0), self.settings.tree_nodes)
        elif tree:
            raise NotOffered(f"agent {entry.name} keeps no search tree")
        return options

    def solve(
        self, search: Search[Any], position: Position, limit: Limit, line: Limit | None = None
    ) -> Analysis:
        """The exact score of every column, as far as the limit goes; in the thread of a search."""
        known = self._remembered(position)
        if known is not None:
            return known
        self.preparing.prepare(search, Rules(position.geometry), None, {})
        if line is None:
            line = SHORT_LINE if position.ply < BOOK_PLIES else LONG_LINE
        with self.solvers.lent(position.geometry, lambda: self._make_solver(position.geometry)) as solver:
            search.ask(solver)
            most = Limit(limit.seconds or self.settings.seconds, nodes=limit.nodes)
            found: Analysis = solver.analyze(position, limit=most, line=line)
        if found.exact:
            self._remember(found)
        return found

    def _remember(self, found: Analysis) -> None:
        with self._lock:
            self._known[found.position] = found
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)

    def solve_each(
        self, search: Search[Any], positions: list[Position], limit: Limit, *, weak: bool
    ) -> list[Analysis]:
        """The exact scores of positions of one board, within one limit; in the thread of a search."""
        geometry = positions[0].geometry
        found: list[Analysis] = []
        try:
            self.preparing.prepare(search, Rules(geometry), None, {})
        except NotPrepared:
            return [Analysis(position, guess(position)) for position in positions]
        with self.solvers.lent(geometry, lambda: self._make_solver(geometry)) as solver:
            search.ask(solver)
            end = time.monotonic() + (limit.seconds or self.settings.seconds)
            nodes = limit.nodes
            for position in positions:
                left = max(end - time.monotonic(), LEAST_SECONDS)
                if search.is_stopped or (nodes is not None and nodes <= 0):
                    found.append(Analysis(position, guess(position)))
                    continue
                answer: Analysis = solver.solve(position, weak=weak, limit=Limit(left, nodes=nodes))
                nodes = None if nodes is None else nodes - answer.nodes
                found.append(answer)
        return found

    def _remembered(self, position: Position) -> Analysis | None:
        with self._lock:
            known = self._known.get(position)
            if known is not None:
                self._known.move_to_end(position)
                return replace(known, position=position, nodes=0, seconds=0.0)
        return None

    def _make_solver(self, geometry: Geometry) -> Any:
        from fourcast.solver import Solver

        solver = Solver(geometry, min(SOLVER_MB, self.settings.memory_mb))
        solver.prepare()
        self._books[geometry] = solver.book
        return solver

    def ask(
        self,
        search: Search[Any],
        position: Position,
        rules: Rules,
        spec: str,
        limit: Limit,
        seed: int | None = None,
        tree: int = 0,
    ) -> Analysis:
        """What an agent says, in the thread of a search."""
        options = self._options(*read_player(spec, self.settings), rules.geometry, tree)
        self.preparing.prepare(search, rules, spec, options)
        key = (spec, rules, seed, tuple(sorted(options.items())))

        def make() -> Agent:
            return make_agent(spec, rules, seed, **options)

        with self.agents.lent(key, make) as player:
            new_game(player)
            search.ask(player)
            return player.analyze(position, limit)


def tree_plies(geometry: Geometry, asked: int, most: int) -> int:
    """How many plies of a tree are kept: as many as fit even if nothing is pruned, one at least."""
    plies, nodes = 0, 1
    while plies < asked and (nodes := 1 + geometry.columns * nodes) <= most:
        plies += 1
    return max(plies, min(asked, 1))


def check_solvable(count: int, settings: Settings) -> None:
    """Raise TooMuch if a batch has more positions than the settings allow."""
    if count > settings.positions:
        raise TooMuch(f"{count} positions, and {settings.positions} is the most here")
