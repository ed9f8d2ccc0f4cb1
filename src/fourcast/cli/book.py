"""`fourcast book`: make, describe and check opening books."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli.options import BoardOption, ClusterOption, JsonOption
from fourcast.cli.screen import progress, write_json
from fourcast.game.errors import BadBook
from fourcast.game.geometry import STANDARD, Geometry
from fourcast.game.limit import check_count

if TYPE_CHECKING:
    from fourcast.solver.book import Book

app = typer.Typer(
    name="book",
    help="Make, describe and check opening books.",
    epilog="Example: fourcast book info",
    no_args_is_help=False,
    rich_markup_mode=None,
)

FileArgument = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="A book; without it the one that is shipped for the board."),
]


@app.callback(invoke_without_command=True)
def book(context: typer.Context) -> None:
    """Make, describe and check opening books: exact scores of every position of the first plies."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(epilog="Example: fourcast book build --board 5x6x4 --plies 6 --jobs 2 -o 5x6x4.book")
def build(
    plies: Annotated[int, typer.Option("--plies", metavar="N", help="The last ply to be in it.")] = 8,
    board: BoardOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The book; RxCxK.book by default.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes that solve.")] = 1,
    cluster: ClusterOption = None,
    table_mb: Annotated[
        int, typer.Option("--table-mb", metavar="MB", help="The size of each process's table.")
    ] = 64,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where a build of the same book was stopped.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve every position of a ply, and write a book of them and of all before them.

    What is done so far is kept in FILE.part, so the build can be stopped or killed at any time, and resumed
    with --cluster or without.
    """
    geometry = STANDARD if board is None else Geometry.parse(board)
    path = out or Path(f"{geometry}.book")
    from fourcast.solver.building import build_book, part_of
    from fourcast.workers import find_cluster

    try:
        with find_cluster(cluster) as workers, progress() as advance:
            made = build_book(
                geometry,
                plies,
                path,
                jobs=jobs,
                workers=workers,
                resume=resume,
                table_mb=table_mb,
                watch=advance,
            )
    except KeyboardInterrupt:
        if part_of(path).exists():
            print(f"stopped; what is done is in {part_of(path)}, and --resume goes on from there")
        raise
    _show(made, path, as_json)


@app.command(epilog="Example: fourcast book info 5x6x4.book")
def info(file: FileArgument = None, board: BoardOption = None, as_json: JsonOption = False) -> None:
    """Say what a book holds."""
    found, path = _load(file, board)
    _show(found, path, as_json)


@app.command(epilog="Example: fourcast book check --sample 500")
def check(
    file: FileArgument = None,
    board: BoardOption = None,
    sample: Annotated[int, typer.Option("--sample", metavar="N", help="How many positions to solve.")] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Which ones are drawn.")] = 1,
    threads: Annotated[int, typer.Option("--threads", metavar="N", help="Threads that solve them.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Solve positions of a book again, without it, and compare the scores.

    Exits with 1 if one is wrong. Ctrl-C stops and says how many were compared.
    """
    check_count("--sample", sample)
    check_count("--seed", seed, least=0)
    check_count("--threads", threads)
    found, path = _load(file, board)
    from fourcast.solver.checking import check_book

    compared, wrong, start = 0, [], time.perf_counter()
    try:
        with progress() as advance:
            for position, written, solved in check_book(found, sample, seed, threads):
                compared += 1
                advance("positions", compared, min(sample, len(found)))
                if written != solved:
                    wrong.append({"moves": position.to_json()["moves"], "book": written, "solved": solved})
    finally:
        seconds = time.perf_counter() - start
        if as_json:
            write_json({"book": str(path), "compared": compared, "wrong": wrong, "seconds": seconds})
        else:
            for each in wrong:
                print(f"wrong: {each['moves'] or 'the empty board'}: {each['book']}, solved {each['solved']}")
            print(f"{compared} positions of {path} compared in {seconds:.1f} s, {len(wrong)} wrong")
    if wrong:
        raise typer.Exit(1)


def _load(file: Path | None, board: str | None) -> tuple[Book, Path]:
    from fourcast.solver.book import Book, shipped_book, shipped_path

    geometry = STANDARD if board is None else Geometry.parse(board)
    if file is None:
        found = shipped_book(geometry)
        if found is None:
            raise BadBook(f"no book is shipped for board {geometry}; make one with fourcast book build")
        return found, shipped_path(geometry)
    found = Book.load(file)
    if board is not None and found.geometry != geometry:
        raise BadBook(f"book {file}: it is of board {found.geometry}, not {geometry}")
    return found, file


def _show(book: Book, path: Path, as_json: bool) -> None:
    from fourcast.game.analysis import plies_to_end
    from fourcast.game.position import Position

    size = path.stat().st_size
    empty = book.score(Position(book.geometry))
    counts = book.starts[1:] - book.starts[:-1]
    if as_json:
        record = {"board": str(book.geometry), "plies": book.plies, "positions": len(book)}
        each = [int(count) for count in counts]
        write_json({"book": str(path)} | record | {"by_ply": each, "bytes": size, "empty_board": empty})
        return
    print(f"{path}, {size:,} bytes")
    print(f"board {book.geometry}: {len(book):,} positions up to ply {book.plies}, mirror images folded")
    print("by ply: " + ", ".join(f"{count:,}" for count in counts))
    if empty is not None:
        winner = "draw" if empty == 0 else f"the {'first' if empty > 0 else 'second'} player wins"
        moves = plies_to_end(Position(book.geometry), empty)
        print(f"the empty board: {winner}, on move {moves}" if empty else "the empty board: draw")
