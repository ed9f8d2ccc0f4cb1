"""`fourcast bench`: how fast it is here, beside others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli.options import JsonOption
from fourcast.cli.screen import progress, write_json
from fourcast.game.errors import BadOption, shown

if TYPE_CHECKING:
    from fourcast.bench.agents import AgentsReport
    from fourcast.bench.cluster import ClusterReport
    from fourcast.bench.export import ExportReport
    from fourcast.bench.networks import NetworksReport
    from fourcast.bench.report import Report
    from fourcast.bench.sets import SetsReport
    from fourcast.bench.web import WebReport

app = typer.Typer(
    name="bench",
    help="Measure how fast Fourcast is on this machine.",
    epilog="Example: fourcast bench solver",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def bench(context: typer.Context) -> None:
    """Measure how fast Fourcast is on this machine."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(epilog="Example: fourcast bench kernels --peers --json")
def kernels(
    peers: Annotated[
        bool, typer.Option("--peers", help="Measure other programs too, in the same run (extra: bench).")
    ] = False,
    repeat: Annotated[int, typer.Option(metavar="N", min=1, help="Runs of each; the median counts.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Measure the kernels on one core, and the start of the command line.

    Playouts, perft, distinct positions, and batches of moves, lines, threats and windows.
    """
    from fourcast.bench.kernels import measure

    with progress() as advance:
        report = measure(peers=peers, repeat=repeat, advance=advance)
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench solver --sets positions/ --limit 100 --peers")
def solver(
    sets: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Positions: files of lines MOVES or MOVES SCORE, a set each."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N positions of each set.")
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Ask BitBully the same, in the same run (extra: bench).")
    ] = False,
    empty: Annotated[bool, typer.Option("--empty", help="Solve the empty board too.")] = False,
    two_threads: Annotated[
        bool, typer.Option("--two-threads/--no-two-threads", help="Ask two threads too.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Measure the solver, each position with an empty table and no book.

    Without --sets it makes its own sets, always the same. Ctrl-C stops and prints the sets that are done.
    """
    from fourcast.bench.sets import SetsReport
    from fourcast.bench.solver import measure
    from fourcast.solver.position_sets import EMPTY, made_sets, read_sets

    given = read_sets(sets, limit) if sets else None
    report = SetsReport()
    try:
        with progress() as advance:
            chosen = chain(made_sets(limit, advance=advance) if given is None else given, [EMPTY] * empty)
            for figures in measure(chosen, peers=peers, two_threads=two_threads, advance=advance):
                report.sets.append(figures)  # those are kept when the next is stopped
        report.complete = True
    except KeyboardInterrupt:
        _write(report, as_json)
        raise
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench agents --part speed --part quality --positions 200")
def agents(
    part: Annotated[
        list[str] | None,
        typer.Option(metavar="PART", help="speed, quality, clock, memory, robots or slip; all by default."),
    ] = None,
    positions: Annotated[
        int, typer.Option(metavar="N", min=1, help="Positions that are graded, and moves that are timed.")
    ] = 1000,
    games: Annotated[int, typer.Option(metavar="N", min=2, help="Games of each pair; with slip 3 N.")] = 100,
    repeat: Annotated[
        int, typer.Option(metavar="N", min=1, help="Runs of each speed; the median counts.")
    ] = 5,
    peers: Annotated[
        bool, typer.Option("--peers", help="Measure OpenSpiel's MCTS too, in the same run (extra: bench).")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure the agents: how fast they are, how well they play, how they keep their time.

    Quality is graded by the solver: a good move keeps the game's value, a perfect one the exact score. The
    whole takes some twenty minutes. Ctrl-C stops and prints what is done.
    """
    from fourcast.bench.agents import PARTS, AgentsReport, measure

    _check_parts(part, PARTS)
    report = AgentsReport()
    try:
        with progress() as advance:
            measure(
                report,
                parts=part or PARTS,
                positions=positions,
                games=games,
                peers=peers,
                repeat=repeat,
                advance=advance,
            )
    except KeyboardInterrupt:
        _write(report, as_json)
        raise
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench arena --games 5000")
def arena(
    games: Annotated[int, typer.Option(metavar="N", min=100, help="Games played for the rate.")] = 20_000,
    repeat: Annotated[int, typer.Option(metavar="N", min=1, help="Runs of each; the median counts.")] = 3,
    as_json: JsonOption = False,
) -> None:
    """Measure the arena on all cores: games a second, played, checked and kept; what it adds to a move."""
    from fourcast.bench.arena import measure

    with progress() as advance:
        report = measure(games, repeat, advance)
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench environments --peers")
def environments(
    peers: Annotated[
        bool,
        typer.Option(
            "--peers",
            help="Measure the adapters too, beside PettingZoo's own and OpenSpiel (extras: gym, bench).",
        ),
    ] = False,
    repeat: Annotated[int, typer.Option(metavar="N", min=1, help="Runs of each; the median counts.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Measure the environments on one core: steps a second, 4,096 games together and one by one."""
    from fourcast.bench.environments import measure

    with progress() as advance:
        report = measure(peers=peers, repeat=repeat, advance=advance)
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench networks my-models/net.json --part speed --part quality")
def networks(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Shipped networks, or paths of cards; by default all shipped."),
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(metavar="PART", help="speed, quality or random; all by default."),
    ] = None,
    positions: Annotated[
        int, typer.Option(metavar="N", min=1, help="Positions that are graded, of each kind; and timed.")
    ] = 1000,
    games: Annotated[
        int, typer.Option(metavar="N", min=2, help="Games against random with slip, and without.")
    ] = 200,
    repeat: Annotated[
        int, typer.Option(metavar="N", min=1, help="Runs of each speed; the median counts.")
    ] = 5,
    as_json: JsonOption = False,
) -> None:
    """Measure networks beside the solver: how fast they are, how good their moves, games against random.

    Moves are graded on positions that a network has never learnt from, by the hash that its card holds out;
    without search, behind the guard, and by mcts:net with 0.1 s. Ctrl-C stops and prints what is done.
    """
    from fourcast.bench.networks import PARTS, NetworksReport, find_networks, measure

    _check_parts(part, PARTS)
    found = find_networks(names or ())
    report = NetworksReport()
    try:
        with progress() as advance:
            measure(
                report,
                found,
                parts=part or PARTS,
                positions=positions,
                games=games,
                repeat=repeat,
                advance=advance,
            )
    except KeyboardInterrupt:
        _write(report, as_json)
        raise
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench web --viewers 50 --seconds 10")
def web(
    viewers: Annotated[
        int, typer.Option(metavar="N", min=1, max=500, help="Viewers who ask at the same time.")
    ] = 200,
    seconds: Annotated[float, typer.Option(metavar="N", min=1, max=600, help="How long they look.")] = 30.0,
    as_json: JsonOption = False,
) -> None:
    """Measure the server of `fourcast serve` (extra: web), on this machine alone.

    The size of the page and its first paint in Chromium (where that and Playwright are installed), the time
    of analyses, and its health while many look on. Ctrl-C stops and prints what is done.
    """
    from fourcast.bench.web import WebReport, measure

    report = WebReport()
    try:
        with progress() as advance:
            measure(report, viewers=viewers, seconds=seconds, advance=advance)
    except KeyboardInterrupt:
        _write(report, as_json)
        raise
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench export --positions 200")
def export(
    positions: Annotated[
        int, typer.Option(metavar="N", min=1, help="Random positions that are graded.")
    ] = 400,
    openings: Annotated[
        int, typer.Option(metavar="N", min=1, help="Positions after good openings that are graded.")
    ] = 100,
    as_json: JsonOption = False,
) -> None:
    """Measure an exported file, alone in a process, with Numba and without.

    Its size, how long it takes to load and to compile, and how good its moves are in how much time. The whole
    takes some fifteen minutes. Ctrl-C stops and prints what is done.
    """
    from fourcast.bench.export import ExportReport, measure

    report = ExportReport()
    try:
        with progress() as advance:
            measure(report, positions=positions, openings=openings, advance=advance)
    except KeyboardInterrupt:
        _write(report, as_json)
        raise
    _write(report, as_json)


@app.command(epilog="Example: fourcast bench cluster --repeat 5")
def cluster(
    repeat: Annotated[int, typer.Option(metavar="N", min=1, help="Rounds of each; the median counts.")] = 3,
    share: Annotated[
        float, typer.Option(metavar="X", min=0.001, max=100, help="How much of the work of a round.")
    ] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Measure how work scales that is shared out (extra: cluster).

    A book, labels, teachers' games and matches: in this process, in two, and on a Ray cluster of one and of
    two nodes with one core each, which it starts on this machine and ends. Ctrl-C stops and prints what is
    done.
    """
    from fourcast.bench.cluster import ClusterReport, measure

    report = ClusterReport()
    try:
        with progress() as advance:
            measure(report, share=share, repeat=repeat, advance=advance)
    except KeyboardInterrupt:
        _write(report, as_json)
        raise
    _write(report, as_json)


def _check_parts(given: list[str] | None, known: Sequence[str]) -> None:
    """Refuse parts that there are not.

    Raises:
        BadOption: One of them is not known.
    """
    for each in given or ():
        if each not in known:
            raise BadOption(f"there is no part {shown(each)}; known: {', '.join(known)}")


def _write(
    report: AgentsReport | ClusterReport | ExportReport | NetworksReport | Report | SetsReport | WebReport,
    as_json: bool,
) -> None:
    if as_json:
        write_json(report.to_json())
    else:
        print(report.to_text())
