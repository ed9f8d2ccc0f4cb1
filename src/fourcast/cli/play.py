"""`fourcast play`: a game in the terminal."""

from __future__ import annotations

import random
import shlex
import sys
import textwrap
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer

from fourcast.agents import Agent, agent, new_game
from fourcast.agents.human import HUMAN
from fourcast.agents.registry import read_spec
from fourcast.cli.options import BoardOption, MovesArgument, SeedOption, SlipOption, read_position
from fourcast.cli.screen import wants_colour
from fourcast.cli.thinking import LiveLine, ask
from fourcast.cli.thoughts import thought
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadNotation, IllegalMove
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.notation import COLUMN_NAMES, column_name, parse_column
from fourcast.game.outcome import DISCS, FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.rules import Rules

RANDOM = "random"
A_SECOND = Limit(seconds=1)
WIDTH = 80

HELP = """\
  1 to {last:<4}  drop a disc into that column
  undo       take back the last move; against an agent, yours and its answer
  new        start again from the empty board
  help       show this
  quit       leave; what you need to go on later is printed
  {letters}"""

SHORT = {"": "help", "?": "help", "h": "help", "u": "undo", "n": "new", "q": "quit", "exit": "quit"}

PlayerOption = Annotated[
    str,
    typer.Option(metavar="PLAYER", help="human, or an agent like alphabeta:depth=8; see fourcast agents."),
]


def play(
    moves: MovesArgument = "",
    first: PlayerOption = HUMAN,
    second: PlayerOption = RANDOM,
    board: BoardOption = None,
    slip: SlipOption = 0.0,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="LIMIT",
            help="What an agent may spend on a move: 200ms, depth=6, nodes=100000, simulations=800; "
            "1s by default.",
        ),
    ] = None,
    seed: SeedOption = None,
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
    options += [] if limit is None else ["--limit", limit]
    allowed = A_SECOND if limit is None else Limit.parse(limit)
    Game(rules, names, players, allowed, random.Random(seed), shlex.join(options), _history(position)).run()


def _history(position: Position) -> list[Position]:
    """The positions that led to this one, itself last."""
    history = [Position(position.geometry)]
    for column in position.columns_played:
        history.append(history[-1].play(column))
    return history


def _player(spec: str, rules: Rules, seed: int | None, side: int) -> Agent | None:
    """The agent; None for a person, who has more to say in a game than a column."""
    if read_spec(spec)[0].name == HUMAN:
        return None
    return agent(spec, rules, None if seed is None else 2 * seed + side)


@dataclass
class Game:
    """A game between two players, either of them a person (None) or an agent.

    Attributes:
        rules: The board and its slip.
        names: What the first and the second player are called.
        players: Who they are.
        limit: What an agent may spend on a move.
        chance: Decides where discs slip.
        options: What `fourcast play` needs besides the moves to go on with this game.
        history: The positions so far, the present one last.
    """

    rules: Rules
    names: tuple[str, str]
    players: list[Agent | None]
    limit: Limit
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
        print("\n".join(textwrap.wrap(f"Board {self.rules}. {sides}.", WIDTH, break_on_hyphens=False)))
        if None in self.players:
            print("Type a column, or help.")
        self._begin()
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
        analysis = self._think(player)
        self._drop(analysis.column, analysis)
        return True

    def _think(self, player: Agent) -> Analysis:
        """What an agent says of the position; Ctrl-C ends the game."""
        live = LiveLine(DISCS[self.position.turn], player)
        analysis, interrupted = ask(player, partial(player.analyze, self.position, self.limit), live=live)
        if interrupted:
            raise KeyboardInterrupt
        return analysis

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
            self._begin()
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
        self._begin()

    def _begin(self) -> None:
        """Play from here on, whatever was before."""
        for player in self.players:
            if player is not None:
                new_game(player)
        self._show()

    def _drop(self, aimed: int, analysis: Analysis | None = None) -> None:
        """Let the side to move aim at a column; an agent has said why."""
        turn = self.position.turn
        landed = self.rules.land(self.position, aimed, self.chance)
        self.history.append(self.position.play(landed))
        if analysis is not None:
            why = thought(analysis, self.rules.slip)
            says = f"{DISCS[turn]} plays {column_name(aimed)}" + (f": {why}" if why else ".")
            print("\n".join(textwrap.wrap(says, WIDTH, subsequent_indent="  ")))
        aim = f" aimed at {column_name(aimed)}, slipped and" if landed != aimed else ""
        if aim or analysis is None:
            print(f"{DISCS[turn]}{aim} fell into column {column_name(landed)}.")
        if self.position.is_over or None not in self.players or self.players[self.position.turn] is None:
            self._show()

    def _show(self) -> None:
        print(self.position.draw(colour=wants_colour()))

    def _leave(self) -> None:
        again = " ".join(filter(None, ["fourcast play", self.position.moves, self.options]))
        plies = self.position.ply
        print(f"Left after {plies} {'move' if plies == 1 else 'moves'}. Go on with: {again}")
