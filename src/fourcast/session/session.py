"""The game that a terminal or a window shows: its discs, who plays, who thinks.

A session knows nothing of keys and screens. It is used by one thread; agents think in others.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from fourcast.agents import Agent, agent, new_game
from fourcast.agents.human import HUMAN
from fourcast.agents.registry import read_spec
from fourcast.game.analysis import Analysis
from fourcast.game.errors import AgentFailed, FourcastError
from fourcast.game.limit import Limit
from fourcast.game.outcome import FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.rules import RandomSource, Rules
from fourcast.session.thought import Thought

A_SECOND = Limit(seconds=1)
LAST_WAIT = 2.0  # seconds that closing waits for an agent to hear that it shall stop

Seat = Agent | None  # a person is nobody: they have more to say in a game than a column


@dataclass(frozen=True, slots=True)
class Drop:
    """One disc of the game.

    Attributes:
        aimed: The column that it was meant for.
        landed: The column where it fell.
        analysis: What the agent said that dropped it; None of a person's.
    """

    aimed: int
    landed: int
    analysis: Analysis | None = field(default=None, repr=False)


def seat(spec: str, rules: Rules, seed: int | None, side: int) -> Seat:
    """Who plays a side: the agent that a spec names, or None for a person.

    Args:
        spec: `human`, or an agent with its options.
        rules: The game.
        seed: The game's; both sides get one of their own from it.
        side: 0 the first player, 1 the second.

    Raises:
        UnknownPlayer, BadOption, CannotPlay: There is no such agent, or it cannot play here.
    """
    if read_spec(spec)[0].name == HUMAN:
        return None
    return agent(spec, rules, None if seed is None else 2 * seed + side)


class Session:
    """A game between two players, either of them a person (None) or an agent.

    Moves that were taken back stay until another is made instead.

    Attributes:
        rules: The board and its slip.
        names: What the first and the second player are called: their specs.
        players: Who they are.
        limit: What an agent may spend on a move.
        chance: Decides where discs slip.
        drops: All discs, those that were taken back included.
        ply: How many of them are on the board.
        thought: What an agent is thinking about just now; None while nobody does.
    """

    def __init__(
        self,
        rules: Rules,
        names: tuple[str, str],
        players: Sequence[Seat],
        limit: Limit = A_SECOND,
        *,
        start: Position | None = None,
        chance: RandomSource | None = None,
    ) -> None:
        """Begin with a position, by default the empty board; its moves can be taken back."""
        self.rules = rules
        self.names = names
        self.players = tuple(players)
        self.limit = limit
        self.chance = chance or random.Random()
        self.drops: list[Drop] = []
        self.thought: Thought[Analysis] | None = None
        self._positions = [Position(rules.geometry)]
        self._leaving: list[Thought[Analysis]] = []  # nobody wants their answers, but they are not done yet
        self._to_forget: set[int] = set()  # sides whose agent has not heard yet that it is another game
        for column in start.columns_played if start else ():
            self.drops.append(Drop(column, column))
            self._positions.append(self._positions[-1].play(column))
        self.ply = len(self.drops)
        self._begin()

    # --- what is on the board ---

    @property
    def position(self) -> Position:
        """The present position."""
        return self._positions[self.ply]

    @property
    def last(self) -> Drop | None:
        """The disc that was dropped last, of those on the board."""
        return self.drops[self.ply - 1] if self.ply else None

    @property
    def at_end(self) -> bool:
        """Whether nothing is taken back."""
        return self.ply == len(self.drops)

    @property
    def has_person(self) -> bool:
        """Whether a person plays."""
        return None in self.players

    @property
    def is_persons_turn(self) -> bool:
        """Whether the game waits for a person."""
        return not self.position.is_over and self.players[self.position.turn] is None

    def position_at(self, ply: int) -> Position:
        """The position after so many of the discs, those that were taken back included."""
        return self._positions[ply]

    # --- moves ---

    def drop(self, aimed: int, analysis: Analysis | None = None) -> Drop:
        """Let the side to move aim at a column; what was taken back before is gone.

        Raises:
            IllegalMove: A disc cannot be aimed there.
        """
        landed = self.rules.land(self.position, aimed, self.chance)
        self.give_up()
        del self.drops[self.ply :], self._positions[self.ply + 1 :]
        self.drops.append(Drop(aimed, landed, analysis))
        self._positions.append(self.position.play(landed))
        self.ply += 1
        return self.drops[-1]

    @property
    def undo_ply(self) -> int | None:
        """Where undo goes: back by one move, and on to where a person is to move; None if there is none."""
        return next((ply for ply in reversed(range(self.ply)) if self._is_stop(ply)), None)

    @property
    def redo_ply(self) -> int | None:
        """Where redo goes: on by one move, and on to where a person is to move; None at the end."""
        if self.at_end:
            return None
        later = range(self.ply + 1, len(self.drops))
        return next((ply for ply in later if self._is_stop(ply)), len(self.drops))

    def undo(self) -> bool:
        """Take back the last move; against an agent, its answer with it. Whether there was any."""
        return self._go(self.undo_ply)

    def redo(self) -> bool:
        """Make again what was taken back; whether there was anything."""
        return self._go(self.redo_ply)

    def look_at(self, ply: int) -> bool:
        """Have so many of the discs on the board, as far as there are; whether that is another position."""
        return self._go(max(0, min(ply, len(self.drops))))

    def play_on(self) -> None:
        """Forget what was taken back, so that the game goes on from here, whoever's turn it is."""
        del self.drops[self.ply :], self._positions[self.ply + 1 :]

    def restart(self) -> None:
        """Start again from the empty board, with the same players."""
        self.give_up()
        del self.drops[:], self._positions[1:]
        self.ply = 0
        self._begin()

    def _is_stop(self, ply: int) -> bool:
        """Whether undo and redo stay here: a person is to move, or none plays at all."""
        return not self.has_person or self.players[ply % 2] is None

    def _go(self, ply: int | None) -> bool:
        if ply is None or ply == self.ply:
            return False
        self.give_up()
        self.ply = ply
        self._begin()
        return True

    def _begin(self) -> None:
        """Have the agents play from here on, whatever was before."""
        self._to_forget = {side for side in (FIRST, SECOND) if self.players[side] is not None}
        self._tidy()

    # --- thinking ---

    @property
    def is_agents_turn(self) -> bool:
        """Whether the game waits for an agent."""
        return self.at_end and not self.position.is_over and not self.is_persons_turn

    def think(self) -> Thought[Analysis]:
        """Have the agent think whose turn it is; `drop` what it answers.

        It must not be thinking about something else any more: where `give_up` may have been called, `advance`
        sees to that.
        """
        player = self.players[self.position.turn]
        assert player is not None, "a person thinks for themselves"
        self.thought = Thought(player, partial(player.analyze, self.position, self.limit))
        return self.thought

    def advance(self, *, may_begin: bool = True) -> Drop | None:
        """Do what can be done now without waiting; call it again and again where nothing may block.

        An agent whose turn it is begins to think, and when it has answered, its disc is dropped.

        Args:
            may_begin: Whether a new thought may be begun.

        Returns:
            The disc that has been dropped, if any.

        Raises:
            FourcastError: The agent has failed; it is asked again by the next call that may begin.
        """
        self._tidy()
        if self.thought is None:
            if may_begin and self.is_agents_turn and not self._is_busy(self.position.turn):
                self.think()
            return None
        if not self.thought.is_done:
            return None
        thought, self.thought = self.thought, None
        try:
            analysis = thought.answer()
        except FourcastError:
            raise
        except Exception as error:  # an agent may be anybody's
            name = self.names[self.position.turn]
            words = f"{type(error).__name__}: {error}"
            raise AgentFailed("crash", f"agent {name}: crash: {words}", words=words) from error
        return self.drop(analysis.column, analysis)

    def give_up(self) -> None:
        """Stop who thinks, if anybody does; the answer is thrown away, and nobody waits for it."""
        if self.thought is not None and not self.thought.is_done:
            self.thought.stop()
            self._leaving.append(self.thought)
        self.thought = None

    def close(self, seconds: float = LAST_WAIT) -> bool:
        """End the game: stop who thinks, and let programs of others go.

        Args:
            seconds: How long to wait for who thinks.

        Returns:
            Whether nobody thinks any more. Who cannot be stopped goes on until the process ends.
        """
        self.give_up()
        for thought in self._leaving:
            if thought.can_stop:
                _wait_patiently(thought, seconds)
        self._leaving = [thought for thought in self._leaving if not thought.is_done]
        for player in self.players:
            close = getattr(player, "close", None)
            if close is not None and all(thought.who is not player for thought in self._leaving):
                close()
        return not self._leaving

    def _is_busy(self, side: int) -> bool:
        """Whether an agent still thinks about what nobody wants to know."""
        return any(thought.who is self.players[side] for thought in self._leaving)

    def _tidy(self) -> None:
        """Forget thoughts that have come to their end, and tell agents of the new game that were busy."""
        self._leaving = [thought for thought in self._leaving if not thought.is_done]
        for side in sorted(self._to_forget):
            player = self.players[side]
            if player is not None and not self._is_busy(side):
                self._to_forget.discard(side)
                new_game(player)


def _wait_patiently(thought: Thought[Analysis], seconds: float, step: float = 0.02) -> None:
    """Wait so long at most, telling it to stop again and again."""
    for _ in range(int(seconds / step)):
        if thought.wait(step):
            return
