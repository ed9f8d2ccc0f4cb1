"""`fourcast data`: positions with labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import FINE, FOUND_WRONG, positions
from fourcast.cli.options import JsonOption
from fourcast.cli.screen import write_json
from fourcast.game.errors import BadOption

if TYPE_CHECKING:
    from fourcast.learning.uci import Comparison, UciSet

app = typer.Typer(
    name="data",
    help="Make positions with labels, to learn from.",
    epilog="Example: fourcast data positions -n 10000 --plies 8-30 -o set.csv",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def data(context: typer.Context) -> None:
    """Make positions with labels, to learn from."""
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command(epilog="Example: fourcast data positions -n 10000 --plies 8-30 -o set.csv")(positions.positions)


@app.command(epilog="Example: fourcast data uci -o connect-4.csv")
def uci(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the set to this file.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="csv, uci (no line of names) or parquet; else by FILE's name.",
        ),
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FILE", help="Compare a file that you have with it.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Rebuild UCI's "Connect-4" set: all positions after eight plies where nothing is forced, with results.

    67,557 positions of the standard board, one of each mirror pair: 42 cells (a1, a2, ... g6: x, o, b) and
    the result of best play for the first player, who is to move: win, loss or draw.

    Exit code 1: a file that was to be checked is not the same set.
    """
    from fourcast.learning.files import FORMATS, check_data_file, format_of, read_uci_file, write_uci
    from fourcast.learning.uci import compare, make_uci

    if out is not None:
        form = format_of(out, form, FORMATS)
        check_data_file(out)
    elif check is None:
        raise BadOption("say where to write the set, -o FILE, or what to check, --check FILE")
    elif form is not None:
        raise BadOption("--format goes with -o FILE: what is checked tells its form by itself")
    given = None if check is None else read_uci_file(check)
    made = make_uci()
    if out is not None:
        write_uci(made, out, form)
    found = None if given is None else compare(given, made)
    if as_json:
        record = {"positions": len(made), **made.counts, "out": None if out is None else str(out)}
        write_json(record | {"check": None if found is None else _comparison(found)})
    else:
        print("\n".join(_lines(made, out, check, found)))
    return FINE if found is None or found.same else FOUND_WRONG


def _comparison(found: Comparison) -> dict[str, int | bool]:
    return {
        "positions": found.positions,
        "missing": found.missing,
        "strange": found.strange,
        "mislabelled": found.mislabelled,
        "repeated": found.repeated,
        "same": found.same,
    }


def _lines(made: UciSet, out: Path | None, check: Path | None, found: Comparison | None) -> list[str]:
    counts = ", ".join(
        f"{count:,} {label}" for label, count in sorted(made.counts.items(), key=lambda each: -each[1])
    )
    lines = [f"{len(made):,} positions: {counts}"]
    if out is not None:
        lines.append(f"Written to {out}")
    if found is not None:
        if found.same:
            lines.append(f"{check} is the same set, {found.positions:,} positions")
        else:
            lines.append(
                f"{check} has {found.positions:,} positions: {found.missing:,} missing, "
                f"{found.strange:,} strange, {found.mislabelled:,} mislabelled, {found.repeated:,} repeated"
            )
    return lines
