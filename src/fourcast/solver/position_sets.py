"""The sets of positions that the solver is measured on: read from files, or made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fourcast.game.errors import BadNotation, FourcastError, Unreadable, shown
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.question import check_question
from fourcast.solver import Solver

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """Positions of the standard board whose games go on.

    Attributes:
        name: What the set is called.
        positions: The positions.
        scores: The score of each, from its side to move; None where it is not known.
    """

    name: str
    positions: tuple[Position, ...]
    scores: tuple[int | None, ...]

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, slots=True)
class Kind:
    """What the positions of a set that is made have in common.

    Attributes:
        name: What the set is called.
        plies: The fewest and the most.
        nodes: The fewest that the solver visits with an empty table, and the number that it does not reach;
            None if it may visit as many as it likes.
        size: How many there are.
    """

    name: str
    plies: tuple[int, int]
    nodes: tuple[int, int | None]
    size: int


#: Hardness is counted in nodes, not in seconds, so that a seed gives the same positions everywhere.
KINDS = (
    Kind("end, easy", (28, 38), (1, None), 300),
    Kind("middle, easy", (14, 27), (1, 2_000), 300),
    Kind("middle, hard", (14, 27), (2_000, None), 100),
    Kind("beginning, easy", (2, 12), (1, 5_000), 100),
    Kind("beginning, medium", (2, 12), (5_000, 300_000), 50),
    Kind("beginning, hard", (2, 8), (1_500_000, None), 12),
)

EMPTY = PositionSet("empty board", (Position(),), (1,))


def read_sets(folder: Path, limit: int | None = None) -> list[PositionSet]:
    """Every file of a folder as a set, by name; those whose names begin with a dot are passed over.

    Args:
        folder: Its files have lines `MOVES SCORE`, or only `MOVES`; empty lines are passed over.
        limit: The most positions of each set, the first ones.

    Raises:
        Unreadable: The folder or a file cannot be read, or there is nothing in it.
        FourcastError: A line is not a position whose game goes on, and its score; the message says which.
    """
    try:
        files = sorted(each for each in folder.iterdir() if each.is_file() and each.name[0] != ".")
    except OSError as error:
        raise Unreadable(f"cannot read {shown(str(folder))}: {error.strerror}") from error
    if not files:
        raise Unreadable(f"cannot read {shown(str(folder))}: there is no file in it")
    return [_read_set(file, limit) for file in files]


def _read_set(file: Path, limit: int | None) -> PositionSet:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable(f"cannot read {file.name}: {reason}") from error
    found = [_read_line(file.name, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise Unreadable(f"cannot read {file.name}: there is no position in it")
    positions, scores = zip(*found[:limit], strict=True)
    return PositionSet(file.name, positions, scores)


def _read_line(name: str, number: int, line: str) -> tuple[Position, int | None]:
    moves, *rest = line.split()
    try:
        position = Position.from_moves(moves)
        check_question(position, position.geometry)
        if len(rest) > 1:
            raise BadNotation(f"{shown(line.strip())} is more than MOVES and SCORE")
        return position, _read_score(rest[0]) if rest else None
    except FourcastError as error:
        raise type(error)(f"{name}, line {number}: {error}") from None


def _read_score(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadNotation(f"{shown(text)} is not a score") from None


def made_sets(limit: int | None = None, *, seed: int = 1, advance: Advance) -> Iterator[PositionSet]:
    """Sets of each kind, by random play; each is made when it is asked for.

    Args:
        limit: The most positions of each set, the first ones.
        seed: The same seed gives the same sets, as long as the solver visits the same nodes.
        advance: Told what is being made, how many positions there are, and how many there will be.
    """
    solver = Solver(book=False)
    for kind in KINDS:
        yield made_set(kind, limit, seed=seed, advance=advance, solver=solver)


def made_set(
    kind: Kind, limit: int | None = None, *, seed: int = 1, advance: Advance, solver: Solver | None = None
) -> PositionSet:
    """One of these sets; see `made_sets`.

    Args:
        kind: What its positions have in common.
        limit: The most positions, the first ones.
        seed: The same seed gives the same set.
        advance: Told how far it is.
        solver: One without a book, which is asked how hard they are.
    """
    solver = solver or Solver(book=False)
    size = min(kind.size, limit or kind.size)
    chance = random.Random(f"{kind.name} {seed}")
    positions: dict[int, Position] = {}  # by key: none twice, and no mirror image
    while len(positions) < size:
        advance(f"making {kind.name}", len(positions), size)
        position = _play(chance, kind)
        if position and position.canonical_key not in positions and _fits(position, kind, solver):
            positions[position.canonical_key] = position
    return PositionSet(kind.name, tuple(positions.values()), (None,) * size)


def _play(chance: random.Random, kind: Kind) -> Position | None:
    """A position of random moves that do not end the game, and whose side to move cannot end it either.

    None if there was no such move.
    """
    position = Position()
    for _ in range(chance.randint(*kind.plies)):
        columns = [
            column for column in position.legal if column not in position.winning_columns(position.turn)
        ]
        if not columns:
            return None
        position = position.play(chance.choice(columns))
    return None if position.is_over or position.winning_columns(position.turn) else position


def _fits(position: Position, kind: Kind, solver: Solver) -> bool:
    """Whether the solver visits as many nodes as the kind says, found out with no more than it takes."""
    least, most = kind.nodes
    found = solver.solve_many([position], limit=Limit(nodes=most or least), fresh=True)
    if not found.exact[0]:
        return most is None
    return least <= found.nodes[0] and (most is None or bool(found.nodes[0] < most))
