"""Answers on the wire: JSON, and streams of events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

from fastapi.responses import Response
from starlette.types import Message, Receive, Scope, Send

from fourcast.game.errors import FourcastError
from fourcast.web.faults import Busy, body_of, status_of

Result = TypeVar("Result")

BEAT_EVERY = 15.0  # seconds after which a silent stream gives a sign of life
NO_STORE = {"cache-control": "no-store"}


class Json(Response):
    """A JSON document; ASCII alone, so that any text can be in it."""

    media_type = "application/json"

    def __init__(self, content: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        super().__init__(json_text(content).encode(), status, NO_STORE | (headers or {}))


def json_text(content: Any) -> str:
    """JSON in one line."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False)


def refusal(error: FourcastError) -> Json:
    """The answer to a request that is refused."""
    headers = {"retry-after": str(error.seconds)} if isinstance(error, Busy) else None
    return Json(body_of(error), status_of(error), headers)


class Events(Response):
    """A stream of server-sent events; whoever makes them is closed when the connection is."""

    def __init__(self, events: AsyncGenerator[tuple[str, Any], None]) -> None:
        super().__init__(None, media_type="text/event-stream", headers=NO_STORE | {"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._events = events

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until there are no more, or nobody listens."""
        gone = asyncio.ensure_future(until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async with aclosing(self._events) as events:
                while True:
                    step = asyncio.ensure_future(anext(events, None))
                    await asyncio.wait({step, gone}, return_when=asyncio.FIRST_COMPLETED)
                    if gone.done():
                        step.cancel()
                        await asyncio.wait({step})
                        return
                    event = step.result()
                    if event is None:
                        break
                    name, data = event
                    await send(_chunk(f"event: {name}\ndata: {json_text(data)}\n\n"))
            await send(_chunk("", more=False))
        finally:
            gone.cancel()


def _chunk(text: str, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": more}


async def until_gone(receive: Receive) -> None:
    """Wait until the connection is closed; the request's body has to be read before."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_gone(
    receive: Receive, answer: asyncio.Future[Result], leave: Callable[[], None]
) -> Result | None:
    """An answer, or None if the connection is closed before there is one.

    Args:
        receive: Where the connection's messages come from.
        answer: What is waited for.
        leave: Called if nobody waits for it any more.
    """
    gone: asyncio.Future[None] = asyncio.ensure_future(until_gone(receive))
    try:
        waited: set[asyncio.Future[Any]] = {answer, gone}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        leave()
        return None
    finally:
        gone.cancel()
        if not answer.done():
            leave()


Handler = Callable[..., Awaitable[Response]]
