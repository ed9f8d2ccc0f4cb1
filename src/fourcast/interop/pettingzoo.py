"""The game as a PettingZoo environment for two agents who take turns, on any board, with slip or without.

    >>> from fourcast.interop import pettingzoo
    >>> game = pettingzoo.env(board="6x7x4", slip=0.1, render_mode="ansi")
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter():
    ...     observation, reward, termination, truncation, info = game.last()
    ...     over = termination or truncation
    ...     game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))

Its conventions are those of PettingZoo's own `connect_four_v3`: the agents are `player_0` and `player_1`, an
observation has the discs (`observation`, one's own first) and the columns that may be played (`action_mask`,
all 0 while it is not one's turn), a win is worth 1 and a loss -1, and who plays a full column loses the game
with -1, the other agent gets 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import GameOver
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.interop.asking import column_of
from fourcast.interop.openings import opening_among
from fourcast.interop.views import (
    FRAMES_A_SECOND,
    RENDER_MODES,
    Observation,
    check_render_mode,
    observation_of,
    show,
)

require("pettingzoo", "gym")

from gymnasium import spaces  # noqa: E402
from gymnasium.utils import seeding  # noqa: E402
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # noqa: E402
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]  # noqa: E402

AGENTS = ("player_0", "player_1")
_ILLEGAL_REWARD = -1


def env(
    board: Geometry | str = STANDARD, slip: float = 0.0, render_mode: str | None = None
) -> wrappers.OrderEnforcingWrapper:
    """The environment as PettingZoo wants it: illegal moves end the game, and calls out of order are refused.

    Args:
        board: The board, "6x7x4".
        slip: The chance that a disc lands in one of the other open columns.
        render_mode: "human" prints the board after every move, "ansi" and "rgb_array" give it to `render()`.

    Raises:
        BadGeometry, BadSlip, BadOption: An argument is not what it should be.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(board, slip, render_mode), _ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # it is what PettingZoo calls it
    """The environment itself, without PettingZoo's wrappers; a move that cannot be is an `IllegalMove`.

    Attributes:
        rules: The board and its slip.
        position: The position as it is now.
    """

    metadata = {  # noqa: RUF012  # as PettingZoo has it
        "name": "fourcast_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": FRAMES_A_SECOND,
    }

    def __init__(
        self, board: Geometry | str = STANDARD, slip: float = 0.0, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.rules = Rules(board, slip)
        self.render_mode = check_render_mode(render_mode)
        self.position = Position(self.rules.geometry)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.agent_selection = AGENTS[0]
        rows, columns = self.rules.geometry.rows, self.rules.geometry.columns
        self.action_spaces = {agent: spaces.Discrete(columns) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (rows, columns, 2), np.int8),
                    "action_mask": spaces.Box(0, 1, (columns,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.state_space = spaces.Box(0, 2, (rows, columns), np.int8)
        self._chance: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent may see; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may do: the columns, 0-based."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is all 0 while it is not its turn.

        Raises:
            GameOver: `reset()` has not been called.
        """
        self._check_begun()
        on_turn = agent == self.agent_selection and not self.terminations.get(agent, True)
        return observation_of(self.position, self.possible_agents.index(agent), may_play=on_turn)

    def state(self) -> npt.NDArray[np.int8]:
        """The cells, shape (rows, columns), top row first: 0 empty, 1 `player_0`, 2 `player_1`."""
        return self.position.to_array()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: Where the chance of slipping starts; None lets it go on.
            options: {"moves": "4453"} begins with these moves; anything else is ignored, as PettingZoo's own
                tests want it.

        Raises:
            BadOption: The moves are none.
            BadNotation, IllegalMove: The moves cannot be played, or there is nothing left to play after them.
        """
        position = opening_among(options, self.rules.geometry)
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        self.position = position
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[position.turn]
        self._show()

    def step(self, action: int | None) -> None:
        """Drop the disc of the agent whose turn it is.

        Args:
            action: The column that it is aimed at, 0-based; None for an agent whose game is over.

        Raises:
            ColumnFull, ColumnOffBoard: A disc cannot be aimed there, or the action is not a whole number.
            GameOver: `reset()` has not been called.
        """
        self._check_begun()
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        mover, waiter = self.position.turn, 1 - self.position.turn
        assert self._chance is not None
        aimed = column_of(action, self.rules.geometry)
        landed = self.rules.land(self.position, aimed, self._chance)
        self.position = self.position.play(landed)
        self.infos = {agent: {"aimed": aimed, "landed": landed} for agent in AGENTS}
        outcome = self.position.outcome
        if outcome is not None:  # before that nobody has had any reward
            if outcome.winner is not None:
                self.rewards[AGENTS[mover]], self.rewards[AGENTS[waiter]] = 1.0, -1.0
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[waiter]
        self._accumulate_rewards()
        self._show()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The board, as the render mode has it; None where it is printed, or without a mode."""
        return None if self.render_mode is None else show(self.position, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Whose turn it is, one after the other, until all have left.

        Raises:
            GameOver: `reset()` has not been called.
        """
        self._check_begun()
        return super().agent_iter(max_iter)

    def _check_begun(self) -> None:
        if self._chance is None:
            raise GameOver("reset() has not been called; reset() begins a game")

    def _show(self) -> None:
        if self.render_mode == "human":
            show(self.position, "human")
