"""`fourcast export`: an agent as a file that others can run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.cli.options import JsonOption
from fourcast.cli.screen import write_json

app = typer.Typer(
    name="export",
    help="Write an agent into one file that plays elsewhere.",
    epilog="Example: fourcast export kaggle -o agent.py",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def export(context: typer.Context) -> None:
    """Write an agent into one file that plays elsewhere, without Fourcast."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(epilog="Example: fourcast export kaggle -o agent.py --style contest")
def kaggle(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")] = Path(
        "agent.py"
    ),
    agent: Annotated[str, typer.Option("--agent", metavar="NAME", help="perfect or negamax.")] = "perfect",
    style: Annotated[
        str,
        typer.Option(
            "--style",
            metavar="STYLE",
            help="kaggle: agent(observation, configuration); contest: AIAgent(player_id).make_move(state).",
        ),
    ] = "kaggle",
    as_json: JsonOption = False,
) -> None:
    """Write a player for Kaggle's ConnectX, or for contests, into one Python file.

    It needs Python and NumPy, and uses Numba where that is installed. The opening book is in it.
    """
    from fourcast.interop.export import write_agent

    made = write_agent(out, agent, style)
    if as_json:
        write_json({"file": str(out), **made.to_json()})
    else:
        print(f"{out}: {agent} for {style}, {made.size:,} bytes")
