"""What is measured of minimax and alpha-beta: nodes, time, cutoffs, memory, and whether they agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fourcast.arena.quality import random_positions
from fourcast.game.analysis import Analysis
from fourcast.game.geometry import STANDARD
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.kernels.background import STOP, Control, run_watched
from fourcast.search.deepening import Deepening
from fourcast.search.lookahead import Lookahead
from fourcast.search.remembering import Remembering
from fourcast.search.watched import PointsSearch
from fourcast.study.study import Desk, Found, Settings, Task

#: The three positions that are looked at one by one: a beginning, a middle, and one where both sides
#: threaten.
POSITIONS = {"early": "44", "middle": "343344463754", "complex": "5254327255656323377"}
#: Random positions, by the discs on the board: a third of the cells each.
STAGES = {"beginning": (0, 13), "middle": (14, 27), "end": (28, 40)}
MINIMAX, ALPHABETA = "minimax", "alphabeta"
#: The orders in which moves are tried: those of `search.orders`, and the best move of the ply before.
TABLE_MOVE = "table move"
ORDERS = ("centre", "left", "right", "edges", "random", TABLE_MOVE)
#: What alpha-beta can be given, by name: deepening, answers of the table, its move first.
IDEAS = {
    "alpha-beta": (False, False, False),
    "deepening alone": (True, False, False),
    "table alone": (False, True, False),
    "deepening, table move first": (True, False, True),
    "deepening and table": (True, True, True),
}
NEGAMAX = "negamax"

Asked = tuple[PointsSearch, Callable[[Position], Analysis]]  # who is asked, and how

# How often a search is repeated for its time: so many seconds, within the fewest and the most times.
_FEWEST = 2
_AMONG_MANY = (0.03, 10)  # of positions whose times are added up, the seconds and the most
_ALONE = (0.2, 1000)  # of one that is looked at by itself


def depths_of(settings: Settings) -> range:
    """The depths at which minimax and alpha-beta are compared."""
    return range(3, settings.choose(8, 9))


def deeper_of(settings: Settings) -> range:
    """The depths at which alpha-beta's helpers are compared, which go further than minimax can."""
    return range(3, settings.choose(9, 11))


def tasks_of(settings: Settings) -> list[Task]:
    """All measurements: the three positions, the random ones in handfuls, the orders, the helpers."""
    depths, deeper = list(depths_of(settings)), list(deeper_of(settings))
    tasks = [
        Task(f"{name}, depth {depth}", compare_one, {"moves": moves, "depth": depth})
        for name, moves in POSITIONS.items()
        for depth in depths
    ]
    counts = counts_of(settings)
    drawn: dict[str, Any] = {"seed": settings.seed, "counts": counts}
    handful = 10
    total = sum(counts)
    for first in range(0, total, handful):
        last = min(first + handful, total)
        asked = drawn | {"first": first, "last": last, "depths": depths}
        tasks.append(Task(f"random {first + 1} to {last}", compare_many, asked))
    tasks += [Task(f"order {name}", try_order, drawn | {"order": name, "depths": depths}) for name in ORDERS]
    tasks += [
        Task(f"helped by {name}", try_helpers, drawn | {"idea": name, "depths": deeper})
        for name in (*IDEAS, NEGAMAX)
    ]
    return tasks


def counts_of(settings: Settings) -> list[int]:
    """How many random positions there are of each stage: 200 together."""
    counts: list[int] = settings.choose([10, 10, 10], [67, 67, 66])
    return counts


def drawn_positions(seed: int, counts: list[int]) -> list[tuple[str, Position]]:
    """The random positions, each with its stage."""
    return [
        (stage, position)
        for number, (count, (stage, plies)) in enumerate(zip(counts, STAGES.items(), strict=True))
        for position in random_positions(count, 1000 * seed + number, plies)
    ]


def compare_one(arguments: dict[str, Any], desk: Desk) -> Found:
    """Minimax and alpha-beta on one position, to one depth."""
    position = Position.from_moves(arguments["moves"])
    return {"plies": position.ply} | _compare(position, arguments["depth"], desk.advance, _ALONE)


def compare_many(arguments: dict[str, Any], desk: Desk) -> Found:
    """Minimax and alpha-beta on a handful of random positions, to several depths."""
    drawn = drawn_positions(arguments["seed"], arguments["counts"])[arguments["first"] : arguments["last"]]
    rows = []
    for index, (stage, position) in enumerate(drawn):
        desk.advance("", index, len(drawn))
        for depth in arguments["depths"]:
            found = _compare(position, depth, lambda *_: None, _AMONG_MANY)
            rows.append({"moves": position.moves, "stage": stage, "depth": depth} | found)
    return {"rows": rows}


def _compare(
    position: Position, depth: int, advance: Callable[[str, int, int], None], repeats: tuple[float, int]
) -> Found:
    found: Found = {}
    answers = {}
    for number, name in enumerate((MINIMAX, ALPHABETA)):
        advance(name, number, 2)
        search = _lookahead(depth, prunes=name == ALPHABETA)
        answer, seconds = _timed(search, partial(search.search, position, Limit()), repeats)
        answers[name] = answer
        found[name] = _effort(answer, seconds)
    plain, pruned = answers[MINIMAX], answers[ALPHABETA]
    found["same_move"] = plain.column == pruned.column
    found["same_score"] = (plain.value, plain.points) == (pruned.value, pruned.points)
    return found


def try_order(arguments: dict[str, Any], desk: Desk) -> Found:
    """Alpha-beta on all random positions with one order of moves, by depth: sums of nodes and seconds."""
    order = arguments["order"]

    def asks(depth: int) -> Asked:
        if order == TABLE_MOVE:
            remembering = Remembering(STANDARD, depth, deepens=True, suggests=True)
            return remembering, remembering.search
        lookahead = Lookahead(STANDARD, depth, order=order, seed=arguments["seed"])
        return lookahead, lambda position: lookahead.search(position, Limit())

    return _by_depth(arguments, desk, asks)


def try_helpers(arguments: dict[str, Any], desk: Desk) -> Found:
    """Alpha-beta with or without deepening and a table, on all random positions, by depth.

    The scores are kept too, to be compared; negamax, which sees forced moves beyond the depth, has others.
    """
    name = arguments["idea"]

    def asks(depth: int) -> Asked:
        if name == NEGAMAX:
            deepening = Deepening(STANDARD)
            return deepening, lambda position: deepening.search(position, Limit(depth=depth))
        deepens, answers, suggests = IDEAS[name]
        search = Remembering(STANDARD, depth, deepens=deepens, answers=answers, suggests=suggests)
        return search, search.search

    return _by_depth(arguments, desk, asks)


def _by_depth(arguments: dict[str, Any], desk: Desk, asks: Callable[[int], Asked]) -> Found:
    drawn = drawn_positions(arguments["seed"], arguments["counts"])
    rows = []
    for number, depth in enumerate(arguments["depths"]):
        search, ask = asks(depth)
        ask(drawn[0][1])  # loads what is compiled
        sums = {"depth": depth, "nodes": 0, "seconds": 0.0, "cutoffs": 0, "hits": 0, "memory": 0}
        scores = []
        for index, (_, position) in enumerate(drawn):
            desk.advance(f"depth {depth}", number * len(drawn) + index, len(arguments["depths"]) * len(drawn))
            answer, seconds = _timed(search, partial(ask, position))
            sums["nodes"] += answer.nodes
            sums["seconds"] += seconds
            sums["cutoffs"] += answer.cutoffs
            sums["hits"] += answer.table_hits
            sums["memory"] = max(sums["memory"], answer.memory)
            scores.append([answer.value, answer.points])
        rows.append(sums | {"scores": scores})
    return {"positions": len(drawn), "rows": rows}


def _lookahead(depth: int, *, prunes: bool) -> Lookahead:
    return Lookahead(STANDARD, depth, prunes=prunes)


def _timed(
    search: PointsSearch, ask: Callable[[], Analysis], repeats: tuple[float, int] = _AMONG_MANY
) -> tuple[Analysis, float]:
    """An answer, and the shortest time of some searches for it, which others have disturbed least.

    They run in a thread, so that Ctrl-C is heard; it is started before the clock.
    """
    enough, most = repeats

    def repeat(control: Control) -> tuple[Analysis, float]:
        answer = ask()
        times = [answer.seconds]
        spent = times[0]
        while not control.signals[STOP] and len(times) < most and (spent < enough or len(times) < _FEWEST):
            times.append(ask().seconds)
            spent += times[-1]
        return answer, min(times)

    return run_watched(repeat, stop=search.stop)


def _effort(answer: Analysis, seconds: float) -> Found:
    return {
        "nodes": answer.nodes,
        "leaves": answer.leaves,
        "cutoffs": answer.cutoffs,
        "memory": answer.memory,
        "seconds": seconds,
        "column": answer.column,
        "value": answer.value,
        "points": answer.points,
    }
