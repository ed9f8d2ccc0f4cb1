"""Thousands of games stepped together on the kernels: a disc in each in one call, with NumPy alone.

    >>> from fourcast.interop.vector import Games
    >>> games = Games(4096, "6x7x4", seed=1)
    >>> seen = games.reset()
    >>> seen.observation.shape, seen.action_mask.shape
    ((4096, 6, 7, 2), (4096, 7))
    >>> for _ in range(20):
    ...     step = games.step(games.sample())
    >>> bool(step.terminations.any()), sorted({float(reward) for reward in step.rewards})
    (True, [0.0, 1.0])

`fourcast.interop.gymnasium_vector` is the same as a `gymnasium.vector.VectorEnv`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from fourcast.game.errors import BadLimit, BadOption, BadShape, IllegalMove, shown
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import check_count, check_seed
from fourcast.game.rules import Rules
from fourcast.kernels.batch import Batch, column_each
from fourcast.kernels.board import halves_of
from fourcast.kernels.chance import stream_seed
from fourcast.kernels.stepping import begin_games, draw_columns, first_wrong, seed_streams, step_games

Opponent = Literal["random"]
Side = Literal["first", "second", "either"]
Autoreset = Literal["same_step", "next_step"]
Illegal = Literal["error", "lose"]

OPPONENTS: tuple[Opponent, ...] = ("random",)
SIDES: tuple[Side, ...] = ("first", "second", "either")
AUTORESETS: tuple[Autoreset, ...] = ("same_step", "next_step")
ILLEGALS: tuple[Illegal, ...] = ("error", "lose")

Word = TypeVar("Word", bound=str)

MOST_GAMES = 2**20
_OTHER_STREAMS = 0x5851F42D4C957F2D  # so that the columns of `sample` are not those of the opponent


class View(NamedTuple):
    """What is seen of all games.

    Attributes:
        observation: int8 of shape (games, rows, columns, 2), top row first: own discs, then the
            other side's.
        action_mask: int8 of shape (games, columns): 1 where a disc can be dropped.
    """

    observation: npt.NDArray[np.int8]
    action_mask: npt.NDArray[np.int8]


class Step(NamedTuple):
    """What a step of all games leads to.

    Attributes:
        observation: As in `View`; of a game that begins anew at once, its first position.
        action_mask: As in `View`; all 0 where a game is over.
        rewards: float32 of shape (games,), seen by the player who dropped the disc: 1 for a line, -1 for a
            game that is lost (to the opponent, or by a column that was full), 0 otherwise.
        terminations: bool of shape (games,): which games ended at this step.
        landed: int8 of shape (games, 2): the columns where the discs of the player and of the opponent fell;
            -1 where there was none.
        ended: int64: the games that ended, by number.
        last: int8 of shape (ended, rows, columns, 2): the last observation of each of these.
    """

    observation: npt.NDArray[np.int8]
    action_mask: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminations: npt.NDArray[np.bool_]
    landed: npt.NDArray[np.int8]
    ended: npt.NDArray[np.int64]
    last: npt.NDArray[np.int8]


class Games:
    """Many games of one board, stepped together.

    Without an opponent every step is a disc of the side to move, whoever that is: what is seen and the mask
    are its own, and the reward is that of the side that has just played. With an opponent all is seen by the
    player alone, and the opponent's answer is part of the step. The games have begun once they are made:
    `step` needs no `reset` before it.

    Attributes:
        rules: The board and its slip.
        count: How many games.
        opponent: None, or "random": any open column, each equally likely.
        side: With an opponent, whether the player moves "first" or "second", or "either", by lot in every
            game.
        autoreset: Whether a game that has ended begins anew in the "same_step", or in the "next_step", whose
            column for it is then ignored.
        illegal: Whether a full column is an "error" or makes its player "lose" the game, with a reward of -1.
            A column that is not on the board is always an error. After an error no disc has been dropped.

    Raises:
        BadGeometry, BadSlip, BadLimit, BadOption: An argument is not what it should be.
    """

    def __init__(
        self,
        count: int,
        board: Geometry | str = STANDARD,
        *,
        slip: float = 0.0,
        opponent: Opponent | None = None,
        side: Side = "first",
        autoreset: Autoreset = "same_step",
        illegal: Illegal = "error",
        seed: int | None = None,
    ) -> None:
        self.rules = Rules(board, slip)
        self.count = check_count("games", count)
        if self.count > MOST_GAMES:
            raise BadLimit(f"games {shown(count)}: {MOST_GAMES:,} is the most")
        self.opponent = None if opponent is None else _one_of("opponent", opponent, OPPONENTS)
        self.side = _one_of("side", side, SIDES)
        self.autoreset = _one_of("autoreset", autoreset, AUTORESETS)
        self.illegal = _one_of("illegal", illegal, ILLEGALS)
        geometry = self.rules.geometry
        self._batch = Batch(geometry, np.zeros((self.count, 2, halves_of(geometry)), dtype=np.uint64))
        self._over = np.zeros(self.count, dtype=np.bool_)
        self._streams = np.zeros(self.count, dtype=np.uint64)
        self._samples = np.zeros(self.count, dtype=np.uint64)
        kept = self.count if self.autoreset == "same_step" else 0
        self._last = np.zeros((kept, geometry.rows, geometry.columns, 2), dtype=np.int8)
        self.reset(random.SystemRandom().getrandbits(32) if seed is None else seed)

    def reset(self, seed: int | Sequence[int | None] | None = None) -> View:
        """Begin all games anew.

        Args:
            seed: Where chance starts: the same seed and the same columns give the same games. None: it goes
                on from where it is. One for each game: each is then the only game of `Games(1, seed=...)`.

        Raises:
            BadLimit: A seed is not a whole number from 0 to 4,294,967,295.
            BadShape: There is not one seed for every game.
        """
        board = self._batch.board
        each = isinstance(seed, Sequence) and not isinstance(seed, str)
        start = 0 if seed is None or each else check_seed(seed)  # type: ignore[arg-type]  # one number, if any
        if each:
            self._seed_each(seed)  # type: ignore[arg-type]  # several
        elif seed is not None:
            seed_streams(board, stream_seed(start ^ _OTHER_STREAMS), self._samples)
        view = self._empty_view()
        self._over[:] = False
        begin_games(
            self._batch.board,
            self._batch.stones,
            self._streams,
            stream_seed(start),
            seed is not None and not each,
            SIDES.index(self.side),
            self.opponent is not None,
            *view,
        )
        return view

    def step(self, columns: npt.ArrayLike) -> Step:
        """Drop a disc in every game.

        Args:
            columns: One 0-based column a game.

        Raises:
            BadShape: There is not one whole number for every game.
            ColumnOffBoard, ColumnFull: A column cannot be played; the message says where.
        """
        batch = self._batch
        chosen = column_each(batch, columns)
        wrong = first_wrong(batch.board, batch.stones, self._over, chosen, self.illegal == "lose")
        if wrong >= 0:
            self._refuse(wrong, int(np.asarray(columns)[wrong]))  # as it came: 64 bits may not hold it
        observation, mask = self._empty_view()
        rewards = np.empty(self.count, dtype=np.float32)
        terminations = np.empty(self.count, dtype=np.bool_)
        landed = np.empty((self.count, 2), dtype=np.int8)
        step_games(
            batch.board,
            batch.stones,
            self._over,
            self._streams,
            chosen,
            self.rules.slip,
            SIDES.index(self.side),
            self.opponent is not None,
            self.autoreset == "same_step",
            observation,
            mask,
            rewards,
            terminations,
            landed,
            self._last,
        )
        ended = np.flatnonzero(terminations)
        last = (self._last if self.autoreset == "same_step" else observation)[ended]
        return Step(observation, mask, rewards, terminations, landed, ended, last)

    def sample(self) -> npt.NDArray[np.int64]:
        """A column for every game, each open one equally likely; chance of its own, by the same seed."""
        columns = np.empty(self.count, dtype=np.int64)
        draw_columns(self._batch.board, self._batch.stones, self._samples, columns)
        return columns

    @property
    def batch(self) -> Batch:
        """The positions as they are now, the side to move first; a copy."""
        return Batch(self.rules.geometry, self._batch.stones.copy())

    def __len__(self) -> int:
        return self.count

    def _seed_each(self, seeds: Sequence[int | None]) -> None:
        """Start every game's chance at a seed of its own; where that is None, it goes on."""
        if len(seeds) != self.count:
            raise BadShape(f"{self.count} games need as many seeds, not {len(seeds)}")
        starts = [None if seed is None else check_seed(seed) for seed in seeds]
        for game, start in enumerate(starts):
            if start is not None:
                for streams, seed in ((self._streams, start), (self._samples, start ^ _OTHER_STREAMS)):
                    seed_streams(self._batch.board, stream_seed(seed), streams[game : game + 1])

    def _empty_view(self) -> View:
        geometry = self.rules.geometry
        return View(
            np.empty((self.count, geometry.rows, geometry.columns, 2), dtype=np.int8),
            np.empty((self.count, geometry.columns), dtype=np.int8),
        )

    def _refuse(self, game: int, column: int) -> None:
        """Say what is wrong with a column."""
        position = next(iter(Batch(self.rules.geometry, self._batch.stones[game : game + 1])))
        try:
            position.check_move(column)
        except IllegalMove as error:
            raise type(error)(f"game {game}: {error}") from None


def _one_of(name: str, given: Word, known: tuple[Word, ...]) -> Word:
    if given not in known:
        raise BadOption(f"{name} {shown(given)}: it is {' or '.join(known)}")
    return given
