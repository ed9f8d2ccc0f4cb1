"""The page for teaching: search trees, and two searches side by side."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.page.conftest import Open
from tests.web.page.looking import address, column

BOTH = "/tree?moves=444&agent=alphabeta:depth=3&other=minimax:depth=3"


def figure(page: Page, row: str) -> list[int]:
    cells = page.locator(".figures-table tr").filter(has_text=row).locator("td").all_text_contents()
    return [int(re.sub(r"\D", "", cell) or 0) for cell in cells]


def test_pruning_is_shown_and_saves_nodes(visit: Open) -> None:
    page = visit(BOTH)
    expect(page.locator("[data-pane='1'] .node").first).to_be_visible()
    alphabeta, minimax = figure(page, "Nodes")
    assert alphabeta < minimax == 7 + 49 + 343 + 1
    assert figure(page, "Cutoffs")[0] > 0
    expect(page.locator("[data-pane='0'] .node.pruned").first).to_be_visible()
    expect(page.locator("[data-pane='1'] .node.pruned")).to_have_count(0)


def test_nodes_open_and_close_by_mouse_and_keyboard(visit: Open) -> None:
    page = visit(BOTH)
    pane = page.locator("[data-pane='1']")
    expect(pane.locator(".node").first).to_be_visible()
    pane.get_by_role("button", name="Best line only").click()
    nodes = pane.get_by_role("treeitem")
    expect(nodes).to_have_count(1 + 7 + 7 + 7)
    closed = pane.locator(".node[aria-expanded='false']").first
    closed.click()
    expect(nodes).to_have_count(1 + 7 + 7 + 7 + 7)
    page.keyboard.press("ArrowLeft")
    expect(nodes).to_have_count(1 + 7 + 7 + 7)
    page.keyboard.press("Enter")
    expect(nodes).to_have_count(1 + 7 + 7 + 7 + 7)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage .ghost")).not_to_have_count(0)


def test_values_flow_up_from_the_leaves(visit: Open) -> None:
    page = visit(BOTH)
    pane = page.locator("[data-pane='1']")
    root = pane.locator(".node .words").first
    expect(root).not_to_have_text("?")
    value = root.text_content()
    pane.get_by_label("Values known").fill("3")
    expect(root).to_have_text("?")
    expect(pane.locator(".node.leaf .words", has_text="?")).to_have_count(0)
    pane.get_by_role("button", name="Let values flow up").click()
    expect(root).to_have_text(value or "")


def test_a_monte_carlo_tree_counts_games(visit: Open) -> None:
    page = visit("/tree?moves=444&agent=mcts:simulations=200&other=")
    root = page.locator("[data-pane='0'] .node").first
    expect(root).to_have_attribute("aria-label", re.compile(r"Root, .*, \d+ games"))
    expect(page.locator("[data-pane='1']")).to_be_hidden()


def test_the_position_can_be_played_on_and_taken_back(visit: Open) -> None:
    page = visit(BOTH)
    expect(page.locator("[data-pane='1'] .node").first).to_be_visible()
    column(page, 2).click()
    assert address(page)["moves"] == "4442"
    expect(page.locator(".tree-view")).to_have_count(2)
    page.go_back()
    expect(page.locator(".stage .discs .disc")).to_have_count(3)


def test_the_root_stays_in_sight_and_no_ply_is_cut(visit: Open) -> None:
    page = visit(BOTH)
    pane = page.locator("[data-pane='1']")
    expect(pane.locator(".node").first).to_be_visible()
    pane.get_by_role("button", name="Open all").click()
    expect(pane.get_by_role("treeitem")).not_to_have_count(1 + 7 + 7 + 7)
    box = pane.locator(".tree-scroll")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    outer, root = box.bounding_box(), pane.locator(".node").first.bounding_box()
    assert outer is not None
    assert root is not None
    assert outer["y"] < root["y"] < outer["y"] + outer["height"]


def test_a_tree_page_says_when_the_server_does_not_answer(visit: Open) -> None:
    page = visit("/", script="fetch = () => Promise.reject(new TypeError('gone'))")
    page.goto(page.url.split("?")[0] + "tree")
    expect(page.locator("[data-pane='0']")).to_contain_text("The server does not answer")
