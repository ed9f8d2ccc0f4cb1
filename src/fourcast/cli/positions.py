"""`fourcast data positions`: positions drawn from games, with labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fourcast.cli import FINE, Stopped
from fourcast.cli.contests import read_plies
from fourcast.cli.options import BoardOption, ClusterOption, JsonOption, SlipOption
from fourcast.cli.screen import Advance, progress, write_json
from fourcast.cli.thinking import ask
from fourcast.game.errors import BadOption
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import Limit

if TYPE_CHECKING:
    from fourcast.learning.labelled import LabelledSet

SOLVER, RANDOM = "solver", "random"  # as in fourcast.learning, which is not imported before it is needed


def positions(
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", min=1, help="How many positions.")],
    plies: Annotated[
        str, typer.Option("--plies", metavar="A-B", help="Discs dropped so far, each number as often.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Write the set to this file.")],
    board: BoardOption = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", metavar="AGENT", help="Who plays the games; give several, and they take turns."
        ),
    ] = None,
    noise: Annotated[
        float, typer.Option("--noise", metavar="P", help="Share of an agent's discs dropped at random.")
    ] = 0.0,
    slip: SlipOption = 0.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Where chance starts.")] = 0,
    labels: Annotated[
        str, typer.Option("--labels", metavar="WHO", help="solver for exact scores, or an agent for values.")
    ] = SOLVER,
    no_moves: Annotated[
        bool, typer.Option("--no-moves", help="Leave the columns out, which is much faster.")
    ] = False,
    limit: Annotated[
        str | None,
        typer.Option("--limit", metavar="LIMIT", help="What a label may take: 60s of the solver by default."),
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="csv or parquet; else by FILE's name.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", metavar="N", min=1, help="Threads that solve.")] = 1,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> int:
    """Draw positions from games, all different, and label them: exact scores, of every column too.

    A position and its mirror image count as one. The same seed gives the same set. Where a board cannot be
    solved in time, an agent gives the labels (--labels mcts:simulations=2000).

    What is done so far is kept in FILE.part: stop it at any time, and the same command goes on, on a cluster
    or without.
    """
    geometry = STANDARD if board is None else Geometry.parse(board)
    span = read_plies(plies)
    allowed = None if limit is None else Limit.parse(limit)
    if noise > 0 and set(policy or (RANDOM,)) == {RANDOM}:
        raise BadOption("--noise goes with --policy AGENT: random games are nothing but noise")
    if threads > 1 and labels != SOLVER:
        raise BadOption("--threads is for the solver: an agent gives the labels one by one")
    if slip and labels == SOLVER:
        raise BadOption("--slip goes with --labels AGENT, like expectimax: the solver knows no slip")
    from fourcast.learning.files import check_data_file, format_of
    from fourcast.learning.part import part_of
    from fourcast.learning.position_files import FORMATS, write_positions
    from fourcast.learning.positions import make_positions
    from fourcast.workers import find_cluster

    form = format_of(out, form, FORMATS)
    check_data_file(out)
    if labels == SOLVER and cluster is None:
        _prepare(geometry, threads)
    seen = _Seen()
    try:
        with find_cluster(cluster) as workers, progress() as advance:
            made = make_positions(
                geometry,
                count,
                span,
                policies=policy or (RANDOM,),
                noise=noise,
                slip=slip,
                seed=seed,
                labels=labels,
                moves=not no_moves,
                threads=threads,
                workers=workers,
                limit=allowed,
                part=part_of(out),
                watch=seen.watching(advance),
            )
    except KeyboardInterrupt:
        if not part_of(out).exists():
            raise
        raise Stopped(
            f"stopped after {seen.done:,} of {count:,} {seen.what}, kept in {part_of(out)}; "
            f"the same command goes on from there"
        ) from None
    write_positions(made, out, form)
    part_of(out).unlink(missing_ok=True)
    if as_json:
        write_json(_record(made, span, seed, labels, out))
    else:
        print("\n".join(_lines(made, span, labels, out)))
    return FINE


class _Seen:
    """How far it has come."""

    def __init__(self) -> None:
        self.what, self.done = "positions", 0

    def watching(self, advance: Advance) -> Advance:
        """The same, and remember it."""

        def watch(what: str, done: int, total: int) -> None:
            self.what, self.done = what, done
            advance(what, done, total)

        return watch


def _prepare(geometry: Geometry, threads: int) -> None:
    """Load the solver's compiled code, so that Ctrl-C need not wait for the seconds that this may take."""
    from fourcast.solver import Solver

    _, stopped = ask(None, Solver(geometry, table_mb=8, threads=threads).prepare)
    if stopped:
        raise KeyboardInterrupt


def _record(made: LabelledSet, plies: tuple[int, int], seed: int, labels: str, out: Path) -> dict[str, Any]:
    record: dict[str, Any] = {"board": str(made.geometry), "positions": len(made), "plies": list(plies)}
    record |= {"seed": seed, "labels": labels, **made.counts, "best": made.best is not None}
    return record | {"columns": made.columns is not None, "slip": made.slip, "out": str(out)}


def _lines(made: LabelledSet, plies: tuple[int, int], labels: str, out: Path) -> list[str]:
    counts = ", ".join(f"{count:,} {label}" for label, count in made.counts.items())
    by = "" if labels == SOLVER else f" (what {labels} thinks: a win above 1/3, a loss below -1/3)"
    return [f"{len(made):,} positions of plies {plies[0]}-{plies[1]}: {counts}{by}", f"Written to {out}"]
