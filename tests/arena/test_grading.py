"""Grades: each move beside the best one."""

from __future__ import annotations

from dataclasses import replace

from fourcast import GameRecord, Position, Rules, agent
from fourcast.arena.grading import Quality, can_grade, grade_games
from fourcast.arena.referee import Conditions, Fixture, play_game
from fourcast.solver import Solver


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def game_of(first: str, second: str, moves: str, seed: int = 0) -> GameRecord:
    fixture = Fixture(seed, (first, second), Position.from_moves(moves).columns_played, seed)
    return play_game(Conditions(Rules()), fixture, (agent(first), agent(second)))


def test_grades_are_what_the_solver_says_of_every_column() -> None:
    games = [game_of("random", "negamax:nodes=200", "444", seed) for seed in range(4)]
    solver = Solver()
    for game, grades in zip(games, grade_games(games), strict=True):
        expected = [Quality(), Quality()]
        for position, column in zip(game.positions(), game.landed, strict=False):
            scores = solver.analyze(position).scores
            assert scores is not None
            best = max(score for score in scores if score is not None)
            got = scores[column]
            assert got is not None
            expected[position.turn] += Quality(1, sign(got) == sign(best), got == best, best - got)
        assert list(grades) == expected
        assert sum(grade.moves for grade in grades) == len(game.landed)


def test_the_perfect_player_is_perfect() -> None:
    game = game_of("perfect", "random", "44444")
    first, second = grade_games([game])[0]
    assert (first.moves, first.good, first.perfect, first.loss) == (first.moves, first.moves, first.moves, 0)
    assert second.perfect < second.moves
    assert first.to_json() == {"moves": first.moves, "good": 1.0, "perfect": 1.0, "mean_loss": 0.0}
    assert Quality().to_json() == {"moves": 0, "good": None, "perfect": None, "mean_loss": None}


def test_moves_by_lot_are_nobodys() -> None:
    game = game_of("random", "random", "44")
    graded = grade_games([game, replace(game, lapses=tuple(range(len(game.landed))))])
    assert sum(grade.moves for grade in graded[0]) == len(game.landed)
    assert graded[1] == (Quality(), Quality())


def test_only_the_standard_board_without_slip() -> None:
    assert can_grade(Rules())
    assert not can_grade(Rules(slip=0.1))
    assert not can_grade(Rules("6x7x5"))
