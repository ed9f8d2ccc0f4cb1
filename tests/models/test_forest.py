"""Boosted trees: ours say what LightGBM says, and damaged ones are refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import BadModel
from fourcast.game.geometry import STANDARD
from fourcast.models.forest import Forest
from fourcast.models.lightgbm_text import read_text
from tests.models.trained import COLUMNS, Rows, booster, random_rows, small_model, text_of

TEXT = text_of(small_model())

SETTINGS: list[dict[str, Any]] = [
    {"num_leaves": 2},
    {"num_leaves": 5},
    {"num_leaves": 31, "min_data_in_leaf": 2},
    {"num_leaves": 32, "min_data_in_leaf": 1},
    {"num_leaves": 33, "min_data_in_leaf": 1},
    {"num_leaves": 150, "min_data_in_leaf": 1, "max_bin": 500},
    {"num_leaves": 40, "max_depth": 3, "learning_rate": 0.5},
    {"num_leaves": 12, "feature_fraction": 0.5, "bagging_fraction": 0.5, "bagging_freq": 1},
    {"num_leaves": 12, "boosting": "dart", "use_missing": False},
    {"num_leaves": 12, "extra_trees": True, "boost_from_average": False},
]


def noisy_labels(rows: Rows) -> npt.NDArray[np.int64]:
    """Classes that have something to do with the features, and something with chance: trees grow wide."""
    told = (rows[:, 3].astype(int) + rows[:, 5] > 4).astype(int) + (rows[:, 9] < -300)
    return np.where(np.arange(len(rows)) % 4, told, np.random.default_rng(1).integers(3, size=len(rows)))


@pytest.mark.parametrize("chosen", SETTINGS, ids=lambda chosen: "-".join(map(str, chosen.values())))
def test_a_forest_says_what_lightgbm_says(chosen: dict[str, Any]) -> None:
    rows = random_rows(900, 3)
    model = booster(rows, noisy_labels(rows), 6, **chosen)
    forest = Forest.from_text(text_of(model))
    fresh = random_rows(700, 4)
    fresh[:300] = rows[:300]  # on both sides of every threshold
    expected = model.predict(fresh.astype(np.float64), raw_score=True)
    assert forest.trees == 18
    assert np.abs(forest.raw(STANDARD, fresh) - expected).max() < 1e-9
    likely = model.predict(fresh.astype(np.float64))
    assert np.abs(forest.probabilities(STANDARD, fresh) - likely).max() < 1e-9


def test_some_thresholds_of_these_models_are_negative_and_some_trees_are_wide() -> None:
    rows = random_rows(900, 3)
    said = read_text(text_of(booster(rows, noisy_labels(rows), 6, num_leaves=150, min_data_in_leaf=1)))
    assert (said.threshold < -1).sum() > 50
    assert said.leaves.max() > 64, "leaves in three words"


@pytest.mark.parametrize("count", [0, 1, 2, 6, 7, 15, 16, 17, 255, 256, 257])
def test_few_rows_and_many_get_the_same_answers(count: int) -> None:
    for leaves in (5, 80):
        model = small_model(3, leaves)
        rows = random_rows(300, 5)
        expected = model.predict(rows.astype(np.float64), raw_score=True)[:count]
        found = Forest.from_text(text_of(model)).raw(STANDARD, rows[:count])
        assert found.shape == (count, 3)
        assert np.allclose(found, expected, rtol=0, atol=1e-9)


def test_rows_need_not_lie_next_to_each_other() -> None:
    forest, rows = Forest.from_text(TEXT), random_rows(40, 6)
    wide = np.repeat(rows, 2, axis=1)
    assert (forest.raw(STANDARD, wide[:, ::2]) == forest.raw(STANDARD, rows)).all()
    assert (forest.raw(STANDARD, wide[::2, ::2]) == forest.raw(STANDARD, rows[::2])).all()


def test_trees_of_one_leaf_are_worth_that_leaf() -> None:
    rows = random_rows(100, 7)
    model = booster(rows, np.arange(100) % 3, 2, min_data_in_leaf=100)
    forest = Forest.from_text(text_of(model))
    assert len(forest.feature) == 0
    expected = model.predict(rows.astype(np.float64), raw_score=True)
    for count in (1, 100):
        assert np.allclose(forest.raw(STANDARD, rows[:count]), expected[:count], rtol=0, atol=1e-12)


def test_other_features_are_refused() -> None:
    forest = Forest.from_text(TEXT)
    wrong: list[npt.NDArray[Any]] = [
        random_rows(3, 1)[:, 1:],
        random_rows(3, 1).astype(np.int32),
        random_rows(3, 1)[0],
    ]
    for rows in wrong:
        with pytest.raises(BadModel, match=rf"int16 of shape \(rows, {COLUMNS}\)"):
            forest.raw(STANDARD, rows)


def changed(old: str, new: str, count: int = 1) -> bytes:
    """The text with something else in it."""
    text, times = re.subn(old, new, TEXT.decode(), count=count, flags=re.MULTILINE)
    assert times, old
    return text.encode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not LightGBM's text"),
        (b"\x00" * 100, "not LightGBM's text"),
        (b"tree\n", "no end of trees"),
        (b"tree\n\nend of trees", "version"),
        (TEXT[: len(TEXT) // 4], "no end of trees"),
        (changed(r"^version=v4", "version=v9"), "version 'v9', and only v4"),
        (changed(r"^num_class=3", "num_class=4"), "objective"),
        (changed(r"^num_class=3", "num_class=999999"), "num_class is '999999', not a whole number from 2"),
        (changed(r"^objective=.*", "objective=regression"), "objective is 'regression'"),
        (changed(r"^num_tree_per_iteration=3", "num_tree_per_iteration=1"), "one tree a class"),
        (changed(r"^label_index", "average_output\nlabel_index"), "averages"),
        (changed(r"^max_feature_idx=11", "max_feature_idx=12"), "12 features that it names"),
        (changed(r"^Tree=11\n(.*\n)*?\n", ""), "11 trees for 3 classes"),
        (changed(r"^Tree=5$", "Tree=6"), "tree 5 is missing"),
        (changed(r"^num_leaves=5", "num_leaves=6"), "numbers of split_feature, not 5"),
        (changed(r"^num_leaves=5", "num_leaves=-1"), "num_leaves"),
        (changed(r"^num_leaves=5", "num_leaves=99999999"), "num_leaves"),
        (changed(r"^num_cat=0", "num_cat=1"), "num_cat"),
        (changed(r"^is_linear=0", "is_linear=1"), "is_linear"),
        (changed(r"^decision_type=\d+", "decision_type=1"), "category, or for missing"),
        (changed(r"^decision_type=\d+", "decision_type=10"), "category, or for missing"),
        (changed(r"^split_feature=\d+", "split_feature=12"), "a feature that there is none of"),
        (changed(r"^split_feature=\d+", "split_feature=-1"), "a feature that there is none of"),
        (changed(r"^split_feature=\d+", "split_feature=1.5"), "split_feature holds what is not a number"),
        (changed(r"^split_feature=\d+", "split_feature=" + "9" * 5000), "not a number"),
        (changed(r"^split_feature=\d+", "split_feature=" + "9" * 400), "too large"),
        (changed(r"^threshold=\S+", "threshold=nan"), "threshold has a number that is not finite"),
        (changed(r"^threshold=\S+", "threshold=inf"), "threshold has a number that is not finite"),
        (changed(r"^threshold=\S+", "threshold=40000"), "beyond all that a feature can be"),
        (changed(r"^threshold=\S+", "threshold=-32768.5"), "beyond all that a feature can be"),
        (changed(r"^threshold=\S+", "threshold=x"), "threshold holds what is not a number"),
        (changed(r"^leaf_value=\S+", "leaf_value=-inf"), "leaf_value has a number that is not finite"),
        (changed(r"^leaf_value=\S+", "leaf_value=1e308"), "leaf_value has a number"),
        (changed(r"^leaf_value=\S+ ", "leaf_value="), "4 numbers of leaf_value, not 5"),
        (changed(r"^left_child=\S+", "left_child=0"), "from several others"),
        (changed(r"^left_child=\S+", "left_child=4"), "leads to one that there is none of"),
        (changed(r"^left_child=\S+", "left_child=-6"), "leads to one that there is none of"),
        (changed(r"^(left_child=.*)", r"\1\nleft_child=0 0 0 0"), "'left_child' is there twice"),
    ],
)
def test_what_is_not_sound_is_refused(text: bytes, reason: str) -> None:
    with pytest.raises(BadModel, match=reason):
        Forest.from_text(text)


def test_nodes_that_go_round_in_circles_are_refused() -> None:
    """Everything is reached exactly once, but two nodes only from each other."""
    for left, right in (("-1 2 1 -3", "-2 -4 3 -5"), ("-1 2 1 -2", "3 -4 -5 -3")):
        text = changed(r"^left_child=.*\nright_child=.*", f"left_child={left}\nright_child={right}")
        with pytest.raises(BadModel, match="go round in circles"):
            Forest.from_text(text)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damage_is_refused_or_harmless(data: st.DataObject) -> None:
    """Whatever is done to the text, there is a forest with finite sums or a `BadModel`."""
    trees = TEXT[: TEXT.index(b"end of trees") + 20]
    kind = data.draw(st.sampled_from(["cut", "byte", "number", "line"]))
    place = data.draw(st.integers(0, len(trees) - 1))
    if kind == "cut":
        damaged = trees[:place] + trees[place + data.draw(st.integers(1, 2000)) :]
    elif kind == "byte":
        damaged = trees[:place] + data.draw(st.binary(min_size=1, max_size=3)) + trees[place + 1 :]
    else:
        pattern = rb"(?<=[= ])-?[0-9.e+-]+" if kind == "number" else rb"(?m)^.*$"
        spots = list(re.finditer(pattern, trees))
        spot = spots[place % len(spots)]
        news = [b"-1", b"0", b"3", b"4", b"-7", b"99999999999", b"nan", b"1e400", b"", b"x", b"-0.5"]
        damaged = trees[: spot.start()] + data.draw(st.sampled_from(news)) + trees[spot.end() :]
    try:
        forest = Forest.from_text(damaged)
    except BadModel as error:
        assert "\n" not in str(error)
        return
    rows = np.zeros((2, len(forest.features)), dtype=np.int16)
    assert np.isfinite(forest.probabilities(STANDARD, rows)).all()
