"""Analyses and games as notebooks draw them."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast.game.analysis import Analysis
from fourcast.game.errors import BadRecord
from fourcast.game.notation import column_name
from fourcast.game.outcome import FIRST
from fourcast.game.position import Position
from fourcast.game.record import FULL, LINE, GameRecord
from fourcast.game.rules import Rules
from tests.boards import BOARDS

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawn: ET.Element) -> list[str]:
    return [each.text or "" for each in drawn.iter(f"{SVG}text")]


def inside(drawn: ET.Element) -> bool:
    """Whether the sheet is as large as the drawing says."""
    sheet = drawn.find(f"{SVG}rect")
    assert sheet is not None
    return float(sheet.get("width", 0)) + 1 == float(drawn.get("width", 0))


def play_out(rules: Rules, seed: int) -> GameRecord:
    """A game of two players who drop their discs anywhere."""
    chance = random.Random(seed)
    position, aimed, landed = Position(rules.geometry), [], []
    while not position.is_over:
        aimed.append(chance.choice(position.legal))
        landed.append(rules.land(position, aimed[-1], chance))
        position = position.play(landed[-1])
    outcome = position.outcome
    assert outcome is not None
    return GameRecord(
        rules,
        ("left", "right"),
        (),
        tuple(aimed),
        tuple(landed),
        (0.0,) * len(aimed),
        outcome.winner,
        FULL if outcome.winner is None else LINE,
    ).checked()


def test_an_analysis_shows_what_every_column_is_worth_and_frames_the_best() -> None:
    position = Position.from_moves("4444432655")
    analysis = Analysis(
        position,
        2,
        score=1,
        scores=(-15, -14, 1, -15, -15, 0, -15),
        pv=(2, 2, 2),
        nodes=153_148,
        seconds=0.5,
        exact=True,
    )
    drawn = ET.fromstring(analysis._repr_svg_())
    said = texts(drawn)
    assert said[:11] == [
        "Loss",
        "in 2",
        "Loss",
        "in 3",
        "Win",
        "in 16",
        "Loss",
        "in 2",
        "Loss",
        "in 2",
        "Draw",
    ]
    framed = [each for each in drawn.iter(f"{SVG}rect") if each.get("class") == "best"]
    assert len(framed) == 1
    assert float(framed[0].get("x", 0)) < 8 + 2.5 * 40 < float(framed[0].get("x", 0)) + 40, "column 3"
    assert "X to move, wins in 16 moves" in " ".join(said)
    assert "333..." in said, "the line of play, cut short"
    assert "153,148 nodes, 0.500 s" in " ".join(said)


def test_values_and_shares_are_shown_where_there_are_no_scores() -> None:
    position = Position.from_moves("1", "4x4x3")
    values = Analysis(position, 1, value=0.25, values=(-0.5, 0.25, None, -0.004))
    assert texts(ET.fromstring(values._repr_svg_()))[:3] == ["-0.50", "+0.25", "+0.00"]
    shares = Analysis(position, 1, policy=(0.25, 0.75, 0.0, 0.0))
    assert texts(ET.fromstring(shares._repr_svg_()))[:4] == ["25%", "75%", "0%", "0%"]
    silent = Analysis(position, 1)
    assert texts(ET.fromstring(silent._repr_svg_()))[:1] == ["best"]
    only_best = Analysis(position, 1, value=-0.9)
    assert texts(ET.fromstring(only_best._repr_svg_()))[:1] == ["-0.90"]
    bounded = Analysis(position, 1, bounds=(-2, 5))
    assert "O to move, score from -2 to 5" in " ".join(texts(ET.fromstring(bounded._repr_svg_())))


@pytest.mark.parametrize("board", BOARDS, ids=str)
@given(st.data())
def test_any_board_can_be_drawn(board: object, data: st.DataObject) -> None:
    rules = Rules(str(board), 0.3)
    record = play_out(rules, data.draw(st.integers(0, 1000)))
    drawn = ET.fromstring(record._repr_svg_())
    assert inside(drawn)
    numbers = [int(text) for text in texts(drawn)[4 : 4 + record.plies]]
    assert sorted(numbers) == list(range(1, record.plies + 1)), "every disc has its number"
    *before, _ = record.positions()
    analysis = Analysis(before[-1], before[-1].legal[0], values=(0.5,) * rules.geometry.columns, nodes=10**9)
    assert inside(ET.fromstring(analysis._repr_svg_()))


def test_a_game_says_who_won_and_how_and_where_discs_slipped() -> None:
    record = GameRecord(
        Rules(slip=0.2), ("one", "two"), (0, 1), (0, 1, 0, 1, 4), (0, 1, 0, 1, 0), (0.0,) * 5, FIRST, LINE
    ).checked()
    drawn = ET.fromstring(record._repr_svg_())
    said = texts(drawn)
    assert [said[1], said[3]] == ["one", "two"]
    ringed = [each for each in drawn.iter(f"{SVG}circle") if each.get("stroke") == "#ffffff"]
    assert len([each for each in ringed if each.get("stroke-width") == "4"]) == 4, "the winning line"
    dashed = [each for each in ringed if each.get("stroke-dasharray")]
    assert [each.findtext(f"{SVG}title") for each in dashed] == ["move 7 was aimed at 5"]
    words = " ".join(said)
    for wanted in ("1-0, a line after 7 discs", "opening 12", "moves 12121", "slipped 7 from 5 to 1"):
        assert wanted in words


def test_a_game_that_an_agent_lost_otherwise_says_why() -> None:
    record = GameRecord(
        Rules(), ("one", "two"), (), (3,), (3,), (0.1,), FIRST, "timeout", words="it took 3 s"
    ).checked()
    assert "1-0, timeout after 1 disc: it took 3 s" in " ".join(texts(ET.fromstring(record._repr_svg_())))


def test_a_game_that_cannot_have_happened_is_not_drawn() -> None:
    record = GameRecord(Rules(), ("one", "two"), (), (3, 9), (3, 9), (0.1, 0.1), FIRST, LINE)
    with pytest.raises(BadRecord, match="column"):
        record._repr_svg_()


@given(st.text(min_size=1), st.text())
def test_whatever_players_are_called_the_drawing_is_sound(name: str, words: str) -> None:
    record = GameRecord(
        Rules(),
        (name, "<script>alert(1)</script> & \"'"),
        (),
        (3,),
        (3,),
        (0.1,),
        FIRST,
        "crash",
        words=words,
    )
    drawn = record._repr_svg_()
    root = ET.fromstring(drawn)
    assert inside(root)
    assert "<script" not in drawn
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        "svg",
        "g",
        "title",
        "rect",
        "circle",
        "text",
    }


def test_a_long_line_of_play_stays_on_its_sheet() -> None:
    record = play_out(Rules("8x10x5"), 3)
    analysis = Analysis(Position("8x10x5"), 0, pv=record.landed, value=0.1)
    said = texts(ET.fromstring(analysis._repr_svg_()))
    line = "".join(map(column_name, record.landed))
    parts = [each for each in said if len(each) > 20 and each in line]
    assert "".join(parts) == line
    assert max(map(len, parts)) * 8 < 416 - 62


def test_long_words_are_cut() -> None:
    record = GameRecord(
        Rules(), ("a" * 500, "two"), (), (3,), (3,), (0.1,), FIRST, "crash", words="word " * 200
    )
    said = texts(ET.fromstring(record._repr_svg_()))
    assert max(map(len, said)) < 60
    assert len(said) < 40
    assert texts(ET.fromstring(replace(record, words="")._repr_svg_()))[1].endswith("\u2026")
