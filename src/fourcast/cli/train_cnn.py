"""`fourcast train cnn`: the published network, learnt from games of Monte Carlo players."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.cli.options import BoardOption, ClusterOption, JsonOption, SlipOption
from fourcast.cli.screen import progress
from fourcast.cli.train_networks import (
    BatchOption,
    FreshOption,
    HalfOption,
    OutOption,
    PlayersOption,
    PurposeOption,
    RateOption,
    ReportOption,
    TrainSeedOption,
    finish,
    prepare,
    stoppable,
)
from fourcast.game.geometry import STANDARD, Geometry


def cnn(
    board: BoardOption = None,
    games: Annotated[int, typer.Option("--games", metavar="N", help="Games to learn from.")] = 100,
    teacher: Annotated[
        str, typer.Option("--teacher", metavar="AGENT", help="Who plays both sides of them.")
    ] = "montecarlo:simulations=2000",
    misplay: Annotated[
        float, typer.Option("--misplay", metavar="P", help="Share of discs that go elsewhere than meant.")
    ] = 0.5,
    slip: SlipOption = 0.0,
    epochs: Annotated[
        int, typer.Option("--epochs", metavar="N", help="How often every position is seen.")
    ] = 40,
    batch: BatchOption = 64,
    learning_rate: RateOption = 1e-3,
    out: OutOption = None,
    report: ReportOption = None,
    half: HalfOption = False,
    fresh: FreshOption = 1000,
    purpose: PurposeOption = None,
    seed: TrainSeedOption = 229,
    jobs: PlayersOption = 2,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
) -> int:
    """Train the published network: one convolution, one dense layer, a likelihood for each column.

    It learns what a Monte Carlo player would play, in games in which half of the discs go elsewhere than was
    meant. Every fourth game is held out to judge by.

    What is done is kept in NAME.games.part and NAME.part: stop it at any time, and the same command goes on.
    With --cluster the games are played there; training stays here.
    """
    from fourcast.learning.course import Course
    from fourcast.learning.distilling import CNN, SHARE, train_network
    from fourcast.learning.misplayed import Misplays, lessons_of_games, play_games
    from fourcast.learning.part import part_of
    from fourcast.workers import find_workers

    geometry = STANDARD if board is None else Geometry.parse(board)
    wanted = Misplays(geometry, games, teacher, misplay, slip, seed)
    course = Course(epochs, batch, learning_rate, seed=seed)
    folders = prepare(out, report, purpose)
    played = None if out is None else part_of(out.with_name(out.name + ".games"))
    part = None if out is None else part_of(out)
    with stoppable(played, part, folders=folders, out=out) as heeding:
        with progress() as shown:
            advance = heeding(shown)
            with find_workers(jobs, cluster) as workers:
                found = play_games(wanted, workers=workers, part=played, watch=advance)
            train, held = lessons_of_games(geometry, found, seed, SHARE)
            trained = train_network(CNN, train, held, course, half=half, checkpoint=part, advance=advance)
            card = None
            if out is not None:
                said = purpose or f"The published network for {geometry}, taught by {teacher}"
                facts = {"sources": [f"{games} games of {teacher}"], "misplay": misplay, "slip": slip}
                card = trained.save(out, said, facts, fresh=fresh, advance=advance)
        return finish(trained, card, report, (played, part), {"games": games}, as_json=as_json)
