"""Any board, with or without slip, by the same rules as everywhere."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from fourcast.game.position import Position
from fourcast.game.rules import Rules
from tests.web.page.conftest import Open
from tests.web.page.looking import address, column, discs, status

PLAYED = """async ([rows, columns, connect, moves]) => {
    const {Position} = await import("/js/game.js");
    let position = new Position({rows, columns, connect});
    const seen = [];
    for (const column of [null, ...moves]) {
        if (column !== null) position = position.play(column);
        const {outcome} = position;
        seen.push([position.legal, outcome && outcome.winner, outcome ? outcome.cells : []]);
    }
    return seen;
}"""

LANDED = """async ([rows, columns, connect, moves, aim, slip, chances]) => {
    const {Position, land} = await import("/js/game.js");
    const position = new Position({rows, columns, connect}, moves);
    return chances.map(chance => land(position, aim, slip, () => chance));
}"""


class Chance:
    """A chance that is known beforehand."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def random(self) -> float:
        return self.chance


def test_eight_by_ten_with_slip(visit: Open) -> None:
    page = visit("/?first=human&second=human", script="Math.random = () => 0.01")  # every disc slips
    page.locator("[data-action='new']").click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Rows").fill("8")
    dialog.get_by_label("Columns").fill("10")
    dialog.get_by_label("In a line to win").fill("11")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "A line cannot be longer than the board is wide or high."
    )
    dialog.get_by_label("In a line to win").fill("5")
    dialog.get_by_label("Slip").fill("0.2")
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator(".column")).to_have_count(10)
    page.keyboard.press("a")
    expect(page.locator(".status .more")).to_have_text("Amber aimed at a, landed in 1")
    expect(page.locator(".stage .aimed")).to_have_count(1)
    column(page, 3).click()
    said = address(page)
    assert (said["board"], said["slip"], said["aims"], said["moves"]) == ("8x10x5", "0.2", "a3", "11")
    expect(page.get_by_role("button", name="Move 1: Amber, column 1, aimed at a")).to_be_visible()
    page.reload()
    expect(discs(page)).to_have_count(2)
    expect(page.locator(".status .more")).to_have_text("Blue aimed at 3, landed in 1")
    page.keyboard.press("Shift+U")  # letters name columns here
    expect(discs(page)).to_have_count(1)


def test_levels_follow_to_another_board(visit: Open) -> None:
    page = visit("/?first=human&second=perfect:level=3")
    page.locator("#player-1").wait_for()
    page.locator("[data-action='new']").click()
    page.get_by_role("button", name="Large 8x10x5").click()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".column")).to_have_count(10)
    assert address(page)["second"] == "negamax:level=3"
    expect(page.locator("#player-1 option:checked")).to_have_text("Easy")


@pytest.mark.parametrize("board", ["6x7x4", "8x10x5", "3x3x3", "1x8x3", "9x4x4"])
def test_games_go_as_they_go_in_python(visit: Open, board: str) -> None:
    page = visit("/")
    chance = random.Random(board)
    for _ in range(6):
        position = Position.from_moves("", board)
        expected = [_seen(position)]
        moves = []
        while not position.is_over:
            moves.append(chance.choice(position.legal))
            position = position.play(moves[-1])
            expected.append(_seen(position))
        rows, columns, connect = map(int, board.split("x"))
        for ours, theirs in zip(
            page.evaluate(PLAYED, [rows, columns, connect, moves]), expected, strict=True
        ):
            assert (ours[0], ours[1], sorted(map(tuple, ours[2]))) == theirs


def _seen(position: Position) -> tuple[list[int], int | None, list[tuple[int, int]]]:
    outcome = position.outcome
    cells = sorted((cell.row, cell.column) for cell in outcome.line) if outcome else []
    return list(position.legal), outcome.winner if outcome else None, cells


def test_discs_slip_as_they_do_in_python(visit: Open) -> None:
    page = visit("/")
    rules = Rules("4x5x4", 0.3)
    moves = [0, 0, 0, 0, 3, 2]
    position = Position.from_moves(moves, "4x5x4")
    chances = [index / 200 for index in range(200)]
    landed = page.evaluate(LANDED, [4, 5, 4, moves, 2, 0.3, chances])
    assert landed == [rules.land(position, 2, Chance(chance)) for chance in chances]
    full = [0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3]
    assert page.evaluate(LANDED, [4, 4, 5, full, 2, 0.3, [0.0]]) == [2], (
        "the last open column holds every disc"
    )


@pytest.mark.parametrize("path", ["/?board=5x6x4&slip=0.2", "/?board=5x6x4"])
@pytest.mark.slow
def test_who_plays_where_the_address_does_not_say_is_easy(visit: Open, path: str) -> None:
    page = visit(path)
    expect(page.locator("#player-1 option:checked")).to_have_text("Easy")


def test_a_drawn_board_is_a_draw(visit: Open) -> None:
    page = visit("/?board=1x4x3&moves=123&first=human&second=human")
    column(page, 4).click()
    expect(status(page)).to_have_text("A draw: the board is full")
