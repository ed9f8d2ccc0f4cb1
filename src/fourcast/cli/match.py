"""`fourcast match`: two agents against each other, and what that proves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import FINE, Stopped
from fourcast.cli.contests import (
    STORE,
    AnyOpeningOption,
    FreshOption,
    JobsOption,
    LimitOption,
    OnTimeoutOption,
    OpeningsOption,
    OutOption,
    PliesOption,
    SeedOption,
    games_bar,
    go_on,
    open_run,
    read_conditions,
    read_openings,
    where_kept,
)
from fourcast.cli.options import BoardOption, ClusterOption, JsonOption, SlipOption
from fourcast.cli.screen import progress, write_json
from fourcast.game.thoughts import size
from fourcast.game.words import counted

if TYPE_CHECKING:
    from fourcast.arena.match import MatchTally
    from fourcast.arena.report import MatchReport, Side
    from fourcast.arena.standings import WinsDrawsLosses

FirstArgument = Annotated[str, typer.Argument(metavar="A", help="An agent, like mcts:simulations=800.")]
SecondArgument = Annotated[str, typer.Argument(metavar="B", help="The other one; results are seen from A.")]


def match(
    first: FirstArgument,
    second: SecondArgument,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many games at most.")] = 200,
    limit: LimitOption = None,
    board: BoardOption = None,
    slip: SlipOption = 0.0,
    openings: OpeningsOption = None,
    plies: PliesOption = None,
    any_opening: AnyOpeningOption = False,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop when one of two Elo differences is ruled out: 0,30."),
    ] = None,
    on_timeout: OnTimeoutOption = "forfeit",
    grade: Annotated[
        int, typer.Option(metavar="N", min=0, help="Games that the solver grades, on 6x7x4.")
    ] = 50,
    seed: SeedOption = 0,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    out: OutOption = STORE,
    fresh: FreshOption = False,
    as_json: JsonOption = False,
) -> int:
    """Play games between two agents and say which is stronger, and how sure that is.

    Games come in pairs: the same opening with the sides changed. An opening is a few random moves, by
    default such that the solver finds it drawn, where it can. Every game is kept as it ends; the same
    command goes on where it was stopped, and --games makes a match longer.

    The Elo difference is seen from A, with a 95% interval from the results of the pairs. LOS is how sure
    it is that A is the stronger one.
    """
    from fourcast.arena.match import MatchPlan, MatchTally, play_match
    from fourcast.arena.report import report_of
    from fourcast.arena.sprt import Sprt
    from fourcast.workers import find_workers

    conditions = read_conditions(board, slip, limit, on_timeout)
    plan = MatchPlan(
        (first, second),
        conditions,
        games,
        read_openings(openings, plies, any_opening, seed),
        None if sprt is None else Sprt.parse(sprt),
        seed,
    )
    tally = MatchTally(plan)
    stopped = False
    with find_workers(jobs, cluster) as workers, open_run(out, "match", plan.settings, fresh) as (store, run):
        try:
            with games_bar(games, min(run.games, games)) as report:
                play_match(tally, store, run, workers, lambda: report(len(tally.games), _stands(tally)))
        except KeyboardInterrupt:
            stopped, grade = True, 0
            for _, number, game in store.games(run):  # some may be kept and not counted yet
                tally.add(number, game)
    try:
        with progress() as advance:
            summary = report_of(tally, grade, lambda done, total: advance("grading the moves", done, total))
    except KeyboardInterrupt:  # the results stand without grades
        stopped, summary = True, report_of(tally, 0)
    if as_json:
        write_json(summary.to_json() | {"store": str(out), "run": run.number, "complete": not stopped})
    else:
        print("\n".join([*lines_of(summary), "", where_kept(out, run)]))
    if stopped:
        raise Stopped(go_on(len(tally.games), games, out))
    return FINE


def _stands(tally: MatchTally) -> str:
    return f"{tally.points:g} : {len(tally.games) - tally.points:g}"


def lines_of(report: MatchReport) -> list[str]:
    """A match in lines of at most 80 columns."""
    ours, theirs = report.sides
    lines = [
        f"A  {ours.agent}",
        f"B  {theirs.agent}",
        f"{report.rules}, {report.limit} for a move, {report.games:,} games",
        "",
        f"{'A':<18}{'won':>8}{'drawn':>8}{'lost':>8}{'points':>10}",
        _results("as first player", ours.as_first),
        _results("as second player", ours.as_second),
        _results("together", ours.together),
        "",
        *_strength(report),
        *_lengths(report),
        "",
        f"{'':<5}{'a move':>12}{'99%':>11}{'longest':>11}{'memory':>11}{'timeouts':>10}{'errors':>9}",
        _effort("A", ours),
        _effort("B", theirs),
        *_failures(report),
    ]
    if report.graded:
        lines += ["", f"{'':<5}{'good moves':>12}{'perfect':>11}{'mean loss':>11}   in {report.graded} games"]
        lines += [_quality("A", ours), _quality("B", theirs)]
    if report.repeats:
        lines += [
            "",
            f"{counted(report.repeats, 'game')} like another one, disc for disc: without chance, no proof",
        ]
    return lines


def _results(title: str, results: WinsDrawsLosses) -> str:
    points = f"{results.points:g}"
    return f"{title:<18}{results.wins:>8,}{results.draws:>8,}{results.losses:>8,}{points:>10}"


def _strength(report: MatchReport) -> list[str]:
    from fourcast.arena.elo import finite

    estimate = report.estimate
    if estimate.elo is None:
        return ["No games, nothing is known."]
    low, high = (finite(bound) for bound in estimate.interval)
    bounds = f"{'-inf' if low is None else f'{low:+.0f}'} to {'+inf' if high is None else f'{high:+.0f}'}"
    elo = finite(estimate.elo)
    shown = f"{elo:+.0f}" if elo is not None else ("+inf" if estimate.elo > 0 else "-inf")
    share_low, share_high = estimate.share_interval
    pairs = " ".join(str(count) for count in estimate.counts.pairs)
    lines = [
        f"Elo     {shown} (95%: {bounds}), LOS {estimate.los:.1%}",
        f"share   {estimate.share:.1%} (95%: {share_low:.1%} to {share_high:.1%})",
        f"pairs   {pairs}  (that gave A 0, 0.5, 1, 1.5, 2 points)",
    ]
    if report.sprt:
        test = report.sprt
        found = {
            "H0": f"nearer to {test.test.elo0:g} than to {test.test.elo1:g}",
            "H1": f"nearer to {test.test.elo1:g} than to {test.test.elo0:g}",
            None: "not decided",
        }
        bounds = f"{test.test.lower:.2f} to {test.test.upper:.2f}"
        lines.append(f"SPRT    {found[test.verdict]}: LLR {test.llr:+.2f}, {bounds}")
    return lines


def _lengths(report: MatchReport) -> list[str]:
    lengths = report.lengths
    if lengths.mean is None:
        return []
    early = (
        "nobody won on the board" if report.earliest_win is None else f"earliest win {report.earliest_win}"
    )
    return [
        f"length  {lengths.mean:.1f} plies, sd {lengths.sd:.1f}, {lengths.min:g} to {lengths.max:g}, {early}"
    ]


def _effort(letter: str, side: Side) -> str:
    mean, p99, most = (_time(each) for each in (side.seconds.mean, side.seconds.p99, side.seconds.max))
    memory = size(side.memory) if side.memory else "-"
    errors = sum(count for reason, count in side.failures.items() if reason != "timeout")
    timeouts = side.failures.get("timeout", 0) + side.lapses
    return f"{letter:<5}{mean:>12}{p99:>11}{most:>11}{memory:>11}{timeouts:>10,}{errors:>9,}"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} us"
    return f"{1000 * seconds:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _failures(report: MatchReport) -> list[str]:
    """The reasons of games that were lost by failing."""
    return [
        f"{letter} has lost {count:,} by {reason}"
        for letter, side in zip("AB", report.sides, strict=True)
        for reason, count in sorted(side.failures.items())
    ]


def _quality(letter: str, side: Side) -> str:
    quality = side.quality
    if quality is None or not quality.moves:
        return f"{letter:<5}{'-':>12}{'-':>11}{'-':>11}"
    good, perfect = quality.good / quality.moves, quality.perfect / quality.moves
    return f"{letter:<5}{good:>12.1%}{perfect:>11.1%}{quality.loss / quality.moves:>11.2f}"
