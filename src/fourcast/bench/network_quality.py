"""How good the moves of networks are on positions that they have never learnt from, alone and with search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fourcast.agents import Agent, agent, new_game
from fourcast.bench.network_speed import BEGINNING, MIDDLE, scaled
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.learning.grading_moves import SolvedMoves, fresh_moves
from fourcast.learning.labelling import SOLVER_LIMIT
from fourcast.models.card import Card

SPANS = (MIDDLE, BEGINNING)
SEARCHING = Limit(seconds=0.1)
_STAGES = 3  # into which plies are parted
_OTHER_BOARDS = Limit(seconds=1)  # of the solver for a position; one that needs more leaves its board out

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Stage:
    """The moves in positions of some plies.

    Attributes:
        plies: The fewest and the most discs on the board.
        positions: How many there were.
        errors: How many moves gave the outcome away.
    """

    plies: tuple[int, int]
    positions: int
    errors: int


@dataclass(frozen=True, slots=True)
class HeldGrade:
    """How well a network has played, alone or with search, in positions that were held out.

    Attributes:
        network: The network.
        player: How it was asked.
        board: Its board.
        plies: The fewest and the most discs on it.
        positions: How many moves it made.
        good: The share that keep the game's value: won, drawn or lost.
        perfect: The share that keep the exact score.
        hard: How many positions have a column that gives the value away.
        hard_good: The share of good moves in these; None if there are none.
        stages: The errors, from the earliest plies to the latest.
        seconds: Mean time of a move.
        slowest: The longest.
        bar: The share of good moves that it should reach.
        perfect_bar: The share of perfect ones.
    """

    network: str
    player: str
    board: str
    plies: tuple[int, int]
    positions: int
    good: float
    perfect: float
    hard: int
    hard_good: float | None
    stages: tuple[Stage, ...]
    seconds: float
    slowest: float
    bar: float | None = None
    perfect_bar: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the bars are reached; None without any."""
        if self.bar is None:
            return None
        return self.good >= self.bar and self.perfect >= (self.perfect_bar or 0.0)

    def to_json(self) -> dict[str, Any]:
        """The fields, and whether the bars are reached."""
        return asdict(self) | {"passed": self.passed}


@dataclass(frozen=True, slots=True)
class _Player:
    """A way to ask a network, and what it should reach on the standard board: good moves, perfect ones."""

    name: str
    spec: str
    option: str
    limit: Limit = Limit()  # noqa: RUF009  # it cannot be changed
    middle: tuple[float | None, float | None] = (None, None)
    beginning: tuple[float | None, float | None] = (None, None)


_PLAYERS = {
    "cnn": (_Player("alone", "cnn:guard=0", "model"), _Player("guard=2", "cnn:guard=2", "model")),
    "network": (
        _Player("alone", "network", "model", middle=(0.97, 0.85)),
        _Player("guard=2", "network:guard=2", "model"),
        _Player(
            f"mcts:net, {SEARCHING}", "mcts", "net", SEARCHING, middle=(0.99, None), beginning=(0.96, None)
        ),
    ),
}


class HeldOut:
    """Positions that networks have never learnt from, solved once for all that hold out the same."""

    def __init__(self, count: int, seed: int = 1) -> None:
        """Say how many.

        Args:
            count: About how many of each span.
            seed: Which ones are drawn.
        """
        self._count, self._seed = count, seed
        self._solved: dict[tuple[object, ...], SolvedMoves] = {}

    def of(self, card: Card, plies: tuple[int, int], advance: Advance) -> SolvedMoves:
        """Those of a network.

        Raises:
            BadModel: Its card does not say what it learnt from, or there is no such position.
            BadLimit: They take the solver too long.
        """
        by = card.geometry, repr(card.data.get("share_held_out")), repr(card.data.get("seed")), plies
        if by not in self._solved:
            limit = SOLVER_LIMIT if card.geometry == STANDARD else _OTHER_BOARDS
            self._solved[by] = fresh_moves(card, self._count, self._seed, advance, limit, plies=plies)
        return self._solved[by]


def grade_network(
    card: Card, plies: tuple[int, int], solved: SolvedMoves, advance: Advance
) -> Iterator[HeldGrade]:
    """Grade a network in every way that its kind is asked, one after the other.

    Args:
        card: The network.
        plies: Which of `SPANS` the positions are of.
        solved: The positions.
        advance: Told what is being done, how much of it is done and how much there is.
    """
    for player in _PLAYERS[card.kind]:
        asked = agent(player.spec, card.geometry, seed=1, **{player.option: str(card.path)})
        bars = player.beginning if plies == BEGINNING else player.middle
        columns, times = _moves(asked, player.limit, solved, f"{card.name}, {player.name}", advance)
        yield graded(
            card,
            player.name,
            plies,
            solved,
            columns,
            times,
            bars if card.geometry == STANDARD else (None, None),
        )


def graded(
    card: Card,
    player: str,
    plies: tuple[int, int],
    solved: SolvedMoves,
    columns: Sequence[int],
    times: Sequence[float],
    bars: tuple[float | None, float | None] = (None, None),
) -> HeldGrade:
    """How good columns are, one of each position.

    Args:
        card: The network.
        player: How it was asked.
        plies: Which of `SPANS` the positions are of.
        solved: The positions.
        columns: What it played.
        times: How long it took, in seconds.
        bars: The shares of good and perfect moves that it should reach.
    """
    got = solved.scores[np.arange(len(solved)), np.array(columns)]
    best = np.nanmax(solved.scores, axis=1)
    good = np.sign(got) == np.sign(best)
    hard = np.sign(np.nanmin(solved.scores, axis=1)) != np.sign(best)
    discs = np.bitwise_count(solved.stones).sum(axis=(1, 2))
    stages = []
    for first, last in stages_of(scaled(plies, card.geometry)):
        here = (discs >= first) & (discs <= last)
        stages.append(Stage((first, last), int(here.sum()), int((here & ~good).sum())))
    return HeldGrade(
        network=card.name,
        player=player,
        board=str(card.geometry),
        plies=scaled(plies, card.geometry),
        positions=len(solved),
        good=float(good.mean()),
        perfect=float((got == best).mean()),
        hard=int(hard.sum()),
        hard_good=float(good[hard].mean()) if hard.any() else None,
        stages=tuple(stages),
        seconds=float(np.mean(times)),
        slowest=float(np.max(times)),
        bar=bars[0],
        perfect_bar=bars[1],
    )


def stages_of(plies: tuple[int, int]) -> list[tuple[int, int]]:
    """Plies in up to three parts, from the earliest to the latest, about as many in each."""
    parts = np.array_split(np.arange(plies[0], plies[1] + 1), _STAGES)
    return [(int(part[0]), int(part[-1])) for part in parts if len(part)]


def quality_lines(grades: Sequence[HeldGrade]) -> list[str]:
    """A table of at most 80 columns for each network and span."""
    lines: list[str] = []
    title = ""
    for each in grades:
        first, last = each.plies
        about = f"{each.network}, {first}-{last} plies: {each.positions:,} held out, {each.hard:,} hard"
        if about != title:
            title = about
            stages = "".join(f"{_plies(stage):>7}" for stage in each.stages)
            lines += ["", about]
            lines.append(
                f"{'':<15}{'good':>7}{'perfect':>9}{'bar':>9}{'hard':>8}{stages}{'a move':>9}".rstrip()
            )
        hard = "" if each.hard_good is None else f"{each.hard_good:.1%}"
        stages = "".join(f"{_error(stage):>7}" for stage in each.stages)
        took = f"{1000 * each.seconds:,.1f} ms"
        mark = " !" if each.passed is False else ""
        lines.append(
            f"{each.player:<15}{each.good:>7.1%}{each.perfect:>9.1%}{_bar(each):>9}{hard:>8}{stages}{took:>9}{mark}"
        )
    return lines


def _plies(stage: Stage) -> str:
    first, last = stage.plies
    return f"{first}-{last}" if first < last else str(first)


def _error(stage: Stage) -> str:
    return f"{stage.errors / stage.positions:.1%}" if stage.positions else ""


def _bar(each: HeldGrade) -> str:
    return "/".join(f"{bar:.0%}" for bar in (each.bar, each.perfect_bar) if bar is not None)


def _moves(
    player: Agent, limit: Limit, solved: SolvedMoves, what: str, advance: Advance
) -> tuple[list[int], list[float]]:
    """What an agent plays, each position as in a game of its own, and how long it thinks."""
    player.analyze(Position(solved.geometry), limit)  # loads what is compiled
    columns, times = [], []
    for index, position in enumerate(solved.batch):
        advance(what, index, len(solved))
        new_game(player)
        start = time.perf_counter()
        columns.append(position.check_move(player.analyze(position, limit).column))
        times.append(time.perf_counter() - start)
    return columns, times
