"""Watching agents, stored games, and who leads."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from fourcast.game.position import Position
from tests.web.page.conftest import Open
from tests.web.page.looking import address, discs, status


def test_two_agents_play_a_game_step_by_step_and_then_at_once(visit: Open) -> None:
    page = visit("/watch?first=greedy&second=vertical")
    expect(discs(page)).to_have_count(0)
    page.get_by_role("button", name="Step").click()
    expect(discs(page)).to_have_count(1)
    page.get_by_role("button", name="Step").click()
    expect(discs(page)).to_have_count(2)
    page.get_by_label("Speed").select_option("As fast as it goes")
    page.locator("[data-transport='play']").click()
    expect(status(page)).to_have_text(re.compile("wins|draw"))
    position = Position.from_moves(address(page)["moves"])
    assert position.outcome is not None
    expect(page.locator("[data-transport='play']")).to_have_text("Play")


def test_pausing_keeps_the_agents_from_moving(visit: Open) -> None:
    page = visit("/watch?first=greedy&second=vertical")
    page.keyboard.press("p")
    expect(page.locator("[data-transport='play']")).to_have_text("Pause")
    expect(discs(page)).not_to_have_count(0)
    page.keyboard.press("p")
    expect(page.locator("[data-transport='play']")).to_have_text("Play")
    count = discs(page).count()
    page.wait_for_timeout(1500)  # longer than the pace
    expect(discs(page)).to_have_count(count)


def test_a_stored_game_is_replayed_with_what_was_aimed_at(visit: Open) -> None:
    page = visit("/leaderboard")
    picker = page.get_by_label("Tournament or match")
    picker.select_option("1-2")
    expect(picker.locator("option:checked")).to_have_text(
        re.compile(r"match, 4x4x3 slip 0.5, 120 games, \w+ \d+, \d{4}")
    )
    expect(page.locator(".page")).to_have_text(re.compile(r"Page 1 of \d"))
    page.get_by_role("link", name="Replay random against greedy").first.click()
    expect(page.locator(".column")).to_have_count(4)
    expect(discs(page)).to_have_count(0)
    page.keyboard.press("End")
    expect(discs(page)).to_have_count(5)
    expect(status(page)).to_have_text("Amber wins")
    expect(page.get_by_role("button", name="Move 2: Blue, column 3, aimed at 2")).to_be_visible()
    page.locator("[data-transport='play']").click()  # starts over
    expect(discs(page)).to_have_count(2)
    page.reload()
    expect(page.locator(".stored-name").first).to_have_text("random")
    page.get_by_role("link", name="Play", exact=True).click()  # on from there
    expect(page.locator("#player-0")).to_have_value("human")
    assert address(page)["board"] == "4x4x3"


def test_stored_games_can_be_reached_beside_the_board(visit: Open) -> None:
    page = visit("/watch?limit=500ms")
    card, link = page.locator(".stored"), page.locator(".stored .replay").first
    link.scroll_into_view_if_needed()
    outer, inner = card.bounding_box(), link.bounding_box()
    assert outer is not None
    assert inner is not None
    assert inner["x"] + inner["width"] < outer["x"] + outer["width"], "nothing is cut off"
    table = page.locator(".stored .scroll")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    expect(page.locator("#limit-0 option:checked")).to_have_text("0.5 s")
    last = page.locator(".controls").bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= 900, "all buttons are seen without scrolling"


def test_beside_a_replay_are_the_games_of_its_run(visit: Open) -> None:
    page = visit("/watch")
    picker = page.get_by_label("Tournament or match")
    expect(picker).to_have_value("1-2")  # the latest
    picker.select_option("1-1")
    page.locator(".stored .replay[href='/watch?game=1-1-0']").click()
    page.wait_for_url("**/watch?**game=1-1-0**")
    expect(picker).to_have_value("1-1")
    expect(page.locator(".stored .replay[href='/watch?game=1-1-0']")).to_be_visible()


def test_the_leaderboard_shows_every_game_of_a_page(visit: Open) -> None:
    page = visit("/leaderboard?run=1-2")
    expect(page.locator(".games tbody tr")).to_have_count(50)
    table = page.locator(".games .scroll")
    assert table.evaluate("box => box.scrollHeight <= box.clientHeight"), "all are in sight"


def test_the_leaderboard_has_standings_ratings_and_a_crosstable(visit: Open) -> None:
    page = visit("/leaderboard")
    page.get_by_label("Tournament or match").select_option("1-1")
    rows = page.locator(".standings tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first.locator("th")).to_have_text("Bert")
    expect(rows.first.get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(r"Elo .* between .* and")
    )
    expect(page.locator(".crosstable tbody tr")).to_have_count(3)
    page.go_back()
    expect(page.locator(".crosstable tbody tr")).not_to_have_count(3)


def test_a_rating_that_is_a_guess_is_marked_as_one(visit: Open) -> None:
    page = visit("/leaderboard?run=1-2")  # where one has won them all
    ratings = page.locator(".standings tbody td:nth-child(3)")
    expect(ratings).to_have_text([re.compile(r"^>\+\d+"), re.compile(r"^<\W\d+")])
    expect(page.get_by_text("how far it stands off is a guess")).to_be_visible()
