"""Games as text, there and back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcast import BadRecord, GameRecord
from fourcast.arena.transfer import read_games, to_pgn, write_games
from tests.arena.games import some_games

PLAIN = [game for _, game in some_games(6)]
SLIPPED = [game for _, game in some_games(6, "8x10x5", 0.2)]
FAILED = [
    replace(
        PLAIN[0],
        aimed=PLAIN[0].aimed[:3],
        landed=PLAIN[0].landed[:3],
        seconds=PLAIN[0].seconds[:3],
        winner=0,
        ending="crash",
        words='it said "no" \\ and left',
    ),
    replace(PLAIN[1], lapses=(1, 4)),
]
GAMES = [*PLAIN, *SLIPPED, *FAILED]
TAGS = '[Board "6x7x4"]\n[First "a"]\n[Second "b"]\n[Result "1-0"]\n'


@pytest.mark.parametrize("form", ["jsonl", "pgn"])
def test_games_come_back(form: str) -> None:
    text = "".join(write_games(GAMES, form))
    assert list(read_games(text.splitlines())) == GAMES


def test_blank_lines_do_not_matter() -> None:
    pieces = [*write_games(GAMES[:3], "pgn"), "\n\n", *write_games(GAMES[3:5], "pgn")]
    assert list(read_games("".join(pieces).splitlines())) == GAMES[:5]


def test_the_notation_is_for_people() -> None:
    text = to_pgn(SLIPPED[0])
    assert '[Board "8x10x5"]\n[Slip "0.2"]\n[First "random"]\n[Second "greedy"]' in text
    assert max(map(len, text.splitlines())) <= 80
    assert any(">" in word for game in SLIPPED for word in to_pgn(game).split()), "some disc has slipped"
    (game,) = read_games(f"{TAGS}\n1. 4 1 2. 4 1 3. 4 1 4. 4 1-0\n".splitlines())
    assert (game.moves, game.players, game.seconds) == ("4141414", ("a", "b"), (0.0,) * 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: it is not JSON"),
        ('{"board": "6x7x4"}', "line 1: first is missing"),
        ("{}", "line 1: board is missing"),
        ("hello", "line 1: the tag Board is missing"),
        ("\n\n[Board 6x7x4]\n", "line 3: '.Board 6x7x4.' is not a tag"),
        (f"{TAGS}1. 4 ?", r"'\?' is not a move"),
        (f"{TAGS}1. 4 9", "off the board"),
        (f"{TAGS}1. 4 4", "the game goes on"),
        (f'[Slip "x"]\n{TAGS}', "could not convert"),
        ("x" * 1_000_001, "longer than"),
        ("[" * 5000, "is not a tag"),
        ('{"a":' * 5000, "line 1: it is not JSON"),
    ],
)
def test_what_is_no_game_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        list(read_games(text.splitlines()))


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        games = list(read_games(text.splitlines()))
    except BadRecord:
        return
    assert all(isinstance(game, GameRecord) for game in games)


@given(st.data())
def test_a_changed_game_is_sound_or_refused(data: st.DataObject) -> None:
    record = PLAIN[0].to_json()
    name = data.draw(st.sampled_from(sorted(record)))
    anything = st.one_of(st.none(), st.integers(), st.text(max_size=5), st.lists(st.integers(), max_size=3))
    record[name] = data.draw(anything)
    try:
        (game,) = read_games([json.dumps(record)])
    except BadRecord:
        return
    assert game.checked() == game
