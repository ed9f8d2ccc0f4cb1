"""Ratings of a field: closed forms, peers, and fields whose true ratings are known."""

from __future__ import annotations

import json
import math
import random

import choix
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from fourcast.arena.bradley_terry import ELO, PRIOR_ELO, fit
from fourcast.arena.elo import elo_of_share
from fourcast.arena.ratings import rate, rate_results
from fourcast.arena.results import Result, Tally
from fourcast.game.errors import BadResult, UnknownPlayer

Matrix = npt.NDArray[np.float64]


def expected(elos: Matrix) -> Matrix:
    """The share that agent i takes from agent j: of shape (n, n)."""
    return np.asarray(1 / (1 + 10 ** (-(elos[:, None] - elos) / 400)))


def named(agents: int) -> list[str]:
    return [f"agent{number:03d}" for number in range(agents)]


def drawn_by_lot(elos: Matrix, games: int, draws: float, first: float, lots: np.random.Generator) -> Tally:
    """A round robin of so many games a colour.

    Args:
        elos: The true ratings.
        games: How many games each plays as first player against each other.
        draws: How often games are drawn that could be, 0 to 1.
        first: How much the first player is favoured, 0 to 1; over both colours the shares stay as expected.
        lots: Where chance comes from.
    """
    shares = expected(elos)
    shares = shares + first * np.minimum(shares, 1 - shares)
    drawn = 2 * draws * np.minimum(shares, 1 - shares)
    chances = np.stack([1 - shares - drawn / 2, drawn, shares - drawn / 2], axis=-1).clip(0)
    counts = lots.multinomial(games, chances)
    counts[np.diag_indices(len(elos))] = 0
    return Tally(tuple(named(len(elos))), counts)


def naive_strengths(points: list[list[float]]) -> Matrix:
    """Climbs to the maximum of the model's function, written out game by game."""

    def below(strengths: Matrix) -> float:
        total = sum(strength**2 for strength in strengths) * ELO**2 / PRIOR_ELO**2 / 2
        for i, row in enumerate(points):
            for j, taken in enumerate(row):
                if taken:
                    total += taken * math.log(1 + math.exp(strengths[j] - strengths[i]))
        return float(total)

    return np.asarray(minimize(below, np.zeros(len(points)), tol=1e-8).x)


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_no_ratings_agree_better_with_the_games(rows: list[list[int]]) -> None:
    points = np.array(rows) / 2
    np.fill_diagonal(points, 0)
    strengths, shares = fit(points, points + points.T)
    assert strengths == pytest.approx(naive_strengths(points.tolist()), abs=2e-3)
    assert shares == pytest.approx(1 / (1 + np.exp(strengths - strengths[:, None])))
    # At the maximum every agent took what it was expected to, but for the prior's pull.
    missing = points.sum(axis=1) - ((points + points.T) * shares).sum(axis=1)
    assert missing == pytest.approx(strengths * ELO**2 / PRIOR_ELO**2, abs=1e-8)


@pytest.mark.parametrize("share", [0.5, 0.6, 0.75, 0.9])
def test_two_agents_differ_by_the_elo_of_their_score(share: float) -> None:
    games = 2000
    ratings = rate("ab", *match(games, share))
    difference = ratings["a"].elo - ratings["b"].elo
    assert difference == pytest.approx(elo_of_share(share), rel=1e-3, abs=1e-9)
    low, high = ratings["a"].interval
    error = ELO / math.sqrt(games * share * (1 - share)) / 2  # half the difference's: the mean stays at 0
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=1e-3)


def match(games: int, share: float) -> tuple[Matrix, Matrix]:
    points = np.array([[0, games * share], [games * (1 - share), 0]])
    return points, points + points.T


def test_another_program_finds_the_same_ratings() -> None:
    tally = drawn_by_lot(np.linspace(-400, 400, 20), 40, 0.3, 0.3, np.random.default_rng(3))
    ratings = rate_results(tally)
    peer = ELO * choix.ilsr_pairwise_dense(tally.points)
    assert [ratings[name].elo for name in tally.names] == pytest.approx(peer - peer.mean(), abs=1.0)


@pytest.mark.parametrize(
    ("agents", "games", "draws", "first"),
    [
        (2, 60, 0, 0),
        (2, 60, 0.5, 0.8),
        (5, 15, 0.3, 0.5),
        (12, 1, 0.3, 0.8),
        (12, 6, 0, 0),
        (40, 1, 0.2, 0.5),
    ],
)
def test_the_interval_holds_the_true_rating_95_times_in_100(
    agents: int, games: int, draws: float, first: float
) -> None:
    lots = np.random.default_rng(agents + games)
    held = []
    for _ in range(2400 // agents):
        elos = lots.normal(0, 150, agents)
        elos -= elos.mean()
        ratings = rate_results(drawn_by_lot(elos, games, draws, first, lots))
        for name, elo in zip(named(agents), elos, strict=True):
            low, high = ratings[name].interval
            held.append(low <= elo <= high)
    assert 0.93 <= np.mean(held) <= 0.975


def test_draws_and_colours_make_the_dispersion_small() -> None:
    lots = np.random.default_rng(4)
    level = np.zeros(10)
    assert rate_results(drawn_by_lot(level, 50, 0, 0, lots)).dispersion == pytest.approx(1, abs=0.1)
    assert rate_results(drawn_by_lot(level, 50, 0.5, 0, lots)).dispersion == pytest.approx(0.5, abs=0.05)
    assert rate_results(drawn_by_lot(level, 50, 0, 0.8, lots)).dispersion == pytest.approx(0.36, abs=0.05)
    assert rate_results(drawn_by_lot(level, 1, 0, 1, lots)).dispersion < 0.05, "the first player always wins"


def test_a_few_games_say_nothing_of_the_dispersion() -> None:
    assert rate_results([Result("a", "b", 0.5)] * 6 + [Result("b", "a", 0.5)] * 6).dispersion == 1


def test_the_order_of_games_and_of_names_is_nothing() -> None:
    chance = random.Random(1)
    pairs = [chance.sample("abcdef", 2) for _ in range(200)]
    games = [Result(first, second, chance.choice([0, 0.5, 1])) for first, second in pairs]
    ratings = rate_results(games)
    assert rate_results(chance.sample(games, 200)) == ratings
    other = rate_results(games, names="fbdaec")
    for name in "abcdef":
        assert other[name].elo == pytest.approx(ratings[name].elo)
        assert other[name].interval == pytest.approx(ratings[name].interval)
    renamed = rate_results([Result(game.first * 2, game.second * 2, game.points) for game in games])
    assert [rating.elo for rating in renamed.agents] == [rating.elo for rating in ratings.agents]


def test_the_mean_is_0_and_the_strongest_stands_first() -> None:
    elos = np.linspace(-600, 600, 30)
    ratings = rate_results(drawn_by_lot(elos, 10, 0.2, 0.2, np.random.default_rng(5))).agents
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    assert [rating.elo for rating in ratings] == sorted((rating.elo for rating in ratings), reverse=True)
    assert ratings[0].name in named(30)[-4:]


def test_an_anchor_is_where_it_was_put_and_differences_stay() -> None:
    tally = drawn_by_lot(np.array([-100, 0, 30, 70]), 100, 0.2, 0.2, np.random.default_rng(6))
    free, held = rate_results(tally), rate_results(tally, anchor=("agent002", 1500))
    assert held["agent002"].elo == 1500
    assert held["agent002"].interval == (1500.0, 1500.0)
    for name in tally.names:
        assert held[name].elo - 1500 == pytest.approx(free[name].elo - free["agent002"].elo)
    # Beside the anchor, the difference of two is uncertain, which is more than one beside the mean.
    low, high = held["agent000"].interval
    assert high - low > free["agent000"].interval[1] - free["agent000"].interval[0]
    idle = rate_results([], names=["a", "b"], anchor=("a", 100))
    assert (idle["a"].elo, idle["a"].interval) == (100, (100.0, 100.0))
    with pytest.raises(UnknownPlayer, match="anchor"):
        rate_results(tally, anchor=("nobody", 0))


def test_agents_that_won_or_lost_everything_stay_finite_and_say_so() -> None:
    games = [Result("best", "good", 1), Result("good", "best", 0), Result("good", "bad", 1)] * 10
    games += [Result("good", "fair", 0.5), Result("fair", "good", 1), Result("bad", "fair", 0)] * 10
    ratings = rate_results(games)
    assert [rating.name for rating in ratings.agents] == ["best", "fair", "good", "bad"]
    assert [rating.unbounded for rating in ratings.agents] == ["above", None, None, "below"]
    assert all(math.isfinite(rating.elo) and abs(rating.elo) < 2000 for rating in ratings.agents)


def test_more_games_won_by_all_raise_the_winner() -> None:
    elos = [rate("ab", *match(games, 1))["a"].elo for games in (2, 20, 200, 2000)]
    assert elos == sorted(elos)
    assert elos[-1] < 1500


def test_groups_that_never_met_are_told_apart() -> None:
    games = [Result("a", "b", 1), Result("b", "a", 1), Result("a", "b", 1)]
    games += [Result("x", "y", 1), Result("y", "z", 0.5), Result("x", "z", 0.5)]
    ratings = rate_results(games, names=[*"abxyz", "idle"])
    assert ratings.groups == 3
    assert [(rating.name, rating.group) for rating in ratings.agents][:3] == [("x", 0), ("z", 0), ("y", 0)]
    assert (ratings["a"].group, ratings["b"].group, ratings["idle"].group) == (1, 1, 2)
    assert ratings["a"].elo + ratings["b"].elo == pytest.approx(0, abs=1e-9)
    assert ratings["idle"].interval == (-math.inf, math.inf)
    alone = rate_results(games[:3])
    assert ratings["a"].elo == pytest.approx(alone["a"].elo), "one group does not sway another"
    anchored = rate_results(games, anchor=("a", 100))
    assert anchored["x"].elo == pytest.approx(ratings["x"].elo), "an anchor holds its own group only"


def test_a_chain_and_a_ladder_of_hundreds_are_rated() -> None:
    chain = np.diag(np.full(149, 2.0), 1)  # each won twice against the next, and met no other
    ratings = rate(named(150), chain, chain + chain.T)
    assert [rating.name for rating in ratings.agents] == named(150)
    ladder = np.triu(np.full((150, 150), 2.0), 1)
    ratings = rate(named(150), ladder, ladder + ladder.T)
    assert [rating.name for rating in ratings.agents] == named(150)


def test_nobody_and_one_alone_are_a_field_too() -> None:
    assert rate_results([]).agents == ()
    assert rate_results([], names=["a"])["a"].elo == 0


def test_json_has_every_rating_and_no_infinity() -> None:
    ratings = rate_results([Result("a", "b", 1)], names=["a", "b", "idle"])
    record = json.loads(json.dumps(ratings.to_json(), allow_nan=False))
    assert (record["groups"], record["dispersion"]) == (2, 1)
    assert record["agents"][0] == {
        "name": "a",
        "elo": ratings["a"].elo,
        "interval": list(ratings["a"].interval),
        "games": 1,
        "points": 1,
        "group": 0,
        "unbounded": "above",
    }
    assert record["agents"][2]["interval"] == [None, None]
    with pytest.raises(UnknownPlayer, match="nobody"):
        ratings["nobody"]


@pytest.mark.parametrize(
    ("names", "points", "games", "message"),
    [
        ("ab", [[0, 1, 0]] * 3, [[0, 1, 1]] * 3, "shape"),
        ("aa", [[0, 1], [0, 0]], [[0, 1], [1, 0]], "twice"),
        ("ab", [[0, 1], [1, 0]], [[0, 1], [1, 0]], "add up"),
        ("ab", [[0, 2], [-1, 0]], [[0, 1], [1, 0]], "add up"),
        ("ab", [[0, math.nan], [1, 0]], [[0, 1], [1, 0]], "add up"),
        ("ab", [[1, 0], [0, 0]], [[2, 0], [0, 0]], "itself"),
    ],
)
def test_tables_that_cannot_be_are_refused(
    names: str, points: list[list[float]], games: list[list[float]], message: str
) -> None:
    with pytest.raises(BadResult, match=message):
        rate(names, np.array(points), np.array(games))
