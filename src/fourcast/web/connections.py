"""Connections: how many there may be, and how long each may take to say what it wants."""

from __future__ import annotations

import asyncio
import json
import sys

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fourcast.web.faults import fault_body

HEAD_SECONDS = 10.0  # in which a connection has to say what it wants, from its first byte on
AT_A_TIME = 8  # connections that are accepted in one go; it takes some rounds until one is looked at
SPARE_FILES = 96  # that the server needs for itself and for those, of the files that it may have open

_BODY = json.dumps(fault_body("Busy", "too many connections are open here")).encode()
FULL = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 5\r\n"
    b"connection: close\r\ncontent-length: " + str(len(_BODY)).encode() + b"\r\n\r\n" + _BODY
)


def most_connections(wanted: int) -> int:
    """How many connections may be open: fewer than files may be, so that there is always one to say so on."""
    if sys.platform == "win32":
        return wanted
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if files == resource.RLIM_INFINITY else max(1, min(wanted, files - SPARE_FILES))


class Connection(H11Protocol):
    """A connection that is closed if it does not get to the point, or if there are too many.

    What a request brings after its head has a time limit of its own, and so has silence between two requests.

    Attributes:
        most: How many there may be.
    """

    most = 1000
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there; beyond the most they are told to come again."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.write(FULL)
            transport.close()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Some bytes came: a whole head, part of one, or something of a body."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._wait_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
