"""`fourcast play`: a game in the terminal."""

from __future__ import annotations

import random
import shlex
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from fourcast.agents import Agent, agent, agent_names
from fourcast.cli.options import BoardOption, MovesArgument, read_position
from fourcast.cli.screen import wants_colour
from fourcast.game.errors import BadNotation, IllegalMove, UnknownPlayer
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.notation import COLUMN_NAMES, column_name, parse_column
from fourcast.game.outcome import DISCS, FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.rules import Rules

HUMAN, RANDOM = "human", "random"

HELP = """\
  a column   drop a disc there: {first} to {last}
  u, undo    take back your last move (and the answer to it)
  h, help    show this
  q, quit    leave; the moves so far are printed, to go on with later"""

PlayerOption = Annotated[str, typer.Option(metavar="PLAYER", help="human, or an agent: random.")]


def play(
    moves: MovesArgument = "",
    first: PlayerOption = HUMAN,
    second: PlayerOption = RANDOM,
    board: BoardOption = None,
    slip: Annotated[
        float, typer.Option(metavar="P", help="Chance that a disc lands in another column.")
    ] = 0.0,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Repeat the same chances.")] = None,
) -> None:
    """Play in the terminal: type the number of a column, or help.

    Give MOVES to go on from there.
    """
    position = read_position(moves, board)
    rules = Rules(position.geometry, slip)
    names = (first, second)
    players = [_player(name, rules, seed, side) for side, name in enumerate(names)]
    options = [] if position.geometry == STANDARD else ["--board", str(position.geometry)]
    options += ["--first", first] * (first != HUMAN) + ["--second", second] * (second != RANDOM)
    options += ["--slip", f"{slip:g}"] * (slip > 0)
    Game(rules, names, players, random.Random(seed), shlex.join(options), _history(position)).run()


def _history(position: Position) -> list[Position]:
    """The positions that led to this one, itself last."""
    history = [Position(position.geometry)]
    for column in position.columns_played:
        history.append(history[-1].play(column))
    return history


def _player(name: str, rules: Rules, seed: int | None, side: int) -> Agent | None:
    if name == HUMAN:
        return None
    if name not in agent_names():
        raise UnknownPlayer(f"there is no player {name!r}; known: {', '.join([HUMAN, *agent_names()])}")
    return agent(name, rules, None if seed is None else 2 * seed + side)


@dataclass
class Game:
    """A game between two players, either of them a person (None) or an agent.

    Attributes:
        rules: The board and its slip.
        names: What the first and the second player are called.
        players: Who they are.
        chance: Decides where discs slip.
        options: What `fourcast play` needs besides the moves to go on with this game.
        history: The positions so far, the present one last.
    """

    rules: Rules
    names: tuple[str, str]
    players: list[Agent | None]
    chance: random.Random
    options: str
    history: list[Position]

    @property
    def position(self) -> Position:
        """The present position."""
        return self.history[-1]

    def run(self) -> None:
        """Play until the game ends or a person leaves."""
        sides = ", ".join(f"{DISCS[side]} is {self.names[side]}" for side in (FIRST, SECOND))
        print(f"Board {self.rules}. {sides}.")
        if None in self.players:
            print("Type a column, or help.")
        self._show()
        try:
            while not self.position.is_over:
                player = self.players[self.position.turn]
                if player is None:
                    if not self._ask():
                        self._leave()
                        return
                else:
                    self._drop(player.analyze(self.position, Limit(seconds=1)).column)
        except KeyboardInterrupt:
            print()
            self._leave()
            raise
        outcome = str(self.position.outcome)
        print(f"{outcome[0].upper()}{outcome[1:]}. Moves: {self.position.moves}")

    def _ask(self) -> bool:
        """Carry out one line that a person types; False when they leave."""
        turn = self.position.turn
        try:
            line = input(f"Move {self.position.ply + 1}, {DISCS[turn]}: ").strip().lower()
        except EOFError:
            print()
            return False
        if not sys.stdin.isatty():
            print(line)  # nobody has seen it being typed
        command = "column" if self._names_column(line) else line
        if command in ("q", "quit", "exit"):
            return False
        if command in ("", "h", "help", "?"):
            last = column_name(self.position.geometry.columns - 1)
            print(HELP.format(first=column_name(0), last=last))
        elif command in ("u", "undo"):
            self._undo(turn)
        else:
            self._try(line)
        return True

    def _names_column(self, line: str) -> bool:
        """Whether the line is one letter that names a column: on a wide board `h` is one, and not help."""
        return len(line) == 1 and line in COLUMN_NAMES[: self.position.geometry.columns]

    def _try(self, line: str) -> None:
        try:
            column = parse_column(line, self.position.geometry)
            self.position.check_move(column)
        except BadNotation as error:
            print(f"  {error}; type a column, or help")
        except IllegalMove as error:
            print(f"  {error}")
        else:
            self._drop(column)

    def _undo(self, turn: int) -> None:
        """Go back to the last position in which this person was to move."""
        earlier = [index for index, position in enumerate(self.history[:-1]) if position.turn == turn]
        if not earlier:
            print("  There is nothing to take back.")
            return
        del self.history[earlier[-1] + 1 :]
        self._show()

    def _drop(self, aimed: int) -> None:
        turn = self.position.turn
        landed = self.rules.land(self.position, aimed, self.chance)
        self.history.append(self.position.play(landed))
        aim = f" aimed at {column_name(aimed)}, slipped and" if landed != aimed else ""
        print(f"{DISCS[turn]}{aim} fell into column {column_name(landed)}.")
        if self.position.is_over or None not in self.players or self.players[self.position.turn] is None:
            self._show()

    def _show(self) -> None:
        print(self.position.draw(colour=wants_colour()))

    def _leave(self) -> None:
        again = " ".join(filter(None, ["fourcast play", self.position.moves, self.options]))
        print(f"Left after {self.position.ply} moves. Go on with: {again}")
