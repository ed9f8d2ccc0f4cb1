"""People who look at the page, many at a time: as little of HTTP as it takes to ask and to time a server."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from fourcast.workers.processes import worker_processes

THINKS = (0.5, 1.5)  # seconds that a viewer looks at an answer before the next question
HEALTH_EVERY = 0.02  # seconds


@dataclass(slots=True)
class Line:
    """A connection to a server on this machine, which is kept open.

    Attributes:
        port: Where the server listens.
    """

    port: int
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer; POST if there is a body to send."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            f"host: 127.0.0.1:{self.port}",
            "accept-encoding: gzip",
            f"content-length: {len(content)}",
            *(["content-type: application/json"] if content else []),
        ]
        request = "\r\n".join([*lines, "", ""]).encode() + content
        if self._streams is not None:
            try:
                return await self._exchange(request)
            except (ConnectionError, asyncio.IncompleteReadError):  # a server hangs up on who is long silent
                await self.close()
        self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        return await self._exchange(request)

    async def _exchange(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        assert self._streams is not None
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
        }
        answer = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            await self.close()
        return int(head[0].split()[1]), headers, answer

    async def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@dataclass(slots=True)
class Seen:
    """What viewers and a watchman have seen.

    Attributes:
        statuses: How often each status was the answer.
        answers: Seconds that each analysis took that was answered.
        health: Seconds that each look at the server's health took.
    """

    statuses: Counter[int] = field(default_factory=Counter)
    answers: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)


async def watch_viewers(
    port: int, viewers: int, seconds: float, question: Callable[[random.Random], dict[str, Any]]
) -> Seen:
    """Let viewers ask for so long, each with pauses in between, and look at the server's health meanwhile.

    Whoever is told to come again later does so then.

    Args:
        port: Where the server listens.
        viewers: How many there are.
        seconds: How long they look.
        question: The body of an analysis, drawn by chance.
    """
    seen = Seen()
    end = time.monotonic() + seconds

    async def look(number: int) -> None:
        rng, line = random.Random(number), Line(port)
        await asyncio.sleep(rng.uniform(0, THINKS[1]))
        while time.monotonic() < end:
            begin = time.monotonic()
            status, headers, _ = await line.ask("/api/analyze", question(rng))
            seen.statuses[status] += 1
            if status == 200:
                seen.answers.append(time.monotonic() - begin)
            await asyncio.sleep(float(headers.get("retry-after", rng.uniform(*THINKS))))
        await line.close()

    with worker_processes(1) as pool:  # so that the viewers' work does not count as the server's
        watching = asyncio.get_running_loop().run_in_executor(pool, watch_health, port, seconds)
        await asyncio.gather(*(look(number) for number in range(viewers)))
        seen.health = await watching
    return seen


def watch_health(port: int, seconds: float) -> list[float]:
    """Seconds that each look at a server's health takes, many a second, in a process of its own."""

    async def watch() -> list[float]:
        line, taken = Line(port), []
        end = time.monotonic() + seconds
        while (begin := time.monotonic()) < end:
            await line.ask("/api/health")
            taken.append(time.monotonic() - begin)
            await asyncio.sleep(HEALTH_EVERY)
        await line.close()
        return taken

    return asyncio.run(watch())


async def time_questions(port: int, questions: list[dict[str, Any]]) -> list[float]:
    """Seconds that each of several analyses takes, one after the other."""
    line, taken = Line(port), []
    for body in questions:
        begin = time.monotonic()
        status, _, answer = await line.ask("/api/analyze", body)
        taken.append(time.monotonic() - begin)
        if status != 200:
            raise RuntimeError(f"the server answers {status}: {answer.decode()}")
    await line.close()
    return taken
