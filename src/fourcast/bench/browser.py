"""The page in a real browser: how soon something is to be seen, and how much is fetched for it."""

from __future__ import annotations

import os
import shutil
import statistics
from dataclasses import dataclass
from typing import Any

from fourcast.extras import require
from fourcast.game.errors import MissingExtra

VISITS = 7
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")

#: When the first text or picture was painted, in milliseconds from the request for the page on.
PAINTED = """() => new Promise(resolve => {
    const seen = list => list.getEntriesByName("first-contentful-paint")[0];
    const known = seen(performance);
    if (known) return resolve(known.startTime);
    new PerformanceObserver(list => seen(list) && resolve(seen(list).startTime))
        .observe({type: "paint", buffered: true});
})"""

#: When the page had put the board into its place.
DRAWN = "performance.getEntriesByName('board')[0].startTime"


class NoBrowser(Exception):
    """There is no browser to measure with; its message says what is missing."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a browser that has never been there sees of the page.

    Attributes:
        paint: Milliseconds from the request to the first text or picture, the median of some visits.
        board: The same to the board being drawn.
        fetched: Bytes that came over the network for it, headers and the page's questions counted; the most.
        requests: How many they were.
    """

    paint: float
    board: float
    fetched: int
    requests: int


def chromium() -> str | None:
    """Where Chromium is; `CHROMIUM` may name it."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def visit_page(address: str) -> Visit:
    """Look at the page some times, each time as for the first time.

    Args:
        address: Of the page.

    Raises:
        NoBrowser: Chromium or Playwright is missing.
    """
    path = chromium()
    if path is None:
        raise NoBrowser("there is no chromium")
    try:
        require("playwright", "dev")
    except MissingExtra as missing:
        raise NoBrowser(str(missing)) from None
    from playwright.sync_api import sync_playwright

    seen: list[Visit] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            _look(browser, address)  # which starts the browser's own processes
            seen += [_look(browser, address) for _ in range(VISITS)]
        finally:
            browser.close()
    return Visit(
        statistics.median(each.paint for each in seen),
        statistics.median(each.board for each in seen),
        max(each.fetched for each in seen),
        max(each.requests for each in seen),
    )


def _look(browser: Any, address: str) -> Visit:
    """One visit, with nothing kept of those before."""
    sizes: list[float] = []
    with browser.new_context() as context:
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto(address, wait_until="networkidle")
        paint, board = page.evaluate(PAINTED), page.evaluate(DRAWN)
        return Visit(float(paint), float(board), int(sum(sizes)), len(sizes))
