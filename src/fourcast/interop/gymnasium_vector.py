"""Thousands of games as one Gymnasium vector environment, on the kernels.

    >>> from fourcast.interop.gymnasium_vector import ConnectFourVectorEnv
    >>> games = ConnectFourVectorEnv(4096, board="6x7x4", opponent="random", side="either")
    >>> seen, infos = games.reset(seed=1)
    >>> seen["observation"].shape
    (4096, 6, 7, 2)
    >>> seen, rewards, terminations, truncations, infos = games.step(games.games.sample())

`gymnasium.make_vec("fourcast/ConnectFour-v0", num_envs=4096)` makes the same, once
`fourcast.interop.gymnasium` is imported. `fourcast.interop.vector.Games` is what it stands on, and needs no
Gymnasium.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.extras import require
from fourcast.game.errors import BadOption, GameOver, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.interop.openings import check_options
from fourcast.interop.vector import Games, Opponent, Side, Step, View
from fourcast.interop.views import Observation

require("gymnasium", "gym")

from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

Array = npt.NDArray[Any]


class ConnectFourVectorEnv(VectorEnv[Observation, Array, Array]):
    """Many games of one player each; a full column loses its game with a reward of -1.

    Attributes:
        games: The games.

    Args:
        num_envs: How many games.
        board: The board, "6x7x4".
        slip: The chance that a disc lands in one of the other open columns.
        opponent: "random", or None: then every step is a disc of the side to move, which sees its own view,
            and the reward is that of the side that has just played.
        side: With an opponent, whether the player moves "first" or "second", or "either", by lot in every
            game.
        autoreset_mode: Gymnasium's next-step or same-step autoreset; with the latter `infos["final_obs"]` has
            the last observations.

    Raises:
        BadGeometry, BadSlip, BadLimit, BadOption: An argument is not what it should be.
    """

    def __init__(
        self,
        num_envs: int = 1,
        board: Geometry | str = STANDARD,
        slip: float = 0.0,
        opponent: Opponent | None = "random",
        side: Side = "first",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        modes = {AutoresetMode.NEXT_STEP: "next_step", AutoresetMode.SAME_STEP: "same_step"}
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
            autoreset = modes[self.autoreset_mode]
        except (ValueError, KeyError):
            known = " or ".join(mode.value for mode in modes)
            raise BadOption(f"autoreset mode {shown(autoreset_mode)}: it is {known}") from None
        self.games = Games(
            num_envs,
            board,
            slip=slip,
            opponent=opponent,
            side=side,
            autoreset=autoreset,  # type: ignore[arg-type]  # one of the two, see above
            illegal="lose",
        )
        self._begun = False
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.num_envs = self.games.count
        rows, columns = self.games.rules.geometry.rows, self.games.rules.geometry.columns
        self.single_action_space = spaces.Discrete(columns)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (rows, columns, 2), np.int8),
                "action_mask": spaces.Box(0, 1, (columns,), np.int8),
            }
        )
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games anew; the same seed and the same columns give the same games.

        Args:
            seed: Where chance starts: of all games, or one for each; see `Games.reset`.
            options: There are none: all games begin with an empty board.

        Raises:
            BadOption: There is an option.
            BadLimit, BadShape: The seed is none, or there is not one for every game.
        """
        check_options(options)
        view = self.games.reset(seed)
        super().reset(seed=None if seed is None or isinstance(seed, Sequence) else int(seed))
        self._begun = True
        return _seen(view), {}

    def step(self, actions: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Drop a disc in every game, and the opponent's after it.

        Args:
            actions: One 0-based column a game; of a game that begins anew at this step it is ignored.

        Returns:
            What is seen; rewards, terminations and truncations (all False) of shape (games,); and as infos
            `landed` and `answer`, the columns of the two discs, -1 for none.

        Raises:
            BadShape: There is not one whole number for every game.
            ColumnOffBoard: There is no such column; the message says where.
            GameOver: `reset()` has not been called.
        """
        if not self._begun:
            raise GameOver("reset() has not been called; reset() begins the games")
        step = self.games.step(actions)
        all_games = np.ones(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {
            "landed": step.landed[:, 0],
            "_landed": all_games,
            "answer": step.landed[:, 1],
            "_answer": all_games.copy(),
        }
        if self.autoreset_mode is AutoresetMode.SAME_STEP and len(step.ended):
            infos |= self._final(step)
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        return _seen(step), step.rewards, step.terminations, truncations, infos

    def _final(self, step: Step) -> dict[str, Any]:
        """The last observations of the games that ended, as Gymnasium's vector environments have them."""
        final = np.full(self.num_envs, None, dtype=object)
        for game, last in zip(step.ended, step.last, strict=True):
            mask = np.zeros(step.action_mask.shape[1], dtype=np.int8)
            final[game] = {"observation": last, "action_mask": mask}
        return {"final_obs": final, "_final_obs": step.terminations.copy()}


def _seen(view: View | Step) -> Observation:
    return {"observation": view.observation, "action_mask": view.action_mask}
