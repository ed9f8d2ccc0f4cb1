"""How fast the server answers: the page's size and first paint, analyses, its health while many look on."""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from fourcast.bench.browser import NoBrowser, visit_page
from fourcast.bench.viewers import Line, Seen, time_questions, watch_viewers
from fourcast.extras import require
from fourcast.game.notation import moves_text
from fourcast.game.position import Position
from fourcast.machine import machine

BOOK_PLIES, MIDDLE_PLIES, LATE_PLIES = (0, 7), (14, 24), (16, 34)
QUESTIONS = 200
LONG = 300.0  # seconds of viewers after which a leak would be seen
MOST_GAINED = 16.0  # MB that the server may gain in the second half of these
PERFECT = {"agent": "perfect", "limit": {"seconds": 1.0}}
_LINKED = re.compile(r"""(?:src|href|from|import)\s*[=(]?\s*["']([^"'#?]+)["']""")

Advance = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        name: What was measured.
        amount: What came of it.
        unit: Of what.
        bar: What it should not pass; None where there is none.
    """

    name: str
    amount: float
    unit: str
    bar: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether it keeps to its bar; None without one."""
        return None if self.bar is None else self.amount <= self.bar


@dataclass(slots=True)
class WebReport:
    """What was measured, and on which machine.

    Attributes:
        figures: In the order in which they were measured.
        missing: What could not be measured here, and why.
    """

    figures: list[Figure] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions and the figures."""
        figures = [asdict(each) | {"passed": each.passed} for each in self.figures]
        return machine() | {"figures": figures, "missing": self.missing}

    def to_text(self) -> str:
        """A table of at most 80 columns."""
        here = machine()
        lines = [
            f"Fourcast {here['fourcast']}, Python {here['python']}, server and viewers on one machine:",
            here["processor"][:80],
            "",
            f"{'':<46}{'figure':>14}{'bar':>14}",
        ]
        for each in self.figures:
            bar = "" if each.bar is None else f"{each.bar:,.4g} {each.unit}"
            mark = " !" if each.passed is False else ""
            lines.append(f"{each.name:<46}{f'{each.amount:,.4g} {each.unit}':>14}{bar:>14}{mark}".rstrip())
        if any(each.passed is False for each in self.figures):
            lines.append("! beyond its bar")
        lines += [f"not measured: {each}" for each in self.missing]
        return "\n".join(lines)


def measure(report: WebReport, *, viewers: int, seconds: float, advance: Advance) -> None:
    """Start a server on this machine, measure it, and end it.

    Args:
        report: Is filled.
        viewers: How many ask at the same time.
        seconds: For how long.
        advance: Told how far it has come.

    Raises:
        MissingExtra: The extra web is not installed.
    """
    require("uvicorn", "web")
    require("fastapi", "web")
    import psutil

    server = subprocess.Popen(
        [sys.executable, "-m", "fourcast", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found is not None
        port = int(found[1])
        memory = psutil.Process(server.pid).memory_info
        advance("waiting for compiled code", 0, 5)
        asyncio.run(_warm(port))
        advance("the page", 1, 5)
        report.figures.append(Figure("the page, packed", asyncio.run(_page_bytes(port)) / 1000, "kB", 200))
        _measure_page(report, port)
        advance("book positions", 2, 5)
        taken = asyncio.run(time_questions(port, questions(QUESTIONS, BOOK_PLIES)))
        report.figures += _latency("a book position", taken, 15)
        advance("middle-game positions", 3, 5)
        taken = asyncio.run(time_questions(port, questions(QUESTIONS, MIDDLE_PLIES, PERFECT)))
        report.figures += _latency("a middle-game position, perfect", taken, 60)
        advance("viewers", 4, 5)
        before = memory().rss
        with _sampled(lambda: memory().rss) as sizes:
            seen = asyncio.run(watch_viewers(port, viewers, seconds, question))
        report.figures += [*_load(seen, viewers, seconds), *_memory(before, sizes, seconds)]
        advance("viewers", 5, 5)
    finally:
        server.terminate()
        try:
            server.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate()


def _measure_page(report: WebReport, port: int) -> None:
    """Look at the page in a browser, where there is one."""
    try:
        seen = visit_page(f"http://127.0.0.1:{port}/")
    except NoBrowser as error:
        report.missing.append(f"the first paint: {error}")
        return
    report.figures += [
        Figure("the page in Chromium: first paint", seen.paint, "ms", 300),
        Figure("the page in Chromium: the board is there", seen.board, "ms"),
        Figure("the page in Chromium: fetched", seen.fetched / 1000, "kB", 200),
        Figure("the page in Chromium: requests", seen.requests, "answers"),
    ]


def questions(count: int, plies: tuple[int, int], more: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Bodies of analyses: different positions, always the same, with so many discs on the board."""
    rng = random.Random(plies[1])
    return [{"moves": moves_text(random_game(rng, plies))} | (more or {}) for _ in range(count)]


def question(rng: random.Random) -> dict[str, Any]:
    """What a viewer asks: mostly for exact scores, now and then for the move of an agent."""
    kind = rng.random()
    if kind < 0.5:
        return {"moves": moves_text(random_game(rng, BOOK_PLIES))}
    if kind < 0.8:
        return {"moves": moves_text(random_game(rng, LATE_PLIES))}
    if kind < 0.9:
        return {"moves": moves_text(random_game(rng, LATE_PLIES)), "agent": "perfect:level=5"}
    return {
        "moves": moves_text(random_game(rng, LATE_PLIES)),
        "agent": "mcts",
        "limit": {"simulations": 5000},
    }


def random_game(rng: random.Random, plies: tuple[int, int]) -> tuple[int, ...]:
    """The columns of a random game that still goes on after so many plies."""
    while True:
        position = Position()
        for _ in range(rng.randint(*plies)):
            if not position.is_over:
                position = position.play(rng.choice(position.legal))
        if not position.is_over:
            return position.columns_played


async def _warm(port: int) -> None:
    line = Line(port)
    for body in ({"moves": "44"}, PERFECT, {"agent": "perfect:level=5"}, {"agent": "mcts"}):
        await line.ask("/api/analyze", {"limit": {"seconds": 1.0}} | body)
    await line.close()


async def _page_bytes(port: int) -> int:
    """Bytes that a browser fetches for the first page: itself, and all that it and its modules name."""
    line, total = Line(port), 0
    wanted, seen = ["/"], set()
    while wanted:
        path = wanted.pop()
        if path in seen:
            continue
        seen.add(path)
        status, headers, body = await line.ask(path)
        if status != 200:
            continue
        total += len(body)
        if "html" in headers["content-type"] or "javascript" in headers["content-type"]:
            wanted += _named(path, _unpacked(headers, body))
    await line.close()
    return total


def _unpacked(headers: dict[str, str], body: bytes) -> str:
    import gzip

    return (gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body).decode()


def _named(path: str, text: str) -> list[str]:
    """The files of the page that a text names."""
    from urllib.parse import urljoin

    found = {urljoin(path, name) for name in _LINKED.findall(text) if "://" not in name}
    return [name for name in found if re.search(r"\.(js|mjs|css|svg|png|ico|webmanifest|woff2)$", name)]


def _latency(name: str, taken: list[float], bar: float) -> list[Figure]:
    return [
        Figure(f"{name}, p{percent}", 1000 * _at(taken, percent), "ms", bar if percent == 95 else None)
        for percent in (50, 95, 99)
    ]


def _load(seen: Seen, viewers: int, seconds: float) -> list[Figure]:
    answered = sum(seen.statuses.values())
    who = f"{viewers} viewers, {seconds:g} s"
    return [
        Figure(f"{who}: answers", answered / seconds, "a second"),
        Figure(f"{who}: told to come again (429)", seen.statuses[429], "answers"),
        Figure(f"{who}: failures (5xx)", sum(n for s, n in seen.statuses.items() if s >= 500), "answers", 0),
        *[Figure(f"{who}: an answer, p{p}", 1000 * _at(seen.answers, p), "ms") for p in (50, 95, 99)],
        *[
            Figure(f"{who}: health, p{p}", 1000 * _at(seen.health, p), "ms", 50 if p == 99 else None)
            for p in (50, 99)
        ],
    ]


@contextmanager
def _sampled(size: Callable[[], int]) -> Iterator[list[int]]:
    """A size, every half second while something goes on, and at its end."""
    sizes: list[int] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.5):
            sizes.append(size())

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield sizes
    finally:
        over.set()
        looking.join()
    sizes.append(size())


def _memory(before: int, sizes: list[int], seconds: float) -> list[Figure]:
    """The server's memory, in bytes; what it gains once its tables and answers are there would be a leak."""
    middle = sizes[len(sizes) // 2]
    return [
        Figure("memory before the viewers", before / 1e6, "MB"),
        Figure("memory after them", sizes[-1] / 1e6, "MB"),
        Figure(
            "memory gained in their second half",
            (sizes[-1] - middle) / 1e6,
            "MB",
            MOST_GAINED if seconds >= LONG else None,
        ),
    ]


def _at(taken: list[float], percent: int) -> float:
    """The amount that so many percent do not pass."""
    ordered = sorted(taken) or [0.0]
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]
