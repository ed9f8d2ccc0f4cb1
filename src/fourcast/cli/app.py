"""The command line's verbs."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.cli import (
    agents,
    analyze,
    bench,
    board,
    book,
    data,
    desktop,
    export,
    games,
    match,
    models,
    perft,
    play,
    serve,
    solve,
    study,
    tournament,
    train,
    tree,
)

app = typer.Typer(
    name="fourcast",
    help="A Connect Four laboratory, on any board: play it, look at it, count it, measure it.",
    epilog="Example: fourcast play --second random",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(asked: bool) -> None:
    if asked:
        from fourcast import __version__

        print(f"fourcast {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def fourcast(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  # the callback has printed it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Show the help when no verb is given."""
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command(epilog="Example: fourcast board 4453 --board 6x7x4")(board.board)
app.command(epilog="Example: fourcast perft --depth 8 --distinct")(perft.perft)
app.command(epilog="Example: fourcast solve 4444432655 --limit 10s")(solve.solve)
app.command(epilog="Example: fourcast analyze 4453 --agent mcts --limit 2s")(analyze.analyze)
app.command(epilog="Example: fourcast tree 444 --agent alphabeta:depth=3 -o tree.svg")(tree.tree)
app.command(epilog="Example: fourcast serve --games games.db")(serve.serve)
app.command(epilog="Example: fourcast play --second random --board 5x10x4 --slip 0.2")(play.play)
app.command(epilog="Example: fourcast desktop --second perfect:level=5")(desktop.desktop)
app.command(epilog="Example: fourcast agents alphabeta")(agents.agents)
app.command(epilog="Example: fourcast match mcts negamax --games 100 --limit 50ms")(match.match)
app.command(epilog="Example: fourcast tournament random greedy alphabeta:4 mcts:200 --rounds 10")(
    tournament.tournament
)
app.command(epilog="Example: fourcast study search --quick -o study")(study.study)
app.add_typer(games.app)
app.add_typer(data.app)
app.add_typer(train.app)
app.add_typer(models.app)
app.add_typer(book.app)
app.add_typer(export.app)
app.add_typer(bench.app)
