"""The slow, obvious twin of the games that are stepped together: one game at a time, with lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests import naive

View = list[list[list[int]]]


@dataclass
class Game:
    """One game of many: its number, the player's side ("first", "second" or "either") and its chance."""

    board: naive.Board
    number: int
    seed: int
    slip: float
    opponent: bool
    side: str
    at_once: bool
    grid: naive.Grid = ()
    player: int | None = None  # None without an opponent: whoever is to move
    over: bool = False
    last: View = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = naive.split_mix(self.seed ^ naive.split_mix(self.number)[1])[1]
        self.begin()

    def begin(self) -> None:
        self.grid, self.over = naive.empty(self.board), False
        if not self.opponent:
            return
        if self.side == "either":
            self.state, number = naive.split_mix(self.state)
            self.player = number // 2**63
        else:
            self.player = 0 if self.side == "first" else 1
        if self.player == 1:
            self.grid = naive.drop(self.grid, self.any_column())

    def any_column(self) -> int:
        """Draw until a column is open."""
        drawn = naive.Columns(self.board.columns)
        while True:
            self.state, column = drawn.draw(self.state)
            if column in naive.legal(self.board, self.grid):
                return column

    def land(self, aim: int) -> int:
        if self.slip == 0:
            return aim
        self.state, number = naive.split_mix(self.state)
        others = [column for column in naive.legal(self.board, self.grid) if column != aim]
        if (number >> 11) / 2**53 >= self.slip or not others:
            return aim
        drawn = naive.Columns(self.board.columns)
        while True:
            self.state, column = drawn.draw(self.state)
            if column in others:
                return column

    def step(self, column: int) -> tuple[float, bool, list[int]]:
        """The reward, whether the game ended, and where the discs of player and opponent fell."""
        if self.over:
            self.begin()
            return 0, False, [-1, -1]
        reward, landed, ended = 0, [-1, -1], False
        mover = naive.turn(self.grid)
        if column not in naive.legal(self.board, self.grid):
            reward, ended = -1, True
        else:
            landed[0] = self.land(column)
            self.grid = naive.drop(self.grid, landed[0])
            if self.opponent and not naive.is_over(self.board, self.grid):
                landed[1] = self.any_column()
                self.grid = naive.drop(self.grid, landed[1])
            ended = naive.is_over(self.board, self.grid)
            if naive.has_line(self.board, self.grid, mover):
                reward = 1
            elif naive.has_line(self.board, self.grid, 1 - mover):
                reward = -1
        if ended:
            self.last = self.view()
            if self.at_once:
                self.begin()
            else:
                self.over = True
        return reward, ended, landed

    def view(self) -> View:
        """Rows from the top, cells from the left: whether the player has a disc there, whether the other."""
        player = naive.turn(self.grid) if self.player is None else self.player
        return [
            [
                [int(naive.disc(self.grid, (row, column)) == side) for side in (player, 1 - player)]
                for column in range(self.board.columns)
            ]
            for row in reversed(range(self.board.rows))
        ]

    def mask(self) -> list[int]:
        if self.over:
            return [0] * self.board.columns
        return [int(column in naive.legal(self.board, self.grid)) for column in range(self.board.columns)]
