"""`fourcast train selfplay`: a network that learns from games against itself."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import FINE, FOUND_WRONG, complain
from fourcast.cli.options import BoardOption, ClusterOption, JsonOption, SlipOption
from fourcast.cli.screen import write_json
from fourcast.cli.train_networks import (
    BatchOption,
    BlocksOption,
    ChannelsOption,
    FreshOption,
    HalfOption,
    OutOption,
    PlayersOption,
    PurposeOption,
    ReportOption,
    TrainSeedOption,
    fresh_line,
    prepare,
    stoppable,
)
from fourcast.game.errors import BadOption
from fourcast.game.geometry import STANDARD, Geometry

if TYPE_CHECKING:
    from fourcast.learning.selfplay.run import Run

USUAL_MINUTES = 60.0
_DRAW_EVERY = 20.0  # seconds between two drawings of the chart


def selfplay(
    board: BoardOption = None,
    out: OutOption = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", help="Stop after so long; 60 by default.")
    ] = None,
    generations: Annotated[
        int | None, typer.Option("--generations", metavar="N", help="Stop after so many.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="Of a generation; by the board.")
    ] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", metavar="N", help="Of a move to learn from; by the board.")
    ] = None,
    channels: ChannelsOption = 32,
    blocks: BlocksOption = 2,
    batch: BatchOption = 128,
    learning_rate: Annotated[
        float, typer.Option("--learning-rate", metavar="X", help="The same all the time.")
    ] = 2e-3,
    window: Annotated[
        int, typer.Option("--window", metavar="N", help="Newest positions to learn from, at most.")
    ] = 400_000,
    gate: Annotated[
        int, typer.Option("--gate", metavar="N", help="Games against the champion, at most; 0: no gate.")
    ] = 64,
    slip: SlipOption = 0.0,
    jobs: PlayersOption = 2,
    cluster: ClusterOption = None,
    report: ReportOption = None,
    grade: Annotated[
        int, typer.Option("--grade", metavar="N", min=0, help="Positions to grade it on, each generation.")
    ] = 1000,
    fresh: FreshOption = 1000,
    half: HalfOption = False,
    purpose: PurposeOption = None,
    seed: TrainSeedOption = 229,
    as_json: JsonOption = False,
) -> int:
    """Train a network by games against itself: nobody teaches it, and the solver only grades.

    In each generation the champion plays games against itself; the network learns from those of the last
    generations, and takes the champion's place if it is as good in games against it.

    What is done is kept in the folder NAME.selfplay: stop it at any time, and the same command goes on; more
    --minutes or --generations go on from there.
    """
    if out is None:
        raise BadOption("-o NAME is missing: what is done is kept beside the model, in NAME.selfplay")
    geometry = STANDARD if board is None else Geometry.parse(board)

    from fourcast.cli.selfplay_screen import table_lines, watched
    from fourcast.learning.networks import Shape
    from fourcast.learning.selfplay.folder import Folder, folder_of
    from fourcast.learning.selfplay.generation import Generation
    from fourcast.learning.selfplay.run import Budget, Run
    from fourcast.learning.selfplay.settings import Settings, usual_games, usual_simulations
    from fourcast.workers import find_workers

    settings = Settings(
        geometry,
        slip,
        usual_games(geometry) if games is None else games,
        usual_simulations(geometry) if simulations is None else simulations,
        Shape(channels, blocks),
        batch,
        learning_rate,
        window,
        gate,
        grade,
        seed,
    )
    budget = Budget(USUAL_MINUTES if minutes is None and generations is None else minutes, generations)
    folders = prepare(out, report, purpose)
    path = folder_of(out)
    with stoppable(path, folders=folders) as heeding, find_workers(jobs, cluster) as workers:
        folder = Folder(path, settings)
        with folder.claimed(), watched(folder.generations(), budget) as (advance, say):
            run = Run(folder, workers, heeding(advance))
            drawn = 0.0

            def seen(each: Generation) -> None:
                nonlocal drawn
                say(each)
                if report is not None and time.monotonic() - drawn > _DRAW_EVERY:
                    write_strength(run, report)
                    drawn = time.monotonic()

            before = len(run.done)
            run.go_on(budget, seen)
            if not run.champion:
                complain(
                    f"no generation has passed the gate, so no model is written; what is done is in {path}: "
                    f"more --minutes or --generations go on"
                )
                return FOUND_WRONG
            if len(run.done) == before:
                complain(f"{before} generations were done already: no games were played")
            said = purpose or f"Policy and value of {geometry} positions, learnt from games against itself"
            players = {"jobs": jobs} if cluster is None else {"cluster": True}
            card = run.save(out, said, half=half, fresh=fresh, players=players)
    if report is not None:
        write_strength(run, report)
    if as_json:
        write_json(run.to_json() | {"card": str(card), "folder": str(path)})
        return FINE
    print("\n".join(table_lines(run.done)))
    games_played = sum(each.games for each in run.done)
    graded = any(each.grades for each in run.done)
    stages = "; grades of good, perfect and error: beginning/middle/end of the game" if graded else ""
    print(f"\n{games_played:,} games{stages}")
    print(fresh_line(card))
    print(f"Written to {card} and {card.with_suffix('.onnx')}; what is done is in {path}")
    if report is not None:
        print(f"The chart of strength and figures are in {report}")
    return FINE


def write_strength(run: Run, folder: Path) -> None:
    """Figures as JSON, and the chart of strength."""
    import json

    from fourcast.learning.files import data_file
    from fourcast.learning.selfplay.chart import draw_strength

    with data_file(folder / "figures.json") as fresh:
        fresh.write_text(json.dumps(run.to_json(), indent=2) + "\n", encoding="utf-8")
    if run.done:
        draw_strength(run.done, folder / "strength", f"Self-play on {run.settings.rules}")
