"""`fourcast games`: what is in a file of games, and how they went."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcast.cli import FINE
from fourcast.cli.options import JsonOption
from fourcast.cli.screen import wants_colour, write_json
from fourcast.files import in_place
from fourcast.game.errors import BadOption, BadRecord, Unreadable, shown
from fourcast.game.notation import column_name
from fourcast.game.outcome import DISCS
from fourcast.game.record import GameRecord
from fourcast.game.words import counted

if TYPE_CHECKING:
    from fourcast.arena.store import Run, Store

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A file of games, like games.db.")]
RunOption = Annotated[int | None, typer.Option("--run", metavar="N", min=1, help="Only games of this run.")]
OneRunOption = Annotated[
    int | None, typer.Option("--run", metavar="N", min=1, help="The run; the last one by default.")
]
GameArgument = Annotated[
    int, typer.Argument(metavar="GAME", min=0, max=10**15, help="The game's number in its run.")
]

app = typer.Typer(
    name="games",
    help="Look at games that were played, write them to text files, and read them from there.",
    epilog="Example: fourcast games list games.db",
    no_args_is_help=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def games(context: typer.Context) -> None:
    """Look at games that were played, write them to text files, and read them from there."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("list", epilog="Example: fourcast games list games.db --run 1")
def list_games(
    file: FileArgument,
    run: RunOption = None,
    agent: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Only games of this agent, written as it was.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """List the runs of a file, or with --run or --agent the games.

    A run is one match, tournament or import.
    """
    from fourcast.arena.store import Store

    with Store(file, create=False) as store:
        runs = store.runs()
        if run is None and agent is None:
            if as_json:
                write_json({"runs": [_run_json(each) for each in runs]})
            else:
                print("\n".join(_run_line(each) for each in runs) or "There are no runs in it.")
            return FINE
        chosen = None if run is None else _find(store, run)
        found = store.games(chosen, agent)
        if as_json:
            write_json(
                {
                    "games": [
                        {"run": in_run, "game": number} | game.to_json() for in_run, number, game in found
                    ]
                }
            )
        else:
            lines = [_game_line(in_run, number, game) for in_run, number, game in found]
            print("\n".join(lines) or "There are no such games in it.")
    return FINE


@app.command(epilog="Example: fourcast games show games.db 12")
def show(
    file: FileArgument, game: GameArgument, run: OneRunOption = None, as_json: JsonOption = False
) -> int:
    """Show one game: who played, its moves and times, and the last position."""
    record = _one(file, run, game)
    if as_json:
        write_json(record.to_json())
        return FINE
    from fourcast.arena.transfer import to_pgn

    *_, last = record.positions()
    print(to_pgn(record))
    print(last.draw(colour=wants_colour()))
    print(_how_it_ended(record))
    return FINE


@app.command(epilog="Example: fourcast games replay games.db 12")
def replay(
    file: FileArgument,
    game: GameArgument,
    run: OneRunOption = None,
    delay: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.0, max=60.0, help="Go on by itself, a move each time."),
    ] = None,
) -> int:
    """Step through a game: Enter goes on, b goes back, a number goes there, q leaves."""
    record = _one(file, run, game)
    positions = list(record.positions())
    print(f"X is {record.players[0]}, O is {record.players[1]}; {record.rules}")
    at = 0
    while True:
        print(positions[at].draw(colour=wants_colour()))
        print(_what_happened(record, at))
        if delay is not None:
            if at == len(positions) - 1:
                return FINE
            time.sleep(delay)
            at += 1
            continue
        print(f"move {at} of {len(positions) - 1}, Enter, b, a number or q: ", end="", flush=True)
        line = sys.stdin.readline()
        if not line or line.strip().lower() in ("q", "quit"):
            print()
            return FINE
        at = _step(line.strip().lower(), at, len(positions) - 1)


@app.command("export", epilog="Example: fourcast games export games.db --format pgn -o games.pgn")
def export_games(
    file: FileArgument,
    run: RunOption = None,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="jsonl or pgn.")] = "jsonl",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to this file, not to stdout.")
    ] = None,
) -> int:
    """Write games as text: JSON Lines, or a notation like PGN."""
    from fourcast.arena.store import Store
    from fourcast.arena.transfer import FORMATS, write_games

    if form not in FORMATS:
        raise BadOption(f"--format {shown(form)}: it is one of {', '.join(FORMATS)}")
    with Store(file, create=False) as store:
        pieces = write_games((game for _, _, game in store.games(_find(store, run) if run else None)), form)
        if out is None:
            for piece in pieces:
                sys.stdout.write(piece)
            return FINE
        count = 0
        with in_place(out) as fresh, fresh.open("w", encoding="utf-8") as target:
            for piece in pieces:
                target.write(piece)
                count += 1
    print(f"{counted(count, 'game')} written to {out}")
    return FINE


@app.command("import", epilog="Example: fourcast games import games.db played-elsewhere.jsonl")
def import_games(
    file: FileArgument,
    source: Annotated[Path, typer.Argument(metavar="TEXT", help="JSON Lines or PGN-like; - is stdin.")],
) -> int:
    """Add games from a text file, as a run of their own. The same text again adds nothing.

    Every game is checked: moves that were not legal, or an end that the board does not show, are refused, and
    then none of the file is added.
    """
    import hashlib

    from fourcast import __version__
    from fourcast.arena.store import Store
    from fourcast.arena.transfer import read_games

    try:
        text = sys.stdin.read() if str(source) == "-" else source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable(f"cannot read {shown(str(source))}: {reason}") from None
    try:
        found = list(read_games(text.split("\n")))
    except BadRecord as error:
        raise BadRecord(f"{source}, {error}") from None
    if not found:
        raise BadRecord(f"{source}: there is no game in it")
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    with Store(file) as store:
        run = store.run("import", {"source": source.name}, __version__, key=f"import {digest}")
        if run.games:
            print(f"{counted(run.games, 'game')} of it: there already, in run {run.number} of {file}")
            return FINE
        store.add(run, enumerate(found))
    print(f"{counted(len(found), 'game')} added to {file}, run {run.number}")
    return FINE


def _one(file: Path, run: int | None, game: int) -> GameRecord:
    """A game of a run; of the last one, unless it is named."""
    from fourcast.arena.store import Store

    with Store(file, create=False) as store:
        runs = store.runs()
        if not runs:
            raise BadOption(f"{file}: there are no games in it")
        return store.game(_find(store, run).number if run is not None else runs[-1].number, game)


def _find(store: Store, number: int) -> Run:
    for run in store.runs():
        if run.number == number:
            return run
    raise BadOption(f"{store.path}: there is no run {number} in it")


def _run_line(run: Run) -> str:
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.created))
    who = run.settings.get("players") or run.settings.get("agents") or run.settings.get("source", "")
    names = (
        f"{len(who)} agents" if isinstance(who, dict) else " - ".join(who) if isinstance(who, list) else who
    )
    board = run.settings.get("board", "")
    text = f"run {run.number:<3} {day}  {run.kind:<10}{run.games:>8,} games  {board:<7}  {names}"
    return text if len(text) <= 80 else f"{text[:79]}~"


def _run_json(run: Run) -> dict[str, object]:
    return {
        "run": run.number,
        "kind": run.kind,
        "games": run.games,
        "created": run.created,
        "version": run.version,
        "settings": run.settings,
    }


def _game_line(run: int, number: int, game: GameRecord) -> str:
    players = " - ".join(game.players)
    text = f"{run}/{number:<6} {game.result:>7}  {game.plies:>3} plies  {game.ending:<8} {players}"
    return text if len(text) <= 80 else f"{text[:79]}~"


def _how_it_ended(game: GameRecord) -> str:
    if not game.failed:
        *_, last = game.positions()
        outcome = str(last.outcome)
        return f"{outcome[0].upper()}{outcome[1:]}."
    loser = DISCS[1 - game.winner] if game.winner is not None else "?"
    return f"{loser} has lost by {game.ending}: {game.words or 'no more is known'}"


def _what_happened(game: GameRecord, at: int) -> str:
    """The move that led to a position, or how the game ended after it."""
    parts = []
    if at == 0:
        parts.append(
            f"The opening: {game.moves[: len(game.opening)]}." if game.opening else "The empty board."
        )
    else:
        aimed, landed, seconds = game.aimed[at - 1], game.landed[at - 1], game.seconds[at - 1]
        disc = DISCS[game.mover(at - 1)]
        slipped = "" if aimed == landed else f", aimed at {column_name(aimed)}"
        lot = ", drawn by lot" if at - 1 in game.lapses else ""
        parts.append(f"{disc} fell into column {column_name(landed)}{slipped}{lot}, after {seconds:.4f} s.")
    if at == len(game.landed):
        parts.append(_how_it_ended(game))
    return " ".join(parts)


def _step(line: str, at: int, last: int) -> int:
    if line in ("b", "back"):
        return max(at - 1, 0)
    if line.isascii() and line.isdigit() and len(line) < 5:
        return min(int(line), last)
    return min(at + 1, last)
