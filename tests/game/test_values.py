"""Limits, analyses, outcomes and drawings."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given

from fourcast import (
    Analysis,
    BadLimit,
    Geometry,
    Limit,
    Position,
    UnreachablePosition,
)
from fourcast.game.analysis import plies_to_end, score_at_end
from tests.boards import positions


def test_limits_are_read_as_they_are_typed() -> None:
    assert Limit.parse("0.5s") == Limit(seconds=0.5)
    assert Limit.parse("200ms") == Limit(seconds=0.2)
    assert Limit.parse("2min") == Limit(seconds=120)
    assert Limit.parse("1s, nodes=1000,depth=6") == Limit(seconds=1, nodes=1000, depth=6)
    assert str(Limit.parse("simulations=800,100ms")) == "0.1s,simulations=800"
    assert str(Limit()) == "no limit"
    assert str(Limit(seconds=np.float64(0.5), nodes=np.int64(7))) == "0.5s,nodes=7"  # type: ignore[arg-type]
    for seconds in (1234567.5, 1e-5, 0.1, 3):
        assert Limit.parse(str(Limit(seconds=seconds))) == Limit(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "0s",
        "depth=0",
        "depth=1.5",
        "depth=-1",
        "x=1",
        "1s,2s",
        "infs",
        "seconds=nan",
        "nodes=" + "9" * 400,
        "depth=" + "9" * 5000,
    ],
)
def test_limits_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(BadLimit, match="limit"):
        Limit.parse(text)


@pytest.mark.parametrize(
    "amounts",
    [
        {"seconds": 0},
        {"nodes": -1},
        {"depth": 1.5},
        {"simulations": True},
        {"nodes": 10**400},
        {"seconds": 10**400},
    ],
)
def test_limits_are_positive_amounts(amounts: dict[str, float]) -> None:
    with pytest.raises(BadLimit, match=next(iter(amounts))):
        Limit(**amounts)  # type: ignore[arg-type]


@given(positions())
def test_a_win_in_one_ends_after_one_more_disc(position: Position) -> None:
    """By the definition of a score: the winner's discs left, counting the winning one."""
    geometry = position.geometry
    if position.winning_columns(position.turn):
        own = (geometry.cells + 1) // 2 if position.turn == 0 else geometry.cells // 2
        left = own - position.ply // 2
        assert plies_to_end(position, left) == 1


def test_scores_tell_when_the_game_ends() -> None:
    assert plies_to_end(Position(), 1) == 41  # the first player wins on the 41st move
    assert plies_to_end(Position(), 0) == 42
    assert plies_to_end(Position.from_moves("4"), -1) == 40  # the same win, seen by the loser
    assert plies_to_end(Position(Geometry(5, 5, 4)), -1) == 24


@given(positions())
def test_when_a_game_ends_is_told_by_the_score_and_back(position: Position) -> None:
    """Every score that the side to move could have from here, and the ply at which the game would end."""
    left = position.geometry.cells - position.ply
    for plies in range(1, left + 1):
        won = plies % 2 == 1  # whoever drops the last disc wins
        score = score_at_end(position, plies, won=won)
        assert (score > 0) == won
        assert plies_to_end(position, score) == plies


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ({}, {}, {}),
        ({"seconds": 1}, {}, {"seconds": 1}),
        ({"seconds": 1, "nodes": 50}, {"seconds": 2, "nodes": 20}, {"seconds": 1, "nodes": 20}),
        ({"depth": 3}, {"simulations": 9}, {"depth": 3, "simulations": 9}),
        ({"depth": 3, "nodes": 1}, {"depth": 2}, {"depth": 2, "nodes": 1}),
    ],
)
def test_two_limits_can_be_kept_at_once(
    one: dict[str, int], other: dict[str, int], both: dict[str, int]
) -> None:
    first, second = Limit(**one), Limit(**other)
    assert first.within(second) == second.within(first) == Limit(**both)
    assert first.within(first) == first
    assert first.is_open == (not one)


def test_an_analysis_goes_to_json_by_its_field_names() -> None:
    analysis = Analysis(
        Position.from_moves("44"), 3, score=1, scores=(-4, -2, -2, 1, None, -2, -4), pv=(3, 1), exact=True
    )
    record = json.loads(json.dumps(analysis.to_json()))
    assert record["board"] == "6x7x4"
    assert record["moves"] == "44"
    assert record["column"] == 3
    assert record["scores"] == [-4, -2, -2, 1, None, -2, -4]
    assert record["pv"] == [3, 1]
    assert record["line"] == "42"
    assert record["exact"] is True
    assert record["plies_to_end"] == 39
    assert Analysis(Position(), 0).plies_to_end is None


def test_the_drawing_is_plain_or_coloured() -> None:
    position = Position.from_moves("1212121")
    assert str(position).splitlines() == [
        " | . . . . . . . |",
        " | . . . . . . . |",
        " | X . . . . . . |",
        " | X O . . . . . |",
        " | X O . . . . . |",
        " | X O . . . . . |",
        " +---------------+",
        "   1 2 3 4 5 6 7",
    ]
    coloured = position.draw(colour=True)
    assert coloured.count("\x1b[91m\x1b[1;7mX") == 4, "the winning line stands out"
    assert coloured.count("\x1b[93mO") == 3
    assert "\x1b" not in position.draw()


def test_the_widest_board_is_drawn_in_80_columns() -> None:
    assert max(map(len, str(Position("2x35x4")).splitlines())) <= 80


@given(positions())
def test_the_svg_shows_every_disc_and_the_line(position: Position) -> None:
    picture = ET.fromstring(position._repr_svg_())
    svg = "{http://www.w3.org/2000/svg}"
    circles = picture.findall(f"{svg}circle")
    letters = [text.text for text in picture.findall(f"{svg}text")][: position.ply]
    ringed = [circle for circle in circles if circle.get("stroke") == "#ffffff"]
    outcome = position.outcome
    assert len(circles) == position.geometry.cells
    assert letters.count("X") == position.first.bit_count()
    assert letters.count("O") == position.second.bit_count()
    assert len(ringed) == (len(outcome.line) if outcome else 0)


def test_boards_that_no_game_leads_to_are_positions_all_the_same() -> None:
    # The lowest disc of every column is O's, and X moves first.
    upside_down = Position.from_text("X..X/OO.O".replace("OO.O", "O..O"), 4)
    with pytest.raises(UnreachablePosition, match="no order of moves"):
        _ = upside_down.moves
    assert upside_down.to_json()["moves"] is None
    assert upside_down.legal == (1, 2)
    assert "from_text" in repr(upside_down)
