"""Minimax and Monte Carlo against scripted players: the study `robots`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourcast.game.position import Position
from fourcast.game.rules import Rules
from fourcast.solver import Solver
from fourcast.study.charts import draw_bars, finish, legend_below
from fourcast.study.findings import Beside, Column, Findings, Plot, Section, Table
from fourcast.study.games import Series, play_series, score_text
from fourcast.study.study import Desk, Found, Published, Settings, Study, Task
from fourcast.study.wording import interval_text, seconds_text, share_text

PLAYERS = {"minimax": "minimax:depth=6", "Monte Carlo": "montecarlo:simulations=1000"}
ROBOTS = ("random", "horizontal", "vertical", "greedy")
EMPTY, OPENINGS = "the empty board", "four random discs"
STARTS = {EMPTY: (0, 0), OPENINGS: (4, 4)}

PUBLISHED = (
    Published("minimax, wins against the four robots", "100%"),
    Published("Monte Carlo, wins against the four robots", "100%"),
    Published("minimax, a move", "some 100 ms"),
    Published("Monte Carlo, a move", "some 500 ms"),
)


def play(arguments: dict[str, Any], desk: Desk) -> Found:
    """One player against one robot, half of the games begun by each."""
    first, last = arguments["plies"]
    return play_series(
        (arguments["player"], arguments["robot"]),
        Rules(),
        arguments["games"],
        arguments["seed"],
        plies=(first, last),
        advance=desk.advance,
    ).to_json()


def tasks(settings: Settings) -> Sequence[Task]:
    """A series for each player, robot and start."""
    games = 2 * settings.choose(10, 100)
    return [
        Task(
            _task(player, robot, start),
            play,
            {
                "player": PLAYERS[player],
                "robot": robot,
                "plies": list(plies),
                "games": games,
                "seed": settings.seed,
            },
        )
        for player in PLAYERS
        for start, plies in STARTS.items()
        for robot in ROBOTS
    ]


def findings(_settings: Settings, found: Mapping[str, Found]) -> Findings:
    """Results, times, and both beside what was published."""
    series = {
        (player, start, robot): Series.of([found[_task(player, robot, start)]])
        for player in PLAYERS
        for start in STARTS
        for robot in ROBOTS
    }
    results = Table(
        "results",
        "Won, drawn and lost",
        (
            Column("player", "player"),
            Column("start", "games begin with"),
            Column("robot", "against"),
            Column("as_first", "as first player, W-D-L"),
            Column("as_second", "as second player, W-D-L"),
            Column("won", "won", "share"),
            Column("low", "95% from", "share"),
            Column("high", "to", "share"),
            Column("games", "games", "count"),
            Column("different", "different games", "count"),
        ),
        [
            (
                *key,
                *map(score_text, each.results),
                each.wins,
                *each.win_interval,
                len(each.games),
                each.different,
            )
            for key, each in series.items()
        ],
        list(series),
        "Where neither side leaves anything to chance, all games from the empty board are one game. The "
        "interval (Wilson's) rests on the games that differ, disc for disc.",
    )
    times = Table(
        "times",
        "Time",
        (
            Column("player", "player"),
            Column("start", "games begin with"),
            Column("robot", "against"),
            Column("moves", "moves", "count"),
            Column("a_move", "a move, mean", "seconds"),
            Column("slowest", "slowest", "seconds"),
            Column("nodes", "positions a move", "count"),
            Column("plies", "discs of a game, mean", "number"),
            Column("total", "all games", "seconds"),
        ),
        [
            (
                *key,
                each.moves,
                each.a_move(),
                each.slowest,
                each.nodes_a_move,
                each.lengths.mean,
                each.spent,
            )
            for key, each in series.items()
        ],
        list(series),
        "Of Monte Carlo, a random game counts as a position.",
    )
    return Findings(
        [
            Section(
                "Games",
                [
                    f"`{PLAYERS['minimax']}` and `{PLAYERS['Monte Carlo']}` play "
                    f"{len(_any(series).games) // 2} games as each colour against each robot: from the empty "
                    "board, as was published, and after four random discs, so that games differ.",
                ],
                [results, Plot("wins", "Games won", lambda figure: _draw_wins(figure, series), _CAPTION)],
            ),
            Section("Time", [], [times, Plot("times_a_move", "Time of a move", _times_drawer(series))]),
        ],
        _beside(series),
    )


_CAPTION = "With 95% intervals. Those from the empty board are wide where one game is played again and again."

Played = Mapping[tuple[str, str, str], Series]


def _task(player: str, robot: str, start: str) -> str:
    return f"{player} - {robot}, from {start}"


def _any(series: Played) -> Series:
    return next(iter(series.values()))


def _draw_wins(figure: Any, series: Played) -> None:
    panels = figure.subplots(1, len(PLAYERS), sharey=True)
    for panel, player in zip(panels, PLAYERS, strict=True):
        chosen = {start: [series[player, start, robot] for robot in ROBOTS] for start in STARTS}
        draw_bars(
            panel,
            ROBOTS,
            {f"from {start}": [100 * each.wins for each in some] for start, some in chosen.items()},
            errors={
                f"from {start}": [(100 * each.win_interval[0], 100 * each.win_interval[1]) for each in some]
                for start, some in chosen.items()
            },
            words=None,
        )
        panel.set_ylim(0, 105)
        finish(panel, "against", "games won (%)" if panel is panels[0] else "", title=player, legend=False)
    legend_below(figure)


def _times_drawer(series: Played) -> Any:
    def draw(figure: Any) -> None:
        panel = figure.subplots()
        draw_bars(
            panel,
            ROBOTS,
            {
                player: [1000 * (series[player, OPENINGS, robot].a_move() or 0.0) for robot in ROBOTS]
                for player in PLAYERS
            },
        )
        finish(panel, "against, after four random discs", "a move, mean (ms)", legend=False)
        legend_below(figure)

    return draw


def _beside(series: Played) -> list[Beside]:
    found = []
    for player in PLAYERS:
        empty, opened = ([series[player, start, robot] for robot in ROBOTS] for start in (EMPTY, OPENINGS))
        worst = min(range(len(ROBOTS)), key=lambda place: opened[place].wins)
        share = _share(empty), _share(opened)
        words = interval_text(opened[worst].wins, *opened[worst].win_interval)
        different = sum(each.different for each in empty)
        found.append(
            Beside(
                f"{player}, wins against the four robots",
                f"{share_text(share[0])} (empty board), {share_text(share[1])} after four random discs",
                f"From the empty board {'all' if share[0] == 1 else 'not all'} games are won, but only "
                f"{different:,} of {sum(len(each.games) for each in empty):,} differ. After four random "
                f"discs the hardest is {ROBOTS[worst]}: {words}.{_not_won(opened)}",
            )
        )
    for player, published in (("minimax", 0.1), ("Monte Carlo", 0.5)):
        mean = _a_move([series[player, OPENINGS, robot] for robot in ROBOTS])
        found.append(
            Beside(
                f"{player}, a move",
                seconds_text(mean),
                f"`{PLAYERS[player]}` in compiled code; {published / mean:,.0f} times as fast."
                if mean < published
                else f"`{PLAYERS[player]}`; no faster here.",
            )
        )
    return found


def _not_won(some: Sequence[Series]) -> str:
    """How many games after random discs were not won, and how many of these were lost from the start."""
    starts = [
        (Position.from_moves(game[: STARTS[OPENINGS][1]]), place % 2)
        for each in some
        for place, (game, points) in enumerate(zip(each.games, each.points, strict=True))
        if points < 1
    ]
    if not starts:
        return ""
    scores = Solver().solve_many([start for start, _ in starts]).lower
    lost = sum(
        int(score) < 0 if start.turn == side else int(score) > 0
        for (start, side), score in zip(starts, scores, strict=True)
    )
    if len(starts) == 1:
        return f" One game was not won; its four discs had {'' if lost else 'not '}lost it, by the solver."
    return (
        f" Of the {len(starts)} games that were not won, {'all' if lost == len(starts) else lost} began in a "
        "position that was lost already, by the solver."
    )


def _share(some: Sequence[Series]) -> float:
    return sum(each.together.wins for each in some) / sum(len(each.games) for each in some)


def _a_move(some: Sequence[Series]) -> float:
    return sum(sum(each.seconds) for each in some) / max(sum(each.moves for each in some), 1)


STUDY = Study(
    "robots",
    "Robots: minimax and Monte Carlo against scripted players",
    "Two players that search meet four that follow a rule: any column, the longest run in a row, one column "
    "stacked, and the best next disc. Who wins, and how long does a move take?",
    tasks,
    findings,
    PUBLISHED,
)
