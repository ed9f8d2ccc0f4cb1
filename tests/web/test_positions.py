"""The calls that need no search."""

from __future__ import annotations

import fourcast
from tests.web.running import Running


def test_it_says_how_it_is(server: Running) -> None:
    assert server.health()["status"] == "ok"
    assert server.get("/api/version").json()["version"] == fourcast.__version__
    caps = server.get("/api/settings").json()
    assert caps["seconds"] == 5
    assert caps["games"] is True


def test_a_position_with_a_threat(server: Running) -> None:
    seen = server.answer("position", moves="435362")
    assert seen["text"][-2:] == ["..O....", ".OOXXX."]
    assert (seen["ply"], seen["turn"], seen["legal"], seen["outcome"]) == (6, 0, [0, 1, 2, 3, 4, 5, 6], None)
    assert seen["threats"] == [{"player": 0, "row": 0, "column": 6, "odd": True, "playable": True}]


def test_threats_are_odd_or_even_and_may_be_out_of_reach(server: Running) -> None:
    threats = server.answer("position", moves="1121222333")["threats"]
    cells = {(each["player"], each["row"], each["column"]): each for each in threats}
    for (_, row, column), each in cells.items():
        assert each["odd"] == (row in (0, 2, 4))
        assert each["playable"] == (row == "1121222333".count(str(column + 1)))


def test_a_game_that_is_won(server: Running) -> None:
    seen = server.answer("position", moves="4353627")
    assert seen["legal"] == []
    assert seen["outcome"] == {
        "winner": 0,
        "cells": [[0, 3], [0, 4], [0, 5], [0, 6]],
        "words": "first player (X) wins on move 7",
    }
    assert not any(threat["playable"] for threat in seen["threats"])


def test_a_large_board_and_letters(server: Running) -> None:
    seen = server.answer("position", board="8x10x5", moves="aA9", slip=0.2)
    assert seen["board"] == "8x10x5"
    assert seen["moves"] == "aa9"


def test_agents_are_those_of_this_house(server: Running) -> None:
    seen = server.get("/api/agents").json()
    by_name = {agent["name"]: agent for agent in seen["agents"]}
    assert not {"human", "file", "exec"} & set(by_name)
    assert by_name["alphabeta"]["plays"]
    assert by_name["alphabeta"]["tree"]
    assert by_name["mcts"]["keeps"] == ["seconds", "simulations", "nodes"]
    depth = next(option for option in by_name["alphabeta"]["options"] if option["name"] == "depth")
    assert depth["default"] == 6
    assert depth["help"]


def test_options_say_how_much_may_be_asked_for_here(server: Running) -> None:
    agents = {each["name"]: each for each in server.get("/api/agents").json()["agents"]}
    takes = {option["name"]: option["takes"] for option in agents["negamax"]["options"]}
    assert takes["table_mb"].endswith("; here 64 at most")
    assert "here" not in takes["eval"]


def test_agents_that_cannot_play_say_why(server: Running) -> None:
    seen = server.get("/api/agents?board=4x9x4").json()
    network = next(agent for agent in seen["agents"] if agent["name"] == "network")
    assert not network["plays"]
    assert "4x9x4" in network["why"]


def test_the_ladder_plays_on_every_board(server: Running) -> None:
    for query in ("", "?board=8x10x5", "?board=8x10x5&slip=0.2"):
        seen = server.get(f"/api/agents{query}").json()
        names = {agent["name"] for agent in seen["agents"] if agent["plays"]}
        ladder = seen["suggested"]
        assert [step["label_key"] for step in ladder] == ["easiest", "easy", "medium", "hard", "hardest"]
        assert {step["agent"].partition(":")[0] for step in ladder} <= names
