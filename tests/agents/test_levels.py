"""Weaker play by degrees."""

from __future__ import annotations

import math
import random
from functools import cache

import pytest

from fourcast import Analysis, Geometry, Limit, Position, agent
from fourcast.agents.levels import SIGHTS, drawn, faded, policy_of
from fourcast.game.analysis import plies_to_end
from fourcast.solver import Solver
from tests.boards import play_peacefully

LEVELS = range(1, 10)


def late_positions(count: int) -> list[Position]:
    """Positions of the standard board with 10 to 22 cells left, where there is something to decide."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        position = play_peacefully(Geometry(6, 7, 4), seed, 20 + seed % 13)
        if len(position.legal) > 1:
            found.append(position)
        seed += 1
    return found


@cache
def solved(count: int) -> list[tuple[Position, dict[int, int]]]:
    """The exact score of every column."""
    solver = Solver(table_mb=16)
    analyses = [solver.analyze(position) for position in late_positions(count)]
    return [
        (
            each.position,
            {column: score for column, score in enumerate(each.scores or ()) if score is not None},
        )
        for each in analyses
    ]


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def policy(position: Position, scores: dict[int, int], level: int) -> tuple[float, ...]:
    seeming = {
        column: faded(sign(score), plies_to_end(position, score), level) for column, score in scores.items()
    }
    return policy_of(position, seeming, level)


@pytest.mark.parametrize("spec", ["perfect", "negamax"])
def test_the_highest_level_is_the_plain_player(spec: str) -> None:
    early = [play_peacefully(Geometry(6, 7, 4), seed, 14) for seed in range(5)]
    for position in [*late_positions(10), *early]:
        plain, level = (
            agent(each, seed=1).analyze(position, Limit(nodes=500)) for each in (spec, f"{spec}:level=10")
        )
        assert plain.policy is None
        assert (plain.column, plain.score, plain.value, plain.values, plain.pv, plain.nodes) == (
            level.column,
            level.score,
            level.value,
            level.values,
            level.pv,
            level.nodes,
        )


@pytest.mark.parametrize("level", LEVELS)
def test_every_open_column_has_its_share(level: int) -> None:
    for position, scores in solved(100)[::5]:
        shares = policy(position, scores, level)
        assert len(shares) == 7
        assert sum(shares) == pytest.approx(1)
        assert all((shares[column] > 0) == (column in position.legal) for column in range(7))


@pytest.mark.parametrize("level", LEVELS)
def test_better_columns_are_played_more_often(level: int) -> None:
    position = Position.from_moves("444444")  # whose centre is full
    values = {0: 0.5, 1: 0.2, 2: -0.3, 4: -0.3, 5: 0.3, 6: 0.4}
    shares = policy_of(position, values, level)
    assert shares[0] > shares[6] > 0
    assert shares[5] > shares[1]
    assert shares[2] == pytest.approx(shares[4])
    assert shares[3] == 0
    assert shares[1] > shares[2]
    assert shares[0] / shares[6] == pytest.approx(shares[5] / shares[1]), "it is the difference that counts"
    if level > 1:
        assert shares[0] > policy_of(position, values, level - 1)[0]
    indifferent = policy_of(Position(), dict.fromkeys(range(7), 0.0), level)
    assert list(indifferent[:4]) == sorted(indifferent[:4]), "the centre is a little more likely"
    assert indifferent[3] < 1.5 * indifferent[0]


def test_what_is_far_away_counts_less_and_the_less_the_lower_the_level() -> None:
    for level in LEVELS:
        assert faded(1, 1, level) == 1
        assert faded(-1, 1, level) == -1
        assert faded(0, 9, level) == 0
        worth = [faded(1, plies, level) for plies in range(1, 42)]
        assert worth == sorted(worth, reverse=True)
        assert faded(-1, 7, level) == -worth[6]
    assert [faded(1, 7, level) for level in LEVELS] == sorted(faded(1, 7, level) for level in LEVELS)


def test_the_higher_the_level_the_better_the_play() -> None:
    """What the drawn column is worth on average, over positions and chance."""
    worths = [
        math.fsum(
            sum(
                share * sign(scores.get(column, 0))
                for column, share in enumerate(policy(position, scores, level))
            )
            for position, scores in solved(100)
        )
        / 100
        for level in LEVELS
    ]
    best = math.fsum(max(map(sign, scores.values())) for _, scores in solved(100)) / 100
    assert worths == sorted(worths)
    assert worths[-1] <= best
    assert worths[-1] - worths[0] > 0.1
    assert worths[-1] > best - 0.1


@pytest.mark.parametrize("spec", ["perfect", "negamax"])
@pytest.mark.parametrize(
    ("moves", "column", "level", "share"),
    [
        ("121212", 0, 1, 0.65),  # a win in one
        ("112233", 3, 1, 0.5),  # although there are other ways to win
        ("17171", 0, 1, 0.25),  # a win in one of the other side's: more likely than any other
        ("17171", 0, 2, 0.5),
        ("17171", 0, 4, 0.9),
    ],
)
def test_even_beginners_see_one_move_ahead(
    spec: str, moves: str, column: int, level: int, share: float
) -> None:
    found = agent(f"{spec}:level={level}", seed=2).analyze(Position.from_moves(moves), Limit(nodes=200_000))
    assert found.policy is not None
    assert found.policy[column] == max(found.policy)
    assert found.policy[column] > share


@pytest.mark.parametrize("spec", ["perfect:level=2", "negamax:level=2,nodes=500"])
def test_chance_is_the_seeds_and_follows_the_policy(spec: str) -> None:
    position = late_positions(3)[2]
    limit = Limit(nodes=2000)
    columns = []
    shares: tuple[float, ...] = ()
    for seed in range(60):
        found = agent(spec, seed=seed).analyze(position, limit)
        if seed < 3:
            assert agent(spec, seed=seed).analyze(position, limit).column == found.column
        assert found.policy is not None
        assert found.pv[0] == found.column
        shares = found.policy
        columns.append(found.column)
    assert all(shares[column] > 0 for column in columns)
    assert len(set(columns)) > 1
    assert len(set(columns)) <= len(position.legal)


def test_a_column_is_drawn_as_often_as_the_policy_says() -> None:
    chance = random.Random(4)
    found = Analysis(Position.from_moves("4453"), 3, value=0.5, pv=(3, 2))
    values = {0: 0.1, 2: 0.4, 3: 0.5, 6: 0.2}
    answers = [drawn(found, values, 3, chance) for _ in range(10_000)]
    shares = policy_of(found.position, values, 3)
    columns = [answer.column for answer in answers]
    for column, share in enumerate(shares):
        assert abs(columns.count(column) - 10_000 * share) <= 5 * math.sqrt(10_000 * share * (1 - share))
    assert {answer.pv for answer in answers} == {(0,), (2,), (3, 2), (6,)}
    assert drawn(found, {}, 3, chance) is found


def test_lower_levels_of_a_search_look_less_far() -> None:
    position = Position.from_moves("4453")
    found: list[Analysis] = [
        agent(f"negamax:level={level}", seed=1).analyze(position, Limit(nodes=100_000)) for level in LEVELS
    ]
    assert [each.depth for each in found][:6] == list(SIGHTS[:6])
    assert all(each.depth <= sight for each, sight in zip(found, SIGHTS, strict=True))
    assert agent("negamax:level=9").analyze(position, Limit(depth=2)).depth == 2


@pytest.mark.parametrize("spec", ["perfect:level=1", "negamax:level=1"])
def test_nothing_is_claimed_for_a_column_that_is_not_the_best(spec: str) -> None:
    position = Position.from_moves("4444432655")  # column 3 alone wins
    others = 0
    for seed in range(20):
        found = agent(spec, seed=seed).analyze(position, Limit())
        best = max(each for each in found.scores or found.values or () if each is not None)
        played = (found.scores or found.values or ())[found.column]
        if played == best:
            continue
        others += 1
        assert (found.score, found.bounds, found.exact, found.points) == (None, None, False, None)
        assert found.pv == (found.column,)
        assert found.value == (None if found.values is None else found.values[found.column])
    assert others, "it was not always the best"
