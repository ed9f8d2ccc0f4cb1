"""The address of the page is the game."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from fourcast.game.position import Position
from tests.web.page.conftest import Open
from tests.web.page.looking import address, announced, column, discs, status


def test_a_copied_link_opens_the_same_game(visit: Open) -> None:
    page = visit("/?first=human&second=human")
    for number in (4, 4, 5, 3):
        column(page, number).click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".copied")).to_have_text("Copied: the link to this game")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "board=6x7x4" in link
    assert "moves=4453" in link
    other = visit("/?" + link.partition("?")[2])
    expect(discs(other)).to_have_count(4)
    expect(status(other)).to_have_text("Amber to move")
    other.reload()
    expect(discs(other)).to_have_count(4)


def test_back_and_forward_go_through_the_game(visit: Open) -> None:
    page = visit("/?first=human&second=human")
    for number in (4, 4, 5):
        column(page, number).click()
    page.go_back()
    expect(discs(page)).to_have_count(2)
    page.go_back()
    page.go_back()
    expect(discs(page)).to_have_count(0)
    page.go_forward()
    expect(discs(page)).to_have_count(1)
    assert address(page)["moves"] == "4"
    column(page, 7).click()
    assert address(page)["moves"] == "47"


def test_moves_and_text_board_are_as_everywhere(visit: Open) -> None:
    page = visit("/?moves=4453&first=human&second=human")
    page.get_by_role("button", name="Copy moves").click()
    expect(page.locator(".copied")).to_have_text("Copied: the moves")
    assert page.evaluate("navigator.clipboard.readText()") == "4453"
    page.get_by_role("button", name="Copy text board").click()
    expect(page.locator(".copied")).to_have_text("Copied: the board as text")
    assert page.evaluate("navigator.clipboard.readText()") == Position.from_moves("4453").draw()


def test_the_picture_has_every_disc(visit: Open, tmp_path: Path) -> None:
    page = visit("/?moves=4453&first=human&second=human")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download SVG").click()
    file = tmp_path / "board.svg"
    download.value.save_as(file)
    drawing = ElementTree.parse(file).getroot()
    classes = [part.get("class") or "" for part in drawing.iter()]
    assert classes.count("disc first") == classes.count("disc second") == 2
    assert [part.text for part in drawing.iter("{http://www.w3.org/2000/svg}text")] == list("1234567")


def test_a_game_can_be_set_up_by_its_moves(visit: Open) -> None:
    page = visit("/?first=human&second=human")
    field = page.get_by_label("A position, by its moves")
    field.fill("4444444")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".copied")).to_have_text("Move 7, “4”, cannot be played.")
    field.fill("4453")
    page.get_by_role("button", name="Set up").click()
    expect(discs(page)).to_have_count(4)
    assert address(page)["moves"] == "4453"


def test_an_address_with_nonsense_is_read_as_far_as_it_goes(visit: Open) -> None:
    page = visit("/?board=99x99x4&moves=44x4&slip=7&ply=-3&limit=soon&first=human&second=human")
    expect(discs(page)).to_have_count(2)
    assert address(page) == {"board": "6x7x4", "moves": "44", "first": "human", "second": "human"}


@pytest.mark.parametrize("part", ["board=99x99x4", "moves=4444444", "moves=4x", "slip=7", "limit=soon"])
def test_what_is_left_out_of_an_address_is_said(visit: Open, part: str) -> None:
    page = visit(f"/?{part}&first=human&second=human")
    words = "Part of this address makes no sense, and was left out."
    expect(page.locator(".status .more")).to_have_text(words)
    assert announced(page) == words
    page.reload()  # the address is whole by now
    page.locator("#limit-0 option").first.wait_for(state="attached")
    expect(page.locator(".status .more")).to_have_text(re.compile("^Move "))


def test_nothing_is_said_of_an_address_that_makes_sense(visit: Open) -> None:
    page = visit("/?board=8X10x5&slip=0.2&moves=5a 66&aims=5466&limit=500ms&first=human&second=human")
    page.locator("#limit-0 option").first.wait_for(state="attached")
    expect(page.locator(".status .more")).to_have_text(re.compile("^Move 5 .* slip 0.2$"))
    assert announced(page) == ""
