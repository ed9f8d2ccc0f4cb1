"""What the page says of positions and games."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from fourcast.web.reviewing import judgement
from tests.web.page.conftest import Open
from tests.web.page.looking import address, announced, column, discs, switch
from tests.web.running import Running

LATE = "44444432655"  # solved in a moment
GOOD = """async ([kind, known]) => {
    const {isGood} = await import("/js/puzzle.js");
    return known.map((_, column) => column).filter(column => isGood({[kind]: known}, column));
}"""


def test_every_column_has_its_exact_score_in_words(visit: Open, server: Running) -> None:
    page = visit(f"/?moves={LATE}&first=human&second=human")
    switch(page, "scores")
    expect(page.locator(".analysis .by")).to_have_text("Exact")
    found = server.answer("analyze", board="6x7x4", moves=LATE)
    for number, (words, score) in enumerate(zip(found["words"], found["scores"], strict=True), start=1):
        if score is None:
            expect(column(page, number)).to_have_attribute("aria-label", re.compile("full"))
            continue
        label = column(page, number).get_attribute("aria-label") or ""
        assert words.replace("draw", "draws") in label
        assert ("best" in label) == (score == max(each for each in found["scores"] if each is not None))
    best = page.locator(".score.best").first
    expect(best).to_be_visible()
    switch(page, "scores")
    expect(page.locator(".score b")).to_have_count(0)


def test_the_board_does_not_move_when_scores_come(visit: Open) -> None:
    page = visit(f"/?moves={LATE}&first=human&second=human")
    before = page.locator("svg.board").bounding_box()
    switch(page, "scores")
    expect(page.locator(".analysis .by")).to_have_text("Exact")
    assert page.locator("svg.board").bounding_box() == before


def test_the_best_line_is_shown_on_the_board(visit: Open) -> None:
    page = visit(f"/?moves={LATE}&first=human&second=human")
    switch(page, "scores")
    page.locator(".step").nth(2).hover()
    expect(page.locator(".ghost text")).to_have_text(["1", "2", "3"])
    page.locator(".status").hover()
    expect(page.locator(".ghost")).to_have_count(0)


def test_the_best_line_goes_on_where_the_book_ends(visit: Open, server: Running) -> None:
    moves = "4443265"
    book = server.answer("analyze", board="6x7x4", moves=moves)
    assert 0 < len(book["pv"]) < book["plies_to_end"]
    server.answer("analyze", board="6x7x4", moves=moves + book["line"])  # so that it is known from now on
    page = visit(f"/?moves={moves}&first=human&second=human")
    switch(page, "scores")
    expect(page.locator(".step")).to_have_count(min(book["plies_to_end"], 24))
    known = [str(column + 1) for column in book["pv"]]
    assert page.locator(".step").all_text_contents()[: len(known)] == known


def test_threats_are_marked_as_the_server_sees_them(visit: Open, server: Running) -> None:
    moves = "4433"
    page = visit(f"/?moves={moves}52&first=human&second=human")
    switch(page, "threats")
    threats = server.answer("position", board="6x7x4", moves=f"{moves}52")["threats"]
    assert threats
    expect(page.locator(".stage path.threat")).to_have_count(len(threats))
    expect(page.locator(".legend")).to_be_visible()
    for threat in threats:
        side, place = (
            ("Amber", "Blue")[threat["player"]],
            f"column {threat['column'] + 1}, row {threat['row'] + 1}",
        )
        assert f"{side} wins in {place} ({'odd' if threat['odd'] else 'even'}" in announced(page)


def test_a_review_finds_the_blunder_and_makes_a_puzzle_of_it(visit: Open) -> None:
    # Amber has three on the bottom row, and Blue looks away: Amber could win at once, and does not.
    page = visit("/?moves=3343573&first=human&second=greedy&ply=7")
    page.get_by_role("button", name="Review the game").click()
    fault = page.locator(".fault-link").filter(has_text="Amber").first
    expect(fault).to_be_visible()
    expect(page.get_by_role("button", name="Review again")).to_be_enabled()
    assert page.locator(".chart .curve").get_attribute("d")
    expect(page.locator(".chart .fault").first).to_be_visible()
    ply = int((page.locator(".chart .fault").first).get_attribute("data-ply") or 0)
    page.locator(".chart .fault").first.click()
    expect(discs(page)).to_have_count(ply)
    page.get_by_role("button", name="Learn from your mistakes").click()
    puzzle = page.get_by_role("region", name="Find a better move")
    expect(puzzle.get_by_role("button", name="Next")).to_be_disabled()
    before = address(page)["moves"]
    puzzle.get_by_role("button", name="Show the answer").click()
    best = re.search(r"Best: column (\w)", puzzle.locator(".reply").text_content() or "")
    assert best is not None
    page.keyboard.press(best[1])
    expect(puzzle.locator(".reply")).to_contain_text(f"Yes, column {best[1]}")
    assert address(page)["moves"] == before, "an answer is not a move of the game"
    page.keyboard.press("Escape")
    expect(puzzle).to_be_hidden()


def test_a_puzzle_takes_every_move_that_a_review_would_not_mark(visit: Open) -> None:
    page = visit("/")
    cases: list[tuple[str, list[float | None]]] = [
        ("scores", [-13, 12, 13, None, 10, 11, 0]),
        ("scores", [0, -1, -2, 1, 0, None, 0]),
        ("scores", [-4, -3, -7, -6, -1, None, None]),
        ("values", [0.1, 0.24, None, -0.3, 0.08, 0.1, 0.24]),
    ]
    for kind, known in cases:
        best = max(each for each in known if each is not None)
        unmarked = [
            column
            for column, worth in enumerate(known)
            if worth is not None and judgement(best, best - worth, exact=kind == "scores") is None
        ]
        assert page.evaluate(GOOD, [kind, known]) == unmarked


@pytest.mark.slow  # compiles an agent for the large board
def test_where_nothing_is_solved_an_agent_says_what_it_thinks(visit: Open) -> None:
    page = visit("/?board=8x10x5&slip=0.2&moves=5566&first=human&second=human")
    switch(page, "scores")
    expect(page.locator(".analysis .by")).to_have_text("by expectimax:values=all")
    expect(page.locator(".score b")).to_have_count(10)
