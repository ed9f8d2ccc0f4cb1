"""Swiss rounds: everybody plays, equals meet, nobody meets twice."""

from __future__ import annotations

import random

import pytest

from fourcast.arena.swiss import swiss_pairs


@pytest.mark.parametrize(("size", "rounds"), [(2, 1), (3, 3), (8, 5), (9, 6), (16, 8), (64, 8), (425, 9)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nobody_meets_twice_and_everybody_plays(size: int, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"agent {index}" for index in range(size)]
    strength = {name: chance.gauss() for name in names}
    points = dict.fromkeys(names, 0.0)
    met: set[frozenset[str]] = set()
    byes: dict[str, int] = {}
    apart = []
    for _ in range(rounds):
        pairs, idle = swiss_pairs(names, points, met, byes)
        playing = [name for pair in pairs for name in pair]
        assert sorted([*playing, *([idle] if idle else [])]) == sorted(names)
        assert (idle is None) == (size % 2 == 0)
        for first, second in pairs:
            assert frozenset((first, second)) not in met
            met.add(frozenset((first, second)))
            apart.append(abs(points[first] - points[second]))
            better = first if strength[first] + chance.gauss() > strength[second] + chance.gauss() else second
            points[better] += 2
        if idle:
            assert byes.get(idle, 0) == 0
            byes[idle] = 1
            points[idle] += 2
    if size > 9:
        assert sum(apart) / len(apart) <= 1.0, "rivals are about equal"


def test_where_all_have_met_they_meet_again() -> None:
    names = ["a", "b", "c", "d"]
    met = {frozenset((x, y)) for x in names for y in names if x != y}
    pairs, idle = swiss_pairs(names, dict.fromkeys(names, 1.0), met, {})
    assert idle is None
    assert sorted(name for pair in pairs for name in pair) == names


def test_a_pair_is_changed_where_the_last_two_have_met() -> None:
    points = {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0}
    pairs, _ = swiss_pairs(list(points), points, {frozenset("cd")}, {})
    assert {frozenset(pair) for pair in pairs} in (
        {frozenset("ac"), frozenset("bd")},
        {frozenset("ad"), frozenset("bc")},
    )
