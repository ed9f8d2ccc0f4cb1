"""`fourcast train network`: policy and value, learnt from exact labels or from an agent's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fourcast.cli.contests import read_plies
from fourcast.cli.options import BoardOption, ClusterOption, JsonOption, SlipOption
from fourcast.cli.screen import Advance, progress
from fourcast.cli.train_networks import (
    BatchOption,
    BlocksOption,
    ChannelsOption,
    FreshOption,
    HalfOption,
    OutOption,
    PurposeOption,
    RateOption,
    ReportOption,
    TrainSeedOption,
    finish,
    prepare,
    stoppable,
)
from fourcast.game.errors import BadOption
from fourcast.game.geometry import STANDARD, Geometry

if TYPE_CHECKING:
    from fourcast.learning.lessons import Lessons
    from fourcast.workers import Workers

SOLVER, RANDOM = "solver", "random"  # as in fourcast.learning, which is not imported before it is needed


def network(
    context: typer.Context,
    board: BoardOption = None,
    data: Annotated[
        list[Path] | None,
        typer.Option("--data", metavar="FILE", help="A set of fourcast data positions; several add up."),
    ] = None,
    positions: Annotated[
        int, typer.Option("--positions", metavar="N", help="Without --data: how many to make.")
    ] = 50_000,
    plies: Annotated[
        str | None, typer.Option("--plies", metavar="A-B", help="Likewise: discs on the board.")
    ] = None,
    teacher: Annotated[
        str, typer.Option("--teacher", metavar="WHO", help="Likewise: solver, or an agent, gives the labels.")
    ] = SOLVER,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="AGENT", help="Likewise: who plays the games; several take turns."),
    ] = None,
    noise: Annotated[
        float, typer.Option("--noise", metavar="P", help="Share of an agent's discs dropped at random.")
    ] = 0.0,
    slip: SlipOption = 0.0,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="MODEL", help="Go on from this network: a shipped one, or its card."),
    ] = None,
    channels: ChannelsOption = 64,
    blocks: BlocksOption = 3,
    epochs: Annotated[
        int, typer.Option("--epochs", metavar="N", help="How often every position is seen.")
    ] = 8,
    batch: BatchOption = 64,
    learning_rate: RateOption = 2e-3,
    out: OutOption = None,
    report: ReportOption = None,
    half: HalfOption = False,
    fresh: FreshOption = 1000,
    purpose: PurposeOption = None,
    seed: TrainSeedOption = 229,
    threads: Annotated[int, typer.Option("--threads", metavar="N", min=1, help="Threads that solve.")] = 2,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> int:
    """Train a small residual network that tells which column to play and what a position is worth.

    It learns from positions with exact scores of all columns, made to order or from files, or from what an
    agent thinks of them where a board cannot be solved or discs may slip. A tenth of the positions is held
    out before anything is learnt, a position and its mirror image on the same side.

    With --start a network that was trained before goes on, with other positions, and with more --blocks if
    they are given. What it has held out is held out again, so --seed must be the one it was trained with.

    What is done is kept in NAME.set.part and NAME.part: stop it at any time, and the same command goes on.
    With --cluster positions are made there; training stays here.
    """
    from fourcast.learning.course import Course
    from fourcast.learning.distilling import NETWORK, check_start, shape_of, split_lessons, train_network
    from fourcast.learning.networks import Shape
    from fourcast.learning.part import part_of
    from fourcast.models.files import read_model_bytes
    from fourcast.models.shelf import find
    from fourcast.workers import find_cluster

    geometry = None if board is None else Geometry.parse(board)
    if start is not None:
        _refuse(context, ("channels",), "--start, whose network has as many as it has")
    begun = None if start is None else find(start)
    shape = Shape(channels, blocks)
    if begun is not None:
        before = shape_of(begun)
        shape = Shape(before.channels, blocks if _is_given(context, "blocks") else before.blocks)
    course = Course(epochs, batch, learning_rate, seed=seed)
    if data:
        made_to_order = ("positions", "plies", "teacher", "policy", "noise", "slip", "cluster")
        _refuse(context, made_to_order, "--data, which has its positions already")
    else:
        geometry = geometry or STANDARD
        span = read_plies(plies) if plies is not None else (0, geometry.cells - 2)
    if begun is not None:
        check_start(begun, NETWORK, geometry or begun.geometry, seed)
        read_model_bytes(begun)  # a damaged one is refused before positions are made
    folders = prepare(out, report, purpose)
    made = None if out is None else part_of(out.with_name(out.name + ".set"))
    part = None if out is None else part_of(out)
    with stoppable(made, part, folders=folders, out=out) as heeding:
        with progress() as shown:
            advance = heeding(shown)
            if data:
                lessons, facts = _read(data, geometry, advance)
            else:
                assert geometry is not None
                order = _Order(
                    positions, span, teacher, tuple(policy or (RANDOM,)), noise, slip, seed, threads
                )
                with find_cluster(cluster) as workers:
                    lessons, facts = order.make(geometry, workers, made, advance)
            train, held = split_lessons(lessons, seed)
            trained = train_network(
                NETWORK, train, held, course, shape, start=begun, half=half, checkpoint=part, advance=advance
            )
            facts |= {"positions": len(lessons)}
            card = None
            if out is not None:
                said = purpose or f"Policy and value of {lessons.geometry} positions, without search"
                card = trained.save(out, said, facts, fresh=fresh, advance=advance)
        return finish(trained, card, report, (made, part), {"data": facts}, as_json=as_json)


def _is_given(context: typer.Context, name: str) -> bool:
    """Whether an option was given, and is not as it would be anyway."""
    source = context.get_parameter_source(name)
    return source is not None and not source.name.startswith("DEFAULT")


def _refuse(context: typer.Context, names: tuple[str, ...], beside: str) -> None:
    """Refuse options that would be ignored beside another one."""
    for name in names:
        if _is_given(context, name):
            raise BadOption(f"--{name}: it does not go with {beside}")


class _Order:
    """Positions that are made to order."""

    def __init__(
        self,
        count: int,
        span: tuple[int, int],
        teacher: str,
        policies: tuple[str, ...],
        noise: float,
        slip: float,
        seed: int,
        threads: int,
    ) -> None:
        self._count, self._span, self._teacher = count, span, teacher
        self._options: dict[str, Any] = {"policies": policies, "noise": noise, "slip": slip}
        self._options |= {"seed": seed, "labels": teacher, "threads": threads if teacher == SOLVER else 1}

    def make(
        self, geometry: Geometry, workers: Workers | None, part: Path | None, advance: Advance
    ) -> tuple[Lessons, dict[str, Any]]:
        """Make them; what to learn, and where it comes from."""
        from fourcast.learning.lessons import lessons_of
        from fourcast.learning.positions import make_positions

        made = make_positions(
            geometry, self._count, self._span, workers=workers, part=part, watch=advance, **self._options
        )
        games = " and ".join(self._options["policies"])
        return lessons_of(made), {
            "sources": [f"games of {games}, labels by {self._teacher}"],
            "slip": made.slip,
        }


def _read(paths: list[Path], geometry: Geometry | None, advance: Advance) -> tuple[Lessons, dict[str, Any]]:
    """The sets of files as one; what to learn, and where it comes from."""
    from fourcast.learning.lessons import lessons_of, together
    from fourcast.learning.position_files import read_positions

    found, slips = [], set()
    for index, path in enumerate(paths):
        advance("reading the positions", index, len(paths))
        given = read_positions(path)
        if geometry is not None and given.geometry != geometry:
            raise BadOption(f"{path} is of board {given.geometry}, not {geometry}")
        slips.add(given.slip)
        found.append(lessons_of(given))
    if len(slips) > 1:
        raise BadOption("the sets are of games with different slip: a network is for one")
    return together(found), {"sources": [f"file {path.name}" for path in paths], "slip": slips.pop()}
