"""The game as a Gymnasium environment for one player, against any agent of Fourcast's.

    >>> import gymnasium
    >>> import fourcast.interop.gymnasium  # registers fourcast/ConnectFour-v0
    >>> game = gymnasium.make("fourcast/ConnectFour-v0", opponent="alphabeta:2", board="6x7x4", slip=0.1)
    >>> seen, info = game.reset(seed=1)
    >>> seen["observation"].shape, seen["action_mask"].tolist()
    ((6, 7, 2), [1, 1, 1, 1, 1, 1, 1])
    >>> seen, reward, terminated, truncated, info = game.step(3)

A step is the player's disc and the opponent's answer. A win is worth 1, a loss -1, a draw and all else 0; who
plays a full column loses the game with -1. `fourcast.interop.gymnasium_vector` steps thousands of games.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.agents import Agent, new_game
from fourcast.arena.roster import dismiss
from fourcast.extras import require
from fourcast.game.errors import BadOption, ColumnFull, GameOver, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.interop.asking import answer_of, column_of, failures_of, name_of, seated
from fourcast.interop.openings import opening_of
from fourcast.interop.vector import SIDES, Side
from fourcast.interop.views import (
    FRAMES_A_SECOND,
    RENDER_MODES,
    Observation,
    check_render_mode,
    observation_of,
    show,
)

require("gymnasium", "gym")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402

ID = "fourcast/ConnectFour-v0"
NO_COLUMN = -1
NOT_BEGUN = "reset() has not been called"
_UNANSWERED = "the opponent gave no move"


class ConnectFourEnv(gymnasium.Env[Observation, int]):
    """One player's game against an agent.

    Attributes:
        rules: The board and its slip, for both sides' discs.
        position: The position as it is now.
        player: Which side the player has in this game: 0 the first, 1 the second.
        opponent: The agent that answers.

    Args:
        opponent: A spec like "mcts:simulations=200", or an agent, who must play by these rules; no person.
        board: The board, "6x7x4".
        slip: The chance that a disc lands in one of the other open columns.
        side: Whether the player moves "first" or "second", or "either", by lot in every game.
        limit: What the opponent may spend on a move, "50ms" or "nodes=1000". With a time in it, games cannot
            be repeated to the move.
        render_mode: "human" prints the board after every step, "ansi" and "rgb_array" give it to `render()`.

    Raises:
        BadGeometry, BadSlip, BadOption, BadLimit: An argument is not what it should be.
        UnknownPlayer, CannotPlay: There is no such agent, it is none, or it does not play by these rules.
    """

    metadata = {  # noqa: RUF012  # as Gymnasium has it
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
    }

    def __init__(
        self,
        opponent: Agent | str = "random",
        board: Geometry | str = STANDARD,
        slip: float = 0.0,
        side: Side = "first",
        limit: Limit | str | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules(board, slip)
        if side not in SIDES:
            raise BadOption(f"side {shown(side)}: it is {' or '.join(SIDES)}")
        self.side = side
        self.limit = Limit.of(limit)
        self.render_mode = check_render_mode(render_mode)
        self._made = isinstance(opponent, str)
        self.opponent = seated(opponent, self.rules)
        self.position = Position(self.rules.geometry)
        self.player = 0
        self._ended = NOT_BEGUN  # why no disc can be dropped; empty while the game goes on
        rows, columns = self.rules.geometry.rows, self.rules.geometry.columns
        self.action_space = spaces.Discrete(columns)  # type: ignore[assignment]  # NumPy's whole numbers, too
        self.observation_space = spaces.Dict(  # type: ignore[assignment]  # an Observation is such a dict
            {
                "observation": spaces.Box(0, 1, (rows, columns, 2), np.int8),
                "action_mask": spaces.Box(0, 1, (columns,), np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; the opponent has moved already if it comes first.

        Args:
            seed: Where chance starts: of slip, of the side drawn by lot, and of the opponent.
            options: {"moves": "4453"} begins with these moves.

        Raises:
            BadOption: There is no such option, or the moves are none.
            BadNotation, IllegalMove: The moves cannot be played, or there is nothing left to play after them.
            AgentFailed: The opponent gave no move. There is no game then, until the next `reset()`.
        """
        position = opening_of(options, self.rules.geometry)
        super().reset(seed=seed)
        self.player = SIDES.index(self.side) if self.side != "either" else int(self.np_random.integers(2))
        self.position, self._ended = position, _UNANSWERED
        with failures_of(name_of(self.opponent)):
            new_game(self.opponent, int(self.np_random.integers(2**31)))
        self._ended = ""
        answer = NO_COLUMN
        if position.turn != self.player:
            answer = self._answer()
        self._look_for_the_end()
        if self._ended:
            raise GameOver(f"the opening {position.moves} leaves nothing to play: {self._ended}")
        self._show()
        return self._seen(), self._info(NO_COLUMN, answer)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Drop the player's disc, and the opponent's after it.

        Args:
            action: The column that the disc is aimed at, 0-based.

        Returns:
            What the player sees, the reward, whether the game is over, False, and what happened: `landed` and
            `answer` (the columns of the two discs, -1 for none), `ply`, and `illegal` (the column was full).

        Raises:
            ColumnOffBoard: There is no such column, or the action is not a whole number.
            GameOver: The game is over, or none has begun: `reset()` begins one.
            AgentFailed: The opponent raised an error, or gave no column that can be played. The game is over
                then, with the player's disc on the board; `step` is a GameOver until `reset()`.
        """
        if self._ended:
            raise GameOver(f"{self._ended}; reset() begins a game")
        landed, answer = NO_COLUMN, NO_COLUMN
        try:
            landed = self._drop(column_of(action, self.rules.geometry))
        except ColumnFull as full:
            self._ended = f"the game is lost, {full}"
            return self._seen(), -1.0, True, False, self._info(landed, answer) | {"illegal": True}
        if not self.position.is_over:
            answer = self._answer()
        reward = self._look_for_the_end()
        self._show()
        return self._seen(), reward, bool(self._ended), False, self._info(landed, answer)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The columns that may be played, as learners with masked actions ask for them: bool (columns,)."""
        return self._seen()["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """The board, as the render mode has it; None where it is printed, or without a mode."""
        return None if self.render_mode is None else show(self.position, self.render_mode)

    def close(self) -> None:
        """End what an opponent made from a spec has running."""
        if self._made:
            dismiss(self.opponent)

    def _drop(self, column: int) -> int:
        landed = self.rules.land(self.position, column, self.np_random)
        self.position = self.position.play(landed)
        return landed

    def _answer(self) -> int:
        """The opponent's disc. If anything keeps it from falling, Ctrl-C too, the game cannot go on."""
        self._ended = _UNANSWERED
        landed = self._drop(answer_of(self.opponent, self.position, self.limit).column)
        self._ended = ""
        return landed

    def _look_for_the_end(self) -> float:
        """What the position is worth to the player, if the game is over."""
        outcome = self.position.outcome
        if outcome is None:
            return 0.0
        self._ended = f"the game is over, {outcome}"
        return 0.0 if outcome.winner is None else 1.0 if outcome.winner == self.player else -1.0

    def _seen(self) -> Observation:
        return observation_of(self.position, self.player, may_play=not self._ended)

    def _info(self, landed: int, answer: int) -> dict[str, Any]:
        return {"landed": landed, "answer": answer, "ply": self.position.ply, "illegal": False}

    def _show(self) -> None:
        if self.render_mode == "human":
            show(self.position, "human")


gymnasium.register(
    ID,
    entry_point="fourcast.interop.gymnasium:ConnectFourEnv",
    vector_entry_point="fourcast.interop.gymnasium_vector:ConnectFourVectorEnv",
)
