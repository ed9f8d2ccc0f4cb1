"""`fourcast perft`: count move sequences or distinct positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

import typer

from fourcast.cli.options import BoardOption, JsonOption, MovesArgument, read_position
from fourcast.cli.screen import Advance, progress, write_json
from fourcast.game.limit import check_count
from fourcast.game.position import Position


def perft(
    moves: MovesArgument = "",
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="N", help="Plies to look ahead.")] = 7,
    board: BoardOption = None,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="Count different positions, not ways to reach them.")
    ] = False,
    megabytes: Annotated[
        int, typer.Option("--memory-mb", metavar="MB", help="Most memory that --distinct may take.")
    ] = 2048,
    as_json: JsonOption = False,
) -> None:
    """Count move sequences or distinct positions, ply by ply.

    A game that has ended goes no further: its position is counted where it ends, and no longer sequence
    begins with its moves. Ctrl-C stops and prints what has been counted.
    """
    position = read_position(moves, board)
    check_count("--depth", depth, least=0)
    check_count("--memory-mb", megabytes)
    counts: list[int] = []
    complete = False
    try:
        with progress() as advance:
            many = (
                _distinct(position, depth, megabytes, advance) if distinct else _all(position, depth, advance)
            )
            for count in many:  # one by one: what is counted is kept when the next is stopped
                counts.append(count)  # noqa: PERF402
        complete = True
    finally:
        if as_json:
            write_json(_document(position, counts, complete))
        else:
            print("\n".join(_table(counts, "positions" if distinct else "sequences")))


def _all(position: Position, depth: int, advance: Advance) -> Iterator[int]:
    from fourcast.kernels.perft import perft as count_sequences

    count = 1
    for plies in range(depth + 1):
        if count:  # otherwise every game has ended
            count = count_sequences(position, plies, partial(advance, f"{plies} moves"))
        yield count


def _distinct(position: Position, depth: int, megabytes: int, advance: Advance) -> Iterator[int]:
    from fourcast.kernels.distinct import distinct_counts

    yield from distinct_counts(
        position,
        depth,
        megabytes=megabytes,
        watch=lambda ply, done, total: advance(f"ply {ply}", done, total),
    )


def _table(counts: list[int], what: str) -> list[str]:
    rows = [f"{plies:>5}  {count:>20,}" for plies, count in enumerate(counts)]
    return [f"plies  {what:>20}", *rows]


def _document(position: Position, counts: list[int], complete: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"board": str(position.geometry), "counts": counts}
    if position.ply:
        document["moves"] = position.moves
    if not complete:
        document["complete"] = False
    return document
