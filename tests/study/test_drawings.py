"""What is drawn can be read: nothing is cut, covered or too dark, in quick runs and in full ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="the extra learn is not installed")

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from fourcast.learning.plots import _STYLE
from fourcast.study import contest
from fourcast.study.charts import draw_bars, draw_lines, from_nought
from fourcast.study.contest.results import OURS
from fourcast.study.games import Series
from fourcast.study.hybrid.results import ITSELF, OPPONENTS, _draw_games
from fourcast.study.learning import results as learning
from fourcast.study.learning.settings import TREES
from fourcast.study.robots import _not_won
from fourcast.study.search.figures import Both
from fourcast.study.search.findings import _within
from fourcast.study.solver.plots import boards, ideas
from fourcast.study.study import Found, Settings
from fourcast.study.tree.drawing import rows_of


def drawn(draw: Callable[[Any], None], width: float = 9.6, height: float = 4.2) -> Any:
    style: Any = _STYLE
    with rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        figure.canvas.draw()
    return figure


def assert_apart(labels: Any) -> None:
    boxes = [label.get_window_extent() for label in labels if label.get_text()]
    for one, other in pairwise(boxes):
        assert one.x1 < other.x0


def test_a_box_without_leaves_has_room_for_itself() -> None:
    paths = ["", "1", "11", "111", "112", "12", "13", "131"]
    rows = rows_of([{"path": path} for path in paths])
    assert rows["12"] - rows["112"] >= 2.5, "its height"
    assert rows["131"] - rows["12"] >= 2.5
    assert rows["112"] - rows["111"] == 1


def test_marks_at_either_end_are_whole() -> None:
    def draw(figure: Any) -> None:
        panel = figure.subplots()
        draw_lines(panel, [1, 2, 3], {"loss": [1.61, 1.6, 1.59], "none": [0.0, 0.0, 0.0]})
        from_nought(panel)

    low, high = drawn(draw).axes[0].get_ylim()
    assert low < 0
    assert high > 1.65


def test_an_interval_is_seen_on_every_bar() -> None:
    def draw(figure: Any) -> None:
        draw_bars(figure.subplots(), ["a"], {"one": [1.0], "two": [2.0]}, errors={"one": [(0.5, 1.5)]})

    for bar in drawn(draw).axes[0].patches:
        assert sum(to_rgb(bar.get_facecolor())) / 3 > 0.5, "black shows on it"


def test_counts_below_boards_do_not_run_into_each_other() -> None:
    points = [(f"{rows}x9x4", "nobody", float(33 * 10**rows), 9) for rows in range(8)]
    figure = drawn(boards(points), height=7.4)
    assert_apart(figure.axes[0].get_xticklabels())


def test_a_lower_bound_is_drawn_as_one() -> None:
    ratios = {"hard": {"one": 2.0, "two": 8.34}, "harder": {"one": 3.0, "two": 9.0}}
    figure = drawn(ideas(["one", "two"], ratios, {("hard", "two")}))
    texts = figure.axes[0].texts
    assert [text.get_text() for text in texts] == ["2.00x", "\u2265 8.34x", "3.00x", "9.00x"]
    assert all(text.get_bbox_patch() for text in texts), "no line runs through them"


def test_calibration_at_the_ends_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    bins = [[10, 0.0, 0.0], [10, 1.0, 1.0]]
    monkeypatch.setattr(learning, "_valued", lambda *_: {"a model": {"bins": bins}})
    panel = drawn(lambda figure: learning._draw_calibration(figure, Settings(), {}, {})).axes[0]
    assert panel.get_ylim()[0] < 0 < 100 < panel.get_ylim()[1]


def test_each_family_is_drawn_by_what_it_costs() -> None:
    """A network that only says where to play is left out where it is asked who wins."""
    games = series({"1111112": 1.0, "2222221": 0.0}).to_json()
    valued = {"seconds": 1.0, "good": 0.9, "games": games, "outcome_accuracy": 0.7}
    silent = {name: each for name, each in valued.items() if name != "outcome_accuracy"}
    trained = {(TREES, 1): valued, ("CNN", 1): silent}
    ready = {TREES: valued, "CNN": silent}
    figure = drawn(lambda figure: learning._draw_cost(figure, trained, ready))
    counts = [len(panel.get_legend_handles_labels()[1]) for panel in figure.axes]
    assert counts == [4, 4, 2]
    for panel in figure.axes:
        assert_apart(panel.get_xticklabels())


def field_of(games: int) -> dict[str, Any]:
    """A field in which the better half is worth nearly as much as the best."""
    agents = [
        {
            "name": name,
            "spec": spec,
            "games": games,
            "points": games * (0.9 if index < 10 else 0.3),
            "percentile": 50.0,
            **{side: {"wins": 1, "losses": 2, "draws": 3} for side in ("first", "second")},
        }
        for index, (name, spec) in enumerate(contest.agents_of(1).items())
    ]
    marks = {str(percent): 1.0 for percent in range(101)}
    points = {"highest": 9.0, "lowest": 0.0, "mean": 4.0, "sd": 1.0, "percentiles": marks}
    return {"games": 180_200, "failures": 0, "version": "1", "agents": agents, "points": points}


def test_all_of_ours_are_named_where_they_land() -> None:
    found: dict[str, Found] = {"field": field_of(848)}
    for task in contest.STUDY.tasks(Settings())[1:]:
        found[task.name] = {"results": [[85, 0, 0], [84, 0, 1]], "moves": 9, "seconds": 1.0, "slowest": 0.2}
    findings = contest.STUDY.findings(Settings(), found)
    assert list(findings.faults([each.name for each in contest.STUDY.published])) == []
    (landing,) = (plot for plot in findings.plots if plot.name == "landing")
    right = drawn(landing.draw).axes[1]
    assert {label.get_text().replace("\n", "") for label in right.get_yticklabels()} == set(OURS)
    boxes = [text.get_window_extent() for text in right.texts]
    assert len(boxes) == len(OURS)
    assert all(not one.overlaps(other) for one, other in pairwise(boxes))
    assert "9 others took at least 95%" in findings.beside[1].remark


def test_who_is_not_better_than_all_is_not_said_to_be() -> None:
    found: dict[str, Found] = {"field": field_of(848)}
    found["field"]["agents"][0]["points"] = 848
    for task in contest.STUDY.tasks(Settings())[1:]:
        found[task.name] = {"results": [[85, 0, 0], [84, 0, 1]], "moves": 9, "seconds": 1.0, "slowest": 0.2}
    findings = contest.STUDY.findings(Settings(), found)
    assert f"`{OURS[0]}` is better than 99.8%." in findings.beside[0].remark
    (landing,) = (plot for plot in findings.plots if plot.name == "landing")
    assert all("(99.8)" in text.get_text() for text in drawn(landing.draw).axes[1].texts)


def series(games: Mapping[str, float]) -> Series:
    """Games and what the first named has got, which has begun every second one."""
    return Series(tuple(games), tuple(games.values()), (1,), (1.0,), (1,), 1.0, 1.0, 0)


def test_against_itself_the_first_players_games_are_drawn() -> None:
    played = series({"1111112": 1.0, "2222221": 0.0, "3333332": 1.0, "4444441": 1.0})
    figure = drawn(lambda figure: _draw_games(figure, dict.fromkeys(OPPONENTS, played)))
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    assert widths[list(OPPONENTS).index("random")] == 75
    assert widths[list(OPPONENTS).index(ITSELF)] == 75
    turned = series({"1111112": 0.0, "2222221": 1.0})
    figure = drawn(lambda figure: _draw_games(figure, dict.fromkeys(OPPONENTS, turned)))
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    assert widths[list(OPPONENTS).index("random")] == 50
    assert widths[list(OPPONENTS).index(ITSELF)] == 0


def test_games_that_were_lost_from_the_start_are_told() -> None:
    """After 3647 the first player, with two in the middle of the lowest row, has won."""
    assert _not_won([series({"3647251": 1.0, "3647353": 1.0})]) == ""
    assert "lost it" in _not_won([series({"4444": 1.0, "3647251": 0.0})])
    assert "had not lost it" in _not_won([series({"3647353": 0.5, "4444": 1.0})])
    told = _not_won([series({"3647353": 0.5, "3647251": 0.0}), series({"4444": 1.0, "5162443": 0.0})])
    assert "Of the 3 games that were not won, 2 began" in told


def test_where_as_much_is_pruned_as_was_published_is_named() -> None:
    def pruned(share: float) -> Both:
        return Both(1, (100.0, 100.0 * (1 - share)), (1.0, 1.0), 1.0, (1, 1), 1.0, 1.0)

    sets = {"early": {3: pruned(0.6), 4: pruned(0.8)}, "random": {3: pruned(0.71), 4: pruned(0.7)}}
    assert _within(sets) == "depth 3 (early) and depth 4 (random) alone"
    assert _within({"early": {3: pruned(0.9)}}) == "no depth"
