"""Networks that learn: they get better, stop and go on, and end the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast import BadData, BadOption, Geometry
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.kernels.planes import planes_of
from fourcast.learning.course import Course, Step, teach
from fourcast.learning.course_state import Epoch
from fourcast.learning.distilling import NETWORK, split_lessons, train_network, words_of
from fourcast.learning.lessons import Lessons, lessons_of
from fourcast.learning.networks import NETWORK_PLANES, Shape, keras, network
from fourcast.learning.pupil import Pupil
from tests.learning.nets import BOARD, needs_training, solved

needs_training()

TINY = Shape(8, 1)
QUICK = Course(epochs=3, batch=32, learning_rate=5e-3, memory=20, seed=4)


@cache
def sides() -> tuple[Lessons, Lessons]:
    return split_lessons(lessons_of(solved()), 1)


def taught(course: Course = QUICK, **options: Any) -> tuple[Any, tuple[Epoch, ...]]:
    model = network(Geometry.parse(BOARD), TINY, course.seed)
    return model, teach(model, *sides(), NETWORK_PLANES, course, **options)


def weights(model: Any) -> list[bytes]:
    return [np.asarray(variable.value).tobytes() for variable in model.trainable_variables]


def test_a_network_learns_what_it_has_not_seen() -> None:
    _, curve = taught(Course(epochs=12, batch=16, learning_rate=5e-3, seed=4))
    first, last = curve[0], curve[-1]
    assert [each.epoch for each in curve] == list(range(1, 13))
    assert last.loss < 0.6 * first.loss
    assert last.held.loss < 0.8 * first.held.loss
    assert last.held.perfect > first.held.perfect
    assert last.held.value_error is not None
    assert first.held.value_error is not None
    assert last.held.value_error < first.held.value_error
    assert last.held.good >= last.held.perfect
    assert last.learning_rate < first.learning_rate


def test_the_same_seed_gives_the_same_network_and_another_one_does_not() -> None:
    one, other = taught()[0], taught()[0]
    assert weights(one) == weights(other)
    assert weights(one) != weights(taught(Course(epochs=3, batch=32, learning_rate=5e-3, seed=5))[0])


def test_nothing_is_on_both_sides() -> None:
    train, held = sides()
    known = {position.canonical_key for position in train.batch}
    assert not known & {position.canonical_key for position in held.batch}
    assert len(train) + len(held) == len(solved())


class Enough(KeyboardInterrupt):
    """Somebody presses Ctrl-C."""


@pytest.mark.parametrize("stop_at", [10, 14, 20])
def test_what_was_stopped_goes_on_to_the_same_network(stop_at: int, tmp_path: Path) -> None:
    whole, curve = taught()
    part = tmp_path / "net.part"

    def watch(step: Step) -> None:
        if step.done >= stop_at:
            raise Enough

    with pytest.raises(Enough):
        taught(checkpoint=part, watch=watch)
    seen: list[int] = []
    model, again = taught(checkpoint=part, watch=lambda step: seen.append(step.done))
    assert seen[0] > 10 or stop_at == 10, "what is done is not done again"
    assert again == curve
    assert weights(model) == weights(whole)


def test_a_mirror_image_is_the_same_lesson_left_for_right() -> None:
    _, lessons = sides()
    pupil = Pupil(network(lessons.geometry, TINY, 1), 0.5)
    weights = pupil.start()[0]

    def loss(batch: Batch, turn: int, *, flips: bool) -> float:
        planes = planes_of(batch, NETWORK_PLANES).transpose(0, 2, 3, 1)
        columns = lessons.policy[:, ::turn], lessons.value, lessons.legal[:, ::turn]
        return float(pupil.loss(weights, planes, *columns, np.full(len(lessons), flips)))

    plain, flipped = (loss(lessons.batch, 1, flips=flips) for flips in (False, True))
    assert flipped == pytest.approx(loss(mirror_batch(lessons.batch), -1, flips=False), abs=1e-5)
    assert flipped != pytest.approx(plain, abs=1e-4), "the network itself knows left from right"
    logits, values = pupil.ask(weights, lessons.batch, NETWORK_PLANES)
    images, image_values = pupil.ask(weights, mirror_batch(lessons.batch), NETWORK_PLANES)
    assert np.allclose(logits, images[:, ::-1], atol=1e-5)
    assert values is not None
    assert np.allclose(values, image_values, atol=1e-5)  # type: ignore[arg-type]


def test_progress_tells_loss_quality_and_speed() -> None:
    told: list[Step] = []
    taught(watch=told.append)
    assert told[-1].done == told[-1].total
    assert told[0].judgement is None
    assert told[-1].judgement is not None
    words = words_of(told[-1])
    assert words.startswith(f"loss {told[-1].loss:.3f}, good ")
    assert words.endswith(f"{told[-1].speed:,.0f}/s")


def test_a_part_of_another_course_is_refused_and_stays(tmp_path: Path) -> None:
    part = tmp_path / "net.part"
    taught(checkpoint=part)
    kept = part.read_bytes()
    with pytest.raises(BadData, match=r"net\.part was begun with other settings or data"):
        taught(Course(epochs=4, batch=32, seed=4), checkpoint=part)
    assert part.read_bytes() == kept
    for data in (b"", b"PK\x03\x04", kept[:-100], kept[:200] + b"\0" * 50 + kept[250:], b"{}"):
        part.write_bytes(data)
        with pytest.raises(BadData, match=r"net\.part is damaged"):
            taught(checkpoint=part)
    part.unlink()
    part.mkdir()
    with pytest.raises(BadData, match="it is not a file"):
        taught(checkpoint=part)
    with pytest.raises(BadData, match="No such file"):
        taught(checkpoint=tmp_path / "no" / "net.part")


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    part = tmp_path / "net.part"
    with part.open("wb") as file:
        np.savez(file, facts=np.array([{"request": "x"}], dtype=object))
    with pytest.raises(BadData, match=r"net\.part is damaged"):
        taught(checkpoint=part)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Course(epochs=0), "epochs 0: it must be 1 to 10000"),
        (lambda: Course(batch=0), "batch 0"),
        (lambda: Course(learning_rate=float("nan")), "learning_rate nan"),
        (lambda: Shape(0, 1), "channels 0: it must be 1 to 512"),
        (lambda: Shape(8, 99), "blocks 99"),
    ],
)
def test_settings_out_of_range_are_refused(make: Any, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        make()


def test_too_few_positions_are_refused() -> None:
    few = lessons_of(solved(500)).only(np.arange(1))
    with pytest.raises(BadData, match="1 positions are too few to hold some of them out"):
        split_lessons(few, 1)


def test_keras_on_anything_but_jax_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    with pytest.raises(BadOption, match="KERAS_BACKEND is 'torch': training needs jax"):
        keras()


def test_a_model_file_says_what_the_network_was_judged_by(tmp_path: Path) -> None:
    import json

    train, held = sides()
    trained = train_network(NETWORK, train, held, QUICK, TINY)
    path = trained.save(tmp_path / "deep" / "net", "to see", {"sources": ["here"]})
    card = json.loads(path.read_text())
    assert card["metrics"]["held"] == trained.judgement.to_json()
    assert card["bytes"] == path.with_suffix(".onnx").stat().st_size
    assert (card["kind"], card["board"], card["mirror"]) == ("network", BOARD, True)
    assert card["data"]["learnt_from"] == len(train)
    assert card["training"]["channels"] == 8
    assert sorted(each.name for each in path.parent.iterdir()) == ["net.json", "net.onnx"]
