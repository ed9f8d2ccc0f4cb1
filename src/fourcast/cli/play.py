"""`fourcast play`: a game in the terminal."""

from __future__ import annotations

import random
import shlex
import sys
import textwrap
from typing import Annotated

import typer

from fourcast.agents.human import HUMAN
from fourcast.cli.options import BoardOption, MovesArgument, SeedOption, SlipOption, read_position
from fourcast.cli.screen import wants_colour
from fourcast.cli.thinking import LiveLine, await_thought
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadNotation, IllegalMove
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.notation import COLUMN_NAMES, column_name, parse_column
from fourcast.game.outcome import DISCS, FIRST, SECOND
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.game.thoughts import thought
from fourcast.game.words import counted
from fourcast.session import Session, seat
from fourcast.session.session import A_SECOND

RANDOM = "random"
WIDTH = 80

HELP = """\
  1 to {last:<4}  drop a disc into that column
  undo       take back the last move; against an agent, yours and its answer
  redo       make again what was taken back
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
    session = Session(
        rules,
        names,
        [seat(name, rules, seed, side) for side, name in enumerate(names)],
        A_SECOND if limit is None else Limit.parse(limit),
        start=position,
        chance=random.Random(seed),
    )
    Game(session, to_go_on(rules, names, RANDOM, limit)).run()


def to_go_on(rules: Rules, names: tuple[str, str], opponent: str, limit: str | None) -> str:
    """The options that a game needs, besides its moves, to be gone on with.

    Args:
        rules: The board and its slip.
        names: The players.
        opponent: Who is second when nothing is said.
        limit: What was said of the limit.
    """
    first, second = names
    options = [] if rules.geometry == STANDARD else ["--board", str(rules.geometry)]
    options += ["--first", first] * (first != HUMAN) + ["--second", second] * (second != opponent)
    options += ["--slip", str(rules.slip)] * (rules.slip > 0)
    options += [] if limit is None else ["--limit", limit]
    return shlex.join(options)


def farewell(verb: str, session: Session, options: str) -> str:
    """What is said of a game that is left: how far it came, and how to go on with it."""
    again = " ".join(filter(None, [f"fourcast {verb}", session.position.moves, options]))
    return f"Left after {counted(session.ply, 'move')}. Go on with: {again}"


class Game:
    """A session at the terminal.

    Attributes:
        session: The game.
        options: What `fourcast play` needs besides the moves to go on with it.
    """

    def __init__(self, session: Session, options: str) -> None:
        self.session = session
        self.options = options

    @property
    def position(self) -> Position:
        """The present position."""
        return self.session.position

    def run(self) -> None:
        """Play until a person leaves, or two agents are done."""
        sides = ", ".join(f"{DISCS[side]} is {self.session.names[side]}" for side in (FIRST, SECOND))
        print(
            "\n".join(textwrap.wrap(f"Board {self.session.rules}. {sides}.", WIDTH, break_on_hyphens=False))
        )
        if self.session.has_person:
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
            return self.session.has_person and self._ask("undo, new or quit")
        if self.session.is_persons_turn:
            if self._ask(f"Move {self.position.ply + 1}, {DISCS[self.position.turn]}"):
                return True
            self._leave()
            return False
        analysis = self._think()
        self._drop(analysis.column, analysis)
        return True

    def _think(self) -> Analysis:
        """What the agent says of the position whose turn it is; Ctrl-C ends the game."""
        thought = self.session.think()
        live = LiveLine(DISCS[self.position.turn], thought.who)
        analysis, interrupted = await_thought(thought, live)
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
        elif command == "redo":
            self._redo()
        elif command == "new":
            self.session.restart()
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
        if self.session.undo():
            self._show()
        else:
            print("  There is nothing to take back.")

    def _redo(self) -> None:
        if self.session.redo():
            self._show()
        else:
            print("  There is nothing to make again.")

    def _drop(self, aimed: int, analysis: Analysis | None = None) -> None:
        """Let the side to move aim at a column; an agent has said why."""
        turn = self.position.turn
        landed = self.session.drop(aimed, analysis).landed
        if analysis is not None:
            why = thought(analysis, self.session.rules.slip)
            says = f"{DISCS[turn]} plays {column_name(aimed)}" + (f": {why}" if why else ".")
            print("\n".join(textwrap.wrap(says, WIDTH, subsequent_indent="  ")))
        aim = f" aimed at {column_name(aimed)}, slipped and" if landed != aimed else ""
        if aim or analysis is None:
            print(f"{DISCS[turn]}{aim} fell into column {column_name(landed)}.")
        if self.position.is_over or self.session.is_persons_turn or not self.session.has_person:
            self._show()

    def _show(self) -> None:
        print(self.position.draw(colour=wants_colour()))

    def _leave(self) -> None:
        print(farewell("play", self.session, self.options))
