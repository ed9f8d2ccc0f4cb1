"""What the study `learning` comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.study.charts import LOOKS, draw_bars, draw_lines, finish, legend_below
from fourcast.study.findings import Cell, Column, Findings, Plot, Section, Table
from fourcast.study.games import Series, score_text
from fourcast.study.learning.settings import (
    NETWORK,
    TREES,
    can_train,
    families,
    groups,
    lengths,
    shipped,
    task_of,
)
from fourcast.study.study import Found, Settings
from fourcast.study.wording import seconds_text

_AGAINST = "alphabeta:depth=4"
_LEAST = 5  # positions of a point of the calibration that is drawn


def findings(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """Strength by cost, calibration, and the features."""
    sets = found["sets"]
    trained = {
        (family, length): found[task_of(family, length)]
        for family in families()
        for length in lengths(settings, family)
    }
    ready = {family: found[f"shipped, {family}"] for family in shipped()}
    words = [
        f"{sets['learnt_from']:,} random positions of 14 to 30 discs to learn from, with the exact score "
        f"of every column, and {sets['held_out']:,} to judge by, which no shipped model has learnt from "
        f"either (solved in {seconds_text(sets['seconds'])}). Positions that the next disc wins are left "
        "out.",
        "Every model plays without search: trees look at the positions one disc ahead, networks say "
        "where they would play; all see a win in one and block one. `good` moves keep the outcome and "
        f"`perfect` ones the exact score, of the {sets['hard']:,} positions where not every column keeps "
        f"the outcome; the games are against `{_AGAINST}` and begin with four random discs.",
    ]
    if not can_train():
        words.append(
            "Networks were not trained: that needs the extra `train` (`pip install 'fourcast[train]'`). "
            "The shipped ones are there."
        )
    best = trained[TREES, lengths(settings, TREES)[-1]]
    return Findings(
        [
            Section(
                "Strength by cost",
                words,
                [
                    _models(settings, trained, ready),
                    Plot(
                        "cost",
                        "What training brings",
                        lambda each: _draw_cost(each, trained, ready),
                        "Logarithmic in time. The CNN says where to play, and not who wins.",
                    ),
                ],
            ),
            Section(
                "Calibration",
                [
                    "A value v from -1 to 1 foresees (v + 1) / 2 points. Of positions for which a model "
                    "foresees so many, how many points does perfect play bring? The CNN says where to "
                    "play, and not what a position is worth.",
                ],
                [
                    _calibration(settings, trained, ready),
                    Plot(
                        "calibration_drawn",
                        "Points foreseen, and points there are",
                        lambda each: _draw_calibration(each, settings, trained, ready),
                        f"On the dotted line, values are what they say. Tenths with fewer than {_LEAST} "
                        "positions are left out.",
                    ),
                ],
            ),
            Section(
                "What the features contribute",
                [
                    "Left: by how much the log-loss of the trees rises when a group of features is "
                    "shuffled among the positions held out; groups that say the same cover for each "
                    "other. Right: how often trees that see one group alone are right about who wins.",
                ],
                [
                    _features(found, best),
                    Plot(
                        "features_drawn",
                        "Groups of features",
                        lambda each: _draw_features(each, found, best),
                        height=4.8,
                    ),
                ],
            ),
        ]
    )


Trained = Mapping[tuple[str, int], Found]


def _models(settings: Settings, trained: Trained, ready: Mapping[str, Found]) -> Table:
    columns = (
        Column("family", "family"),
        Column("trained", "trained"),
        Column("learnt_from", "learnt from", "count"),
        Column("seconds", "training", "seconds"),
        Column("outcome_accuracy", "who wins, right", "share", optional=True),
        Column("good", "good moves", "share"),
        Column("perfect", "perfect", "share"),
        Column("results", "games, W-D-L"),
        Column("points", "points", "share"),
        Column("low", "95% from", "share"),
        Column("high", "to", "share"),
        Column("bytes", "file", "bytes"),
    )
    rows = [_model(family, _length(family, length), each) for (family, length), each in trained.items()]
    rows += [_model(family, "shipped", each) for family, each in ready.items()]
    expected = [
        (family, _length(family, length)) for family in families() for length in lengths(settings, family)
    ]
    expected += [(family, "shipped") for family in shipped()]
    note = "Training of the shipped ones as their cards have it, on other machines and other positions."
    return Table("models", "Models", columns, rows, expected, note)


def _length(family: str, length: int) -> str:
    return f"{length} {'rounds' if family.startswith(TREES) else 'epochs' if length > 1 else 'epoch'}"


def _model(family: str, length: str, each: Found) -> Sequence[Cell]:
    games = Series.of([each["games"]])
    points = games.estimate
    return (
        family,
        length,
        each["learnt_from"],
        each["seconds"],
        each.get("outcome_accuracy"),
        each["good"],
        each["perfect"],
        score_text(games.together),
        points.share,
        *points.share_interval,
        each["bytes"],
    )


def _valued(settings: Settings, trained: Trained, ready: Mapping[str, Found]) -> dict[str, Found]:
    """The longest trained of each family and the shipped ones, if they say what positions are worth."""
    chosen = {family: trained[family, lengths(settings, family)[-1]] for family in families()}
    chosen |= {f"{family}, shipped": each for family, each in ready.items()}
    return {name: each for name, each in chosen.items() if "bins" in each}


def _calibration(settings: Settings, trained: Trained, ready: Mapping[str, Found]) -> Table:
    columns = (
        Column("model", "model"),
        Column("outcome_accuracy", "who wins, right", "share"),
        Column("calibration_error", "calibration error", "share"),
    )
    chosen = _valued(settings, trained, ready)
    rows = [(name, each["outcome_accuracy"], each["calibration_error"]) for name, each in chosen.items()]
    expected = [family for family in families() if family.startswith(TREES) or family == NETWORK]
    expected += [f"{family}, shipped" for family in (TREES, NETWORK)]
    note = (
        "The error is the mean distance of what is foreseen and what there is, by tenths of what is foreseen."
    )
    return Table("calibration", "Calibration", columns, rows, expected, note)


def _features(found: Mapping[str, Found], best: Found) -> Table:
    columns = (
        Column("group", "group"),
        Column("features", "features", "count"),
        Column("log_loss", "log-loss when shuffled", "number"),
        Column("log_loss_sd", "sd", "number"),
        Column("accuracy_lost", "accuracy lost", "share"),
        Column("alone", "accuracy alone", "share"),
        Column("alone_log_loss", "log-loss alone", "number"),
    )
    shuffled = {each["group"]: each for each in best["importance"]}
    rows = []
    for group in groups():
        each, alone = shuffled[group], found[f"group, {group}"]
        costs = each["log_loss"], each["log_loss_sd"], each["accuracy"]
        rows.append((group, each["features"], *costs, alone["accuracy"], alone["log_loss"]))
    note = f"All together: accuracy {best['accuracy']:.1%}, log-loss {best['log_loss']:.3f}."
    return Table("features", "Groups of features", columns, rows, list(groups()), note)


def _draw_cost(figure: Any, trained: Trained, ready: Mapping[str, Found]) -> None:
    panels = figure.subplots(1, 3)
    at = sorted(trained, key=lambda key: trained[key]["seconds"])
    names = list(dict.fromkeys(family for family, _ in trained))
    for panel, figure_of in zip(panels, (_good, _points, _foreseen), strict=True):
        draw_lines(
            panel,
            [trained[key]["seconds"] for key in at],
            {name: [figure_of(trained[key]) if key[0] == name else None for key in at] for name in names},
        )
        for family, each in ready.items():
            if figure_of(each) is None:
                continue
            look = LOOKS[names.index(family) if family in names else len(names)]
            panel.plot(
                [each["seconds"]],
                [figure_of(each)],
                color=look.colour,
                marker=look.mark,
                linestyle="none",
                markersize=10,
                markerfacecolor="white",
                markeredgewidth=2,
                label=f"{family}, shipped",
            )
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter(lambda seconds, _: f"{seconds:,g} s")
        panel.margins(x=0.1, y=0.1)
        panel.minorticks_off()
    for panel, words in zip(panels, ("good moves", "points in games", "who wins, right"), strict=True):
        finish(panel, "training", f"{words} (%)", legend=False)
    legend_below(figure, 4)


def _good(each: Found) -> float:
    return 100 * float(each["good"])


def _points(each: Found) -> float:
    return 100 * (Series.of([each["games"]]).estimate.share or 0.0)


def _foreseen(each: Found) -> float | None:
    """Nothing for networks that only say where to play."""
    share = each.get("outcome_accuracy")
    return None if share is None else 100 * float(share)


def _draw_calibration(figure: Any, settings: Settings, trained: Trained, ready: Mapping[str, Found]) -> None:
    panel = figure.subplots()
    panel.plot([0, 100], [0, 100], color="#888888", linestyle=":", linewidth=1.5, label="as it is said")
    for look, (name, each) in zip(LOOKS, _valued(settings, trained, ready).items(), strict=False):
        bins = [each for each in each["bins"] if each[0] >= _LEAST]
        said, got = ([100 * each[place] for each in bins] for place in (1, 2))
        panel.plot(said, got, color=look.colour, marker=look.mark, linestyle=look.line, label=name)
    panel.set_xlim(-2, 102)  # marks at the ends are whole
    panel.set_ylim(-4, 104)
    finish(panel, "points foreseen (%)", "points there are (%)", legend=False)
    legend_below(figure, 3)


def _draw_features(figure: Any, found: Mapping[str, Found], best: Found) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    shuffled = {each["group"]: each["log_loss"] for each in best["importance"]}
    order = sorted(groups(), key=lambda group: -shuffled[group])
    costs = [shuffled[group] for group in order]
    draw_bars(left, order, {"shuffled": costs}, words=lambda cost: f"{cost:.3f}", flat=True)
    alone = [100 * found[f"group, {group}"]["accuracy"] for group in order]
    draw_bars(right, order, {"alone": alone}, words=lambda share: f"{share:.1f}", flat=True)
    left.invert_yaxis()  # both panels share it, and each has turned it
    right.set_xlim(0, 112)
    finish(left, "log-loss added when shuffled", "", legend=False)
    finish(right, "accuracy of the group alone (%)", "", legend=False)
