"""What a visitor sees on the page, in words of the game."""

from __future__ import annotations

from urllib.parse import parse_qs

from playwright.sync_api import Locator, Page, expect


def column(page: Page, number: int) -> Locator:
    """The button over a column; 1 is the leftmost."""
    return page.locator(f".column[data-column='{number - 1}']")


def discs(page: Page) -> Locator:
    """The discs on the board."""
    return page.locator(".stage .discs .disc")


def status(page: Page) -> Locator:
    """The line that says how things stand."""
    return page.locator(".status .words")


def address(page: Page) -> dict[str, str]:
    """What the address of the page says."""
    query = parse_qs(page.evaluate("location.search.slice(1)"), keep_blank_values=True)
    return {name: values[0] for name, values in query.items()}


def switch(page: Page, name: str) -> None:
    """Turn scores or threats on or off."""
    page.locator(f"[data-toggle='{name}']").click()


def announced(page: Page) -> str:
    """What a screen reader was last told."""
    return page.locator("#announcements").text_content() or ""


def expect_turn_of_human(page: Page) -> None:
    """Wait until it is the visitor's turn."""
    expect(status(page)).to_have_text("Your turn")
