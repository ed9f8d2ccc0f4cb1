"""OpenSpiel's connect_four and ours are the same game, and each other's players play it."""

from __future__ import annotations

import random
import re
from typing import Any

import pyspiel
import pytest
from hypothesis import given, settings
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax  # type: ignore[import-untyped]

import fourcast as fc
from fourcast.agents import registry
from fourcast.interop.openspiel import (
    as_agent,
    as_bot,
    game_of,
    geometry_of,
    position_of,
    register_bot,
    state_of,
)
from tests.boards import BOARDS, play_peacefully, positions
from tests.interop.missing import says_what_to_install

LIMIT = fc.Limit()


def agree(position: fc.Position, state: Any) -> None:
    """The same board, and all that follows from it."""
    assert position_of(state) == position
    assert state.legal_actions() == list(position.legal)
    assert state.is_terminal() == position.is_over
    assert str(state).lower().split() == position.to_text().lower().split()
    outcome = position.outcome
    if outcome is None:
        assert state.current_player() == position.turn
    else:
        won = {None: [0.0, 0.0], 0: [1.0, -1.0], 1: [-1.0, 1.0]}
        assert state.returns() == won[outcome.winner]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_random_games_are_the_same_move_by_move(board: fc.Geometry) -> None:
    endings = set()
    for seed in range(12):
        chance = random.Random(seed)
        position, state = fc.Position(board), game_of(board).new_initial_state()
        while not position.is_over:
            agree(position, state)
            column = chance.choice(position.legal)
            position = position.play(column)
            state.apply_action(column)
        agree(position, state)
        assert position.outcome is not None
        endings.add(position.outcome.winner)
    assert len(endings) > 1 or board.connect > 5 or board.columns == 1


@settings(max_examples=200)
@given(positions())
def test_a_position_there_and_back_is_the_same_with_its_moves(position: fc.Position) -> None:
    state = state_of(position)
    agree(position, state)
    assert state.history() == list(position.columns_played)
    assert position_of(state).columns_played == position.columns_played


def test_a_state_there_and_back_is_the_same() -> None:
    for seed in range(20):
        state = game_of("5x10x4").new_initial_state()
        chance = random.Random(seed)
        while not state.is_terminal() and chance.random() < 0.95:
            state.apply_action(chance.choice(state.legal_actions()))
        again = state_of(position_of(state))
        assert again.history() == state.history()
        assert str(again) == str(state)


def test_a_board_that_no_game_leads_to_is_a_state_without_a_history() -> None:
    position = fc.Position.from_text("....../XX..../OO....", 4)
    with pytest.raises(fc.UnreachablePosition):
        _ = position.moves
    state = state_of(position)
    assert state.history() == []
    agree(position, state)
    state.apply_action(5)
    assert position_of(state).to_text() == "......\nXX....\nOO...X"


def test_a_drawn_board_that_games_lead_to_gets_a_history() -> None:
    position = fc.Position.from_text("......./...O.../..OXX..", 4)
    assert sorted(state_of(position).history()) == [2, 3, 3, 4]


@pytest.mark.parametrize(
    "board",
    [
        "4x4x3",
        *(pytest.param(board, marks=pytest.mark.slow) for board in ("3x3x3", "3x5x3", "3x5x4", "4x4x4")),
    ],
)
def test_scores_of_small_boards_have_the_sign_of_openspiels_search(board: str) -> None:
    game = game_of(board)
    for seed in range(12):
        position = play_peacefully(fc.Geometry.parse(board), seed, seed % 4 + (5 if board == "4x4x4" else 0))
        check_sign(game, position)


def test_scores_of_late_positions_have_the_sign_of_openspiels_search() -> None:
    signs = set()
    for seed in range(40):
        position = play_peacefully(fc.STANDARD, seed, 27 + seed % 8)
        if not position.is_over:
            signs.add(check_sign(game_of(), position))
    assert signs == {-1, 0, 1}


def check_sign(game: Any, position: fc.Position) -> int:
    """Alpha-beta to the end of the game, in OpenSpiel, beside the exact score."""
    value, _ = minimax.alpha_beta_search(game, state_of(position), maximum_depth=position.geometry.cells)
    score = fc.solve(position).score
    assert score is not None
    assert (score > 0) - (score < 0) == value, position
    return int(value)


# --- bots ---


def test_an_agent_is_a_bot_that_openspiel_can_seat() -> None:
    game = game_of()
    bots = [as_bot("alphabeta:4"), pyspiel.load_bot("uniform_random", game, 1)]
    results = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) for seed in range(5)]
    assert results == [[1.0, -1.0]] * 5
    turned = [pyspiel.load_bot("uniform_random", game, 0), as_bot(fc.agent("alphabeta:4"))]
    state = game.new_initial_state()
    assert evaluate_bots.evaluate_bots(state, turned, random.Random(1)) == [-1.0, 1.0]


def test_a_bot_answers_what_its_agent_answers_on_its_board() -> None:
    bot = as_bot("alphabeta:3", "5x5x4", limit="nodes=2000")
    for seed in range(10):
        position = play_peacefully(fc.Geometry(5, 5, 4), seed, 2 * seed)
        if not position.is_over:
            wanted = fc.analyze(position, "alphabeta:3", limit="nodes=2000").column
            assert bot.step(state_of(position)) == wanted
    bot.restart()
    bot.restart_at(state_of(fc.Position("5x5x4")))


def test_what_a_bot_cannot_play_is_named() -> None:
    bot = as_bot("random")
    with pytest.raises(fc.BadShape, match="the state is on board 5x5x4, and 6x7x4 was asked for"):
        bot.step(game_of("5x5x4").new_initial_state())
    with pytest.raises(fc.GameOver, match="the game is over, first player"):
        bot.step(state_of(fc.Position.from_moves("1212121")))
    with pytest.raises(fc.BadBoard, match="OpenSpiel's game is tic_tac_toe, not connect_four"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
    for wrong, error in (("nobody", fc.UnknownPlayer), ("alphabeta:depth=0", fc.BadOption)):
        with pytest.raises(error):
            as_bot(wrong)
    with pytest.raises(fc.BadLimit):
        as_bot("random", limit="soon")


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ("rows=20,columns=20", fc.UnsupportedGeometry),
        ("rows=3,columns=3,x_in_row=9", fc.BadGeometry),
        ("rows=6,columns=7,x_in_row=2", fc.BadGeometry),
    ],
)
def test_a_board_that_we_do_not_play_on_is_named(parameters: str, error: type[Exception]) -> None:
    game = pyspiel.load_game(f"connect_four({parameters})")
    with pytest.raises(error):
        geometry_of(game)
    with pytest.raises(error):
        position_of(game.new_initial_state())


def test_openspiels_bots_are_agents() -> None:
    game = game_of("5x5x4")
    evaluator = pyspiel.RandomRolloutEvaluator(5, 1)
    wise = as_agent(pyspiel.MCTSBot(game, evaluator, 2.0, 500, 10, True, 1, False), "5x5x4")
    position = fc.Position.from_moves("121212", "5x5x4")
    assert fc.analyze(position, wise).column == 0, "it wins at once"
    python = mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(1), solve=True)
    assert fc.analyze(position, as_agent(python, "5x5x4")).column == 0
    drawn = fc.Position.from_text("...../...../...../XX.../OO...", 4)  # no game leads to it
    assert fc.analyze(drawn, wise).column in drawn.legal


def test_a_bot_with_a_state_of_its_own_is_told_of_the_whole_game() -> None:
    """It compares what it knows with what it is asked, and stops the process where they differ."""
    game = game_of()
    told = as_agent([pyspiel.make_stateful_random_bot(game, player, 1) for player in range(2)])
    for moves in ("", "4", "4453", "445", "4455", "1212"):
        analysis = told.analyze(fc.Position.from_moves(moves), LIMIT)
        assert analysis.column in analysis.position.legal
        assert analysis.policy == pytest.approx([1 / 7] * 7)


def test_what_an_agent_of_bots_cannot_play_is_named() -> None:
    game = game_of()
    first = as_agent([pyspiel.make_uniform_random_bot(player, 1) for player in range(2)])
    with pytest.raises(fc.BadShape):
        first.analyze(fc.Position("5x5x4"), LIMIT)
    with pytest.raises(fc.GameOver):
        first.analyze(fc.Position.from_moves("1212121"), LIMIT)
    for wrong in ("random", [first], [pyspiel.make_uniform_random_bot(0, 1)], None):
        with pytest.raises(fc.CannotPlay, match="is neither an OpenSpiel bot nor two of them"):
            as_agent(wrong)

    class Stubborn(pyspiel.Bot):  # type: ignore[misc]
        def restart(self) -> None:
            pass

        def step(self, state: Any) -> int:  # noqa: ARG002
            return 0

    full = fc.Position.from_moves("111111")
    with pytest.raises(fc.AgentFailed, match=re.escape("OpenSpiel's bot played 0")):
        as_agent(Stubborn()).analyze(full, LIMIT)
    assert as_agent(Stubborn()).analyze(fc.Position(), LIMIT).column == 0
    assert game is game_of()


def test_a_bot_made_for_one_player_does_not_play_both() -> None:
    """Asked for the other player's move it would end the process."""
    game = game_of()
    first, second = (pyspiel.load_bot("uniform_random", game, player) for player in range(2))
    for wrong in (first, [first, first]):
        with pytest.raises(fc.CannotPlay, match="OpenSpiel made this bot for one player: give two"):
            as_agent(wrong)
    turned = as_agent([second, first])
    for moves, mover in (("", 0), ("4", 1)):
        with pytest.raises(
            fc.AgentFailed, match=f"has no move for player {mover}: it was made for the other"
        ):
            turned.analyze(fc.Position.from_moves(moves), LIMIT)


class Odd(pyspiel.Bot):  # type: ignore[misc]
    """A bot that does what it was told to, or raises it."""

    def __init__(self, action: Any) -> None:
        super().__init__()
        self.action = action

    def restart(self) -> None:
        pass

    def step(self, state: Any) -> Any:  # noqa: ARG002
        if isinstance(self.action, Exception):
            raise self.action
        return self.action


def test_a_bot_that_fails_is_named() -> None:
    with pytest.raises(fc.AgentFailed, match=r"OpenSpiel's bot failed \(crash\): KeyError: 'lost'"):
        as_agent(Odd(KeyError("lost"))).analyze(fc.Position(), LIMIT)
    for action in (None, 3.0, "3", True):
        with pytest.raises(fc.AgentFailed, match="which is no open column"):
            as_agent(Odd(action)).analyze(fc.Position(), LIMIT)


def test_what_is_no_position_state_game_or_agent_is_named() -> None:
    for ask in (state_of, position_of, geometry_of):
        for other in (None, "4453", 5):
            with pytest.raises(fc.BadBoard, match="is not a"):
                ask(other)  # type: ignore[arg-type]
    for wrong in (None, 5, lambda _: 3):
        with pytest.raises(fc.UnknownPlayer, match="is neither the spec of an agent nor an agent"):
            as_bot(wrong)  # type: ignore[arg-type]
    with pytest.raises(fc.BadOption, match="agent human: a person cannot be asked"):
        as_bot("human")
    for seed in (-1, 1.5, "1"):
        with pytest.raises(fc.BadLimit, match="seed"):
            as_bot("random", seed=seed)  # type: ignore[arg-type]


def test_a_name_without_bots_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fc.agent_names()
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    with pytest.raises(fc.BadOption, match="agent test-a: None makes no bots"):
        register_bot("test-a", None)  # type: ignore[arg-type]
    register_bot("test-b", lambda game, player, seed: None)  # noqa: ARG005
    with pytest.raises(fc.CannotPlay, match="agent test-b: what was made is None, not an OpenSpiel bot"):
        fc.agent("test-b")
    register_bot("test-c", lambda game, player, seed: [][player])  # noqa: ARG005
    with pytest.raises(fc.AgentFailed, match=r"agent test-c failed \(crash\): IndexError: list index"):
        fc.agent("test-c")


def test_bots_with_a_name_play_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    fc.agent_names()  # all that are known, of which a copy is changed
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))

    def spiel_mcts(game: Any, player: int, seed: int) -> Any:  # noqa: ARG001
        """OpenSpiel's tree search with random rollouts."""
        return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, 50, 10, True, seed, False)

    register_bot("test-spiel-mcts", spiel_mcts)
    entry, _ = registry.read_spec("test-spiel-mcts")
    assert entry.summary == "OpenSpiel's tree search with random rollouts."
    report = fc.match("test-spiel-mcts", "random", games=10, seed=1)
    assert report.points >= 8
    report = fc.match("alphabeta:6", "test-spiel-mcts", games=4, rules="5x5x4", plies=(0, 0))
    assert report.games == 4
    with pytest.raises(fc.CannotPlay, match="agent test-spiel-mcts cannot play 6x7x4 with slip"):
        fc.agent("test-spiel-mcts", fc.Rules(slip=0.2))


def test_without_the_package_it_names_the_extra() -> None:
    assert says_what_to_install("fourcast.interop.openspiel", "pyspiel", "openspiel")
