"""What the measurements of the exact solver come to."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

from fourcast.game.geometry import Geometry
from fourcast.game.notation import column_name
from fourcast.kernels.ideas import IDEAS
from fourcast.study.findings import Beside, Cell, Column, Findings, Plot, Section, Table
from fourcast.study.solver import plots
from fourcast.study.solver.measuring import (
    BY_BOOK,
    STANDARD_BOARD,
    boards_of,
    idea_sets_of,
    ideas_of,
    most_nodes,
    sizes_of,
    table_sets_of,
    tables_of,
    threads_of,
)
from fourcast.study.study import Found, Published, Settings
from fourcast.study.wording import count_text, number_text, seconds_text

SIX, STANDARD = "six columns and an even number of rows", "the standard board, 6x7x4"
PUBLISHED = (
    Published(SIX, "the second player draws at least (Allis, 1988)"),
    Published(STANDARD, "the first player wins by beginning in the centre, with the 41st disc"),
)
_WINNERS = dict(zip((1, 0, -1), plots.WINNERS, strict=True))
_OUTCOMES = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}


def findings_of(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """Tables and plots of all parts."""
    return Findings(
        [
            _sets_section(settings, found),
            _ideas_section(settings, found),
            _threads_section(found),
            _tables_section(settings, found),
            _boards_section(settings, found),
        ],
        _beside(settings, found),
    )


def _sets_section(settings: Settings, found: Mapping[str, Found]) -> Section:
    rows: list[list[Cell]] = []
    for name, size in sizes_of(settings).items():
        nodes, seconds = found[f"solve {name}"]["nodes"], found[f"solve {name}"]["seconds"]
        counts = [statistics.mean(nodes), statistics.median(nodes), max(nodes)]
        rows.append([name, size, *counts, seconds / size, sum(nodes) / seconds])
    columns = (
        Column("set", "set"),
        Column("positions", "positions", "count"),
        Column("nodes", "nodes, mean", "count"),
        Column("median_nodes", "median", "count"),
        Column("most_nodes", "most", "count"),
        Column("seconds", "CPU time, mean", "seconds"),
        Column("nodes_per_second", "nodes a second", "count"),
    )
    means = {str(row[0]): (float(row[2] or 0), float(row[5] or 0)) for row in rows}
    return Section(
        "By stage and difficulty",
        [
            "Random positions of the standard board whose side to move cannot win at once: 28 to 38 discs "
            "(end), 14 to 27 (middle), 2 to 12 (beginning). Difficulty is counted in the solver's own nodes: "
            "an easy middle takes under 2,000, a hard one more; a beginning is easy under 5,000, medium "
            "under 300,000, hard from 1,500,000 on. One thread, no book, 64 MB, and the table is empty "
            "before each position.",
        ],
        [
            Table("sets", "The solver by stage and difficulty", columns, rows, list(sizes_of(settings))),
            Plot(
                "sets",
                "Nodes and time of a position",
                plots.sets(means),
                "Means; both are logarithmic.",
                height=3.4,
            ),
        ],
    )


def _ideas_section(settings: Settings, found: Mapping[str, Found]) -> Section:
    names = idea_sets_of(settings)
    rows: list[list[Cell]] = []
    matrix: list[list[Cell]] = []
    ratios: dict[str, dict[str, float]] = {name: {} for name in names}
    bounds: set[tuple[str, str]] = set()
    for idea in ideas_of(settings):
        words = IDEAS[idea]
        texts = []
        for name in names:
            each = found[f"without {idea}: {name}"]
            whole, less = (sum(row[index] for row in each["rows"]) for index in (0, 1))
            cut = sum(row[3] is None or row[2] is None for row in each["rows"])
            wrong = sum(None not in row[2:] and row[2] != row[3] for row in each["rows"])
            times = each["seconds"][1] / each["seconds"][0]
            rows.append([words, name, whole, less, less / whole, times, cut, wrong])
            ratios[name][words] = less / whole
            if cut:
                bounds.add((name, words))
            texts.append(f"{plots.AT_LEAST if cut else ''}{number_text(less / whole)}x")
        matrix.append([words, *texts])
    columns = (
        Column("idea", "without"),
        Column("set", "set"),
        Column("whole_nodes", "nodes with it", "count"),
        Column("nodes", "nodes without", "count"),
        Column("nodes_beside", "nodes", "times"),
        Column("seconds_beside", "CPU time", "times"),
        Column("cut_short", "cut short", "count"),
        Column("other_scores", "other scores", "count"),
    )
    labels = [IDEAS[idea] for idea in ideas_of(settings)]
    wrong_scores = sum(int(row[-1] or 0) for row in rows)
    return Section(
        "What each idea brings",
        [
            "The same positions are solved with one idea left out, by code that is compiled without it; all "
            "else stays. A figure is how many times as many nodes that takes in sum, so 1x brings nothing. "
            "Of hard beginnings the first four are taken. A position may take "
            f"{count_text(most_nodes(settings))} nodes; where some were cut short there, the figure is a "
            f"lower bound (\u2265). No idea changes a score: {wrong_scores or 'none'} of those that were "
            f"solved both ways {'differs' if wrong_scores < 2 else 'differ'}.",
        ],
        [
            Table(
                "ideas",
                "Nodes without an idea, beside those with all",
                (Column("idea", "without"), *(Column(_snake(name), name) for name in names)),
                matrix,
                labels,
            ),
            Table(
                "ideas_by_set",
                "Nodes and time without an idea",
                columns,
                rows,
                [(label, name) for label in labels for name in names],
                shown=False,
            ),
            Plot(
                "ideas",
                "Nodes without an idea, beside those with all",
                plots.ideas(labels, {name: ratios[name] for name in names if "easy" not in name}, bounds),
                "Logarithmic; 1 is the whole solver. Where positions were cut short, a bar is a lower bound "
                "(\u2265).",
                height=1.6 + 0.62 * len(labels),
            ),
        ],
    )


def _threads_section(found: Mapping[str, Found]) -> Section:
    counts = threads_of()
    alone = found["threads 1"]
    rows: list[list[Cell]] = []
    for threads in counts:
        each = found[f"threads {threads}"]
        speedup = alone["seconds"] / each["seconds"]
        rows.append([threads, each["seconds"], speedup, each["nodes"], each["nodes"] / alone["nodes"]])
    columns = (
        Column("threads", "threads", "count"),
        Column("seconds", "time by the clock", "seconds"),
        Column("speedup", "speed-up", "times"),
        Column("nodes", "nodes", "count"),
        Column("nodes_beside", "nodes, beside one thread", "times"),
    )
    speedups = [float(row[2] or 0) for row in rows]
    nodes = [float(row[4] or 0) for row in rows]
    return Section(
        "Threads",
        [
            "Hard beginnings, one after the other, all threads on the same one. Threads share what they "
            "prove; some of what they do is done twice, which the nodes show. More threads than cores are "
            "not tried, but two are in any case.",
        ],
        [
            Table("threads", "Hard beginnings in several threads", columns, rows, counts),
            Plot(
                "threads",
                "Speed-up by threads",
                plots.threads(counts, speedups, nodes),
                "The straight line would be perfect.",
                width=7.0,
                height=3.6,
            ),
        ],
    )


def _tables_section(settings: Settings, found: Mapping[str, Found]) -> Section:
    sizes, names = tables_of(settings), table_sets_of(settings)
    rows: list[list[Cell]] = []
    series: dict[str, tuple[list[float], list[float]]] = {}
    for name in names:
        each = [found[f"{size} MB: {name}"] for size in sizes]
        last = each[-1]
        rows += [
            [
                name,
                size,
                one["nodes"],
                one["nodes"] / last["nodes"],
                one["seconds"],
                one["seconds"] / last["seconds"],
            ]
            for size, one in zip(sizes, each, strict=True)
        ]
        series[name] = [one["nodes"] for one in each], [one["seconds"] for one in each]
    columns = (
        Column("set", "set"),
        Column("megabytes", "table, MB", "count"),
        Column("nodes", "nodes", "count"),
        Column("nodes_beside", "beside the largest", "times"),
        Column("seconds", "CPU time", "seconds"),
        Column("seconds_beside", "beside the largest", "times"),
    )
    return Section(
        "The size of the table",
        [
            "One thread, no book. A table that is too small forgets what would have been of use; one that is "
            "larger than the processor's caches takes longer to ask. Positions with few empty cells have a "
            "small table of their own, which is part of the size.",
        ],
        [
            Table(
                "tables",
                "By the size of the table",
                columns,
                rows,
                [(name, size) for name in names for size in sizes],
            ),
            Plot("tables", "Nodes and time by the size of the table", plots.tables(sizes, series)),
        ],
    )


def _boards_section(settings: Settings, found: Mapping[str, Found]) -> Section:
    rows: list[list[Cell]] = []
    points = []
    for board in boards_of(settings):
        geometry, each = Geometry.parse(board), found[f"board {board}"]
        winner = _WINNERS[_sign(each["score"])]
        best = " ".join(column_name(column) for column in each["best"])
        rows.append(
            [board, geometry.cells, winner, each["score"], each["ends"], best, each["nodes"], each["seconds"]]
        )
        points.append((board, winner, each["nodes"], each["ends"]))
    columns = (
        Column("board", "board"),
        Column("cells", "cells", "count"),
        Column("winner", "who wins"),
        Column("score", "score", "count"),
        Column("ends", "ends on ply", "count"),
        Column("best", "best first columns"),
        Column("nodes", "nodes", "count"),
        Column("seconds", "CPU time", "seconds"),
    )
    return Section(
        "Small boards, solved",
        [
            "Rows x columns x discs in line, from the empty board, with best play on both sides: who wins as "
            "soon as can be, who loses as late as can be. A score of n is a win with n discs of the winner's "
            "own left. One thread, no book.",
        ],
        [
            Table("boards", "What small boards are worth", columns, rows, boards_of(settings)),
            Plot(
                "boards",
                "Nodes to solve each board",
                plots.boards(points),
                "Logarithmic; the easiest first.",
                height=1.2 + 0.27 * len(points),
            ),
        ],
    )


def _beside(settings: Settings, found: Mapping[str, Found]) -> list[Beside]:
    boards = boards_of(settings)
    six = {board: found[f"board {board}"]["score"] for board in boards if board in ("4x6x4", "6x6x4")}
    measured = ", ".join(f"{board}: {_OUTCOMES[_sign(score)]}" for board, score in six.items())
    holds = "That holds" if all(score <= 0 for score in six.values()) else "That does not hold"
    more = ", and more: it wins." if all(score < 0 for score in six.values()) else "."
    solved = STANDARD_BOARD in boards
    each = found[f"board {STANDARD_BOARD}" if solved else BY_BOOK]
    columns = " or ".join(column_name(column) for column in each["best"])
    standard = f"{_WINNERS[_sign(each['score'])]} wins on ply {each['ends']}, beginning in column {columns}"
    if solved:
        spent = f"{count_text(each['nodes'])} nodes, {seconds_text(each['seconds'])}"
        remark = f"Solved from the empty board without a book, in {spent}."
    else:
        remark = "By the opening book; the full run solves it without."
    return [
        Beside(SIX, measured, f"{holds}{more}"),
        Beside(STANDARD, standard, remark),
    ]


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _snake(name: str) -> str:
    return name.replace(", ", "_")
