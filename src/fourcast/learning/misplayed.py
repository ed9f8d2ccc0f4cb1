"""Games in which many discs are mis-played, and what was meant to be played is remembered.

Two strong players meet. Before each disc the one to move says where it should go; then, as often as not, it
goes to another open column, drawn by lot. So the games lead to silly positions as well as to sensible ones,
and the answer to each is a strong player's.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fourcast.agents import new_game
from fourcast.game.errors import BadData, BadLimit, BadOption, FourcastError, shown
from fourcast.game.geometry import Geometry
from fourcast.game.limit import check_count, check_seed
from fourcast.game.notation import moves_text, parse_moves
from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import legal_columns
from fourcast.learning.examples import held_out
from fourcast.learning.labelling import answer_of
from fourcast.learning.lessons import Lessons
from fourcast.learning.part import Part
from fourcast.learning.sampling import find_agent, named_game
from fourcast.workers import HereWorkers, LocalWorkers, Work, Workers

TEACHER = "montecarlo:simulations=2000"
MOST_GAMES = 100_000
HELD_SHARE = 0.25  # of the games

Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Misplays:
    """Which games are wanted.

    Attributes:
        geometry: The board.
        games: How many.
        teacher: Who plays both sides: the spec of an agent.
        misplay: The share of discs that go to another column than was meant.
        slip: The chance that a disc lands in another column than it was aimed at, beside that.
        seed: Where chance starts.

    Raises:
        BadOption, BadLimit, BadSlip: One of them is not in its range.
    """

    geometry: Geometry
    games: int = 100
    teacher: str = TEACHER
    misplay: float = 0.5
    slip: float = 0.0
    seed: int = 229

    def __post_init__(self) -> None:
        if not 4 <= check_count("games", self.games) <= MOST_GAMES:
            raise BadOption(f"games {shown(self.games)}: it must be 4 to {MOST_GAMES:,}")
        if not 0 <= self.misplay <= 1:
            raise BadOption(f"misplay {shown(self.misplay)}: it must be a number from 0 to 1")
        Rules(self.geometry, self.slip)
        check_seed(self.seed)


@dataclass(frozen=True, slots=True)
class Misplayed:
    """A game.

    Attributes:
        meant: The column that was meant, before each disc.
        played: The column where it landed.
    """

    meant: tuple[int, ...]
    played: tuple[int, ...]


def play_games(
    wanted: Misplays,
    *,
    jobs: int = 1,
    workers: Workers | None = None,
    part: Path | None = None,
    watch: Watch = lambda *_: None,
) -> list[Misplayed]:
    """Play the games, always the same ones unless the teacher looks at the clock.

    Args:
        wanted: Which.
        jobs: How many processes play.
        workers: Who plays instead of them.
        part: A file in which games are kept as they end, and from which to go on.
        watch: Told what is being done, how much of it is done, and how much there is.

    Raises:
        BadData: What is done cannot be kept, or is of other games.
        BadLimit: The teacher is `perfect`, and the board too large for it.
        FourcastError: The teacher cannot be had, or fails.
        WorkersLost: Those who play are gone, or a game has taken its process with it several times.
    """
    check_count("jobs", jobs)
    workers = workers or (HereWorkers() if jobs == 1 else LocalWorkers(jobs))
    with ExitStack() as stack:
        find_agent(wanted.teacher, Rules(wanted.geometry, wanted.slip), stack)  # refused here, and at once
    request = asdict(wanted) | {"geometry": str(wanted.geometry), "what": "misplayed games"}
    with Part(part, request) as kept:
        found = _games_before(kept, wanted)
        missing = [number for number in range(wanted.games) if number not in found]
        watch("games", len(found), wanted.games)
        try:
            for games in workers.map(Work(_play_some, wanted, named_game), missing):
                for number, game in games:
                    found[number] = game
                    meant, played = moves_text(game.meant), moves_text(game.played)
                    kept.add({"game": number, "meant": meant, "played": played})
                    watch("games", len(found), wanted.games)
        except BadLimit:
            if not found:  # then another teacher will be asked, and a part of its games would be in the way
                kept.forget()
            raise
    return [found[number] for number in range(wanted.games)]


def _play_some(wanted: Misplays, numbers: list[int]) -> list[tuple[int, Misplayed]]:
    """What those who play are asked to do: the games of these numbers."""
    return [(number, _play(wanted, number)) for number in numbers]


def _play(wanted: Misplays, number: int) -> Misplayed:
    """One game; its chance goes by its number alone."""
    rules = Rules(wanted.geometry, wanted.slip)
    chance = np.random.default_rng([wanted.seed, number])
    meant, played = [], []
    position = Position(wanted.geometry)
    with ExitStack() as stack:
        player = find_agent(wanted.teacher, rules, stack)
        new_game(player, int(chance.integers(2**32)))
        while not position.is_over:
            column = position.check_move(answer_of(player, wanted.teacher, position).column)
            meant.append(column)
            others = [other for other in position.legal if other != column]
            if others and chance.random() < wanted.misplay:
                column = int(chance.choice(others))
            played.append(rules.land(position, column, chance))
            position = position.play(played[-1])
    return Misplayed(tuple(meant), tuple(played))


def _games_before(kept: Part, wanted: Misplays) -> dict[int, Misplayed]:
    """The games that a part has."""
    found: dict[int, Misplayed] = {}
    try:
        for step in kept.take("game"):
            number = int(step["game"])
            meant, played = (tuple(parse_moves(step[name], wanted.geometry)) for name in ("meant", "played"))
            whole = Position.from_moves(step["played"], wanted.geometry).is_over
            if not 0 <= number < wanted.games or not whole or len(meant) != len(played):
                raise ValueError("not a game of these")
            _positions(wanted.geometry, Misplayed(meant, played))  # raises what it finds wrong
            found[number] = Misplayed(meant, played)
    except (FourcastError, AttributeError, KeyError, TypeError, ValueError):
        raise BadData(f"{kept.path} is damaged, remove it: game {len(found) + 1}") from None
    return found


def _positions(geometry: Geometry, game: Misplayed) -> list[Position]:
    """The positions of a game whose sides were to move, one for each disc that was meant."""
    positions = [Position(geometry)]
    for meant, played in zip(game.meant, game.played, strict=True):
        positions[-1].check_move(meant)
        positions.append(positions[-1].play(played))
    return positions[:-1]


def lessons_of_games(
    geometry: Geometry, games: list[Misplayed], seed: int, share: float
) -> tuple[Lessons, Lessons]:
    """What to learn from, and what to judge by: of a quarter of the games, drawn by lot.

    A position that is judged by is in no game that is learnt from, nor is its mirror image; those that are,
    like the empty board, are left out. So is, of what to learn from, the share of all positions that is held
    out by hash, so that the network can be measured on fresh ones.

    Raises:
        BadData: One side would have none.
    """
    order = np.random.default_rng([seed, len(games)]).permutation(len(games))
    held = set(order[: max(round(HELD_SHARE * len(games)), 1)].tolist())
    learnt: list[tuple[Position, int]] = []
    judged: list[tuple[Position, int]] = []
    for number, game in enumerate(games):
        pairs = zip(_positions(geometry, game), game.meant, strict=True)
        (judged if number in held else learnt).extend(pairs)
    kept_out = held_out(Batch.of([position for position, _ in learnt]), share, seed)
    learnt = [pair for pair, out in zip(learnt, kept_out, strict=True) if not out]
    known = {position.canonical_key for position, _ in learnt}
    fresh = [pair for pair in judged if pair[0].canonical_key not in known]
    if not fresh or not learnt:
        raise BadData("all positions of the games to judge by are in those to learn from: play more games")
    return _lessons(learnt), _lessons(fresh)


def _lessons(pairs: list[tuple[Position, int]]) -> Lessons:
    batch = Batch.of([position for position, _ in pairs])
    best: npt.NDArray[Any] = np.zeros((len(pairs), batch.geometry.columns), dtype=np.bool_)
    best[np.arange(len(pairs)), [column for _, column in pairs]] = True
    value = np.zeros(len(pairs), dtype=np.float32)
    legal = legal_columns(batch)
    return Lessons(batch.geometry, batch.stones, best.astype(np.float32), value, legal, best, best)
