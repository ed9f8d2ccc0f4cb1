"""`fourcast play`: a game in the terminal."""

from __future__ import annotations

import random
import shlex
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from fourcast.agents import Agent, agent
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
  1 to {last:<4}  drop a disc into that column
  undo       take back the last move; against an agent, yours and its answer
  new        start again from the empty board
  help       show this
  quit       leave; what you need to go on later is printed
  {letters}"""

SHORT = {"": "help", "?": "help", "h": "help", "u": "undo", "n": "new", "q": "quit", "exit": "quit"}

PlayerOption = Annotated[str, typer.Option(metavar="PLAYER", help="human, or an agent (random, perfect).")]


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
    options += ["--slip", str(slip)] * (slip > 0)
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
    try:
        return agent(name, rules, None if seed is None else 2 * seed + side)
    except UnknownPlayer as error:
        raise UnknownPlayer(f"{error}, and {HUMAN}") from None


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
        """Play until a person leaves, or two agents are done."""
        sides = ", ".join(f"{DISCS[side]} is {self.names[side]}" for side in (FIRST, SECOND))
        print(f"Board {self.rules}. {sides}.")
        if None in self.players:
            print("Type a column, or help.")
        self._show()
        try:
            while self._turn():
                pass
        except KeyboardInterrupt:
            print()
            self._leave()
            raise

    def _turn(self) -> bool:
        """One move, or one line that a person types; False when there is no more to come."""
        if self.position.is_over:
            outcome = str(self.position.outcome)
            print(f"{outcome[0].upper()}{outcome[1:]}. Moves: {self.position.moves}")
            return None in self.players and self._ask("undo, new or quit")
        player = self.players[self.position.turn]
        if player is None:
            if self._ask(f"Move {self.position.ply + 1}, {DISCS[self.position.turn]}"):
                return True
            self._leave()
            return False
        self._drop(player.analyze(self.position, Limit(seconds=1)).column)
        return True

    def _ask(self, prompt: str) -> bool:
        """Carry out one line that a person types; False when they leave."""
        try:
            print(f"{prompt}: ", end="", flush=True)  # on a terminal, input() would write it to stderr
            line = input().strip().lower()
        except EOFError:
            print()
            return False
        if not sys.stdin.isatty():
            print(line)  # nobody has seen it being typed
        command = line if self._names_column(line) else SHORT.get(line, line)
        if command == "quit":
            return False
        if command == "help":
            self._help()
        elif command == "undo":
            self._undo()
        elif command == "new":
            del self.history[1:]
            self._show()
        else:
            self._try(line)
        return True

    def _names_column(self, line: str) -> bool:
        """Whether the line is one letter that names a column: on a wide board `h` is one, and not help."""
        return len(line) == 1 and line in COLUMN_NAMES[: self.position.geometry.columns]

    def _help(self) -> None:
        short = [letter for letter in "unhq" if not self._names_column(letter)]
        letters = f"({', '.join(short)} for short)" if short else "(every letter is a column here)"
        print(HELP.format(last=self.position.geometry.columns, letters=letters))

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

    def _undo(self) -> None:
        """Go back by one move, and on to where a person is to move."""
        earlier = len(self.history) - 2
        while earlier >= 0 and self.players[self.history[earlier].turn] is not None:
            earlier -= 1
        if earlier < 0:
            print("  There is nothing to take back.")
            return
        del self.history[earlier + 1 :]
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
        plies = self.position.ply
        print(f"Left after {plies} {'move' if plies == 1 else 'moves'}. Go on with: {again}")
