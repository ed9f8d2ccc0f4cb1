"""`fourcast tournament`: many agents against each other, the table and the ratings."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fourcast.cli import FINE, Stopped
from fourcast.cli.contests import (
    STORE,
    AnyOpeningOption,
    FreshOption,
    JobsOption,
    LimitOption,
    OpeningsOption,
    OutOption,
    PliesOption,
    games_bar,
    go_on,
    open_run,
    read_conditions,
    read_openings,
    where_kept,
)
from fourcast.cli.options import BoardOption, ClusterOption, JsonOption
from fourcast.cli.screen import write_json
from fourcast.game.errors import BadField, BadOption, shown
from fourcast.game.words import counted

if TYPE_CHECKING:
    from fourcast.arena.ratings import Ratings
    from fourcast.arena.standings import Standings
    from fourcast.arena.tournament import TournamentPlan, TournamentTally

MOST_SHOWN = 40  # agents in the table of a large field: the first and the last
WIDTH, LEAST_NAME = 80, 10


def tournament(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT...", help="Two or more, like mcts:simulations=800.")
    ] = None,
    field: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read agents and settings from a TOML file.")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="How often all meet all; or rounds of a Swiss; 1 by default."),
    ] = None,
    swiss: Annotated[
        bool, typer.Option("--swiss", help="Swiss system: those of equal points meet; for large fields.")
    ] = False,
    limit: LimitOption = None,
    board: BoardOption = None,
    slip: Annotated[
        float | None, typer.Option("--slip", metavar="P", help="Chance that a disc lands in another column.")
    ] = None,
    openings: OpeningsOption = None,
    plies: PliesOption = None,
    any_opening: AnyOpeningOption = False,
    on_timeout: Annotated[
        str | None,
        typer.Option(
            "--on-timeout", metavar="WHAT", help="forfeit the game, the default, or play at random."
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(metavar="AGENT=ELO", help="Put this agent at this rating, not the field's mean at 0."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Where chance starts; 0 by default.")
    ] = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    out: OutOption = STORE,
    fresh: FreshOption = False,
    as_json: JsonOption = False,
) -> int:
    """Let everybody play everybody, both colours each round, and rate them all.

    Both games of a pair have the same opening. Every game is kept as it ends; the same command goes on where
    it was stopped, and more --rounds go on from what is there. Options override the file's settings.

    Ratings are Bradley-Terry's over all games, whatever their order, in Elo, the mean of the field being 0,
    with 95% intervals.
    """
    from fourcast.arena.tournament import TournamentTally, play_tournament
    from fourcast.workers import find_workers

    given = {
        "board": board,
        "slip": slip,
        "limit": limit,
        "rounds": rounds,
        "seed": seed,
        "format": "swiss" if swiss else None,
        "openings": openings,
        "plies": plies,
        "any_opening": any_opening or None,
        "on_timeout": on_timeout,
    }
    plan = _plan(agents or [], field, given)
    anchored = None if anchor is None else _anchor(anchor, plan)
    tally = TournamentTally(plan)
    stopped = False
    with (
        find_workers(jobs, cluster) as workers,
        open_run(out, "tournament", plan.settings, fresh) as (store, run),
    ):
        try:
            with games_bar(plan.games, min(run.games, plan.games)) as report:
                play_tournament(
                    tally, store, run, workers, lambda: report(len(tally.results), _stands(tally))
                )
        except KeyboardInterrupt:
            stopped = True
            for _, number, game in store.games(run):  # some may be kept and not counted yet
                tally.add(number, game)
    standings, ratings = tally.standings(), tally.ratings(anchored)
    if as_json:
        failures = [
            {"name": name, "reason": reason, "games": count}
            for (name, reason), count in tally.failures.items()
        ]
        write_json(
            {
                "rules": str(plan.conditions.rules),
                "limit": str(plan.conditions.limit),
                "format": plan.format,
                "rounds": plan.rounds,
                "planned": plan.games,
                "games": len(tally.results),
                "specs": plan.agents,
                "standings": standings.to_json(),
                "ratings": ratings.to_json(),
                "errors": failures,
                "store": str(out),
                "run": run.number,
                "complete": not stopped,
            }
        )
    else:
        print(
            "\n".join(
                [*_title(plan, tally), "", *lines_of(standings, ratings, tally), "", where_kept(out, run)]
            )
        )
    if stopped:
        raise Stopped(go_on(len(tally.results), plan.games, out))
    return FINE


def _plan(agents: list[str], field: Path | None, given: dict[str, Any]) -> TournamentPlan:
    """The tournament that the options and the file ask for."""
    from fourcast.arena.field import FieldFile, read_field
    from fourcast.arena.tournament import TournamentPlan

    said = read_field(field) if field is not None else FieldFile({})
    entered = dict(said.agents)
    for spec in agents:
        if spec in entered:
            raise BadField(f"{shown(spec)} is in the field twice")
        entered[spec] = spec
    defaults: dict[str, Any] = {
        "slip": 0.0,
        "rounds": 1,
        "seed": 0,
        "format": "round-robin",
        "any_opening": False,
        "on_timeout": "forfeit",
    }
    chosen = defaults | said.settings | {name: value for name, value in given.items() if value is not None}
    return TournamentPlan(
        entered,
        read_conditions(chosen.get("board"), chosen["slip"], chosen.get("limit"), chosen["on_timeout"]),
        chosen["rounds"],
        chosen["format"],
        read_openings(chosen.get("openings"), chosen.get("plies"), chosen["any_opening"], chosen["seed"]),
        chosen["seed"],
    )


def _anchor(text: str, plan: TournamentPlan) -> tuple[str, float]:
    """An agent and its rating, from `AGENT=ELO`."""
    name, _, elo = text.rpartition("=")
    try:
        rating = float(elo)
    except ValueError:
        rating = math.nan
    if not math.isfinite(rating) or name not in plan.agents:
        raise BadOption(f"--anchor {shown(text)}: write an agent of the field and a number, like random=1000")
    return name, rating


def _stands(tally: TournamentTally) -> str:
    leaders = tally.leaders
    return ", ".join(f"{name[:14]} {points:g}" for name, points in leaders[:2])


def _title(plan: TournamentPlan, tally: TournamentTally) -> list[str]:
    kind = "Swiss" if plan.format == "swiss" else "round robin"
    played = f"{len(tally.results):,} of {plan.games:,} games"
    return [
        f"{len(plan.agents):,} agents, {kind}, {counted(plan.rounds, 'round')}, {played}",
        f"{plan.conditions.rules}, {plan.conditions.limit} for a move",
    ]


def lines_of(standings: Standings, ratings: Ratings, tally: TournamentTally) -> list[str]:
    """The table, the spread of points and the crosstable, in lines of at most 80 columns."""
    lines = [
        f"{'':>4} {'':<17}{'':>7}{'per-':>6}{'as first':>11}{'as second':>12}",
        f"{'rank':>4} {'agent':<17}{'points':>7}{'cent':>6}{'W/D/L':>11}{'W/D/L':>12}"
        f"{'rating':>8} {'95%':>13}",
    ]
    shown = list(standings.agents)
    if len(shown) > MOST_SHOWN:
        shown = [*shown[: MOST_SHOWN // 2], *shown[-MOST_SHOWN // 2 :]]
    ratings_by_name = {rating.name: rating for rating in ratings.agents}
    for index, agent in enumerate(shown):
        if len(standings.agents) > MOST_SHOWN and index == MOST_SHOWN // 2:
            lines.append(f"     ... {len(standings.agents) - MOST_SHOWN:,} more, all of them with --json")
        rating = ratings_by_name[agent.name]
        low, high = rating.interval
        # An agent that took all points, or none, would be at infinity: only one of its bounds is known.
        bounds = f"{_signed(low)} {_signed(high)}" if abs(low) < 1e5 and abs(high) < 1e5 else "-"
        first, second = (
            f"{each.wins}/{each.draws}/{each.losses}" for each in (agent.as_first, agent.as_second)
        )
        mark = {"above": ">", "below": "<", None: ""}[rating.unbounded]
        lines.append(
            f"{agent.rank:>4} {_cut(agent.name, 17):<17}{agent.points:>7g}{agent.percentile:>6.0f}"
            f"{first:>11}{second:>12}{mark + _signed(rating.elo):>8} {bounds:>13}".rstrip()
        )
    lines += ["", *_spread(standings)]
    if any(rating.unbounded for rating in ratings.agents):
        lines.append("> < took every point or none: how far it stands off is a guess")
    if ratings.groups > 1:
        lines.append(f"{ratings.groups} groups have not met: their ratings cannot be compared")
    if len(standings.agents) > 2 and (table := _crosstable(standings)):
        lines += ["", *table]
    for (name, reason), count in sorted(tally.failures.items()):
        lines.append(f"{name} has lost {count:,} by {reason}")
    return lines


def _spread(standings: Standings) -> list[str]:
    field = standings.field
    if field.mean is None:
        return []
    at = ", ".join(f"{percent}%: {points:.1f}" for percent, points in field.percentiles)
    return [
        f"points: mean {field.mean:.1f}, sd {field.sd:.1f}, {field.lowest:g} to {field.highest:g}",
        f"score at {at}",
    ]


def _crosstable(standings: Standings) -> list[str]:
    """What each took from each, the columns by rank; nothing where the field is too large for that."""
    taken = [f"{each:g}" for row in standings.crosstable for each in row if each is not None]
    if not taken:
        return []
    width = max(4, 1 + max(map(len, taken)))
    room = WIDTH - width * len(standings.agents) - 4
    if room < LEAST_NAME:
        return []
    name_width = min(room, 24)
    head = "".join(f"{index:>{width}}" for index in range(1, len(standings.agents) + 1))
    lines = [f"{'':<{name_width + 4}}{head}"]
    for index, (agent, row) in enumerate(zip(standings.agents, standings.crosstable, strict=True), start=1):
        cells = "".join(f"{'.' if each is None else f'{each:g}':>{width}}" for each in row)
        lines.append(f"{index:>3} {_cut(agent.name, name_width):<{name_width}}{cells}")
    return lines


def _signed(elo: float) -> str:
    return f"{round(elo) + 0:+d}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}~"
