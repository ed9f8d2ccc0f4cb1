"""`fourcast serve`: the page in a browser, and the same for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fourcast.extras import require
from fourcast.game.errors import BadOption, shown

LOGS = ("plain", "json", "none")


def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Where to listen; 0.0.0.0 for all the world.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT", min=0, max=65535, help="Else 8044, or the next that is free; 0 for any."
        ),
    ] = None,
    games: Annotated[
        list[Path] | None,
        typer.Option("--games", metavar="FILE", help="Show the games of this file, like games.db."),
    ] = None,
    log: Annotated[str, typer.Option(metavar="HOW", help="The log on stderr: plain, json or none.")] = "none",
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Answer only requests that are addressed to NAME."),
    ] = None,
    seconds: Annotated[float, typer.Option(metavar="N", help="Most time of a search.")] = 10.0,
    depth: Annotated[int, typer.Option(metavar="N", help="Most plies to look ahead.")] = 64,
    nodes: Annotated[int, typer.Option(metavar="N", help="Most positions to visit.")] = 1_000_000_000,
    simulations: Annotated[int, typer.Option(metavar="N", help="Most games to play out.")] = 10_000_000,
    memory_mb: Annotated[int, typer.Option(metavar="MB", help="Most memory of a search.")] = 64,
    cells: Annotated[int, typer.Option(metavar="N", help="The largest board, in cells.")] = 126,
    boards: Annotated[int, typer.Option(metavar="N", help="Different boards to search on, at most.")] = 24,
    searches: Annotated[
        int | None, typer.Option(metavar="N", help="Searches at a time; by default one a core.")
    ] = None,
    waiting: Annotated[int, typer.Option(metavar="N", help="Searches that may wait for their turn.")] = 64,
    connections: Annotated[int, typer.Option(metavar="N", help="Connections that may be open.")] = 1000,
    prepare: Annotated[
        bool, typer.Option("--prepare/--no-prepare", help="Load the standard board's code at the start.")
    ] = True,
) -> None:
    """Serve the page: play, analyse, watch and learn, in a browser.

    It listens on this machine alone unless --host says otherwise. What one request may ask for is capped; the
    defaults are meant for a small machine that anybody can reach. Ctrl-C ends it.
    """
    require("fastapi", "web")
    require("uvicorn", "web")
    from fourcast.web.gate import log_json, log_plain
    from fourcast.web.serving import address_of, listen
    from fourcast.web.serving import serve as run
    from fourcast.web.settings import LOOPBACK, Settings, cores

    if log not in LOGS:
        raise BadOption(f"--log {shown(log)}: it is one of {', '.join(LOGS)}")
    allowed = tuple(name.lower() for name in allow_host or ()) or (LOOPBACK if host in LOOPBACK else ())
    settings = Settings(
        seconds=seconds,
        depth=depth,
        nodes=nodes,
        simulations=simulations,
        memory_mb=memory_mb,
        cells=cells,
        boards=boards,
        searches=cores() if searches is None else searches,
        waiting=waiting,
        connections=connections,
        games=tuple(games or ()),
        allowed_hosts=allowed,
        prepare=prepare,
    )
    check_stores(settings.games)
    listening = listen(host, port)
    address = address_of(listening, host)
    writer = {"plain": log_plain, "json": log_json, "none": None}[log]
    run(settings, listening, writer, lambda: print(f"Fourcast is at {address} (Ctrl-C ends it)", flush=True))


def check_stores(files: tuple[Path, ...]) -> None:
    """See that files of games can be read, before anybody asks for them.

    Raises:
        BadStore: One cannot.
    """
    from fourcast.arena.store import Store

    for file in files:
        Store(file, create=False).close()
