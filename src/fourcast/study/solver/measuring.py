"""What is measured of the exact solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from fourcast.game.analysis import plies_to_end
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.kernels.ideas import IDEAS, PLAN, TABLE, THREATS_FIRST
from fourcast.solver import Solver
from fourcast.solver.leaving_out import LessSolver
from fourcast.solver.position_sets import KINDS, made_set
from fourcast.study.study import Desk, Found, Settings, Task
from fourcast.workers.processes import cores

HARD = "beginning, hard"
STANDARD_BOARD = "6x7x4"
EMPTY = "empty board"
BY_BOOK = "the standard board by its book"

_SIZES = {"quick": (60, 60, 20, 10, 6, 1), "full": tuple(kind.size for kind in KINDS)}
_QUICK_IDEAS = (PLAN, THREATS_FIRST, TABLE)
_QUICK_IDEA_SETS = ("end, easy", "middle, hard", "beginning, medium")
_HARD_ENOUGH = 4  # hard positions that are solved without an idea: the first ones
_ENOUGH = 0.5  # seconds that a set is solved again and again, for its time
_MOST_REPEATS = 5
_BOARD_MB = 256  # of the table for a whole board
_BOARDS = {
    "quick": ("4x4x4", "4x6x4", "4x4x3"),
    "full": (
        *("4x4x4", "4x5x4", "4x6x4", "4x7x4", "5x4x4", "5x5x4", "5x6x4", "5x7x4"),
        *("6x4x4", "6x5x4", "6x6x4", "6x7x4", "7x4x4", "7x5x4", "7x6x4", "4x8x4", "8x4x4"),
        *("3x3x3", "4x4x3", "5x5x3", "6x7x3", "5x5x5", "5x6x5"),
    ),
}


def sizes_of(settings: Settings) -> dict[str, int]:
    """How many positions each set has."""
    sizes = _SIZES["quick" if settings.quick else "full"]
    return {kind.name: size for kind, size in zip(KINDS, sizes, strict=True)}


def ideas_of(settings: Settings) -> tuple[int, ...]:
    """The ideas that are left out."""
    return _QUICK_IDEAS if settings.quick else tuple(IDEAS)


def idea_sets_of(settings: Settings) -> tuple[str, ...]:
    """The sets that are solved without an idea."""
    return _QUICK_IDEA_SETS if settings.quick else tuple(kind.name for kind in KINDS)


def threads_of() -> list[int]:
    """Numbers of threads that are tried: 1, 2, 4 ... up to what the machine has, but 2 in any case."""
    return [1 << power for power in range(max(cores().bit_length(), 2)) if power < 2 or 1 << power <= cores()]


def tables_of(settings: Settings) -> list[int]:
    """Sizes of tables that are tried, in MB."""
    sizes: list[int] = settings.choose([4, 16, 64], [4, 8, 16, 32, 64, 128, 256, 512])
    return sizes


def table_sets_of(settings: Settings) -> tuple[str, ...]:
    """What is solved with each table."""
    return (HARD,) if settings.quick else (HARD, EMPTY)


def boards_of(settings: Settings) -> tuple[str, ...]:
    """The boards that are solved from the start."""
    return _BOARDS["quick" if settings.quick else "full"]


def most_nodes(settings: Settings) -> int:
    """What a position may take without an idea."""
    nodes: int = settings.choose(2_000_000, 100_000_000)
    return nodes


def tasks_of(settings: Settings) -> list[Task]:
    """All measurements: sets are made first, and those that are timed are alone."""
    sizes, seed = sizes_of(settings), settings.seed
    tasks = [
        Task(f"make {name}", make_set, {"set": name, "size": size, "seed": seed}, alone=False)
        for name, size in sizes.items()
    ]

    def asked(name: str) -> dict[str, Any]:
        return {"set": name, "size": sizes.get(name), "seed": seed}

    def needed(name: str) -> tuple[str, ...]:
        return (f"make {name}",) if name in sizes else ()

    for idea in ideas_of(settings):
        for name in idea_sets_of(settings):
            arguments = asked(name) | {"idea": idea, "most": most_nodes(settings)}
            if name == HARD:
                arguments["first"] = _HARD_ENOUGH
            tasks.append(
                Task(f"without {idea}: {name}", leave_out, arguments, alone=False, needs=needed(name))
            )
    tasks += [
        Task(f"board {board}", solve_board, {"board": board}, alone=False) for board in boards_of(settings)
    ]
    tasks.append(Task(BY_BOOK, look_up, {"board": STANDARD_BOARD}))
    tasks += [Task(f"solve {name}", solve_set, asked(name), needs=needed(name)) for name in sizes]
    repeats = settings.choose(1, 3)
    for threads in threads_of():
        arguments = asked(HARD) | {"threads": threads, "repeats": repeats}
        tasks.append(Task(f"threads {threads}", solve_together, arguments, needs=needed(HARD)))
    for megabytes in tables_of(settings):
        for name in table_sets_of(settings):
            arguments = asked(name) | {"megabytes": megabytes}
            tasks.append(Task(f"{megabytes} MB: {name}", solve_in_table, arguments, needs=needed(name)))
    return tasks


def make_set(arguments: dict[str, Any], desk: Desk) -> Found:
    """The positions of a set, by their moves."""
    kind = next(kind for kind in KINDS if kind.name == arguments["set"])
    made = made_set(kind, arguments["size"], seed=arguments["seed"], advance=desk.advance)
    return {"moves": [position.moves for position in made.positions]}


def _positions(arguments: dict[str, Any], desk: Desk) -> list[Position]:
    if arguments["set"] == EMPTY:
        return [Position()]
    return [Position.from_moves(moves) for moves in desk.earlier[f"make {arguments['set']}"]["moves"]]


def solve_set(arguments: dict[str, Any], desk: Desk) -> Found:
    """A set in one thread, the table empty before each position: nodes of each, CPU seconds of all."""
    positions = _positions(arguments, desk)
    solver = Solver(book=False)
    solver.solve_many(positions[:1], fresh=True)  # loads what is compiled
    times: list[float] = []
    while not times or (sum(times) < _ENOUGH and len(times) < _MOST_REPEATS):
        start = time.process_time()
        found = solver.solve_many(positions, fresh=True)
        times.append(time.process_time() - start)
    return {"nodes": found.nodes.tolist(), "scores": found.lower.tolist(), "seconds": min(times)}


def leave_out(arguments: dict[str, Any], desk: Desk) -> Found:
    """A set without an idea, and with all: the nodes of both, by position, as far as they go."""
    positions = _positions(arguments, desk)[: arguments.get("first")]
    solvers = LessSolver(positions[0]), LessSolver(positions[0], arguments["idea"])
    rows = []
    seconds = [0.0, 0.0]
    for index, position in enumerate(positions):
        desk.advance("", index, len(positions))
        counts = []
        for which, solver in enumerate(solvers):
            start = time.process_time()
            counts.append(solver.count(position, arguments["most"]))
            seconds[which] += time.process_time() - start
        whole, less = counts
        rows.append([whole.nodes, less.nodes, whole.score, less.score])
    return {"rows": rows, "seconds": seconds}


def solve_together(arguments: dict[str, Any], desk: Desk) -> Found:
    """Hard positions in so many threads: nodes and seconds by the clock, means of some rounds."""
    solver = Solver(book=False, threads=arguments["threads"])
    solver.prepare()
    return _clocked(solver, _positions(arguments, desk), arguments["repeats"], time.perf_counter, desk)


def solve_in_table(arguments: dict[str, Any], desk: Desk) -> Found:
    """A set in one thread with a table of so many megabytes: nodes and CPU seconds."""
    solver = Solver(book=False, table_mb=arguments["megabytes"])
    solver.prepare()
    return _clocked(solver, _positions(arguments, desk), 1, time.process_time, desk)


def _clocked(
    solver: Solver, positions: list[Position], repeats: int, clock: Callable[[], float], desk: Desk
) -> Found:
    nodes, seconds, scores = 0, 0.0, []
    total = repeats * len(positions)
    for number in range(total):
        desk.advance("", number, total)
        position = positions[number % len(positions)]
        solver.clear()
        start = clock()
        found = solver.solve_many([position])
        seconds += clock() - start
        nodes += int(found.nodes[0])
        scores.append(int(found.lower[0]))
    return {"nodes": nodes / repeats, "seconds": seconds / repeats, "scores": scores[: len(positions)]}


def look_up(arguments: dict[str, Any], _desk: Desk) -> Found:
    """What the opening book says of a board, and on which ply best play ends."""
    start = Position(arguments["board"])
    solver = Solver(start.geometry)
    score = int(solver.solve_many([start]).lower[0])
    return {"score": score, "ends": plies_to_end(start, score), "best": _best_columns(solver, start, score)}


def solve_board(arguments: dict[str, Any], _desk: Desk) -> Found:
    """What a board is worth from the start, without a book, and on which ply best play ends."""
    start = Position(arguments["board"])
    solver = Solver(start.geometry, book=False, table_mb=_BOARD_MB)
    solver.solve_many([start], limit=Limit(nodes=1))  # loads what is compiled
    solver.clear()
    began = time.process_time()
    found = solver.solve_many([start])
    seconds = time.process_time() - began
    score = int(found.lower[0])
    return {
        "score": score,
        "ends": plies_to_end(start, score),
        "nodes": int(found.nodes[0]),
        "seconds": seconds,
        "best": _best_columns(solver, start, score),
    }


def _best_columns(solver: Solver, start: Position, score: int) -> list[int]:
    """The columns that keep the score of an empty board; one disc ends no game."""
    scores = solver.solve_many([start.play(column) for column in start.legal]).lower
    return [column for column, each in zip(start.legal, scores, strict=True) if -each == score]
