"""The Gymnasium environments: by Gymnasium's own checker, and by what the player sees."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import fourcast as fc
from fourcast.interop.gymnasium import ID, ConnectFourEnv
from fourcast.interop.gymnasium_vector import ConnectFourVectorEnv
from tests.interop.missing import says_what_to_install

GAMES: list[dict[str, Any]] = [
    {},
    {"slip": 0.3, "side": "either"},
    {"opponent": "greedy", "side": "second", "render_mode": "ansi"},
    {"opponent": "alphabeta:2", "limit": "nodes=200"},
    {"board": "8x10x5", "slip": 0.1},
    {"board": "1x8x3", "side": "either"},
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_gymnasiums_own_checker_finds_nothing(game: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(gymnasium.make(ID, **game).unwrapped)
    assert [str(each.message) for each in caught] == []


def play(game: ConnectFourEnv, seed: int) -> tuple[float, fc.Position]:
    """A game of a player who plays any open column; the reward, and how it ended."""
    seen, info = game.reset(seed=seed)
    chance = np.random.default_rng(seed)
    terminated, rewards = False, 0.0
    while not terminated:
        assert seen in game.observation_space
        assert (seen["action_mask"] == game.action_masks()).all()
        assert set(np.flatnonzero(seen["action_mask"])) == set(game.position.legal)
        assert game.position.turn == game.player
        before = game.position
        own = int(chance.choice(game.position.legal))
        seen, reward, terminated, truncated, info = game.step(own)
        rewards += reward
        assert not truncated
        discs = [column for column in (info["landed"], info["answer"]) if column >= 0]
        assert game.position == fc.Position.from_moves([*before.columns_played, *discs], before.geometry)
        assert info["ply"] == game.position.ply
        cells = game.position.to_array()
        assert (seen["observation"][..., 0] == (cells == game.player + 1)).all()
        assert (seen["observation"][..., 1] == (cells == 2 - game.player)).all()
    assert not seen["action_mask"].any()
    return rewards, game.position


@pytest.mark.parametrize("slip", [0.0, 0.3])
def test_whoever_wins_is_rewarded_on_either_side(slip: float) -> None:
    game = ConnectFourEnv("random", slip=slip, side="either")
    met = Counter()  # type: Counter[tuple[int, float]]
    for seed in range(60):
        reward, position = play(game, seed)
        assert position.outcome is not None
        winner = position.outcome.winner
        assert reward == (0 if winner is None else 1 if winner == game.player else -1)
        met[game.player, reward] += 1
    assert {(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)} <= set(met)


def test_a_seed_repeats_a_game_and_another_does_not() -> None:
    game = ConnectFourEnv("random", slip=0.2, side="either")
    first, again, other = (play(game, seed)[1] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_opponent_is_the_agent_that_was_asked_for() -> None:
    game = ConnectFourEnv("perfect", side="second")
    assert game.reset(seed=1)[1]["answer"] == 3, "the only first move that wins"
    assert all(play(game, seed)[0] == -1 for seed in range(5))
    assert play(ConnectFourEnv(fc.agent("greedy", "1x8x3"), board="1x8x3"), 1)[1].geometry.columns == 8


def test_a_full_column_loses_the_game() -> None:
    game = ConnectFourEnv("horizontal")
    game.reset(seed=1, options={"moves": "777777"})
    seen, reward, terminated, truncated, info = game.step(6)
    assert (reward, terminated, truncated, info["illegal"], info["landed"]) == (-1, True, False, True, -1)
    assert not seen["action_mask"].any()
    with pytest.raises(
        fc.GameOver, match=r"the game is lost, move 7: column 7 is full; reset\(\) begins a game"
    ):
        game.step(0)
    assert game.reset()[1]["ply"] == 0


def test_what_cannot_be_done_is_named() -> None:
    game = ConnectFourEnv("random")
    with pytest.raises(fc.GameOver, match=r"reset\(\) has not been called"):
        game.step(0)
    game.reset(seed=1)
    for column in (-1, 7):
        with pytest.raises(fc.ColumnOffBoard):
            game.step(column)
    game.step(0)
    play(game, 2)
    with pytest.raises(fc.GameOver, match=r"the game is over, .* wins on move"):
        game.step(0)
    with pytest.raises(fc.GameOver, match="the opening 1212121 leaves nothing to play"):
        game.reset(options={"moves": "1212121"})
    greedy = ConnectFourEnv("greedy", side="second")
    with pytest.raises(fc.GameOver, match="the opening 121212 leaves nothing to play"):
        greedy.reset(options={"moves": "121212"})


class Opponent:
    """One who answers what it was told to."""

    name = "odd"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def analyze(self, position: fc.Position, limit: fc.Limit) -> Any:  # noqa: ARG002
        if isinstance(self.answer, BaseException):
            raise self.answer
        return fc.Analysis(position, self.answer) if self.answer is not None else None


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (9, fc.AgentFailed, r"agent odd failed \(illegal\): move 2: there is no column 10 on board 6x7x4"),
        ("4", fc.AgentFailed, r"agent odd failed \(illegal\): action '4': a column is a whole number"),
        (None, fc.AgentFailed, r"agent odd failed \(illegal\): it answered None, which is no Analysis"),
        (ValueError("two\nlines"), fc.AgentFailed, r"agent odd failed \(crash\): ValueError: two lines$"),
        (KeyboardInterrupt(), KeyboardInterrupt, "^$"),
    ],
)
def test_an_opponent_that_fails_ends_the_game(answer: Any, error: type[BaseException], words: str) -> None:
    game = ConnectFourEnv(Opponent(answer))
    game.reset(seed=1)
    with pytest.raises(error, match=words):
        game.step(3)
    for _ in range(2):
        with pytest.raises(fc.GameOver, match=r"the opponent gave no move; reset\(\) begins a game"):
            game.step(3)
    assert game.position == fc.Position.from_moves("4")
    assert not game.action_masks().any()
    with pytest.raises(error):
        game.reset(options={"moves": "4"})
    with pytest.raises(fc.GameOver, match="the opponent gave no move"):
        game.step(3)
    game.opponent = Opponent(0)
    game.reset()
    assert game.step(3)[4]["answer"] == 0, "the next game is sound"


@pytest.mark.parametrize("action", ["x", 3.5, None, True, [3], np.array(3.0)])
def test_an_action_that_is_no_whole_number_is_named_and_drops_nothing(action: Any) -> None:
    game = ConnectFourEnv("horizontal")
    game.reset(seed=1)
    with pytest.raises(fc.ColumnOffBoard, match="a column is a whole number from 0 to 6"):
        game.step(action)
    assert game.position == fc.Position()
    game.step(np.array(3))  # type: ignore[arg-type]  # as learners have it


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"moves": 5}, "reset's option moves 5: write it as '4453'"),
        ({"moves": None}, "reset's option moves None"),
        ({"moves": ["x"]}, "reset's option moves"),
        ({"opening": "44"}, "reset has no option 'opening'; it has: moves"),
        ("44", "reset's options '44': they are a dict, or None"),
    ],
)
def test_options_that_there_are_not_are_named_and_the_game_goes_on(options: Any, words: str) -> None:
    game = ConnectFourEnv("horizontal")
    game.reset(seed=1)
    game.step(3)
    with pytest.raises(fc.BadOption, match=words):
        game.reset(options=options)
    assert game.position.ply == 2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"opponent": None}, fc.UnknownPlayer),
        ({"opponent": 5}, fc.UnknownPlayer),
        ({"opponent": lambda _: 3}, fc.UnknownPlayer),
        ({"opponent": Opponent}, fc.UnknownPlayer),
        ({"opponent": "human"}, fc.BadOption),
        ({"opponent": fc.agent("human")}, fc.BadOption),
        ({"opponent": "deep-blue"}, fc.UnknownPlayer),
        ({"opponent": "alphabeta:depth=0"}, fc.BadOption),
        ({"opponent": "alphabeta", "board": "6x7x9"}, fc.BadGeometry),
        ({"slip": -0.1}, fc.BadSlip),
        ({"side": "red"}, fc.BadOption),
        ({"limit": "soon"}, fc.BadLimit),
        ({"limit": 5}, fc.BadLimit),
        ({"render_mode": "oil"}, fc.BadOption),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        ConnectFourEnv(**arguments)


def test_the_board_is_shown_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    game = ConnectFourEnv("horizontal", render_mode="human")
    game.reset(seed=1)
    game.step(3)
    assert capsys.readouterr().out.count("1 2 3 4 5 6 7") == 2
    game = ConnectFourEnv("horizontal", render_mode="rgb_array")
    game.reset(seed=1, options={"moves": "44"})
    pixels = game.render()
    assert pixels.shape == (240, 280, 3)
    assert pixels[220, 140].tolist() == [0xD7, 0x26, 0x3D], "red below"
    assert pixels[180, 140].tolist() == [0xF6, 0xC4, 0x31], "yellow above it"
    assert ConnectFourEnv().render() is None


def test_an_opponent_of_its_own_is_dismissed() -> None:
    class Closing:
        closed = 0

        def analyze(self, position: fc.Position, limit: fc.Limit) -> fc.Analysis:  # noqa: ARG002
            return fc.Analysis(position, position.legal[0])

        def close(self) -> None:
            self.closed += 1

    made = Closing()
    ConnectFourEnv(made).close()
    assert made.closed == 0, "who was handed in belongs to somebody else"
    own = ConnectFourEnv("random")
    own.opponent = made
    own.close()
    assert made.closed == 1


# --- many games ---


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_many_games_are_steps_of_single_ones(mode: AutoresetMode) -> None:
    games = gymnasium.make_vec(ID, num_envs=50, autoreset_mode=mode, side="either", slip=0.1)
    assert isinstance(games, ConnectFourVectorEnv)
    assert games.metadata["autoreset_mode"] is mode
    games.action_space.seed(1)
    seen, _ = games.reset(seed=3)
    ended = np.zeros(50, dtype=np.bool_)
    finished = 0
    for _ in range(40):
        assert seen in games.observation_space
        fresh = seen["observation"].sum(axis=(1, 2, 3)) <= 1
        if mode is AutoresetMode.SAME_STEP:
            assert fresh[ended].all(), "the next game has begun"
        seen, rewards, terminations, truncations, infos = games.step(games.action_space.sample())
        if mode is AutoresetMode.NEXT_STEP:
            assert (seen["observation"][ended].sum(axis=(1, 2, 3)) <= 1).all(), "it begins at the next step"
            assert not rewards[ended].any()
            assert not seen["action_mask"][terminations].any()
            assert "final_obs" not in infos
        elif terminations.any():
            assert (infos["_final_obs"] == terminations).all()
            for game in np.flatnonzero(terminations):
                assert infos["final_obs"][game] in games.single_observation_space
                assert infos["final_obs"][game]["observation"].sum() > 4 or rewards[game] == -1
        assert not truncations.any()
        assert not rewards[~terminations].any()
        ended = terminations
        finished += int(ended.sum())
    assert finished > 50


def test_gymnasiums_own_statistics_can_be_kept_of_many_games() -> None:
    games = gymnasium.wrappers.vector.RecordEpisodeStatistics(ConnectFourVectorEnv(100, side="either"))
    games.reset(seed=1)
    returns: list[float] = []
    for _ in range(60):
        *_, infos = games.step(games.unwrapped.games.sample())  # type: ignore[attr-defined]
        if "episode" in infos:
            returns += infos["episode"]["r"][infos["_episode"]].tolist()
    assert set(returns) == {-1.0, 0.0, 1.0} or set(returns) == {-1.0, 1.0}


def test_many_games_refuse_what_is_wrong() -> None:
    with pytest.raises(fc.BadOption, match="autoreset mode 'Disabled': it is NextStep or SameStep"):
        ConnectFourVectorEnv(2, autoreset_mode="Disabled")
    with pytest.raises(fc.BadOption, match="opponent 'perfect': it is random"):
        ConnectFourVectorEnv(2, opponent="perfect")  # type: ignore[arg-type]
    games = ConnectFourVectorEnv(2, opponent=None)
    games.reset(seed=1)
    with pytest.raises(fc.ColumnOffBoard, match="game 1: move 1"):
        games.step(np.array([0, 7]))
    for _ in range(6):
        games.step(np.array([0, 1]))
    _, rewards, terminations, *_ = games.step(np.array([0, 2]))
    assert (rewards.tolist(), terminations.tolist()) == ([-1, 0], [True, False])


def test_many_games_begin_with_reset_and_take_a_seed_for_each() -> None:
    games = ConnectFourVectorEnv(2, slip=0.5)
    with pytest.raises(fc.GameOver, match=r"reset\(\) has not been called"):
        games.step(np.array([0, 0]))
    with pytest.raises(fc.BadOption, match="reset has no option 'moves'; it has none"):
        games.reset(options={"moves": "44"})
    with pytest.raises(fc.BadShape, match="2 games need as many seeds, not 3"):
        games.reset(seed=[1, 2, 3])
    with pytest.raises(fc.BadLimit, match="seed -1"):
        games.reset(seed=[1, -1])

    def landed(seed: list[int]) -> list[list[int]]:
        games.reset(seed=seed, options={})
        return [games.step(np.array([3, 3]))[4]["landed"].tolist() for _ in range(3)]

    one, other = landed([5, 6]), landed([6, 5])
    assert one == [row[::-1] for row in other], "a game is that of its seed, wherever it stands"
    assert landed([5, 5]) == [[row[0]] * 2 for row in one]


@pytest.mark.parametrize("module", ["gymnasium", "gymnasium_vector"])
def test_without_the_package_it_names_the_extra(module: str) -> None:
    assert says_what_to_install(f"fourcast.interop.{module}", "gymnasium", "gym")
