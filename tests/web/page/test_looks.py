"""How the page looks and behaves for everybody: small screens, the dark, screen readers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.page.conftest import Open
from tests.web.page.looking import address, column, discs, switch

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize(
    "path", ["/?moves=4453&first=human&second=human", "/watch", "/tree", "/leaderboard", "/missing"]
)
def test_nothing_is_cut_off_on_a_phone(visit: Open, path: str) -> None:
    page = visit(path, **PHONE)
    page.locator("main :is(h1, .stage)").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_has_the_board_first_and_everything_within_reach(visit: Open) -> None:
    page = visit("/?board=8x10x5&first=human&second=human", **PHONE)
    board = page.locator("svg.board").bounding_box()
    assert board is not None
    assert board["y"] + board["height"] < 740, "the board is seen without scrolling"
    column(page, 10).tap()
    expect(discs(page)).to_have_count(1)
    assert address(page)["moves"] == "a"
    for name in ("New game", "Undo", "Hint", "Review the game", "Copy link", "Help and keys"):
        button = page.get_by_role("button", name=name)
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360, name


def test_dark_follows_the_system_and_the_switch_is_remembered(visit: Open) -> None:
    page = visit("/", color_scheme="dark")
    dark = page.evaluate(BACKGROUND)
    light = visit("/", color_scheme="light").evaluate(BACKGROUND)
    assert dark != light
    page.get_by_role("button", name="Dark colours").click()
    assert page.evaluate(BACKGROUND) == light
    page.reload()
    page.locator("header .brand").wait_for()
    assert page.evaluate(BACKGROUND) == light


def test_discs_differ_in_shape_as_well_as_colour(visit: Open) -> None:
    page = visit("/?moves=45&first=human&second=human")
    expect(page.locator(".discs .disc.first path")).to_have_count(1)
    expect(page.locator(".discs .disc.second path")).to_have_count(0)


def test_discs_fall_unless_that_is_not_wanted(visit: Open) -> None:
    moving = "document.getAnimations().filter(each => each.effect.target.closest?.('.discs')).length"
    page = visit("/?first=human&second=human", reduced_motion="no-preference")
    column(page, 4).click()
    assert page.evaluate(moving) == 1
    still = visit("/?first=human&second=human")
    column(still, 4).click()
    assert still.evaluate(moving) == 0


def _played(page: Page) -> None:
    switch(page, "scores")
    switch(page, "threats")
    expect(page.locator(".step").first).to_be_visible()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("button", name="Review again")).to_be_enabled()


def _new_game(page: Page) -> None:
    page.locator("[data-action='new']").click()
    page.get_by_role("dialog").wait_for()


def _agent(page: Page) -> None:
    page.locator("#player-1").select_option(label="Another agent …")
    page.get_by_role("dialog").wait_for()


def _help(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()


def _tree(page: Page) -> None:
    page.locator("[data-pane='1'] .node").first.wait_for()


def _table(page: Page) -> None:
    page.locator(".standings tbody tr").first.wait_for()
    page.locator(".games tbody tr").first.wait_for()


def _calls(page: Page) -> None:
    expect(page.get_by_role("heading", name="POST /api/analyze", exact=True)).to_be_visible()


def _missing(page: Page) -> None:
    page.get_by_role("heading", name="There is nothing here").wait_for()


def _stored(page: Page) -> None:
    page.locator(".stored tbody tr").first.wait_for()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("path", "prepare"),
    [
        ("/?moves=44444432655&first=human&second=greedy", _played),
        ("/?first=human&second=greedy", _new_game),
        ("/?first=human&second=greedy", _agent),
        ("/", _help),
        ("/tree?moves=444&agent=alphabeta:depth=3&other=minimax:depth=3", _tree),
        ("/leaderboard", _table),
        ("/watch?first=random&second=greedy", _stored),
        pytest.param("/missing", _missing, marks=pytest.mark.slow),
        pytest.param("/api/docs", _calls, marks=pytest.mark.slow),
    ],
    ids=["play", "new game", "agent", "help", "tree", "leaderboard", "watch", "missing", "calls"],
)
def test_axe_finds_nothing_serious(
    visit: Open, path: str, prepare: Callable[[Page], None], scheme: str
) -> None:
    carrier = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    page = visit(path, color_scheme=scheme)
    prepare(page)
    found = carrier.Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    told = [
        f"{each['id']}: {node['html']} {node['failureSummary']}" for each in serious for node in each["nodes"]
    ]
    assert not serious, "\n".join(told)
