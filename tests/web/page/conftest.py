"""A browser that looks at the page, and fails a test for what a visitor should never see.

Any error on its console, any exception in a script, any request that leaves this machine fails the test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: the page is not tested in a browser")

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.web.running import Running, serving

#: Where Debian has it; elsewhere it may be named.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HERE = ("127.0.0.1", "localhost")
PATIENCE = 120_000  # milliseconds: code may have to be compiled for a board first

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def server(games: Path) -> Iterator[Running]:
    """One without a log, which nobody would read here: the page asks for many files."""
    with serving("--no-prepare", "--games", str(games), "--seconds", "5") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium: apt-get install chromium brings it")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor who does not like things to move: what happens does so at once."""
    with browser.new_context(
        reduced_motion="reduce",
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    ) as context:
        yield context


@pytest.fixture
def visit(server: Running, browser: Browser, context: BrowserContext) -> Iterator[Open]:
    """Opens an address of the server, in a visitor's own browser or with other habits.

    At the end it says what went wrong behind the scenes.
    """
    wrong: list[str] = []
    others: list[BrowserContext] = []

    def watch(page: Page) -> None:
        page.on("console", hear)
        page.on("pageerror", lambda error: wrong.append(f"exception: {error}"))
        page.on("request", lambda request: look_at(request.url))

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            wrong.append(f"console: {message.text}")

    def look_at(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in HERE:
            wrong.append(f"request to {url}")

    def visit(path: str = "/", script: str | None = None, **habits: Any) -> Page:
        chosen = context
        if habits:
            chosen = browser.new_context(**{"reduced_motion": "reduce"} | habits)
            others.append(chosen)
        page = chosen.new_page()
        page.set_default_timeout(PATIENCE / 4)
        watch(page)
        if script is not None:
            page.add_init_script(script)
        page.goto(server.address.rstrip("/") + path)
        page.locator("header .brand").wait_for()
        return page

    yield visit
    for other in others:
        other.close()
    assert not wrong, "\n".join(wrong)
