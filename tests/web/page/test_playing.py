"""Playing on the page: by mouse, by keyboard, taking moves back, asking for help."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from fourcast.game.position import Position
from tests.web.page.conftest import Open
from tests.web.page.looking import address, announced, column, discs, expect_turn_of_human, status


def test_a_whole_game_by_mouse_against_an_agent(visit: Open) -> None:
    page = visit("/?first=human&second=greedy")
    while (position := Position.from_moves(address(page)["moves"])).outcome is None:
        expect_turn_of_human(page)
        column(page, position.legal[-1] + 1).click()
        expect(discs(page)).not_to_have_count(position.ply)
        expect(status(page)).to_have_text(re.compile("Your turn|You win!|You lose|A draw"))
    expect(discs(page)).to_have_count(position.ply)
    cells = position.outcome.line
    expect(page.locator(".stage circle.won")).to_have_count(len(cells))
    expect(page.locator(".moves button")).to_have_count(position.ply)


def test_two_people_play_and_the_line_is_marked(visit: Open) -> None:
    page = visit("/?first=human&second=human")
    column(page, 3).hover()
    expect(page.locator(".stage .preview .disc.first")).to_have_count(1)
    expect(page.locator(".stage .landing")).to_have_count(1)
    for number in (1, 2, 1, 2, 1, 2, 1):
        column(page, number).click()
    expect(status(page)).to_have_text("Amber wins")
    expect(page.locator(".stage circle.won")).to_have_count(4)
    assert address(page)["moves"] == "1212121"
    column(page, 5).click(force=True)  # too late
    expect(discs(page)).to_have_count(7)


def test_a_whole_game_by_keyboard_alone(visit: Open) -> None:
    page = visit("/?first=human&second=human")
    page.locator(".column").first.wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('column')"):
            break
    assert page.evaluate("document.activeElement.dataset.column") == "3", "Tab comes to the middle column"
    page.keyboard.press("Enter")
    assert "Amber dropped into column 4, row 1. Blue to move" in announced(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(discs(page)).to_have_count(2)
    assert address(page)["moves"] == "45"
    for key in "45454":
        page.keyboard.press(key)
    expect(status(page)).to_have_text("Amber wins")
    assert "Amber wins" in announced(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert page.evaluate("document.querySelector('dialog').scrollTop") == 0, "help begins at its top"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("n")
    page.get_by_role("dialog", name="New game").wait_for()
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(0)


def test_a_full_column_is_said_to_be_full(visit: Open) -> None:
    page = visit("/?moves=444444&first=human&second=human")
    expect(column(page, 4)).to_have_attribute("aria-label", "Column 4, full")
    column(page, 4).click(force=True)
    assert announced(page) == "Column 4 is full."
    expect(discs(page)).to_have_count(6)


def test_undo_takes_back_the_agents_answer_too_and_redo_gives_it_again(visit: Open) -> None:
    page = visit("/?first=human&second=greedy")
    expect_turn_of_human(page)
    column(page, 1).click()
    expect(discs(page)).to_have_count(2)
    expect_turn_of_human(page)
    played = address(page)["moves"]
    page.locator("[data-action='undo']").click()
    expect(discs(page)).to_have_count(0)
    expect(page.locator("[data-action='undo']")).to_be_disabled()
    assert address(page) | {"ply": "0", "moves": played} == address(page), "what was taken back is kept"
    page.keyboard.press("r")
    expect(discs(page)).to_have_count(2)
    page.keyboard.press("Control+z")
    column(page, 7).click()  # something else instead
    expect(discs(page)).to_have_count(2)
    assert address(page)["moves"].startswith("7")


def test_any_ply_can_be_looked_at_and_played_on_from(visit: Open) -> None:
    page = visit("/?moves=4453&first=human&second=greedy")
    expect_turn_of_human(page)
    page.get_by_role("button", name="Move 1: Amber, column 4").click()
    expect(discs(page)).to_have_count(1)
    expect(page.locator(".status .more")).to_have_text("Move 1 of 4")
    page.keyboard.press(".")
    expect(discs(page)).to_have_count(2)
    page.keyboard.press("End")
    expect(discs(page)).to_have_count(4)
    page.keyboard.press(",")
    expect(discs(page)).to_have_count(3)
    page.get_by_role("button", name="Play on from here").click()
    expect(discs(page)).to_have_count(4)
    assert address(page)["moves"].startswith("445")


def test_a_hint_points_at_the_winning_column(visit: Open) -> None:
    page = visit("/?moves=414141&first=human&second=human")
    page.locator("[data-action='hint']").click()
    expect(page.locator(".status .more")).to_have_text("Hint: column 4, wins in 1 move, best")
    expect(page.locator(".stage path.hint")).to_have_count(1)
    column(page, 4).click()
    expect(status(page)).to_have_text("Amber wins")
    expect(page.locator(".stage path.hint")).to_have_count(0)


def test_a_search_shows_how_far_it_is_and_can_be_stopped(visit: Open) -> None:
    page = visit("/?first=human&second=alphabeta:depth=40&limit=5s")
    expect_turn_of_human(page)
    column(page, 4).click()
    expect(page.locator("[data-figure='nodes']")).to_have_text(re.compile(r"\d"))
    with page.expect_response("**/api/stop") as answer:
        page.get_by_role("button", name="Stop thinking").click()
    assert json.loads(answer.value.text()) == {"stopped": True}
    expect(discs(page)).to_have_count(2)
    expect_turn_of_human(page)


def test_taking_a_move_back_ends_the_search_on_the_server(visit: Open) -> None:
    page = visit("/?first=human&second=alphabeta:depth=40&limit=5s")
    expect_turn_of_human(page)
    column(page, 4).click()
    expect(page.locator("[data-figure='nodes']")).to_have_text(re.compile(r"\d"))
    page.keyboard.press("u")
    expect(discs(page)).to_have_count(0)
    _until_idle(page)
    expect(discs(page)).to_have_count(0)


def _until_idle(page: Page) -> None:
    while page.evaluate("fetch('/api/health').then(answer => answer.json())")["running"]:
        page.wait_for_timeout(20)


def test_any_agent_can_be_chosen_with_its_options(visit: Open) -> None:
    page = visit("/?first=human&second=human")
    page.locator("#player-1").select_option(label="Another agent …")
    dialog = page.get_by_role("dialog", name="Who plays Blue?")
    dialog.get_by_label("Agent", exact=True).select_option("alphabeta")
    dialog.get_by_text("Options", exact=True).click()
    dialog.get_by_label("depth", exact=True).fill("2")
    dialog.get_by_label("eval", exact=True).select_option("threats")
    expect(dialog.get_by_label("As it is written")).to_have_value("alphabeta:depth=2,eval=threats")
    dialog.get_by_label("Limit a move").fill("soon")
    dialog.get_by_role("button", name="Use this agent").click()
    expect(dialog.get_by_role("alert")).to_have_text("That limit cannot be read.")
    dialog.get_by_label("Limit a move").fill("depth=2")
    dialog.get_by_role("button", name="Use this agent").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert address(page)["second"] == "alphabeta:depth=2,eval=threats"
    assert address(page)["second_limit"] == "depth=2"


def test_a_tall_dialog_begins_at_its_top_with_its_buttons_in_sight(visit: Open) -> None:
    page = visit("/?second=mcts:simulations=100", viewport={"width": 1000, "height": 600})
    page.locator("#player-1").select_option(label="Another agent …")
    expect(page.get_by_role("heading", name="Who plays Blue?")).to_be_in_viewport()
    use = page.get_by_role("button", name="Use this agent")
    expect(use).to_be_in_viewport()
    expect(use).to_be_focused()


def test_a_server_that_is_gone_while_an_agent_thinks_is_told_in_words(visit: Open) -> None:
    broken = """(() => {
      const real = fetch;
      fetch = (path, request) => {
        if (!path.endsWith("/stream")) return real(path, request);
        const gone = new ReadableStream({ start: (box) => box.error(new TypeError("network error")) });
        return Promise.resolve(new Response(gone));
      };
    })()"""
    page = visit("/?moves=4&first=human&second=greedy", script=broken)
    expect(page.locator(".status .more")).to_contain_text("The server does not answer")
