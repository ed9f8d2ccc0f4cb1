"""Running the server: where it listens, how it ends."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import uvicorn

from fourcast.game.errors import FourcastError
from fourcast.web.app import make_app
from fourcast.web.connections import AT_A_TIME, Connection, most_connections
from fourcast.web.gate import Gate
from fourcast.web.settings import PORT, Settings

CLOSING_SECONDS = 1  # that requests have to end, once the server is to
SWITCH_SECONDS = 0.001  # after which a search gives Python up to who answers requests
SIGNALS = (signal.SIGINT, signal.SIGTERM)
NEXT_PORTS = 20  # that are tried if none was given
QUEUE = 1024  # connections that the system keeps until they are accepted


class PortTaken(FourcastError):
    """The server cannot listen there."""


class _Uvicorn(uvicorn.Server):
    """Stops the searches as soon as it is told to end, so that their answers still go out.

    A signal ends it and no more: it is not raised again, since to be told so is how a server ends well.
    """

    def __init__(self, config: uvicorn.Config, gate: Gate) -> None:
        super().__init__(config)
        self._gate = gate

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """While it runs, Ctrl-C and SIGTERM tell it to end."""
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen: few are accepted at a time, while many may queue."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Told by a signal."""
        self._gate.searches.close()
        super().handle_exit(sig, frame)


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port, on the usual one or the next that is free.

    Raises:
        PortTaken: There is none.
    """
    wanted = range(PORT, PORT + NEXT_PORTS) if port is None else (port,)
    why: OSError | None = None
    for each in wanted:
        try:
            family, kind, protocol, _, place = socket.getaddrinfo(
                host, each, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
            )[0]
            # With its protocol named, asyncio sends what is small at once; else answers wait for 40 ms.
            listening = socket.socket(family, kind, protocol)
            try:
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listening.bind(place)
                listening.listen(QUEUE)
            except OSError:
                listening.close()
                raise
            return listening
        except OSError as error:
            why = error
        except OverflowError as error:
            raise PortTaken(f"port {each}: {error}") from None
    assert why is not None
    where = f"port {port} of {host}" if port is not None else f"{host}, ports {wanted[0]} to {wanted[-1]}"
    raise PortTaken(f"cannot listen on {where}: {why.strerror or why}")


def address_of(listening: socket.socket, host: str) -> str:
    """The address for a browser."""
    name = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}/"


def serve(
    settings: Settings,
    listening: socket.socket,
    log: Callable[[dict[str, Any]], None] | None,
    ready: Callable[[], None],
) -> NoReturn:
    """Answer requests until a signal says to end; the process ends with it.

    Args:
        settings: What is allowed.
        listening: Where requests come in.
        log: Called with an entry for each request.
        ready: Called when the first one can come.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("fourcast: %(message)s"))
    for name in ("fourcast.web", "uvicorn.error"):
        logging.getLogger(name).handlers = [handler]
        logging.getLogger(name).setLevel(logging.ERROR)  # what others do wrong is told to them alone
    gate = make_app(settings, log)
    Connection.most = most_connections(settings.connections)
    config = uvicorn.Config(
        gate,
        http=Connection,
        ws="none",
        backlog=AT_A_TIME,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=CLOSING_SECONDS,
        timeout_keep_alive=10,
        h11_max_incomplete_event_size=16_384,
    )
    server = _Uvicorn(config, gate)
    sys.setswitchinterval(SWITCH_SECONDS)
    ready()
    server.run([listening])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # at once: what is being compiled or searched cannot hold it up, nor Python's tidying
