"""What the study `contest` comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.arena.standings import PERCENTILES, WinsDrawsLosses
from fourcast.study.charts import LOOKS, draw_bars, finish
from fourcast.study.findings import Beside, Cell, Column, Findings, Plot, Section, Table
from fourcast.study.games import score_text
from fourcast.study.study import Found, Published, Settings
from fourcast.study.wording import number_text, share_text

#: Who meets the field, as specs; the first is the one that is compared with what was published.
OURS = (
    "negamax:nodes=20000",
    "negamax:seconds=0.02",
    "negamax:seconds=0.05",
    "perfect",
    "hybrid",
    "hybrid:preset=strong,seconds=0.02",
    "mcts:simulations=10000",
    "network",
    "cnn",
)
AGENTS, GAMES = 425, 848  # of the published contest: each met 424 others twice
_ENTERED, _BEST = "points of the agent that was entered", "points of the best"
_POINTS, _MOST = 653.5, 840.0
PUBLISHED = (Published(_ENTERED, f"{_POINTS} of {GAMES}"), Published(_BEST, f"{_MOST:g} of {GAMES}"))
_SHOWN = 60  # agents up to which the whole table is in the report
_LONG = 24  # letters of a spec that take a line
_NEARLY = 0.95  # of the best's points


def every(settings: Settings) -> int:
    """One in so many agents of the file is in the field."""
    return 36 if settings.quick else 1


def opponents(settings: Settings) -> int:
    """How many agents the field has."""
    return -(-AGENTS // every(settings))


def findings(settings: Settings, found: Mapping[str, Found]) -> Findings:
    """The table, the points, and where ours land."""
    field = found["field"]
    shares = sorted(each["points"] / each["games"] for each in field["agents"])
    ours = {name: _Landing(found, name, shares) for name in OURS}
    size = len(field["agents"])
    words = (
        f"{size} agents, {field['games']:,} games, {2 * (size - 1)} of each agent; played by Fourcast "
        f"{field['version']}. {field['failures'] or 'No'} games were lost by failing. All games begin "
        "with the empty board, and no agent looks at the clock, so that the same contest can be played again."
    )
    return Findings(
        [
            Section("The field", [words], _field_items(settings, field)),
            Section(
                "Where our agents land",
                [
                    f"Each meets all {size} agents of the field as first and as second player: "
                    f"{2 * size} games. Its share of the points says where in the field it lands; the "
                    "percentile is the share of the field that has taken less.",
                ],
                [
                    _ours(ours),
                    Plot(
                        "landing",
                        "Points in the field, and where ours land",
                        lambda figure: _draw_landing(figure, shares, ours),
                        "Left: the field, from the fewest points to the most. Dashed lines are what was "
                        "published.",
                    ),
                ],
            ),
        ],
        _beside(field, shares, ours),
    )


class _Landing:
    """One of ours: its results, and where it lands.

    Attributes:
        results: As first and as second player.
        share: Of the points.
        percentile: The share of the field that has taken less, equal ones counted half; 0 to 100.
    """

    def __init__(self, found: Mapping[str, Found], name: str, shares: Sequence[float]) -> None:
        parts = [each for task, each in found.items() if task.startswith(f"{name}, ")]
        as_first, as_second = (
            WinsDrawsLosses(*(sum(part["results"][side][which] for part in parts) for which in range(3)))
            for side in (0, 1)
        )
        self.results = as_first, as_second
        together = as_first + as_second
        self.points, self.games = together.points, together.games
        self.share = self.points / self.games
        self.percentile = percentile_of(self.share, shares)
        self.a_move = sum(part["seconds"] for part in parts) / sum(part["moves"] for part in parts)
        self.slowest = max(part["slowest"] for part in parts)


def percentile_of(share: float, shares: Sequence[float]) -> float:
    """How much of a field has taken a lesser share of the points, equal ones counted half; in percent."""
    below = sum(each < share - 1e-12 for each in shares)
    equal = sum(abs(each - share) <= 1e-12 for each in shares)
    return 100 * (below + equal / 2) / len(shares)


def _field_items(settings: Settings, field: Found) -> list[Table | Plot]:
    places = _places(settings)
    whole = len(places) == opponents(settings)
    items: list[Table | Plot] = [_standings("standings", field, range(opponents(settings)), shown=whole)]
    if not whole:
        items.append(_standings("leaders", field, places, shown=True))
    items += [
        _percentiles(field),
        Plot(
            "families",
            "Points by family",
            lambda figure: _draw_families(figure, field),
            "Boxes hold the middle half of a family, with its median; every agent is a dot.",
        ),
    ]
    return items


def _places(settings: Settings) -> Sequence[int]:
    """Which places of the table are shown: all, or the first, the last, and some between."""
    count = opponents(settings)
    if count <= _SHOWN:
        return range(count)
    between = [round(count * percent / 100) for percent in range(10, 100, 10)]
    return sorted({*range(20), *between, *range(count - 5, count)})


def _standings(name: str, field: Found, places: Sequence[int], *, shown: bool) -> Table:
    columns = (
        Column("place", "place", "count"),
        Column("agent", "agent"),
        Column("spec", "spec"),
        *(
            Column(f"first_{each}", f"1st: {each[0].upper()}", "count")
            for each in ("wins", "losses", "draws")
        ),
        *(
            Column(f"second_{each}", f"2nd: {each[0].upper()}", "count")
            for each in ("wins", "losses", "draws")
        ),
        Column("points", "points", "number"),
        Column("percentile", "percentile", "number"),
    )
    rows: list[Sequence[Cell]] = []
    for place in places:
        each = field["agents"][place]
        counts = [each[side][kind] for side in ("first", "second") for kind in ("wins", "losses", "draws")]
        rows.append((place + 1, each["name"], each["spec"], *counts, each["points"], each["percentile"]))
    title = "The table" if name == "standings" else "The table: the first, the last, and some between"
    note = "Won, lost and drawn as first and as second player."
    if name != "standings":
        note += " All agents are in `standings.csv`."
    return Table(name, title, columns, rows, [place + 1 for place in places], note, shown)


def _percentiles(field: Found) -> Table:
    points = field["points"]
    games = field["agents"][0]["games"]
    marks = {
        "the most": points["highest"],
        **{f"{percent}%": points["percentiles"][str(percent)] for percent in reversed(PERCENTILES)},
        "the fewest": points["lowest"],
        "mean": points["mean"],
        "standard deviation": points["sd"],
    }
    expected = ["the most", *(f"{percent}%" for percent in reversed(PERCENTILES)), "the fewest", "mean"]
    columns = (
        Column("mark", "of the field"),
        Column("points", "points", "number"),
        Column("share", "of all that could be had", "share"),
    )
    rows = [(mark, each, each / games) for mark, each in marks.items()]
    return Table("percentiles", "Score percentiles", columns, rows, [*expected, "standard deviation"])


def _ours(ours: Mapping[str, _Landing]) -> Table:
    columns = (
        Column("agent", "agent"),
        Column("as_first", "as first, W-D-L"),
        Column("as_second", "as second, W-D-L"),
        Column("points", "points", "number"),
        Column("games", "games", "count"),
        Column("share", "share", "share"),
        Column("of_848", f"of {GAMES}", "number"),
        Column("percentile", "percentile", "number"),
        Column("a_move", "a move", "seconds"),
        Column("slowest", "slowest", "seconds"),
    )
    rows = [
        (
            name,
            *map(score_text, each.results),
            each.points,
            each.games,
            each.share,
            GAMES * each.share,
            each.percentile,
            each.a_move,
            each.slowest,
        )
        for name, each in ours.items()
    ]
    note = (
        "They are not of the field, so that each has two games more than an agent of it has; `of "
        f"{GAMES}` is their share of as many games."
    )
    return Table("ours", "Our agents against the field", columns, rows, list(OURS), note)


_FAMILIES = {
    "beginners": ("random", "horizontal", "vertical", "lookahead", "greedy"),
    "alpha-beta": ("alphabeta",),
    "Monte Carlo": ("montecarlo",),
    "MCTS": ("mcts",),
    "negamax": ("negamax",),
}


def _draw_families(figure: Any, field: Found) -> None:
    panel = figure.subplots()
    shares: dict[str, list[float]] = {name: [] for name in (*_FAMILIES, "negamax, levels")}
    for each in field["agents"]:
        kind = each["spec"].partition(":")[0]
        family = next(name for name, kinds in _FAMILIES.items() if kind in kinds)
        if "level=" in each["spec"]:
            family = "negamax, levels"
        shares[family].append(100 * each["points"] / each["games"])
    shares = {name: some for name, some in shares.items() if some}
    panel.boxplot(
        list(shares.values()), positions=range(len(shares)), widths=0.5, showfliers=False,
        medianprops={"color": LOOKS[1].colour, "linewidth": 2},
    )  # fmt: skip
    for place, some in enumerate(shares.values()):
        spread = [place + 0.16 * ((index * 7) % 11 - 5) / 5 for index in range(len(some))]
        panel.plot(spread, some, ".", color=LOOKS[0].colour, markersize=4, alpha=0.6)
    panel.set_xticks(range(len(shares)), [f"{name}\n({len(some)})" for name, some in shares.items()])
    panel.set_ylim(0, 100)
    panel.grid(visible=False, axis="x")
    finish(panel, "", "share of the points (%)", legend=False)


def _draw_landing(figure: Any, shares: Sequence[float], ours: Mapping[str, _Landing]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.1))
    at = [100 * (index + 0.5) / len(shares) for index in range(len(shares))]
    left.plot(at, [100 * each for each in shares], color=LOOKS[0].colour, linewidth=3)
    left.set_xlim(0, 100)
    left.set_ylim(0, 102)
    finish(left, "percentile of the field", "share of the points (%)", title="the field", legend=False)
    ranked = sorted(ours, key=lambda name: -ours[name].share)
    parts = [100 * ours[name].share for name in ranked]
    draw_bars(right, [_in_lines(name) for name in ranked], {"ours": parts}, words=None, flat=True)
    for place, name in enumerate(ranked):
        words = f"{100 * ours[name].share:.1f}% ({number_text(ours[name].percentile)})"
        right.annotate(words, (3, place), fontsize=8, va="center")
    right.set_xlim(0, 104)
    finish(right, "share of the points (%)", title="ours, and in brackets their percentile", legend=False)
    for points, words in ((_POINTS, "published: entered"), (_MOST, "published: the best")):
        share = 100 * points / GAMES
        lines = {"color": "black", "linestyle": (0, (4, 3)), "linewidth": 1.2}
        left.axhline(share, **lines)
        left.annotate(
            f"{words}, {points:g} of {GAMES}", (1, share), (0, -11), textcoords="offset points", fontsize=9
        )
        right.axvline(share, **lines)


def _in_lines(spec: str) -> str:
    """A spec in two lines, if it is long."""
    return spec.replace(",", ",\n") if len(spec) > _LONG else spec


def _beside(field: Found, shares: Sequence[float], ours: Mapping[str, _Landing]) -> list[Beside]:
    name = OURS[0]
    entered, best, highest = ours[name], field["agents"][0], max(ours, key=lambda each: ours[each].share)
    there = percentile_of(_POINTS / GAMES, shares)
    near = sum(each["points"] >= _NEARLY * best["points"] for each in field["agents"]) - 1
    return [
        Beside(
            _ENTERED,
            f"`{name}`: {GAMES * entered.share:.1f} of {GAMES} ({share_text(entered.share)})",
            f"Points compare within one field alone, and ours is another. {_POINTS} of {GAMES} would be "
            f"better than {number_text(there)}% of ours; `{name}` is better than "
            f"{number_text(entered.percentile)}%. The "
            f"most of our own takes `{highest}`, {GAMES * ours[highest].share:.1f}.",
        ),
        Beside(
            _BEST,
            f"{best['name']}: {best['points']:g} of {best['games']} "
            f"({share_text(best['points'] / best['games'])})",
            f"The best of the published field took {share_text(_MOST / GAMES)}, so it lost hardly a point "
            f"even to the next best. Here {near} others took at least {_NEARLY:.0%} of the best's points, "
            "and take them from each other.",
        ),
    ]
