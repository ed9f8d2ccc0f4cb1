"""The perfect player."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourcast import BadShape, Geometry, Limit, Position, Rules
from fourcast.agents import Agent, agent
from fourcast.agents.perfect import ALWAYS
from fourcast.game.analysis import plies_to_end
from fourcast.game.limit import MOST_SECONDS
from fourcast.solver import Solver
from tests.boards import play_peacefully
from tests.cli.command import fourcast

BOARD = Rules("7x8x4")  # there is no book for it


def play_out(position: Position, players: tuple[Agent, Agent], limit: Limit) -> Position:
    while not position.is_over:
        position = position.play(players[position.turn].analyze(position, limit).column)
    return position


def late_positions(count: int) -> list[Position]:
    """Positions of the standard board from ply 14 on whose games go on."""
    found = (play_peacefully(Geometry(6, 7, 4), seed, 14 + seed % 8) for seed in range(1000))
    return [position for position in found if not position.is_over][:count]


def test_what_is_won_stays_won_and_what_is_drawn_is_not_lost() -> None:
    perfect, judge = agent("perfect"), Solver(table_mb=8, book=False)
    seen = set()
    for seed, position in enumerate(late_positions(20)):
        score = judge.solve(position).score
        assert score is not None
        seen.add((score > 0) - (score < 0))
        rival = agent("random", seed=seed)
        players = (perfect, rival) if position.turn == 0 else (rival, perfect)
        end = play_out(position, players, Limit())
        assert end.outcome is not None
        if score > 0:
            assert end.outcome.winner == position.turn
            assert end.ply <= position.ply + plies_to_end(position, score), "not later than best play wins"
        elif score == 0:
            assert end.outcome.winner in (None, position.turn)
    assert {0, 1} <= seen


def test_two_of_them_end_the_game_as_the_score_says() -> None:
    for position in late_positions(8):
        perfect = agent("perfect")
        found = perfect.analyze(position, Limit())
        assert found.exact
        end = play_out(position, (perfect, perfect), Limit())
        assert end.ply == position.ply + (found.plies_to_end or 0)


def test_it_beats_chance_from_the_start_even_in_a_hurry() -> None:
    for seed in range(3):
        end = play_out(Position(), (agent("perfect"), agent("random", seed=seed)), Limit(nodes=5000))
        assert end.outcome is not None
        assert end.outcome.winner == 0


@pytest.mark.slow
def test_limits_are_kept() -> None:
    perfect = agent("perfect", BOARD)
    position = Position(BOARD.geometry)
    assert perfect.analyze(position, Limit(nodes=1000)).nodes == 1000
    assert perfect.analyze(position, Limit(seconds=60, nodes=1000)).nodes == 1000
    assert perfect.analyze(position, Limit(seconds=60, nodes=ALWAYS + 1000)).nodes == ALWAYS + 1000
    found = perfect.analyze(position, Limit(seconds=0.2))
    assert not found.exact
    assert found.column in (3, 4)
    assert found.seconds >= 0.1
    assert found.nodes > ALWAYS


def test_easy_positions_have_one_answer_whatever_the_clock_says() -> None:
    perfect = agent("perfect")
    easy = 0
    for position in late_positions(16):
        exact = perfect.analyze(position, Limit(nodes=ALWAYS))
        if exact.exact:
            hurried = perfect.analyze(position, Limit(seconds=1e-6))
            assert (hurried.column, hurried.pv, hurried.exact) == (exact.column, exact.pv, True)
            patient = perfect.analyze(position, Limit(seconds=MOST_SECONDS))
            assert (patient.column, patient.pv) == (exact.column, exact.pv)
            easy += exact.nodes > 1000
    assert easy >= 2


def test_what_was_asked_before_changes_no_answer_within_a_limit() -> None:
    position = Position.from_moves("4444433522")
    limit = Limit(nodes=30_000)
    fresh, used = agent("perfect"), agent("perfect")
    for _ in range(3):
        used.analyze(position, limit)
    first, second = fresh.analyze(position, limit), used.analyze(position, limit)
    assert first.nodes == second.nodes == 30_000
    assert (first.column, first.bounds, first.exact) == (second.column, second.bounds, second.exact)


@pytest.mark.slow
def test_without_a_proof_it_still_wins_and_blocks() -> None:
    perfect = agent("perfect", BOARD)
    assert perfect.analyze(Position.from_moves("121212", BOARD.geometry), Limit(nodes=1)).column == 0
    assert perfect.analyze(Position.from_moves("12131", BOARD.geometry), Limit(nodes=1)).column == 0


def test_slip_is_left_out_of_account() -> None:
    for position in late_positions(5):
        plain, slippery = (agent("perfect", Rules("6x7x4", slip)) for slip in (0.0, 0.3))
        assert plain.analyze(position, Limit()).column == slippery.analyze(position, Limit()).column


def test_another_board_is_refused() -> None:
    with pytest.raises(BadShape):
        agent("perfect").analyze(Position("5x5x4"), Limit())


def test_it_can_be_played_against() -> None:
    done = fourcast("play", "44444326553333", "--first", "perfect", "--second", "random", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "X is perfect, O is random." in done.stdout
    assert "First player (X) wins" in done.stdout


def test_naming_it_loads_nothing_heavy() -> None:
    script = (
        "from fourcast.agents import agent; agent('perfect'); import sys; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
