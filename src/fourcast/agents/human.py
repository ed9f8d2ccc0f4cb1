"""A person at the terminal."""

from __future__ import annotations

import sys

from fourcast.agents.registry import register
from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadNotation, IllegalMove, PlayerLeft
from fourcast.game.limit import Limit
from fourcast.game.notation import parse_column
from fourcast.game.outcome import DISCS
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.game.rules import Rules

HUMAN = "human"


@register(HUMAN, guard=False)
class HumanAgent:
    """A person, who is asked on the terminal."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.rules = rules
        self.seed = seed

    def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002  # people take their time
        """Draw the board, and ask until the answer is a column that can be played.

        Raises:
            GameOver: There is nothing left to play.
            PlayerLeft: The input has ended.
        """
        check_question(position, self.rules.geometry)
        print(position)
        while True:
            print(f"Move {position.ply + 1}, {DISCS[position.turn]}: ", end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                print()
                raise PlayerLeft(f"move {position.ply + 1}: the input has ended, nobody is there to play")
            try:
                column = position.check_move(parse_column(line.strip(), position.geometry))
            except (BadNotation, IllegalMove) as error:
                print(f"  {error}; type the number of a column")
            else:
                return Analysis(position, column, pv=(column,))
