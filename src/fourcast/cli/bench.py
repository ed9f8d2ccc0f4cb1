"""`fourcast bench`: how fast it is here, beside others."""

from __future__ import annotations

from typing import Annotated

import typer

from fourcast.cli.options import JsonOption
from fourcast.cli.screen import progress, write_json

app = typer.Typer(
    name="bench",
    help="Measure how fast Fourcast is on this machine.",
    epilog="Example: fourcast bench kernels",
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
    if as_json:
        write_json(report.to_json())
    else:
        print(report.to_text())
