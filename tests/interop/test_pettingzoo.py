"""The PettingZoo environment: by PettingZoo's own tests, and beside its own connect_four."""

from __future__ import annotations

import pickle
import random
import warnings
from copy import deepcopy as copy_of
from typing import Any

import numpy as np
import pytest

from fourcast import (
    BadGeometry,
    BadNotation,
    BadOption,
    BadSlip,
    ColumnFull,
    ColumnOffBoard,
    GameOver,
    Position,
)
from fourcast.interop.pettingzoo import env, raw_env
from tests.interop.missing import says_what_to_install

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it warns of its own old ways
    from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]
    from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]
    from pettingzoo.test.render_test import render_test  # type: ignore[import-untyped]

# What api_test says of every environment with a mask and an empty board, but for those that it knows by name.
_OF_ALL = (
    "Observation is not a NumPy array",
    "Observation numpy array is all zeros",
    "Observation space for each agent probably should be",
)
GAMES: list[dict[str, Any]] = [
    {},
    {"slip": 0.3},
    {"board": "8x10x5"},
    {"board": "5x4x3", "slip": 0.2},
    {"board": "1x8x3"},
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_pettingzoos_own_tests_pass(game: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env(**game), num_cycles=200)
        seed_test(lambda: env(**game), num_cycles=100)
    assert [each for each in caught if not str(each.message).startswith(_OF_ALL)] == []


def test_it_can_be_shown_in_every_mode(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(env)
    assert "| . . . . . . . |" in capsys.readouterr().out


def test_games_are_those_of_pettingzoos_own_connect_four() -> None:
    """What both agents see, may do and get, move by move, until the last agent has left."""
    chance = random.Random(4)
    endings = set()
    for _ in range(40):
        ours, theirs = env(), connect_four_v3.env()
        ours.reset(seed=1)
        theirs.reset(seed=1)
        while theirs.agents:
            assert ours.agents == theirs.agents
            assert ours.agent_selection == theirs.agent_selection
            for agent in theirs.agents:
                seen, wanted = ours.observe(agent), theirs.observe(agent)
                assert (seen["observation"] == wanted["observation"]).all()
                if not any(theirs.terminations.values()):  # theirs has a mask even when the game is over
                    assert (seen["action_mask"] == wanted["action_mask"]).all()
            (_, *said, _info), (wanted, *expected, _) = ours.last(), theirs.last()
            assert said == expected
            over = expected[1] or expected[2]
            column = None if over else chance.choice(np.flatnonzero(wanted["action_mask"]).tolist())
            if over:
                endings.add((theirs.agent_selection, expected[0]))
            ours.step(column)
            theirs.step(column)
    assert {("player_0", 1), ("player_0", -1), ("player_1", 1), ("player_1", -1)} <= endings


def test_a_full_column_loses_the_game() -> None:
    game = env()
    game.reset()
    for column in (0, 0, 0, 0, 0, 0):
        game.step(column)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo's logger says that an illegal move was made
        game.step(0)
    assert game.rewards == {"player_0": -1.0, "player_1": 0}
    assert all(game.terminations.values())


def test_without_the_wrappers_a_move_that_cannot_be_played_is_named() -> None:
    game = raw_env("1x8x3")
    game.reset()
    game.step(0)
    with pytest.raises(ColumnFull, match="move 2: column 1 is full"):
        game.step(0)
    with pytest.raises(ColumnOffBoard, match="move 2: there is no column 9 on board 1x8x3"):
        game.step(8)
    assert game.position == Position.from_moves("1", "1x8x3"), "nothing was dropped"
    with pytest.raises(AssertionError, match="action is not in action space"):
        wrapped = env()
        wrapped.reset()
        wrapped.step(7)


@pytest.mark.parametrize("action", ["x", 3.5, None, True])
def test_an_action_that_is_no_whole_number_is_named_and_drops_nothing(action: Any) -> None:
    game = raw_env()
    game.reset()
    with pytest.raises(ColumnOffBoard, match="a column is a whole number from 0 to 6"):
        game.step(action)
    assert game.position == Position()


def test_before_reset_there_is_no_game() -> None:
    game = raw_env()
    uses = (lambda: game.step(3), lambda: game.observe("player_0"), game.last, game.agent_iter)
    for use in uses:
        with pytest.raises(GameOver, match=r"reset\(\) has not been called"):
            use()


def test_moves_that_are_none_are_named() -> None:
    for wrong in (5, None, ["x"]):
        with pytest.raises(BadOption, match="reset's option moves"):
            raw_env().reset(options={"moves": wrong})
    with pytest.raises(BadOption, match="they are a dict, or None"):
        raw_env().reset(options="44")  # type: ignore[arg-type]


def test_once_the_game_is_over_agents_only_leave() -> None:
    game = env()
    game.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        game.step(column)
    assert game.agent_selection == "player_1"
    assert not game.observe("player_1")["action_mask"].any()
    with pytest.raises(ValueError, match="only valid action is None"):
        game.step(3)
    game.step(None)
    game.step(None)
    assert game.agents == []


def test_slip_moves_discs_and_the_seed_says_where() -> None:
    def landed(seed: int) -> list[int]:
        game = raw_env(slip=0.5)
        game.reset(seed=seed)
        columns = []
        for _ in range(5):
            game.step(3)
            assert game.infos["player_0"] == game.infos["player_1"]
            assert game.infos["player_0"]["aimed"] == 3
            columns.append(game.infos["player_0"]["landed"])
        assert game.position == Position.from_moves(columns)
        return columns

    assert landed(1) == landed(1)
    assert len({tuple(landed(seed)) for seed in range(5)}) > 1
    game = raw_env(slip=0.5)
    game.reset(seed=1)
    game.reset()
    assert game.position == Position(), "without a seed chance goes on"


def test_a_game_can_begin_with_an_opening() -> None:
    game = env()
    game.reset(options={"moves": "445"})
    assert game.agent_selection == "player_1"
    assert game.observe("player_1")["observation"][..., 0].sum() == 1
    assert (game.state() == Position.from_moves("445").to_array()).all()
    with pytest.raises(GameOver, match="the opening 1212121 leaves nothing to play"):
        game.reset(options={"moves": "1212121"})
    with pytest.raises(BadNotation):
        game.reset(options={"moves": "4?"})


def test_it_can_be_pickled() -> None:
    copy = pickle.loads(pickle.dumps(raw_env("5x4x3", 0.2, "ansi")))
    assert (copy.rules, copy.render_mode) == (raw_env("5x4x3", 0.2).rules, "ansi")


@pytest.mark.parametrize("make", [env, raw_env])
def test_a_copy_is_the_game_as_it_stands_and_goes_its_own_way(make: Any) -> None:
    game = make(slip=0.5)
    game.reset(seed=1, options={"moves": "4453"})
    game.step(2)
    for copy in (copy_of(game), pickle.loads(pickle.dumps(game))):
        assert (copy.state() == game.state()).all()
        assert copy.agent_selection == game.agent_selection == "player_1"
        copy.step(6)
        assert copy.state().astype(bool).sum() == game.state().astype(bool).sum() + 1


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"board": "6x7x8"}, BadGeometry, "longer than the board"),
        ({"board": (6, 7, 4)}, BadGeometry, "a board was expected"),
        ({"slip": 1.5}, BadSlip, "it must be a number in"),
        ({"render_mode": "oil"}, BadOption, "render mode 'oil': it is human, ansi, rgb_array or None"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        env(**arguments)


def test_without_the_package_it_names_the_extra() -> None:
    assert says_what_to_install("fourcast.interop.pettingzoo", "pettingzoo", "gym")
