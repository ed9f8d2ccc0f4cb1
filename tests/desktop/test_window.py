"""The window: whole games by mouse and by keyboard, and what can be done meanwhile."""

from __future__ import annotations

from itertools import pairwise

import pygame
import pytest
from pygame.event import Event

from fourcast.desktop.board_view import Fall
from fourcast.desktop.overlays import Setup
from fourcast.desktop.window import Window
from fourcast.desktop.words import moves_rows, status_words
from fourcast.game.analysis import Analysis
from fourcast.game.errors import NoDisplay
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from tests.desktop.conftest import REAL_SECONDS
from tests.desktop.hands import (
    click,
    click_button,
    click_column,
    open_game,
    press,
    press_column,
    settle,
    thinkers,
    until,
)

FOR_EVER = "minimax:depth=20"


def lies_over(window: Window) -> Setup | str | None:
    return window.overlay


def test_a_whole_game_is_played_with_the_mouse() -> None:
    window = open_game("human", "random", board="4x5x4")
    while not window.session.position.is_over:
        click_column(window, window.session.position.legal[0])
        settle(window)
    assert window.session.ply >= 7
    assert all(drop.analysis is None for drop in window.session.drops[::2]), "these are mine"
    assert all(drop.analysis is not None for drop in window.session.drops[1::2]), "and these the agent's"
    assert status_words(window.session) in ("You win!", "You lose", "A draw: the board is full")
    assert window.close()


def test_a_whole_game_is_played_with_the_keyboard() -> None:
    window = open_game("human", "alphabeta:2")
    for column in (0, 0, 1, 6, 6, 5, 5):
        if not window.session.position.is_over:
            assert window.session.is_persons_turn
            press_column(window, column)
            settle(window)
    press(window, "right")
    while not window.session.position.is_over:
        press(window, "space")
        settle(window)
        while window.held is not None and window.held not in (window.session.position.legal or [window.held]):
            press(window, "left" if window.held else "end")
            if not window.held:
                window.held = window.session.position.legal[0]
    assert status_words(window.session) == "You lose", "nobody looks where they drop, and gets away with it"
    line = window.session.position.outcome
    assert line is not None
    assert line.winner == 1
    assert window.close()


def test_arrows_choose_a_column_and_enter_drops() -> None:
    window = open_game("human", "human")
    for key in ("left", "right", "left", "left", "return"):
        press(window, key)
    settle(window)
    assert window.session.position.moves == "3", "the first press takes the middle"
    for _ in range(9):
        press(window, "right")
    press(window, "down")
    settle(window)
    assert window.session.position.moves == "37"
    window.close()


def test_a_disc_is_held_over_the_column_that_the_mouse_is_in() -> None:
    window = open_game("human", "human")
    for column in (0, 6):
        point = (window.layout.x(column), window.layout.held_y)
        pygame.event.post(Event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=(0, 0, 0)))
        window.step()
        assert window.held == column
        drawn = pygame.display.get_surface()
        assert drawn is not None
        face = drawn.get_at((point[0] + window.layout.radius * 3 // 5, point[1]))
        assert face[0] > 200 > face[2], "an amber disc"
    pygame.event.post(Event(pygame.WINDOWLEAVE))
    window.step()
    assert window.held is None
    window.close()


def test_the_full_screen_can_be_had() -> None:
    window = open_game("human", "human")
    before = window.layout.size
    press(window, "f")
    press(window, "4")
    settle(window)
    assert window.session.position.moves == "4"
    assert window.layout.size == pygame.display.get_desktop_sizes()[0]
    press(window, "f11")
    assert window.layout.size == before
    window.close()


def test_undo_and_redo_by_mouse_and_by_keys() -> None:
    window = open_game("human", "random")
    press(window, "4")
    settle(window)
    moves = window.session.position.moves
    assert len(moves) == 2
    click_button(window, "undo")
    assert window.session.ply == 0
    click_button(window, "redo")
    assert window.session.position.moves == moves
    press(window, "z", pygame.KMOD_CTRL)
    assert window.session.ply == 0
    press(window, "u")
    assert window.message == "There is nothing to take back."
    press(window, "y", pygame.KMOD_CTRL)
    assert window.session.position.moves == moves
    press(window, "r")
    assert window.message == "There is nothing to make again."
    settle(window)
    assert window.session.position.moves == moves, "the agent has not moved again"
    window.close()


def test_the_game_can_be_looked_through() -> None:
    window = open_game("human", "human", moves="44536")
    window.step()
    click_button(window, "look", 2)
    assert window.session.position.moves == "44"
    for key, plies in ((".", 3), (",", 2), ("end", 5), ("home", 0)):
        press(window, key)
        assert window.session.ply == plies
    press(window, "7")
    settle(window)
    assert window.session.position.moves == "7"
    window.close()


@pytest.mark.parametrize("size", [(420, 360), (1400, 500), (500, 900), (1080, 760), (100, 100)])
def test_the_window_can_be_resized_and_the_columns_are_where_they_are_drawn(size: tuple[int, int]) -> None:
    window = open_game("human", "human")
    press(window, "4")
    settle(window)
    surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.event.post(Event(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1]))
    window.step()
    assert window.layout.size == tuple(map(max, surface.get_size(), (240, 220)))
    click_column(window, 6)
    settle(window)
    assert window.session.position.moves == "47"
    drawn = pygame.display.get_surface()
    assert drawn is not None
    if size[0] > 100:
        amber = drawn.get_at((window.layout.x(3) + window.layout.radius * 3 // 5, window.layout.y(0)))
        assert amber[0] > 200 > amber[2], "where the first disc lies, it is amber"
    window.close()


def test_the_window_does_not_freeze_while_an_agent_thinks() -> None:
    window = open_game("human", FOR_EVER, limit="10min")
    press(window, "4")
    until(window, lambda: bool(window.session.thought and window.session.thought.progress))
    for _ in range(5):
        window.step()
    press(window, "5")
    assert window.message == "It is not your turn."
    press(window, "t")
    assert window.shows_threats, "it listens"
    assert window.session.ply == 1
    press(window, "escape")
    settle(window)
    assert window.session.ply == 2, "asked to move now, it plays the best that it has found"
    assert window.close()


@pytest.mark.parametrize("by_key", [True, False])
def test_an_agent_can_be_hurried_before_it_has_begun(by_key: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fall, "seconds", 1.0)
    window = open_game("human", FOR_EVER, limit="10min")
    press(window, "4")
    assert window.session.thought is None, "the disc still falls"
    if by_key:
        press(window, "escape")
    else:
        click_button(window, "now")
    monkeypatch.setattr(Fall, "seconds", 0.02)
    settle(window)
    assert window.session.ply == 2
    assert window.close()


def test_undo_stops_an_agent_that_thinks() -> None:
    window = open_game("human", FOR_EVER, limit="10min")
    press(window, "4")
    until(window, lambda: bool(window.session.thought and not window.session.thought.is_preparing))
    click_button(window, "undo")
    assert (window.session.ply, window.session.thought) == (0, None)
    until(window, lambda: not thinkers())
    assert window.is_idle
    assert window.session.is_persons_turn
    window.close()


def test_closing_the_window_stops_an_agent_that_thinks() -> None:
    window = open_game("human", FOR_EVER, limit="10min")
    press(window, "4")
    until(window, lambda: bool(window.session.thought and not window.session.thought.is_preparing))
    assert thinkers()
    pygame.event.post(Event(pygame.QUIT))
    assert window.run(), "nobody thinks any more"
    assert not thinkers()
    assert not pygame.display.get_init()


def test_an_agent_that_fails_is_said_and_asked_again_when_it_is_wanted() -> None:
    class Stumbler:
        times = 0

        def analyze(self, position: Position, limit: Limit) -> Analysis:  # noqa: ARG002
            self.times += 1
            if self.times == 1:
                raise ValueError("stumbled")
            return Analysis(position, 6)

    window = open_game("human", "stumbler", players=[None, Stumbler()])
    press(window, "4")
    settle(window)
    assert (window.message, window.is_fault) == ("agent stumbler: crash: ValueError: stumbled", True)
    click_button(window, "pause")
    settle(window)
    assert window.session.position.moves == "47"
    window.close()


def test_two_agents_play_and_can_be_paused() -> None:
    window = open_game("random", "random", board="3x4x3")
    until(window, lambda: window.session.ply == 2)
    press(window, "p")
    plies = window.session.ply
    for _ in range(5):
        window.step()
    assert window.session.ply == plies
    press(window, "p")
    until(window, lambda: window.session.position.is_over)
    press(window, "home")
    click_button(window, "pause")
    until(window, lambda: window.session.position.is_over)
    window.close()


def test_a_hint_points_at_the_best_column_and_scores_say_what_all_are_worth() -> None:
    window = open_game("human", "human", moves="4444432655")
    press(window, "h")
    settle(window)
    assert (window.hint, window.message) == (2, "Hint: column 3, wins in 16 moves")
    press(window, "s")
    settle(window)
    known = window._adviser.known(window.session.position)
    assert known is not None
    assert known.scores == (-15, -14, 1, -15, -15, -2, -15)
    press(window, "s")
    assert not window.shows_scores
    press(window, "3")
    assert window.hint is None
    assert window.close()
    assert not thinkers()


def test_with_slip_every_column_is_judged_too() -> None:
    window = open_game("human", "human", slip=0.3, moves="4433")
    press(window, "s")
    settle(window)
    known = window._adviser.known(window.session.position)
    assert known is not None
    assert known.values is not None
    assert None not in known.values
    assert window.close()


def test_a_disc_that_slips_is_drawn_with_its_aim() -> None:
    window = open_game("human", "human", slip=0.99)
    press(window, "4")
    settle(window)
    last = window.session.last
    assert last is not None
    assert last.aimed == 3 != last.landed
    assert moves_rows(window.session) == [(f"4>{last.landed + 1}", "")]
    window.step()
    drawn = pygame.display.get_surface()
    assert drawn is not None
    between = (window.layout.x(last.aimed) + window.layout.x(last.landed)) // 2
    assert drawn.get_at((between, window.layout.held_y))[:3] == (236, 238, 247), "an arrow leads there"
    window.close()


def test_a_disc_falls_faster_and_faster_and_comes_to_rest() -> None:
    fall = Fall(3, 0, since=10.0, rows=6)
    times = [10 + part * REAL_SECONDS(fall) / 20 for part in range(21)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fall, "seconds", property(REAL_SECONDS))
        heights = [fall.height(now) for now in times]
        assert [fall.is_over(now) for now in (times[0], times[10], 11.0)] == [False, False, True]
    assert heights[0] == 1
    assert heights[-1] == pytest.approx(0)
    steps = [before - after for before, after in pairwise(heights[:16])]
    assert steps == sorted(steps)


def test_another_game_is_chosen_with_the_keyboard() -> None:
    window = open_game("human", "random")
    press(window, "4")
    settle(window)
    press(window, "n")
    setup = lies_over(window)
    assert isinstance(setup, Setup)
    press(window, "down")
    while setup.chosen[1] != "human":
        press(window, "right")
    press(window, "down")
    press(window, "right")
    assert setup.words(2) == "4 x 5, 4 in a line"
    press(window, "down")
    press(window, "right")
    press(window, "return")
    until(window, lambda: window.overlay is None)
    assert str(window.session.rules) == "4x5x4 with slip 0.05"
    assert (window.session.names, window.session.ply) == (("human", "human"), 0)
    window.close()


def test_another_game_is_chosen_with_the_mouse_or_left_alone() -> None:
    window = open_game("human", "human")
    click_button(window, "new")
    click_button(window, "more", 0)
    click_button(window, "less", 3)
    click_button(window, "cancel")
    assert lies_over(window) is None
    assert window.session.names == ("human", "human")
    click_button(window, "new")
    click_button(window, "more", 0)
    setup = lies_over(window)
    assert isinstance(setup, Setup)
    assert setup.words(0) == "Beginner"
    click_button(window, "more", 2)
    assert setup.chosen[0] == "negamax:level=1", "a level stays one on another board"
    click_button(window, "less", 2)
    click_button(window, "start")
    until(window, lambda: window.overlay is None)
    assert window.session.names == ("perfect:level=1", "human")
    window.close()


def test_a_game_that_cannot_be_had_is_explained() -> None:
    window = open_game("human", "human")
    window.overlay = Setup(["human", "cnn", "4x4x4", "0", "1s"])
    press(window, "return")
    until(window, lambda: isinstance(window.overlay, Setup) and bool(window.overlay.fault))
    setup = lies_over(window)
    assert isinstance(setup, Setup)
    assert setup.fault.startswith("agent cnn has no network for board 4x4x4")
    press(window, "escape")
    assert lies_over(window) is None
    window.close()


def test_the_help_lies_over_the_game_until_a_key_or_a_click() -> None:
    window = open_game("human", "human")
    press(window, "?")
    assert lies_over(window) == "help"
    press(window, "4")
    assert lies_over(window) is None
    assert window.session.ply == 0
    click_button(window, "help")
    click(window, (5, 5))
    assert lies_over(window) is None
    window.close()


def test_on_wide_boards_letters_are_columns_and_capitals_are_not() -> None:
    window = open_game("human", "human", board="3x32x4")
    press(window, "u")
    settle(window)
    press(window, "h")
    settle(window)
    assert window.session.position.moves == "uh"
    press(window, "U", pygame.KMOD_SHIFT)
    assert window.session.position.moves == "u"
    window.close()


def test_a_full_column_is_said() -> None:
    window = open_game("human", "human", moves="444444")
    press(window, "4")
    assert (window.message, window.is_fault) == ("column 4 is full", True)
    window.close()


def test_ctrl_q_leaves() -> None:
    window = open_game("human", "human")
    pygame.event.post(Event(pygame.KEYDOWN, key=pygame.K_q, unicode="", mod=pygame.KMOD_CTRL))
    assert window.run()


def test_without_a_display_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "none_of_these")
    with pytest.raises(NoDisplay, match="no window can be opened"):
        open_game("human", "human")
