"""What the measurements of the searches come to, in tables and beside what was published."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from fourcast.study.findings import Beside, Cell, Column, Findings, Plot, Section, Table
from fourcast.study.search import plots
from fourcast.study.search.figures import (
    RANDOM,
    SETS,
    Both,
    Growth,
    by_set,
    by_stage,
    growth_of,
    random_rows,
)
from fourcast.study.search.measuring import (
    IDEAS,
    MINIMAX,
    NEGAMAX,
    ORDERS,
    POSITIONS,
    STAGES,
    counts_of,
    deeper_of,
    depths_of,
)
from fourcast.study.study import Found, Published, Settings
from fourcast.study.wording import count_text, seconds_text, share_text

NODES, TIME = "alpha-beta's nodes, beside minimax's", "alpha-beta's time, beside minimax's"
DEPTH_6_NODES, DEPTH_6_TIME = "alpha-beta at depth 6: nodes", "alpha-beta at depth 6: time"
AGREEMENT = "alpha-beta plays what minimax plays"
PUBLISHED = (
    Published(NODES, "50 to 70% fewer"),
    Published(TIME, "40 to 60% less"),
    Published(DEPTH_6_NODES, "7,834"),
    Published(DEPTH_6_TIME, "0.26 s"),
    Published(AGREEMENT, "100% of moves"),
)
_WHOLE_TREE = sum(7**ply for ply in range(7))  # nodes of depth 6 where no column is ever full and nobody wins

_BOTH_COLUMNS = (
    Column("depth", "depth", "count"),
    Column("minimax_nodes", "minimax nodes", "count"),
    Column("alphabeta_nodes", "alpha-beta nodes", "count"),
    Column("pruned", "fewer", "share"),
    Column("cutoffs", "cutoffs", "count"),
    Column("minimax_seconds", "minimax time", "seconds"),
    Column("alphabeta_seconds", "alpha-beta time", "seconds"),
    Column("saved", "less", "share"),
    Column("minimax_memory", "minimax memory", "bytes"),
    Column("alphabeta_memory", "alpha-beta memory", "bytes"),
    Column("same_move", "same move", "share"),
    Column("same_score", "same score", "share"),
)


def findings_of(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """Tables, plots, and figures beside the published ones."""
    sets, stages = by_set(settings, found), by_stage(settings, found)
    depths = list(depths_of(settings))
    growths = {name: _growths(each) for name, each in (sets | stages_named(stages)).items()}
    count = sum(counts_of(settings))
    return Findings(
        [
            Section(
                "Minimax and alpha-beta",
                [
                    "Both are one function that differs in nothing but the cutoffs: the same positions in "
                    "the same order, the same evaluation (windows), columns from the centre out. "
                    f"The three positions are {_named()}; the random ones are {count}, a third of them with "
                    "up to 13 discs, a third with 14 to 27, a third with 28 or more. Times are the shortest "
                    "of several searches in one thread; memory is the search's own state and stack.",
                ],
                [
                    _both_table("by_depth", "Minimax and alpha-beta by position and depth", "position", sets),
                    Plot("nodes_by_depth", "Nodes by depth", plots.nodes(sets), _axis(), height=4.0),
                    Plot("time_by_depth", "Time by depth", plots.times(sets), _axis(), height=4.0),
                    Plot(
                        "improvement_by_depth",
                        "What alpha-beta saves, by depth",
                        plots.improvement(sets),
                        "The hatched bands are what was published. The saving grows with depth, as it must: "
                        "the growth by ply is less.",
                    ),
                ],
            ),
            _growth_section(depths, sets, stages, growths),
            _order_section(settings, found),
            _helper_section(settings, found),
        ],
        _beside(sets, settings, found),
    )


def stages_named(stages: Mapping[str, dict[int, Both]]) -> dict[str, dict[int, Both]]:
    """The stages by names that no position has."""
    return {f"random, {stage}": each for stage, each in stages.items()}


def _named() -> str:
    texts = [f"{name} (`{moves}`, {len(moves)} discs)" for name, moves in POSITIONS.items()]
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _axis() -> str:
    return "Logarithmic: a straight line is a cost that is multiplied by the same factor with every ply."


def _both_table(name: str, title: str, first: str, sets: Mapping[str, dict[int, Both]]) -> Table:
    rows: list[list[Cell]] = [
        [
            label,
            depth,
            each.nodes[0],
            each.nodes[1],
            each.pruned,
            each.cutoffs,
            each.seconds[0],
            each.seconds[1],
            each.saved,
            each.memory[0],
            each.memory[1],
            each.same_move,
            each.same_score,
        ]
        for label, depths in sets.items()
        for depth, each in depths.items()
    ]
    expected = [(label, depth) for label, depths in sets.items() for depth in depths]
    note = "Random positions: means a position; the shares are of the sums. Memory: the most."
    return Table(name, title, (Column(first, first), *_BOTH_COLUMNS), rows, expected, note)


def _growths(by_depth: Mapping[int, Both]) -> tuple[Growth, Growth, Growth, Growth]:
    """Of nodes and of time, each of minimax and of alpha-beta."""
    depths, each = list(by_depth), list(by_depth.values())
    nodes = [growth_of(depths, [one.nodes[index] for one in each]) for index in (0, 1)]
    times = [growth_of(depths, [one.seconds[index] for one in each]) for index in (0, 1)]
    return nodes[0], nodes[1], times[0], times[1]


def _growth_section(
    depths: list[int],
    sets: Mapping[str, dict[int, Both]],
    stages: Mapping[str, dict[int, Both]],
    growths: Mapping[str, tuple[Growth, Growth, Growth, Growth]],
) -> Section:
    columns = (
        Column("positions", "positions"),
        Column("minimax_factor", "minimax, nodes", "number"),
        Column("minimax_fit", "R\u00b2", "number"),
        Column("alphabeta_factor", "alpha-beta, nodes", "number"),
        Column("alphabeta_fit", "R\u00b2", "number"),
        Column("minimax_time_factor", "minimax, time", "number"),
        Column("alphabeta_time_factor", "alpha-beta, time", "number"),
    )
    rows: list[list[Cell]] = [
        [name, one.factor, one.fit, two.factor, two.fit, three.factor, four.factor]
        for name, (one, two, three, four) in growths.items()
    ]
    expected = [*SETS, *(f"random, {stage}" for stage in STAGES)]
    return Section(
        "Growth with depth, and by stage of the game",
        [
            f"Nodes and time are fitted by `start * factor ** depth` over depths {depths[0]} to "
            f"{depths[-1]}, by least squares of the logarithm. The factor of the nodes is the effective "
            "branching factor. Minimax's is near the 7 columns while they are open; the square root of it, "
            "which alpha-beta reaches at best, would be 2.6. Near the end columns are full and games are "
            "over sooner, so both have less to do.",
        ],
        [
            Table("growth", "Factor by which cost grows a ply", columns, rows, expected),
            Plot(
                "growth",
                "Nodes by depth, and what was fitted to them",
                plots.growth(sets[RANDOM], growths[RANDOM]),
                "Random positions, means. Marks are measured; lines are fitted.",
                width=7.0,
            ),
            _both_table("by_stage", "Random positions by stage of the game", "stage", stages),
            Plot(
                "stages",
                "By stage of the game",
                plots.stages(stages, {stage: growths[f"random, {stage}"] for stage in stages}),
                "Left: the share of minimax's nodes that alpha-beta leaves out. Right: the effective "
                "branching factors.",
            ),
        ],
    )


def _order_section(settings: Settings, found: Mapping[str, Found]) -> Section:
    depths = list(depths_of(settings))
    sums = {name: {row["depth"]: row for row in found[f"order {name}"]["rows"]} for name in ORDERS}
    count = sum(counts_of(settings))
    rows = [
        [
            name,
            depth,
            sums[name][depth]["nodes"] / count,
            sums[name][depth]["nodes"] / sums["centre"][depth]["nodes"],
            sums[name][depth]["seconds"] / count,
            sums[name][depth]["cutoffs"] / count,
        ]
        for name in ORDERS
        for depth in depths
    ]
    columns = (
        Column("order", "order"),
        Column("depth", "depth", "count"),
        Column("nodes", "nodes", "count"),
        Column("beside_centre", "beside centre-first", "times"),
        Column("seconds", "time", "seconds"),
        Column("cutoffs", "cutoffs", "count"),
    )
    return Section(
        "The order in which moves are tried",
        [
            "Alpha-beta on the random positions: columns from the centre out, from the left, from the right, "
            "from the edges in, and in another random order at every node. For `table move` all lesser "
            "depths are searched before, and what was best in a position is tried first when it comes again; "
            "all of it is counted.",
        ],
        [
            Table("orders", "Alpha-beta by order of moves", columns, rows, list(product(ORDERS, depths))),
            Plot(
                "orders",
                "Nodes by order of moves, beside centre-first",
                plots.orders(depths, sums),
                "Above 1 is worse than from the centre out.",
            ),
        ],
    )


def _helper_section(settings: Settings, found: Mapping[str, Found]) -> Section:
    depths, names = list(deeper_of(settings)), (*IDEAS, NEGAMAX)
    plain = next(iter(IDEAS))
    sums = {name: {row["depth"]: row for row in found[f"helped by {name}"]["rows"]} for name in names}
    count = sum(counts_of(settings))
    rows = []
    for name, depth in product(names, depths):
        each, base = sums[name][depth], sums[plain][depth]
        same = None
        if name != NEGAMAX:
            pairs = zip(each["scores"], base["scores"], strict=True)
            same = sum(one == other for one, other in pairs) / count
        rows.append(
            [
                name,
                depth,
                each["nodes"] / count,
                each["nodes"] / base["nodes"],
                each["seconds"] / count,
                each["seconds"] / base["seconds"],
                each["hits"] / count,
                each["memory"],
                same,
            ]
        )
    columns = (
        Column("search", "search"),
        Column("depth", "depth", "count"),
        Column("nodes", "nodes", "count"),
        Column("nodes_beside", "beside alpha-beta", "times"),
        Column("seconds", "time", "seconds"),
        Column("seconds_beside", "beside alpha-beta", "times"),
        Column("hits", "answers of the table", "count"),
        Column("memory", "memory", "bytes"),
        Column("same_score", "same score", "share", optional=True),
    )
    return Section(
        "Iterative deepening and the transposition table, on and off",
        [
            "Deepening by itself only adds the lesser depths. It pays through the table (16 MB), which "
            "remembers what was best in a position; and the table pays by answering for positions that come "
            "again by another order of moves. Answers count only from the same depth, so that every score is "
            "minimax's. The last is the agent `negamax`, which has all of it and sees threats and forced "
            "moves besides; forced moves cost it no depth, so its scores are others.",
        ],
        [
            Table("helpers", "Alpha-beta, helped", columns, rows, list(product(names, depths))),
            Plot("helpers", "Nodes and time by depth", plots.helpers(depths, sums), _axis(), height=4.6),
        ],
    )


def _beside(
    sets: Mapping[str, dict[int, Both]], settings: Settings, found: Mapping[str, Found]
) -> list[Beside]:
    depths = list(depths_of(settings))
    first, last = depths[0], depths[-1]
    random = sets[RANDOM]
    rows = [*random_rows(settings, found)]
    rows += [found[f"{name}, depth {depth}"] for name in POSITIONS for depth in depths]
    moves, scores = (sum(row[key] for row in rows) / len(rows) for key in ("same_move", "same_score"))
    six = {name: sets[name][6] for name in SETS}
    nodes = ", ".join(f"{count_text(each.nodes[1])} ({name})" for name, each in six.items())
    times = ", ".join(f"{seconds_text(each.seconds[1])} ({name})" for name, each in six.items())
    speed = sum(each.nodes[1] for each in six.values()) / sum(each.seconds[1] for each in six.values())
    least = min(each.pruned for by_depth in sets.values() for each in by_depth.values())
    early = found["early, depth 6"][MINIMAX]["nodes"]
    return [
        Beside(
            NODES,
            f"{share_text(random[first].pruned)} fewer at depth {first}, {share_text(random[6].pruned)} at "
            f"6, {share_text(random[last].pruned)} at {last} (random positions)",
            "No one figure holds: the saving grows with depth, since alpha-beta's tree grows by a smaller "
            f"factor. Within the published range: {_within(sets)}. The least that was seen in any row is "
            f"{share_text(least)}.",
        ),
        Beside(
            TIME,
            f"{share_text(random[first].saved)} less at depth {first}, {share_text(random[6].saved)} at 6, "
            f"{share_text(random[last].saved)} at {last} (random positions)",
            "Time follows nodes; at shallow depths a search is so short that starting it counts.",
        ),
        Beside(
            DEPTH_6_NODES,
            nodes,
            "The published count cannot go with 50 to 70% fewer nodes: minimax visits "
            f"{count_text(early)} nodes at depth 6 from our early position and {count_text(_WHOLE_TREE)} at "
            f"most, so 7,834 would be {share_text(1 - 7834 / early)} fewer.",
        ),
        Beside(
            DEPTH_6_TIME,
            times,
            "The published time is 30,000 nodes a second, as interpreted Python does; compiled code here "
            f"does {speed / 1e6:.1f} million, so this says nothing of the algorithm.",
        ),
        Beside(
            AGREEMENT,
            f"{share_text(moves)} of moves, {share_text(scores)} of scores, in {len(rows):,} comparisons",
            "It has to be 100% where both try moves in the same order and the first of equals is played; "
            "pruning leaves out only what cannot matter.",
        ),
    ]


def _within(sets: Mapping[str, Mapping[int, Both]]) -> str:
    """The depths at which as many nodes are pruned as was published, and the positions."""
    names: dict[int, list[str]] = {}
    for name, by_depth in sets.items():
        for depth, each in by_depth.items():
            if 0.5 <= each.pruned <= 0.7:
                names.setdefault(depth, []).append(name)
    found = [f"depth {depth} ({', '.join(names[depth])})" for depth in sorted(names)]
    return f"{' and '.join(found)} alone" if found else "no depth"
