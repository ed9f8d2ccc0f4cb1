"""Looking for better settings: trials are kept, and what is held out is never looked at."""

from __future__ import annotations

import dataclasses
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import optuna
import pytest

from fourcast import BadData, BadLimit, MissingExtra
from fourcast.learning import boosted
from fourcast.learning.boosted import Settings
from fourcast.learning.examples import held_out
from fourcast.learning.training import SHARE
from fourcast.learning.tuning import RANGES, STUDY
from tests.learning.sets import QUICK, small_training
from tests.learning.test_positions import Enough, room_for

START = dataclasses.replace(QUICK, rounds=6, leaves=20)


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(boosted, "BLOCK", 3)
    yield
    optuna.logging.set_verbosity(optuna.logging.INFO)


def search(trials: int, study: Path, start: Settings = START) -> tuple[Settings, float]:
    return small_training(start).search(trials, study)


def trials_of(path: Path) -> list[optuna.trial.FrozenTrial]:
    storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
    try:
        return optuna.load_study(study_name=STUDY, storage=storage).trials
    finally:
        storage.remove_session()
        storage.engine.dispose()


def test_the_best_of_all_trials_is_found(tmp_path: Path) -> None:
    settings, loss = search(5, tmp_path / "study.db")
    trials = trials_of(tmp_path / "study.db")
    assert len(trials) == 5
    done = [trial for trial in trials if trial.state.name == "COMPLETE"]
    best = min(done, key=lambda trial: trial.value or 0)
    assert loss == best.value
    assert {name: getattr(settings, name) for name in RANGES} == best.params
    assert (settings.rounds, settings.seed) == (START.rounds, START.seed)
    assert trials[0].params == {name: getattr(START, name) for name in RANGES}, "the first is what was given"
    for name, (low, high) in RANGES.items():
        assert all(low <= trial.params[name] <= high for trial in trials)


def test_settings_beyond_the_ranges_are_brought_into_them(tmp_path: Path) -> None:
    search(1, tmp_path / "study.db", dataclasses.replace(START, leaves=3, l2=0.0, feature_share=1.0))
    (trial,) = trials_of(tmp_path / "study.db")
    assert (trial.params["leaves"], trial.params["l2"], trial.params["feature_share"]) == (15, 0.1, 0.6)


def test_a_study_goes_on_and_keeps_its_trials(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    search(2, path)
    before = trials_of(path)
    _, loss = search(4, path)
    after = trials_of(path)
    assert [trial.params for trial in after[:2]] == [trial.params for trial in before]
    assert len(after) == 4
    assert len({tuple(trial.params.values()) for trial in after}) == 4, "none is tried twice"
    assert search(3, path)[1] == loss, "enough are done"
    assert len(trials_of(path)) == 4


def test_a_trial_that_was_stopped_does_not_count_and_the_first_is_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    run = small_training(START)

    def stop(*_: object) -> None:
        raise Enough

    with pytest.raises(Enough):
        dataclasses.replace(run, advance=stop).search(3, path)
    search(3, path)
    trials = trials_of(path)
    assert [trial.state.name for trial in trials][:2] == ["FAIL", "COMPLETE"]
    assert trials[1].params == {name: getattr(START, name) for name in RANGES}
    assert len(trials) == 4


def test_nothing_that_is_held_out_reaches_the_search(tmp_path: Path) -> None:
    """The positions held out may be labelled as one likes: the search finds the same."""
    run = small_training(START)
    held = held_out(run.examples.batch, SHARE, START.seed)
    classes = run.examples.classes.copy()
    classes[held] = np.arange(held.sum()) % 3
    lied = dataclasses.replace(run, examples=dataclasses.replace(run.examples, classes=classes))
    assert lied.search(3, tmp_path / "lied.db") == run.search(3, tmp_path / "true.db")
    classes = run.examples.classes.copy()
    classes[~held] = classes[~held][::-1]
    other = dataclasses.replace(run, examples=dataclasses.replace(run.examples, classes=classes))
    assert other.search(3, tmp_path / "other.db") != run.search(3, tmp_path / "true.db")


def test_balancing_is_part_of_what_is_tried(tmp_path: Path) -> None:
    plain = small_training(START).search(1, tmp_path / "plain.db")
    even = small_training(START, balanced=True).search(1, tmp_path / "even.db")
    assert plain[1] != even[1]


def test_a_study_of_something_else_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    search(1, path)
    for other in (
        small_training(dataclasses.replace(START, rounds=7)),
        small_training(dataclasses.replace(START, members=2)),
        small_training(dataclasses.replace(START, seed=1)),
        small_training(START, mirror=False),
        small_training(START, balanced=True),
    ):
        with pytest.raises(BadData, match="a study of other positions, features or rounds"):
            other.search(2, path)
    assert len(trials_of(path)) == 1
    assert search(2, path, dataclasses.replace(START, leaves=30)), "where it begins may change"


def test_what_is_no_study_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    games = tmp_path / "games.db"
    with closing(sqlite3.connect(games)) as database:
        database.execute("CREATE TABLE games (moves TEXT)")
    text = tmp_path / "text.db"
    text.write_text("hello " * 100)
    for path in (games, text):
        before = path.read_bytes()
        with pytest.raises(BadData, match=f"{path.name}: it is not a study"):
            search(1, path)
        assert path.read_bytes() == before
    with pytest.raises(BadData, match="it is not a file"):
        search(1, tmp_path)
    with pytest.raises(BadData, match="there is no folder"):
        search(1, tmp_path / "no" / "study.db")
    (tmp_path / "empty.db").touch()
    assert search(1, tmp_path / "empty.db")


def test_a_disk_that_fills_is_one_line(tmp_path: Path) -> None:
    with room_for(20_000), pytest.raises(BadData) as caught:
        search(1, tmp_path / "study.db")
    assert str(caught.value).startswith(f"{tmp_path / 'study.db'}: ")
    assert "\n" not in str(caught.value)


def test_there_is_one_trial_at_least(tmp_path: Path) -> None:
    with pytest.raises(BadLimit, match="trials 0"):
        search(0, tmp_path / "study.db")
    assert not list(tmp_path.iterdir())


def test_progress_tells_the_trial_and_the_best(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    run = dataclasses.replace(small_training(START), advance=lambda *what: told.append(what))
    run.search(2, tmp_path / "study.db")
    assert told[0][0].startswith("search: trial 1, log-loss ")
    assert "best" in told[-1][0]
    assert told[-1][1:] == (1, 2)


def test_without_optuna_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingExtra, match=r"optuna .*fourcast\[learn\]"):
        search(1, tmp_path / "study.db")
    assert not list(tmp_path.iterdir())
