"""LightGBM's training: the same model however it came about."""

from __future__ import annotations

import gzip
import json
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pytest

from fourcast import BadData, BadLimit, BadOption, MissingExtra
from fourcast.evaluators.features import Features
from fourcast.learning import boosted
from fourcast.learning.boosted import Settings, Table, predict, train_boosted
from fourcast.learning.checkpoint import Round, read_checkpoint
from fourcast.learning.examples import split_by_hash
from fourcast.learning.metrics import log_loss_of
from fourcast.learning.tree_text import join_texts
from fourcast.models.forest import Forest
from tests.learning.sets import BOARD, GROUPS, QUICK, small_examples
from tests.learning.test_positions import Enough, room_for
from tests.models.trained import random_rows, small_model, text_of

FEATURES = Features.of(BOARD, GROUPS)
LONG = replace(QUICK, rounds=50)


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boosted, "BLOCK", 10)


@cache
def tables() -> tuple[Table, Table]:
    """Features and classes to learn from, and held out."""
    examples = small_examples()
    whole = Table.of(FEATURES, examples.batch, examples.classes)
    split = split_by_hash(examples, 0.2, 229)
    return whole.only(split.train), whole.only(split.held)


def train(settings: Settings = LONG, **changes: Any) -> tuple[bytes, list[Round]]:
    return train_boosted(*tables(), FEATURES, settings, **({"threads": 1} | changes))


def stop_after(rounds: int, checkpoint: Path, settings: Settings = LONG) -> None:
    """Train, and stop as soon as so many rounds are done."""

    def watch(done: Round) -> None:
        if done.rounds >= rounds:
            raise Enough

    with pytest.raises(Enough):
        train(settings, checkpoint=checkpoint, watch=watch)


def rounds_trained(settings: Settings, checkpoint: Path) -> tuple[bytes, list[int]]:
    """The model, and after which rounds it was told that they are done: those before were kept."""
    seen: list[int] = []
    text, curve = train(settings, checkpoint=checkpoint, watch=lambda done: seen.append(done.rounds))
    assert [each.rounds for each in curve][-1] == settings.rounds * settings.members
    return text, seen


def test_it_learns() -> None:
    text, curve = train()
    assert [each.rounds for each in curve] == [10, 20, 30, 40, 50]
    assert curve[-1].train < curve[0].train
    assert curve[-1].held < curve[0].held < np.log(3)
    assert Forest.from_text(text).features == tuple(FEATURES.names)


def test_the_log_loss_that_is_told_is_that_of_the_model() -> None:
    text, curve = train()
    forest, (known, held) = Forest.from_text(text), tables()
    assert log_loss_of(held.classes, predict(forest, FEATURES, held, mirror=False)) == pytest.approx(
        curve[-1].held
    )
    both = [predict(forest, FEATURES, each, mirror=False) for each in (known, replace_images(known))]
    told = np.mean([log_loss_of(known.classes, each) for each in both])
    assert told == pytest.approx(curve[-1].train)


def replace_images(table: Table) -> Table:
    return Table(table.images, table.features, table.classes)


def test_with_mirror_images_a_position_and_its_image_are_worth_the_same() -> None:
    forest, (_, held) = Forest.from_text(train(QUICK)[0]), tables()
    for mirror in (True, False):
        one, other = (predict(forest, FEATURES, each, mirror=mirror) for each in (held, replace_images(held)))
        assert np.allclose(one, other, atol=1e-12) == mirror


def test_the_model_does_not_depend_on_threads_or_on_when_it_was_made() -> None:
    assert train(QUICK)[0] == train(QUICK, threads=2)[0] == train(QUICK)[0]


def test_another_seed_makes_another_model() -> None:
    assert train(QUICK)[0] != train(replace(QUICK, seed=1))[0]
    assert train(replace(QUICK, seed=2**32 - 1))[0]


def test_every_block_of_rounds_draws_features_of_its_own() -> None:
    share = 3 / len(FEATURES.names)
    text, _ = train(replace(LONG, rounds=20, feature_share=share))
    looked = [set(line.split()) for line in re.findall(r"split_feature=(.*)", text.decode())]
    assert len(looked) == 60
    assert max(map(len, looked)) <= 3
    assert any(len(one | other) > 3 for one, other in zip(looked[:30], looked[30:], strict=True))


def test_the_seconds_of_a_training_are_those_before_and_after_a_stop(tmp_path: Path) -> None:
    checkpoint = tmp_path / "oak.part"
    _, before = train(LONG, checkpoint=checkpoint)
    kept = read_checkpoint(checkpoint)
    assert kept is not None
    first = replace(kept.curve[0], seconds=1000.0)
    replace(kept, curve=(first,), texts=kept.texts[:1]).write(checkpoint)
    _, after = train(LONG, checkpoint=checkpoint)
    assert before[0].seconds < before[-1].seconds < 1000.0 < after[-1].seconds


@pytest.mark.parametrize("rounds", [10, 30, 50])
def test_a_training_that_was_stopped_ends_in_the_same_model(tmp_path: Path, rounds: int) -> None:
    stop_after(rounds, tmp_path / "part")
    text, seen = rounds_trained(LONG, tmp_path / "part")
    assert text == train()[0], "byte for byte"
    assert seen == list(range(rounds + 10, 51, 10)), "what is done is not done again"
    assert (tmp_path / "part").exists(), "it is the caller's to remove"


def test_it_does_so_where_values_are_cut_into_bins_by_a_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As LightGBM does with sets of more than 200,000 rows."""
    parameters = Settings.parameters
    monkeypatch.setattr(
        Settings,
        "parameters",
        lambda self, threads: parameters(self, threads) | {"bin_construct_sample_cnt": 30},
    )
    stop_after(20, tmp_path / "part")
    assert rounds_trained(LONG, tmp_path / "part")[0] == train()[0]


@pytest.mark.parametrize(("before", "after", "left"), [(25, 50, [30, 40, 50]), (50, 25, [25]), (25, 25, [])])
def test_a_checkpoint_of_another_number_of_rounds_is_used_as_far_as_it_goes(
    tmp_path: Path, before: int, after: int, left: list[int]
) -> None:
    train(replace(LONG, rounds=before), checkpoint=tmp_path / "part")
    wanted = replace(LONG, rounds=after)
    text, seen = rounds_trained(wanted, tmp_path / "part")
    assert seen == left
    assert text == train(wanted)[0]


def refuses(part: Path, message: str) -> None:
    """Training does not begin, and what is in the checkpoint stays."""
    before = part.read_bytes()
    with pytest.raises(BadData) as caught:
        train(checkpoint=part, watch=lambda _: pytest.fail("it has begun"))
    assert str(caught.value) == f"{part} {message}: remove it, or write to another name"
    assert part.read_bytes() == before


@pytest.mark.parametrize(
    "changes",
    [
        {"learning_rate": 0.2},
        {"leaves": 8},
        {"least": 21},
        {"l2": 2.0},
        {"feature_share": 0.4},
        {"seed": 230},
    ],
)
def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    stop_after(20, tmp_path / "part", replace(LONG, **changes))
    refuses(tmp_path / "part", "was begun with other settings or data")


def test_a_checkpoint_of_other_data_is_refused(tmp_path: Path) -> None:
    known, held = tables()
    other = Table(known.features, known.images, known.classes[::-1].copy())
    fewer = held.only(np.arange(50))
    for name, changed in {"one": (other, held), "two": (known, fewer)}.items():
        train_boosted(*changed, FEATURES, LONG, threads=1, checkpoint=tmp_path / name)
        refuses(tmp_path / name, "was begun with other settings or data")
    train(checkpoint=tmp_path / "part")
    assert rounds_trained(LONG, tmp_path / "part")[1] == [], "its own is as good as new"


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    part = tmp_path / "part"
    stop_after(30, part)
    good = part.read_bytes()
    document = json.loads(gzip.decompress(good))

    def packed(**changes: object) -> bytes:
        return gzip.compress(json.dumps(document | changes).encode())

    text, rest = document["blocks"][0], document["blocks"][1:]
    for damaged in (
        b"",
        b"hello",
        good[:-5],
        good[: len(good) // 2],
        good[:100] + b"\xff\xff\xff\xff" + good[104:],
        gzip.compress(b"[" * 100_000),
        gzip.compress(b"[1]"),
        gzip.compress(b"{}"),
        packed(blocks=[]),
        packed(blocks=rest),
        packed(blocks=[], curve=[]),
        packed(curve=[]),
        packed(curve=[{"rounds": "ten", "train": 1, "held": 1}]),
        packed(curve=[{"round": 10}]),
        gzip.compress(
            json.dumps(document | {"rounds": 0}).replace('"rounds": 0', '"rounds": 1e999').encode()
        ),
        packed(blocks=[text.replace("num_class=3", "num_class=4"), *rest]),
        packed(blocks=[text.replace("feature_names=", "feature_names=x"), *rest]),
    ):
        part.write_bytes(damaged)
        refuses(part, "is damaged, or not what training keeps")
    part.write_bytes(good)
    assert rounds_trained(LONG, part)[1] == [40, 50]


def test_a_folder_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="it is not a file"):
        train(checkpoint=tmp_path)


def test_a_disk_that_fills_is_one_line_and_the_last_checkpoint_stays(tmp_path: Path) -> None:
    part = tmp_path / "part"
    stop_after(10, part)
    kept = part.read_bytes()
    with room_for(len(kept) + 100), pytest.raises(BadData, match="part: File too large"):
        train(checkpoint=part)
    assert part.read_bytes() == kept
    assert [each.name for each in tmp_path.iterdir()] == ["part"]


def test_without_anything_to_split_by_the_classes_are_as_likely_as_they_are() -> None:
    text, _ = train(replace(LONG, least=5000))
    known, held = tables()
    found = predict(Forest.from_text(text), FEATURES, held, mirror=False)
    assert np.allclose(found, np.bincount(known.classes) / len(known.classes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounds": 0}, "rounds 0: it must be 1 to 20000"),
        ({"learning_rate": 0.0}, "learning_rate 0"),
        ({"learning_rate": float("nan")}, "learning_rate nan"),
        ({"leaves": 1}, "leaves 1"),
        ({"leaves": 5000}, "leaves 5000: it must be 2 to 1024"),
        ({"least": 0}, "least 0"),
        ({"l2": -1.0}, "l2 -1"),
        ({"feature_share": 1.5}, "feature_share 1.5"),
        ({"members": 0}, "members 0: it must be 1 to 20"),
        ({"members": 21}, "members 21"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**32}, "seed 4294967296"),
    ],
)
def test_settings_have_their_ranges(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((BadOption, BadLimit), match=message):
        Settings(**changes)


def test_without_lightgbm_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(MissingExtra, match=r"lightgbm .*fourcast\[learn\]"):
        train()


# --- the mean of several members ---

MEMBERS = replace(QUICK, rounds=15, members=3)


def test_members_are_models_of_their_own_and_their_mean_is_taken() -> None:
    """A member is what would be trained alone with the seed that its turn gives it."""
    text, curve = train(MEMBERS)
    assert [each.rounds for each in curve] == [10, 15, 25, 30, 40, 45]
    alone = [train(replace(MEMBERS, members=1, seed=MEMBERS.seed + done))[0] for done in (0, 15, 30)]
    assert len(set(alone)) == 3
    rows, geometry = tables()[1].features, FEATURES.geometry
    mean = np.mean([Forest.from_text(each).raw(geometry, rows) for each in alone], axis=0)
    assert np.allclose(Forest.from_text(text).raw(geometry, rows), mean, atol=1e-5)
    assert Forest.from_text(text).trees == 3 * 3 * 15


def test_the_log_loss_that_is_told_is_that_of_the_mean() -> None:
    text, curve = train(MEMBERS)
    held = tables()[1]
    told = log_loss_of(held.classes, predict(Forest.from_text(text), FEATURES, held, mirror=False))
    assert told == pytest.approx(curve[-1].held, abs=1e-5)
    one, two = (train(replace(MEMBERS, members=members))[1] for members in (1, 2))
    assert (one, two) == (curve[:2], curve[:4]), "and on the way that of the members so far"


@pytest.mark.parametrize("rounds", [10, 15, 25, 30, 45])
def test_members_that_were_stopped_end_in_the_same_model(tmp_path: Path, rounds: int) -> None:
    stop_after(rounds, tmp_path / "part", MEMBERS)
    text, seen = rounds_trained(MEMBERS, tmp_path / "part")
    assert text == train(MEMBERS)[0], "byte for byte"
    assert seen == [each for each in (10, 15, 25, 30, 40, 45) if each > rounds]


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ((15, 2), (15, 3), [40, 45]),
        ((15, 3), (15, 1), []),
        ((20, 2), (40, 1), [30, 40]),  # as many rounds in all, but a second member is no longer first
        ((40, 1), (20, 2), [30, 40]),
    ],
)
def test_a_checkpoint_of_other_members_is_used_as_far_as_it_goes(
    tmp_path: Path, before: tuple[int, int], after: tuple[int, int], left: list[int]
) -> None:
    kept, wanted = (replace(QUICK, rounds=rounds, members=members) for rounds, members in (before, after))
    train(kept, checkpoint=tmp_path / "part")
    text, seen = rounds_trained(wanted, tmp_path / "part")
    assert seen == left
    assert text == train(wanted)[0]


# --- texts of models, joined ---


def test_lightgbm_reads_a_joined_text_and_says_what_the_forest_says() -> None:
    text, _ = train()
    again, (known, _) = lightgbm.Booster(model_str=text.decode()), tables()
    assert again.num_trees() == Forest.from_text(text).trees == 150
    theirs = again.predict(known.features.astype(np.float64), num_threads=1)
    assert np.allclose(theirs, predict(Forest.from_text(text), FEATURES, known, mirror=False), atol=1e-12)


def test_joined_models_add_up() -> None:
    one, other = text_of(small_model(4)), text_of(small_model(3, 9))
    rows, geometry = random_rows(200, 5), FEATURES.geometry
    both = Forest.from_text(join_texts([one, other]))
    apart = [Forest.from_text(each).raw(geometry, rows) for each in (one, other)]
    assert np.allclose(both.raw(geometry, rows), sum(apart), atol=1e-12)
    theirs = lightgbm.Booster(model_str=join_texts([one, other]).decode())
    assert np.allclose(theirs.predict(rows.astype(np.float64), raw_score=True), sum(apart), atol=1e-12)


def test_a_joined_text_is_shorter_and_joined_again_the_same() -> None:
    whole = text_of(small_model())
    short = join_texts([whole])
    assert len(short) < len(whole) / 2
    assert join_texts([short]) == short
    assert b"parameters:" not in short, "no paths or settings of the machine that trained it"


def test_shorter_thresholds_divide_whole_numbers_as_before() -> None:
    whole = text_of(small_model(30, 31))
    short = join_texts([whole])
    rows = random_rows(2000, 5)
    theirs = [lightgbm.Booster(model_str=text.decode()) for text in (whole, short)]
    before, after = [each.predict(rows.astype(np.float64), pred_leaf=True, num_threads=1) for each in theirs]
    assert np.array_equal(before, after), "every row ends in the same leaf of every tree"
    before, after = [each.predict(rows.astype(np.float64), raw_score=True, num_threads=1) for each in theirs]
    assert np.allclose(before, after, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("threshold", "written"),
    [
        ("1.0000000180025095e-35", "0.5"),
        ("-1.0000000180025095e-35", "-0.5"),
        ("2.5000000000000004", "2.5"),
        ("3.0000000000000004", "3.5"),
        ("-3.4999999999999996", "-3.5"),
        ("32766.500000000004", "32766.5"),
        ("-32767.499999999996", "-32767.5"),
    ],
)
def test_a_threshold_is_written_halfway_between_two_whole_numbers(threshold: str, written: str) -> None:
    text = b"tree\ntree_sizes=1\n\nTree=0\nthreshold=%b\nleaf_value=1 2\n\n\nend of trees\n"
    assert b"\nthreshold=%b\n" % written.encode() in join_texts([text % threshold.encode()])


def test_a_share_multiplies_every_leaf() -> None:
    whole, rows, geometry = text_of(small_model(4)), random_rows(200, 5), FEATURES.geometry
    part = Forest.from_text(join_texts([whole], 0.25)).raw(geometry, rows)
    assert np.allclose(part, Forest.from_text(whole).raw(geometry, rows) / 4, atol=1e-6)
