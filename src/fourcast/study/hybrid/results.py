"""What the study `hybrid` comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.study.charts import draw_bars, finish, legend_below
from fourcast.study.findings import Beside, Cell, Column, Findings, Plot, Section, Table
from fourcast.study.games import Series, score_text
from fourcast.study.hybrid.protocols import HONEST, LEAKY, OURS
from fourcast.study.study import Found, Published, Settings
from fourcast.study.wording import interval_text, seconds_text, share_text

ITSELF, MCTS, SMALL_MCTS = "itself", "MCTS by time", "MCTS, 1,000 games"
#: Whom the hybrid meets from the empty board.
OPPONENTS = {
    "random": "random",
    SMALL_MCTS: "mcts:simulations=1000,style=random",
    MCTS: "mcts",
    ITSELF: "hybrid",
}
ABLATIONS = {
    "published, depth 3": "hybrid",
    "model only": "hybrid:early=128,late=128",
    "playouts only": "hybrid:model=none",
    "plain playouts": "hybrid:style=random",
    "depth 1": "hybrid:depth=1",
    "depth 2": "hybrid:depth=2",
    "depth 4": "hybrid:depth=4",
    "depth 5": "hybrid:depth=5",
}
#: Whom the variants of the hybrid meet.
YARDSTICK = "montecarlo:simulations=1000"
PHASES = {"model, up to 8 discs": (0, 8), "both, 9 to 12": (9, 12), "playouts, from 13": (13, 41)}

_ACCURACY, _RANDOM, _MCTS = "accuracy of the boosted model", "wins against random", "wins against MCTS"
_FIRST, _TIME = "against itself, won by the first player", "a move"
PUBLISHED = (
    Published(_ACCURACY, "89.55%"),
    Published(_RANDOM, "100%"),
    Published(_MCTS, "100%, with 5 s a move"),
    Published(_FIRST, "80%"),
    Published(_TIME, "5 s"),
)

_MODELS = {
    LEAKY: "published model, published protocol",
    HONEST: "published model, honest protocol",
    OURS: "LightGBM on all features, honest protocol",
}


def findings(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """The model, the games, and the ablations."""
    games = {name: _series(found, f"{name}, ") for name in OPPONENTS}
    variants = {name: _series(found, f"games, {name}, ") for name in ABLATIONS}
    graded = {name: found[f"moves, {name}"] for name in ABLATIONS}
    part = "" if not settings.quick else " Quick: a part of the set, so figures are lower than in full."
    leaky = found[LEAKY]
    return Findings(
        [
            Section(
                "The model",
                [
                    "UCI's set has 67,557 positions of eight discs. By the published protocol every "
                    "class is drawn with replacement to the size of the middle one, and a fifth is held "
                    f"out after that: copies of a position fall on both sides. {leaky['leaked']:,} of "
                    f"the {leaky['held_out']:,} rows held out are in the training set as well. By the "
                    f"honest protocol a fifth is held out first, mirror images with it.{part}",
                ],
                [
                    _models(found),
                    Plot("accuracy", "Accuracy by protocol", lambda each: _draw_models(each, found)),
                ],
            ),
            Section(
                "Games",
                [
                    "The hybrid as published (`hybrid`), from the empty board, half of the games begun "
                    f"by each side. MCTS by time has {_mcts_seconds(settings)} a move; the other plays "
                    "1,000 random games for a move.",
                ],
                [
                    _games(games),
                    Plot(
                        "games_won",
                        "Games won",
                        lambda figure: _draw_games(figure, games),
                        "With 95% intervals. Against itself, those that the first player has won.",
                    ),
                    _lengths(games),
                    Plot("lengths_drawn", "Lengths of games", lambda figure: _draw_lengths(figure, games)),
                ],
            ),
            Section(
                "Time of a move by phase",
                [],
                [_phases(games), Plot("phases_drawn", "A move", lambda figure: _draw_phases(figure, games))],
            ),
            Section(
                "What each part brings",
                [
                    f"Variants of the hybrid in {YARDSTICK_WORDS}, and on random positions of 10 to 16 "
                    "discs that were solved: good moves keep the outcome, perfect ones the exact score.",
                ],
                [
                    _ablations(variants, graded),
                    Plot("ablations_drawn", "Variants", lambda each: _draw_variants(each, variants, graded)),
                ],
            ),
        ],
        _beside(settings, found, games),
    )


YARDSTICK_WORDS = f"games against `{YARDSTICK}` that begin with four random discs"


def _series(found: Mapping[str, Found], start: str) -> Series:
    """The parts of a series, in order."""
    parts = {int(name.removeprefix(start)): each for name, each in found.items() if name.startswith(start)}
    return Series.of(parts[first] for first in sorted(parts))


def _mcts_seconds(settings: Settings) -> str:
    return "0.1 s" if settings.quick else "5 s"


def _models(found: Mapping[str, Found]) -> Table:
    columns = (
        Column("protocol", "protocol"),
        Column("model", "model and protocol"),
        Column("learnt_from", "learnt from", "count"),
        Column("held_out", "held out", "count"),
        Column("leaked", "of these known", "count"),
        Column("accuracy", "accuracy", "share"),
        Column("accuracy_known", "of known rows", "share", optional=True),
        Column("accuracy_new", "of new rows", "share", optional=True),
        Column("balanced_accuracy", "balanced accuracy", "share"),
        Column("macro_f1", "macro F1", "number"),
        Column("log_loss", "log-loss", "number"),
        Column("calibration_error", "calibration error", "share"),
        Column("seconds", "training", "seconds"),
    )
    rows = [
        (protocol, words, *(found[protocol][column.name] for column in columns[2:]))
        for protocol, words in _MODELS.items()
    ]
    note = (
        "The classes are balanced in the first row alone; two thirds of UCI's set are wins, so accuracies of "
        "the first row and the others are not of the same thing: balanced accuracies are. The last row "
        "is the shipped model `uci`, its training time as its card has it."
    )
    return Table("models", "The boosted model", columns, rows, list(_MODELS), note)


def _games(games: Mapping[str, Series]) -> Table:
    columns = (
        Column("against", "against"),
        Column("spec", "agent"),
        Column("games", "games", "count"),
        Column("different", "different", "count"),
        Column("as_first", "as first, W-D-L"),
        Column("as_second", "as second, W-D-L"),
        Column("won", "won", "share"),
        Column("low", "95% from", "share"),
        Column("high", "to", "share"),
        Column("first_won", "won by the first player", "share"),
    )
    rows: list[Sequence[Cell]] = [
        (
            name,
            OPPONENTS[name],
            len(each.games),
            each.different,
            *map(score_text, each.results),
            each.wins,
            *each.win_interval,
            _first_won(each) / len(each.games),
        )
        for name, each in games.items()
    ]
    return Table("games", "Games of the hybrid", columns, rows, list(OPPONENTS))


def _first_won(series: Series) -> int:
    """Games that whoever began has won."""
    as_first, as_second = series.results
    return as_first.wins + as_second.losses


def _lengths(games: Mapping[str, Series]) -> Table:
    columns = (
        Column("against", "against"),
        Column("mean", "mean", "number"),
        Column("sd", "sd", "number"),
        Column("min", "min", "count"),
        Column("max", "max", "count"),
    )
    rows: list[Sequence[Cell]] = []
    for name, each in games.items():
        spread = each.lengths
        rows.append((name, spread.mean, spread.sd, spread.min, spread.max))
    return Table("lengths", "Discs on the board at the end", columns, rows, list(OPPONENTS))


def _phases(games: Mapping[str, Series]) -> Table:
    columns = (
        Column("against", "against"),
        *(Column(f"from_{first}", words, "seconds", optional=True) for words, (first, _) in PHASES.items()),
        Column("all", "all moves", "seconds"),
        Column("slowest", "slowest", "seconds"),
    )
    rows = [
        (name, *(each.a_move(*phase) for phase in PHASES.values()), each.a_move(), each.slowest)
        for name, each in games.items()
    ]
    note = (
        "Mean time of the hybrid's moves. Who evaluates goes by the discs on the board at the end of the "
        "search, three plies after those counted here."
    )
    return Table("phases", "Time of a move", columns, rows, list(OPPONENTS), note)


def _ablations(variants: Mapping[str, Series], graded: Mapping[str, Found]) -> Table:
    columns = (
        Column("variant", "variant"),
        Column("spec", "agent"),
        Column("good", "good moves", "share"),
        Column("perfect", "perfect", "share"),
        Column("a_move", "a move", "seconds"),
        Column("results", "W-D-L"),
        Column("points", "points", "share"),
        Column("low", "95% from", "share"),
        Column("high", "to", "share"),
    )
    rows = []
    for name, each in variants.items():
        moves, points = graded[name], each.estimate
        figures = moves["good"], moves["perfect"], moves["seconds"]
        outcome = score_text(each.together), points.share, *points.share_interval
        rows.append((name, ABLATIONS[name], *figures, *outcome))
    return Table("ablations", "Variants of the hybrid", columns, rows, list(ABLATIONS))


def _draw_models(figure: Any, found: Mapping[str, Found]) -> None:
    panel = figure.subplots()
    labels = [words.replace(", ", ",\n").replace(" on ", "\non ") for words in _MODELS.values()]
    parts = {
        "all held out": "accuracy",
        "rows known from training": "accuracy_known",
        "new rows": "accuracy_new",
    }
    draw_bars(
        panel,
        labels,
        {
            words: [None if (each := found[name][part]) is None else 100 * each for name in _MODELS]
            for words, part in parts.items()
        },
        words=lambda share: f"{share:.1f}%",
    )
    panel.set_ylim(0, 112)
    finish(panel, "", "accuracy (%)", legend=False)
    legend_below(figure)


def _draw_games(figure: Any, games: Mapping[str, Series]) -> None:
    panel = figure.subplots()
    shares = [
        (_first_won(each) / len(each.games), _first_interval(each))
        if name == ITSELF  # where either side is the hybrid
        else (each.wins, each.win_interval)
        for name, each in games.items()
    ]
    draw_bars(
        panel,
        [f"{name}: the first" if name == ITSELF else name for name in games],
        {"won": [100 * share for share, _ in shares]},
        errors={"won": [(100 * low, 100 * high) for _, (low, high) in shares]},
        words=lambda share: f"{share:.0f}%",
        flat=True,
    )
    panel.set_xlim(0, 112)
    panel.set_xticks(range(0, 101, 20))
    finish(panel, "games won (%)", "", legend=False)


def _draw_lengths(figure: Any, games: Mapping[str, Series]) -> None:
    panel = figure.subplots()
    bounds = [(first, first + 4) for first in range(7, 42, 5)]
    bounds[-1] = (bounds[-1][0], 42)
    draw_bars(
        panel,
        [f"{first}-{last}" for first, last in bounds],
        {
            f"against {name}": [
                100 * sum(first <= len(game) <= last for game in each.games) / len(each.games)
                for first, last in bounds
            ]
            for name, each in games.items()
        },
        words=None,
    )
    finish(panel, "discs on the board at the end", "games (%)", legend=False)
    legend_below(figure)


def _draw_phases(figure: Any, games: Mapping[str, Series]) -> None:
    panel = figure.subplots()
    chosen = {name: games[name] for name in ("random", ITSELF)}
    draw_bars(
        panel,
        list(PHASES),
        {
            f"against {name}": [_milliseconds(each.a_move(*phase)) for phase in PHASES.values()]
            for name, each in chosen.items()
        },
    )
    finish(panel, "discs on the board", "a move, mean (ms)", legend=False)
    legend_below(figure)


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else 1000 * seconds


def _draw_variants(figure: Any, variants: Mapping[str, Series], graded: Mapping[str, Found]) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    labels = list(ABLATIONS)
    good = {part: [100 * graded[name][part] for name in labels] for part in ("good", "perfect")}
    draw_bars(left, labels, good, words=lambda share: f"{share:.0f}", flat=True)
    left.set_xlim(0, 112)
    finish(left, "moves (%)", "", legend=False, title="moves in solved positions")
    left.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    estimates = [variants[name].estimate for name in labels]
    draw_bars(
        right,
        labels,
        {"points": [100 * (each.share or 0.0) for each in estimates]},
        errors={
            "points": [(100 * low, 100 * high) for low, high in (each.share_interval for each in estimates)]
        },
        words=lambda share: f"{share:.0f}",
        flat=True,
    )
    left.invert_yaxis()  # both panels share it, and each has turned it
    right.set_xlim(0, 112)
    finish(right, "points (%), with 95% intervals", "", legend=False, title="games against Monte Carlo")


def _beside(settings: Settings, found: Mapping[str, Found], games: Mapping[str, Series]) -> Sequence[Beside]:
    leaky, honest = found[LEAKY], found[HONEST]
    against_random, itself, small, timed = (games[name] for name in ("random", ITSELF, SMALL_MCTS, MCTS))
    first = _first_won(itself)
    drawn = itself.together.draws
    known, new = leaky["accuracy_known"] or 0.0, leaky["accuracy_new"] or 0.0
    a_move = itself.a_move() or 0.0
    return [
        Beside(
            _ACCURACY,
            f"{leaky['accuracy']:.2%} by the published protocol, {honest['accuracy']:.2%} honestly",
            f"The published figure is too high: {leaky['leaked'] / leaky['held_out']:.0%} of the rows "
            f"that it was measured on are in the training set too. Of these {share_text(known)} are "
            f"right, of the others {share_text(new)}. Balanced accuracy, honestly: "
            f"{honest['balanced_accuracy']:.2%}.",
        ),
        Beside(
            _RANDOM,
            interval_text(against_random.wins, *against_random.win_interval),
            f"{len(against_random.games)} games, half of them begun by each side.",
        ),
        Beside(
            _MCTS,
            f"{interval_text(timed.wins, *timed.win_interval)} against `mcts` with "
            f"{_mcts_seconds(settings)} a move; {interval_text(small.wins, *small.win_interval)} with "
            "1,000 plain random games a move",
            f"{len(timed.games)} and {len(small.games)} games. How much a tree search does in 5 s depends on "
            "the program. Ours plays more than a million "
            "games a second on such a machine and proves what it can; a slow one plays some thousand, "
            "like the second.",
        ),
        Beside(
            _FIRST,
            f"{interval_text(first / len(itself.games), *_first_interval(itself))}, {drawn} drawn",
            f"{len(itself.games)} games. With perfect play the first player wins them all.",
        ),
        Beside(
            _TIME,
            seconds_text(a_move),
            "Compiled playouts, and the leaves of a search evaluated together."
            if a_move < 5
            else "No faster here.",
        ),
    ]


def _first_interval(series: Series) -> tuple[float, float]:
    from fourcast.arena.wilson import wilson_interval

    return wilson_interval(_first_won(series) / len(series.games) * series.different, series.different)
