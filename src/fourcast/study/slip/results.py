"""What the study `slip` comes to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.study.charts import draw_lines, finish, from_nought, legend_below, log_counts, whole_steps
from fourcast.study.findings import Cell, Column, Findings, Plot, Section, Table
from fourcast.study.games import Series, score_text
from fourcast.study.slip.settings import (
    SLIP,
    boards,
    growing_slips,
    learning_boards,
    small_boards,
    turning_slips,
)
from fourcast.study.study import Found, Settings

AGENTS = {
    "Monte Carlo": "montecarlo",
    "CNN": "cnn",
    "network": "network",
    "expectimax": "expectimax",
}
GROWTH_BOARD = "6x7x4"
#: One that reckons with slip against one that does not; both look as far ahead.
SEEING, BLIND = "expectimax:depth=5,eval=slippery", "alphabeta:depth=5,eval=slippery"
DEEP = "expectimax against alpha-beta"


def findings(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """Games by board, by slip, the columns that change, and the learning curves."""
    played = {
        (board, name): _series(found, f"{board}, {name}, ") for board in boards(settings) for name in AGENTS
    }
    growing = {
        (slip, name): _series(found, f"slip {slip:g}, {name}, ")
        for slip in growing_slips(settings)
        for name in (*AGENTS, DEEP)
    }
    moves = {board: found[f"moves, {board}"] for board in small_boards(settings)}
    curves = {board: found[f"curve, {board}"] for board in learning_boards(settings)}
    return Findings(
        [
            Section(
                "Against a random player",
                [
                    f"Slip {SLIP:g}: one disc in five lands in another open column, each as likely. Half "
                    "of the games are begun by each side, from the empty board. `montecarlo` and "
                    "`expectimax` reckon with slip, `cnn` and `network` aim where they would play without.",
                ],
                [
                    _games(settings, played),
                    Plot(
                        "boards",
                        f"Games won, and positions visited for a move, with slip {SLIP:g}",
                        lambda figure: _draw_boards(figure, settings, played),
                        "Left: with 95% intervals. Right: a network looks at one position; of Monte Carlo, a "
                        "random game counts as one.",
                    ),
                ],
            ),
            Section(
                "As slip grows",
                [
                    f"Games on {GROWTH_BOARD}. The last of the players is `{SEEING}` against `{BLIND}`, "
                    "which looks as far ahead with the same evaluation, and knows nothing of slip.",
                ],
                [
                    _growth(settings, growing),
                    Plot(
                        "growth_drawn",
                        "Games won by slip",
                        lambda each: _draw_growth(each, settings, growing),
                    ),
                ],
            ),
            Section(
                "When another column is the best",
                [
                    "Exact values of every column, with slip and without, in random positions of small "
                    "boards. `other outcome`: no column that is best with slip keeps the outcome (win, "
                    "draw or loss) that can be had without slip. `other column`: none of them is among "
                    "those that a perfect player would choose from, who wins as soon and loses as late "
                    "as possible. `lost`: what the perfect player's best choice is worth less, with "
                    "slip, in value from -1 to 1.",
                ],
                [
                    _changes(settings, moves),
                    Plot(
                        "changes_drawn",
                        "How often the best column differs",
                        lambda each: _draw_moves(each, moves),
                    ),
                ],
            ),
            _learning(settings, curves),
        ]
    )


def _series(found: Mapping[str, Found], start: str) -> Series:
    parts = {int(name.removeprefix(start)): each for name, each in found.items() if name.startswith(start)}
    return Series.of(parts[first] for first in sorted(parts))


_RESULTS = (
    Column("games", "games", "count"),
    Column("results", "W-D-L"),
    Column("won", "won", "share"),
    Column("low", "95% from", "share"),
    Column("high", "to", "share"),
)


def _result(each: Series) -> tuple[Cell, ...]:
    return (len(each.games), score_text(each.together), each.wins, *each.win_interval)


def _games(settings: Settings, played: Mapping[tuple[str, str], Series]) -> Table:
    columns = (
        Column("board", "board"),
        Column("agent", "agent"),
        *_RESULTS,
        Column("nodes", "positions a move", "count"),
        Column("plies", "discs of a game, mean", "number"),
    )
    rows = [(*key, *_result(each), each.nodes_a_move, each.lengths.mean) for key, each in played.items()]
    expected = [(board, name) for board in boards(settings) for name in AGENTS]
    return Table("games", f"Games against `random` with slip {SLIP:g}", columns, rows, expected)


def _growth(settings: Settings, growing: Mapping[tuple[float, str], Series]) -> Table:
    columns = (Column("slip", "slip"), Column("agent", "agent"), *_RESULTS)
    rows = [(*key, *_result(each)) for key, each in growing.items()]
    expected = [(slip, name) for slip in growing_slips(settings) for name in (*AGENTS, DEEP)]
    return Table("growth", f"Games by slip on {GROWTH_BOARD}", columns, rows, expected)


def _changes(settings: Settings, moves: Mapping[str, Found]) -> Table:
    columns = (
        Column("board", "board"),
        Column("slip", "slip"),
        Column("positions", "positions", "count"),
        Column("other_outcome", "other outcome", "share"),
        Column("other_column", "other column", "share"),
        Column("mean_lost", "lost, mean", "number"),
        Column("most_lost", "lost, most", "number"),
    )
    rows = [
        (
            board,
            each["slip"],
            found["positions"],
            each["other_outcome"] / found["positions"],
            each["other_column"] / found["positions"],
            each["mean_lost"],
            each["most_lost"],
        )
        for board, found in moves.items()
        for each in found["slips"]
    ]
    expected = [(board, slip) for board in small_boards(settings) for slip in turning_slips(settings)]
    return Table("changes", "Best columns with slip and without", columns, rows, expected)


def _learning(settings: Settings, curves: Mapping[str, Found]) -> Section:
    title = "How the published networks learn"
    if not curves:
        words = "Not measured: training needs the extra `train` (`pip install 'fourcast[train]'`)."
        return Section(title, [words])
    from fourcast.models.shelf import find

    columns = (
        Column("board", "board"),
        Column("learnt_from", "learnt from", "count"),
        Column("held_out", "held out", "count"),
        Column("epochs", "epochs", "count"),
        Column("loss", "loss", "number"),
        Column("held_loss", "loss, held out", "number"),
        Column("meant", "as was meant", "share"),
        Column("shipped", "the shipped one", "share"),
        Column("seconds", "training", "seconds"),
    )
    rows: list[Sequence[Cell]] = []
    for board, each in curves.items():
        last = each["curve"][-1]
        rows.append(
            (
                board,
                each["learnt_from"],
                each["held_out"],
                last["epoch"],
                last["loss"],
                last["held_loss"],
                last["meant"],
                find(f"cnn-{board}").metrics["held"]["perfect"],
                each["seconds"],
            )
        )
    table = Table("learning", "Networks trained anew", columns, rows, list(learning_boards(settings)))
    curve_columns = (
        Column("board", "board"),
        Column("epoch", "epoch", "count"),
        Column("loss", "loss", "number"),
        Column("held_loss", "loss, held out", "number"),
        Column("meant", "as was meant", "share"),
    )
    curve_rows = [(board, *each.values()) for board, found in curves.items() for each in found["curve"]]
    expected = [(board, each["epoch"]) for board, found in curves.items() for each in found["curve"]]
    data = Table("curves", "Learning curves", curve_columns, curve_rows, expected, shown=False)
    words = (
        "One convolution and one dense layer, as was published, learn what a Monte Carlo player means to "
        "play in games of which every second disc goes elsewhere. `as was meant`: the share of positions "
        "held out whose likeliest column is the one that was meant. In full, settings and seed are those "
        "of the shipped ones."
    )
    plot = Plot("curves_drawn", "Learning curves", lambda figure: _draw_curves(figure, curves))
    return Section(title, [words], [table, plot, data])


def _draw_boards(figure: Any, settings: Settings, played: Mapping[tuple[str, str], Series]) -> None:
    left, right = figure.subplots(1, 2)
    labels = list(boards(settings))
    places = list(range(len(labels)))
    draw_lines(
        left,
        places,
        {name: [100 * played[board, name].wins for board in labels] for name in AGENTS},
        errors={name: [_percent(played[board, name]) for board in labels] for name in AGENTS},
        apart=0.1,
    )
    lowest = min(each.win_interval[0] for each in played.values())
    left.set_ylim(10 * math.floor(10 * lowest), 101)
    finish(left, "board", "games won (%)", title="win rate", legend=False)
    draw_lines(
        right,
        places,
        {name: [played[board, name].nodes_a_move for board in labels] for name in AGENTS},
        apart=0.1,
    )
    log_counts(right)
    finish(right, "board", "positions", title="positions visited for a move", legend=False)
    for panel in (left, right):
        panel.set_xticks(places, labels)
        panel.grid(visible=False, axis="x")
    legend_below(figure)


def _percent(series: Series) -> tuple[float, float]:
    low, high = series.win_interval
    return 100 * low, 100 * high


def _draw_growth(figure: Any, settings: Settings, growing: Mapping[tuple[float, str], Series]) -> None:
    panel = figure.subplots()
    slips = list(growing_slips(settings))
    names = {name: f"{name} against random" for name in AGENTS} | {DEEP: DEEP}
    draw_lines(
        panel,
        slips,
        {words: [100 * growing[slip, name].wins for slip in slips] for name, words in names.items()},
        errors={words: [_percent(growing[slip, name]) for slip in slips] for name, words in names.items()},
        apart=0.008,
    )
    panel.set_ylim(0, 102)
    panel.set_xticks(slips)
    finish(panel, "slip", "games won (%)", legend=False)
    legend_below(figure, 3)


def _draw_moves(figure: Any, moves: Mapping[str, Found]) -> None:
    panels = figure.subplots(1, len(moves), sharey=True)
    for panel, (board, found) in zip(panels, moves.items(), strict=True):
        slips = [each["slip"] for each in found["slips"]]
        kinds = {"other column": "other_column", "other outcome": "other_outcome"}
        draw_lines(
            panel,
            slips,
            {
                words: [100 * each[kind] / found["positions"] for each in found["slips"]]
                for words, kind in kinds.items()
            },
        )
        panel.set_xticks(slips)
        left = panel is panels[0]
        finish(panel, "slip", "positions (%)" if left else "", title=board, legend=False)
    from_nought(panels[0])
    legend_below(figure)


def _draw_curves(figure: Any, curves: Mapping[str, Found]) -> None:
    left, right = figure.subplots(1, 2)
    chosen = {board: _thinned(found["curve"]) for board, found in curves.items()}
    for panel, part, times in ((left, "held_loss", 1), (right, "meant", 100)):
        draw_lines(
            panel,
            [each["epoch"] for each in next(iter(chosen.values()))],
            {board: [times * each[part] for each in some] for board, some in chosen.items()},
        )
        whole_steps(panel)
    from_nought(left)
    right.set_ylim(0, 100)
    finish(left, "epoch", "loss, held out", legend=False)
    finish(right, "epoch", "moves as was meant (%)", legend=False)
    legend_below(figure, 5)


def _thinned(curve: Sequence[Found]) -> list[Found]:
    """At most some twenty epochs, the last one among them."""
    step = -(-len(curve) // 20)
    return [each for each in curve if (curve[-1]["epoch"] - each["epoch"]) % step == 0]
