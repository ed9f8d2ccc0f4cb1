"""`fourcast train`: models that learn from positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import FINE, Stopped, train_cnn, train_network, train_selfplay
from fourcast.cli.ctrl_c import remembered
from fourcast.cli.options import BoardOption, JsonOption
from fourcast.cli.screen import progress, write_json
from fourcast.cli.train_options import check_options, make_folders, model_of, require_extras
from fourcast.game.geometry import Geometry

if TYPE_CHECKING:
    from fourcast.learning.boosted import Settings
    from fourcast.learning.examples import Examples
    from fourcast.learning.metrics import Interval
    from fourcast.learning.training import Outcome, Training
    from fourcast.models.card import Card

app = typer.Typer(
    name="train",
    help="Train models.",
    epilog="Example: fourcast train boosted -o models/mine",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def train(context: typer.Context) -> None:
    """Train models on positions with labels."""
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command(epilog="Example: fourcast train cnn --board 5x5x4 -o models/small --report report")(train_cnn.cnn)
app.command(epilog="Example: fourcast train network --data set.csv -o models/mine")(train_network.network)
app.command(
    epilog="Example: fourcast train selfplay --board 4x5x4 --minutes 10 -o models/mine --report report"
)(train_selfplay.selfplay)


@app.command(epilog="Example: fourcast train boosted --data uci -o models/mine --report report")
def boosted(
    context: typer.Context,
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data", metavar="SET", help="uci, the default, or a file with labels; several add up."
        ),
    ] = None,
    board: BoardOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="NAME", help="Write NAME.txt.gz and its card, NAME.json."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FOLDER", help="Write plots and figures there.")
    ] = None,
    protocol: Annotated[
        str, typer.Option("--protocol", metavar="P", help="honest, or published: balanced before the split.")
    ] = "honest",
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="M", help="lightgbm, or hist: scikit-learn's, as published."),
    ] = None,
    features: Annotated[
        str | None, typer.Option("--features", metavar="A,B", help="Groups of features; all by default.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="Trees for each class.")] = 1000,
    learning_rate: Annotated[
        float, typer.Option("--learning-rate", metavar="X", help="How much each tree counts.")
    ] = 0.1,
    leaves: Annotated[int, typer.Option("--leaves", metavar="N", help="The most that a tree has.")] = 63,
    least: Annotated[int, typer.Option("--least", metavar="N", help="Positions of a leaf at least.")] = 20,
    l2: Annotated[float, typer.Option("--l2", metavar="X", help="Holds large leaves back.")] = 30.0,
    feature_share: Annotated[
        float, typer.Option("--feature-share", metavar="X", help="Features that a tree may look at.")
    ] = 0.15,
    members: Annotated[
        int, typer.Option("--members", metavar="N", help="Models whose mean is taken, of that many rounds.")
    ] = 1,
    balance: Annotated[
        bool, typer.Option("--balance", help="Repeat rare classes on the training side.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Leave out positions that the next disc wins.")
    ] = False,
    mirror: Annotated[
        bool, typer.Option("--mirror/--no-mirror", help="Ask the model of mirror images too.")
    ] = True,
    folds: Annotated[
        int | None, typer.Option("--folds", metavar="N", help="Cross-validate instead; no model is written.")
    ] = None,
    search: Annotated[
        int | None, typer.Option("--search", metavar="N", help="First try so many settings, by Optuna.")
    ] = None,
    study: Annotated[
        Path | None, typer.Option("--study", metavar="FILE", help="Where the search is kept, to go on from.")
    ] = None,
    fresh: Annotated[
        int, typer.Option("--fresh", metavar="N", help="Fresh positions to measure it on; 0: none.")
    ] = 2000,
    purpose: Annotated[
        str | None, typer.Option("--purpose", metavar="TEXT", help="What the card says it is for.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the split and of training.")] = 229,
    threads: Annotated[int, typer.Option("--threads", metavar="N", help="Threads that train.")] = 2,
    as_json: JsonOption = False,
) -> int:
    """Train boosted trees to tell from a position whether the side to move loses, draws or wins.

    A fifth of the positions is held out before anything is learnt, a position and its mirror image on the
    same side. The published protocol is there to compare with: it balances first, so that most of what it is
    judged by is also what it has learnt from.

    What is done is kept in NAME.part: stop it at any time, and the same command goes on.
    """
    check_options(context)
    model = model_of(protocol, model)
    geometry = None if board is None else Geometry.parse(board)

    from fourcast.evaluators.features import Features
    from fourcast.learning.boosted import PublishedSettings, Settings
    from fourcast.learning.checkpoint import read_checkpoint
    from fourcast.learning.examples import load_examples
    from fourcast.learning.part import part_of
    from fourcast.learning.training import Training

    groups = None if features is None else [name.strip() for name in features.split(",")]
    if groups is None and model == "hist":
        groups = ["cells"]  # which is what was published
    settings = Settings(rounds, learning_rate, leaves, least, l2, feature_share, members, seed)
    require_extras(model, search, report)
    part = None if out is None else part_of(out)
    if part is not None:
        read_checkpoint(part)  # one that is damaged is refused before anything takes its time
    with remembered() as heeding, progress() as shown:
        advance = heeding(shown)
        advance("reading the positions", 0, 1)
        examples = load_examples(data or ["uci"], geometry)
        examples = examples.quiet() if quiet else examples
        make_folders(out, report)
        run = Training(
            examples, Features.of(examples.geometry, groups), settings, mirror, balance, threads, advance
        )
        if folds is not None:
            _show_folds(run.cross_validate(folds), as_json)
            return FINE
        try:
            found = None if search is None or study is None else run.search(search, study)
            if found is not None:
                run = replace(run, settings=found[0])
            if model == "hist":
                outcome = run.baseline(published=protocol == "published")
            else:
                outcome = run.boosted(part, run.published_split() if protocol == "published" else None)
            card = None
            if out is not None:
                card = run.save(outcome, out, purpose or _purpose(examples), quiet=quiet, fresh=fresh)
        except KeyboardInterrupt:
            kept = [str(file) for file in (part, study) if file is not None and file.exists()]
            if kept:
                raise Stopped(
                    f"stopped; what is done is in {', '.join(kept)}; the same command goes on"
                ) from None
            raise
    if report is not None:
        _write_report(outcome, report)
    if part is not None:
        part.unlink(missing_ok=True)
    if as_json:
        write_json(
            outcome.to_json()
            | {"protocol": protocol, "model": model}
            | {"settings": asdict(PublishedSettings() if model == "hist" else run.settings)}
            | {"search": None if found is None else {"trials": search, "log_loss": found[1]}}
            | {"card": None if card is None else str(card.path)}
        )
    else:
        if found is not None:
            print("\n".join(_found(*found)))
        print("\n".join(_lines(outcome, run, protocol, card)))
        if report is not None:
            print(f"Plots and figures are in {report}")
    return FINE


def _found(settings: Settings, log_loss: float) -> Iterator[str]:
    """The settings that a search has found."""
    yield f"the best settings of the search, log-loss {log_loss:.4f} within the training side:"
    yield f"  --learning-rate {settings.learning_rate:.4g} --leaves {settings.leaves}"
    yield f"  --least {settings.least} --l2 {settings.l2:.4g} --feature-share {settings.feature_share:.4g}"
    yield ""


def _purpose(examples: Examples) -> str:
    first, last = examples.plies
    plies = f"after {first} discs" if first == last else f"after {first} to {last} discs"
    return f"Loss, draw or win of {examples.geometry} positions {plies}"


def _lines(outcome: Outcome, run: Training, protocol: str, card: Card | None) -> Iterator[str]:
    from fourcast.learning.text_report import report_text
    from fourcast.learning.training import PUBLISHED_ACCURACY

    counts = ", ".join(f"{count:,} {name}" for name, count in run.examples.counts.items())
    yield f"{len(run.examples):,} positions of {run.examples.geometry}: {counts}"
    yield f"{outcome.rows:,} to learn from, {outcome.natural.positions:,} held out"
    leaks = outcome.leaks
    if leaks.leaked:
        share = leaks.leaked / leaks.held
        yield f"LEAK: {leaks.leaked:,} of the {leaks.held:,} rows held out ({share:.0%}) are in the training"
        yield "set as well: what follows is partly memory."
    yield ""
    yield report_text(outcome.natural, outcome.balanced, outcome.importances)
    yield ""
    one, many = outcome.latency.one, outcome.latency.batch
    yield f"training {outcome.seconds:.1f} s; a position {one:.0f} us alone, {many:.1f} us in a batch"
    if protocol == "published" and run.examples.plies == (8, 8) and outcome.text is None:
        yield f"published {PUBLISHED_ACCURACY:.2%}, here {outcome.natural.accuracy:.2%} by the same protocol"
    if card is not None and "fresh" not in card.metrics:
        yield "not measured on fresh positions"
    elif card is not None:
        fresh = card.metrics["fresh"]
        yield (
            f"on {fresh['positions']:,.0f} fresh positions: accuracy {fresh['accuracy']:.2%}, "
            f"log-loss {fresh['log_loss']:.4f}"
        )
    if card is not None:
        yield f"Written to {card.path} and {card.path.with_name(card.file)}"


def _write_report(outcome: Outcome, folder: Path) -> None:
    """Figures as JSON, and drawings of them."""
    import json

    from fourcast.learning.files import data_file
    from fourcast.learning.plots import draw_calibration, draw_confusion, draw_importance, draw_learning

    with data_file(folder / "figures.json") as fresh:
        fresh.write_text(json.dumps(outcome.to_json(), indent=2) + "\n", encoding="utf-8")
    draw_calibration(outcome.natural, folder / "calibration")
    draw_confusion(outcome.natural, folder / "confusion")
    if outcome.importances:
        draw_importance(outcome.importances, folder / "importance")
    if outcome.curve:
        curve = outcome.curve
        losses = [each.train for each in curve], [each.held for each in curve]
        draw_learning([each.rounds for each in curve], *losses, folder / "learning")


def _show_folds(figures: dict[str, Interval], as_json: bool) -> None:
    from fourcast.learning.text_report import folds_text

    if as_json:
        write_json({name: each.to_json() for name, each in figures.items()})
    else:
        print(folds_text(figures))
