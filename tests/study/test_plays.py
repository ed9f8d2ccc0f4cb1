"""What the studies of play come to: robots, hybrid, slip, contest and learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fourcast.arena.store import Store
from fourcast.cli.tournament import _plan
from fourcast.game.rules import Rules
from fourcast.kernels.frontier import WINS, fates_of
from fourcast.learning.examples import held_out
from fourcast.models.shelf import find
from fourcast.study import contest, hybrid, learning, robots, slip
from fourcast.study.conducting import conduct
from fourcast.study.contest.results import percentile_of
from fourcast.study.games import play_series
from fourcast.study.hybrid.protocols import HONEST, LEAKY, judge_published
from fourcast.study.learning.sets import hard_ones, sets_of
from fourcast.study.learning.settings import shipped
from fourcast.study.study import Desk, Found, Settings, Study, Task

QUICK = Settings(quick=True)
DOCS = Path(__file__).parents[2] / "docs"
MODEL_FIGURES = {
    "learnt_from": 100,
    "held_out": 50,
    "leaked": 30,
    "accuracy": 0.9,
    "accuracy_known": 0.99,
    "accuracy_new": 0.8,
    "balanced_accuracy": 0.85,
    "macro_f1": 0.8,
    "log_loss": 0.4,
    "calibration_error": 0.02,
    "seconds": 1.0,
}


def few_games(arguments: dict[str, Any], _desk: Desk) -> Found:
    """Games of players that need no time, instead of those that were asked for."""
    rules = Rules(arguments.get("board", "6x7x4"), arguments.get("slip", 0.0))
    found = play_series(("greedy", "random"), rules, min(arguments["games"], 4), arguments["seed"]).to_json()
    return found | {"nodes": found["asked"]}  # a position for each move


def figures(kind: str, arguments: dict[str, Any]) -> Found:
    """What a measurement might find that takes its time."""
    bins = [[10, 0.1 * tenth + 0.05, 0.1 * tenth] for tenth in range(10)]
    if kind == "compare_moves":
        names = ("other_outcome", "other_column")
        each = dict.fromkeys(names, 3) | {"mean_lost": 0.01, "most_lost": 0.2}
        slips = [{"slip": part} | each for part in arguments["slips"]]
        return {"positions": arguments["positions"], "slips": slips}
    if kind == "train_cnn":
        curve = [
            {"epoch": epoch, "loss": 1.0, "held_loss": 1.2, "meant": 0.1 * epoch / arguments["epochs"]}
            for epoch in range(1, 1 + arguments["epochs"])
        ]
        return {"learnt_from": 10, "held_out": 5, "seconds": 1.0, "curve": curve}
    if kind == "make_sets":
        return {"learnt_from": 10, "held_out": 5, "seconds": 1.0, "hard": 3}
    if kind in ("solve_positions", "grade_moves"):
        return {"good": 0.9, "perfect": 0.8, "seconds": 0.01, "slowest": 0.02, "solved": []}
    games = {} if not arguments.get("games") else {"games": few_games(arguments | {"games": 2}, NO_DESK)}
    importance = [
        {"group": group, "features": 3, "log_loss": 0.1, "log_loss_sd": 0.01, "accuracy": 0.1}
        for group in arguments.get("features", ())
    ]
    judged = {"good": 0.9, "perfect": 0.8, "bytes": 1000, "importance": importance}
    valued = {} if arguments.get("kind") == "cnn" or "cnn" in arguments.get("model", "") else {"bins": bins}
    return MODEL_FIGURES | judged | games | valued | {"outcome_accuracy": 0.7}


NO_DESK = Desk(QUICK, Path())


def in_little(study: Study) -> Study:
    """The study with little to measure: games of the simplest players, and figures that are made up."""

    def small(task: Task) -> Task:
        if task.measure.__name__ == "play":
            return replace(task, measure=few_games, alone=True)

        def made_up(arguments: dict[str, Any], _desk: Desk, kind: str = task.measure.__name__) -> Found:
            return figures(kind, arguments)

        return replace(task, measure=made_up, alone=True)

    return replace(study, tasks=lambda settings: [small(task) for task in study.tasks(settings)])


STUDIES = [robots.STUDY, hybrid.STUDY, slip.STUDY, learning.STUDY]


@pytest.mark.parametrize("study", STUDIES)
def test_findings_are_whole(study: Study, tmp_path: Path) -> None:
    (part,) = conduct([in_little(study)], QUICK, tmp_path)
    assert part["faults"] == []
    assert all(each["measured"] and each["remark"] for each in part["published"])


@pytest.mark.parametrize("study", STUDIES)
def test_findings_of_full_runs_have_all_rows(study: Study) -> None:
    settings = Settings()
    found = {task.name: task.measure(task.arguments, NO_DESK) for task in in_little(study).tasks(settings)}
    findings = study.findings(settings, found)
    assert list(findings.faults([each.name for each in study.published])) == []


def test_networks_that_cannot_be_trained_are_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _module: None)
    for study in (slip.STUDY, learning.STUDY):
        found = {task.name: task.measure(task.arguments, NO_DESK) for task in in_little(study).tasks(QUICK)}
        findings = study.findings(QUICK, found)
        assert list(findings.faults([])) == []
        assert "fourcast[train]" in str(findings.sections)


@pytest.mark.slow
def test_the_published_protocol_leaks_and_the_honest_one_does_not(tmp_path: Path) -> None:
    desk = Desk(QUICK, tmp_path)
    asked = {"every": 60, "rounds": 5, "seed": 1, "threads": 1}
    leaky, honest = (judge_published(asked | {"protocol": each}, desk) for each in (LEAKY, HONEST))
    assert leaky["leaked"] > leaky["held_out"] / 3
    assert leaky["accuracy_known"] > leaky["accuracy_new"]
    assert honest["leaked"] == 0
    assert honest["accuracy_known"] is None
    assert honest["accuracy_new"] == honest["accuracy"]


def test_the_contest_is_that_of_the_command() -> None:
    example = DOCS / "examples" / "contest-425.toml"
    assert example.read_bytes() == contest.FIELD.read_bytes()
    plan = contest.plan_of(1, 1)
    assert plan.settings == _plan([], example, {}).settings
    assert (len(plan.agents), plan.games) == (425, 180_200)


def small_field(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A field of three, and two of ours."""
    path = tmp_path / "field.toml"
    path.write_text('[[agents]]\nspec = "{who}"\nwho = ["random", "greedy", "vertical"]\n')
    monkeypatch.setattr(contest, "FIELD", path)
    monkeypatch.setattr("fourcast.study.contest.results.AGENTS", 3)
    monkeypatch.setattr("fourcast.study.contest.results.every", lambda _settings: 1)
    monkeypatch.setattr(contest, "every", lambda _settings: 1)
    ours = ("lookahead", "horizontal")
    monkeypatch.setattr(contest, "OURS", ours)
    monkeypatch.setattr("fourcast.study.contest.results.OURS", ours)


def test_a_contest_comes_out_whole_and_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small_field(monkeypatch, tmp_path)
    out = tmp_path / "out"
    plan = contest.plan_of(1, 1)
    work = out / "contest-quick" / "work"
    work.mkdir(parents=True)
    desk = Desk(QUICK, tmp_path)
    contest.play_field({"every": 1, "seed": 1}, desk)
    with Store(tmp_path / contest.STORE) as played, Store(work / contest.STORE) as begun:
        run = begun.run("tournament", plan.settings, "0.0.9")
        some = [(number, game) for _, number, game in played.games() if number < 4]
        begun.add(run, some)
    (part,) = conduct([contest.STUDY], QUICK, out)
    assert part["faults"] == []
    with Store(work / contest.STORE) as store:
        (run,) = store.runs()
        assert (run.version, run.games) == ("0.0.9", 6)
        assert [game for _, number, game in store.games(run) if number < 4] == [game for _, game in some]
    assert "0.0.9" in part["sections"][0]["words"][0]
    table = _rows(part, "standings")
    assert sum(row["points"] for row in table) == 6
    assert [row["place"] for row in table] == [1, 2, 3]
    ours = {row["agent"]: row for row in _rows(part, "ours")}
    assert ours["lookahead"]["games"] == 6
    assert ours["lookahead"]["of_848"] == pytest.approx(848 * ours["lookahead"]["points"] / 6)


def _rows(part: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of a table, by the names of its columns."""
    items = (item for section in part["sections"] for item in section["items"])
    (table,) = (item for item in items if item.get("table") == name)
    columns = [column["name"] for column in table["columns"]]
    return [dict(zip(columns, row, strict=True)) for row in table["rows"]]


def test_a_percentile_counts_equals_half() -> None:
    assert percentile_of(0.5, [0.1, 0.5, 0.5, 0.9]) == 50
    assert percentile_of(1.0, [0.1, 0.9]) == 100
    assert percentile_of(0.0, [0.1, 0.9]) == 0


@pytest.mark.slow
def test_models_are_judged_by_what_none_of_them_has_seen(tmp_path: Path) -> None:
    desk = Desk(QUICK, tmp_path)
    asked = {"learn_from": 60, "judge_by": 10, "plies": [16, 30], "seed": 1}
    sets = sets_of(asked, desk)
    again = sets_of(asked, desk)
    assert np.array_equal(sets.train.stones, again.train.stones)
    assert np.array_equal(sets.held.scores, again.held.scores, equal_nan=True)
    assert len(sets.train) == 60
    for name in shipped().values():
        data = find(name).data
        for part, out in ((sets.train, False), (sets.held, True)):
            assert (held_out(part.batch, data["share_held_out"], data["seed"]) == out).all()
    for part in (sets.train, sets.held):
        assert (fates_of(part.geometry, part.stones) != WINS).all()
    signs = np.sign(hard_ones(sets.held).scores)
    assert (np.nanmax(signs, axis=1) > np.nanmin(signs, axis=1)).all()


@pytest.mark.slow
def test_the_best_column_differs_more_often_as_slip_grows(tmp_path: Path) -> None:
    asked = {"board": "5x5x4", "plies": [9, 14], "slips": [0.001, 0.5], "positions": 60, "seed": 1}
    found = slip.compare_moves(asked, Desk(QUICK, tmp_path))
    hardly, much = found["slips"]
    assert hardly["other_outcome"] == 0, "a disc in a thousand does not make up for a lost game"
    assert hardly["mean_lost"] < 0.001
    assert much["other_column"] > 0
    for each in (hardly, much):
        assert each["other_outcome"] <= each["other_column"] <= 60
