"""Hints and scores: what the columns of a position are worth, found beside the game."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fourcast.agents import agent
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.session import Thought

if TYPE_CHECKING:
    from fourcast.agents import Agent
    from fourcast.solver import Solver

MOST_KNOWN = 400  # answers that are kept
LINE = Limit(depth=12, nodes=2_000)  # a line of play is not shown, so it may take next to nothing
JUDGE_LIMIT = Limit(seconds=1)


class Judge:
    """Says what every column is worth: by the solver where it can, else by an agent.

    Attributes:
        rules: The game.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._solver: Solver | None = None
        self._agent: Agent | None = None
        self._asked: Any = None
        self._is_stopped = False

    def analyze(self, position: Position) -> Analysis:
        """The scores of all columns; where these cannot be found soon, or there is slip, their values."""
        self._is_stopped = False
        if not self.rules.slip:
            found = self._solve(position)
            if found.exact or self._is_stopped:
                return found
        if self._agent is None:
            self._agent = agent(f"{'expectimax' if self.rules.slip else 'negamax'}:values=all", self.rules)
        self._asked = self._agent
        found = self._agent.analyze(position, JUDGE_LIMIT)
        known = found.values or ()
        if self._is_stopped or not found.depth or all(known[column] is not None for column in position.legal):
            return found
        # The time was up amid the columns: have them all seen as far as the search had come with all of them.
        return self._agent.analyze(position, Limit(depth=found.depth))

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._is_stopped = True
        if self._asked is not None:
            self._asked.stop()

    def _solve(self, position: Position) -> Analysis:
        if self._solver is None:
            from fourcast.solver import Solver

            self._solver = Solver(self.rules.geometry)
            self._solver.prepare()
        self._asked = self._solver
        seconds = 2.0 if self.rules.geometry == STANDARD else 0.5  # other boards have no book
        return self._solver.analyze(position, limit=Limit(seconds=seconds), line=LINE)


class Adviser:
    """Asks a judge about one position after the other, without anybody waiting for it."""

    def __init__(self, rules: Rules) -> None:
        self._judge = Judge(rules)
        self._known: dict[Position, Analysis] = {}
        self._thought: Thought[Analysis] | None = None
        self._about: Position | None = None

    @property
    def is_busy(self) -> bool:
        """Whether the judge thinks, about this position or another."""
        return self._thought is not None

    def known(self, position: Position) -> Analysis | None:
        """What is known of a position already."""
        return self._known.get(position)

    def ask(self, position: Position) -> Analysis | None:
        """What is known of a position; if nothing is, the judge is asked, and later calls may know more."""
        self._take()
        if position in self._known:
            return self._known[position]
        if self._thought is None:
            self._about = position
            self._thought = Thought(self._judge, partial(self._judge.analyze, position))
        elif self._about != position:
            self.give_up()
        return None

    def give_up(self) -> None:
        """Stop the judge: what it says then is not kept."""
        self._about = None
        if self._thought is not None:
            self._thought.stop()
            self._take()

    def close(self, seconds: float = 2.0) -> bool:
        """Stop the judge and wait for it, so long at most; whether it is done."""
        self.give_up()
        for _ in range(int(seconds / 0.02)):
            if self._thought is None or self._thought.wait(0.02):
                break
        self._take()
        return self._thought is None

    def _take(self) -> None:
        if self._thought is None or not self._thought.is_done:
            return
        thought, self._thought = self._thought, None
        about, self._about = self._about, None
        if about is not None:
            self._known[about] = thought.answer()
            while len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
