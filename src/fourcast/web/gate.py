"""What every request passes: the log, the headers, whom it is addressed to, and how large it is."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourcast.web.faults import Refused, TooLarge, TooSlow, WrongHost, fault_body
from fourcast.web.responses import Json, refusal
from fourcast.web.searches import Searches
from fourcast.web.settings import Settings

BODY_SECONDS = 10.0  # in which a request's body has to arrive

#: Nothing but what this server has itself; no inline script or style, and no page around it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

logger = logging.getLogger("fourcast.web")


class Gate:
    """The outermost part of the application: it logs, adds headers, and refuses what is not to go on.

    Attributes:
        app: What is behind it.
        settings: How large a request may be, and whom it may be addressed to.
        searches: Those that run behind it.
        log: Called with a line for each request; None for no log.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        searches: Searches,
        log: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.app = app
        self.settings = settings
        self.searches = searches
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it; whatever goes wrong behind is logged and answered."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, sent = time.monotonic(), 0, 0

        async def send_on(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_RAW_HEADERS]
            sent += len(message.get("body", b""))
            await send(message)

        try:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            self._check_host(headers)
            body = await self._read_body(headers, receive)
            await self.app(scope, _replayed(body, receive), send_on)
        except Refused as error:
            await refusal(error)(scope, receive, send_on)
        except Exception:  # an error of ours: it is told as what it is
            logger.error("%s", traceback.format_exc())
            if status:
                raise
            await Json(fault_body("ServerError", "the server has failed; its log says more"), 500)(
                scope, receive, send_on
            )
        finally:
            if self.log is not None:
                client = scope.get("client")
                self.log(
                    {
                        "time": round(time.time(), 3),
                        "client": client[0] if client else "",
                        "method": scope["method"],
                        "path": scope["path"],
                        "status": status,
                        "bytes": sent,
                        "seconds": round(time.monotonic() - start, 4),
                    }
                )

    def _check_host(self, headers: dict[str, str]) -> None:
        """See whom a request is addressed to, and from whose page it comes.

        Raises:
            WrongHost: Not to this server, or from another site's page.
        """
        host = headers.get("host", "")
        allowed = self.settings.allowed_hosts
        if allowed and _name(f"//{host}") not in allowed:
            raise WrongHost(f"host {host[:60]!r}: this server answers to {', '.join(allowed)}")
        origin = headers.get("origin")
        if origin is not None and urlsplit_netloc(origin) != host.lower():
            raise WrongHost(f"origin {origin[:60]!r}: only this server's own pages may ask it")

    async def _read_body(self, headers: dict[str, str], receive: Receive) -> bytes:
        """The body, with or without a length told before.

        Raises:
            TooLarge, TooSlow: It is.
        """
        most = self.settings.body_bytes
        told = headers.get("content-length", "0")
        if told.isdigit() and int(told[:12]) > most:
            raise TooLarge(f"the body has {told[:12]} bytes, and {most:,} is the most here")
        if told == "0" and "transfer-encoding" not in headers:
            return b""
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        break
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > most:
                        raise TooLarge(f"the body has over {most:,} bytes, which is the most here")
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            raise TooSlow(f"the body did not arrive in {BODY_SECONDS:g} seconds") from None
        return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body once more, and after it what comes."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _name(address: str) -> str | None:
    """The host of an address, without its port; None if it cannot be read."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def urlsplit_netloc(origin: str) -> str | None:
    """The host and port of an origin; None if it cannot be read."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def log_json(entry: dict[str, Any]) -> None:
    """A line of JSON to stderr."""
    print(json.dumps(entry), file=sys.stderr, flush=True)


def log_plain(entry: dict[str, Any]) -> None:
    """A line for people to stderr."""
    clock = time.strftime("%H:%M:%S", time.localtime(entry["time"]))
    path = entry["path"] if entry["path"].isprintable() else repr(entry["path"])
    print(
        f"{clock} {entry['client']} {entry['method']} {path} {entry['status']} "
        f"{entry['bytes']:,} bytes {1000 * entry['seconds']:.0f} ms",
        file=sys.stderr,
        flush=True,
    )
