"""Drawings of what a model has learnt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from fourcast.extras import require
from fourcast.game.errors import BadData
from fourcast.learning.course_state import Epoch
from fourcast.learning.curves import draw_course
from fourcast.learning.importance import Importance
from fourcast.learning.metrics import Report, report_of
from fourcast.learning.plots import draw_calibration, draw_confusion, draw_importance, draw_learning
from fourcast.learning.pupil import Judgement

Draw = Callable[[Path], tuple[Path, Path]]


def report() -> Report:
    chance = np.random.default_rng(3)
    labels = chance.integers(0, 3, 500)
    chances = chance.dirichlet([1, 1, 1], 500)
    return report_of(labels, chances)


IMPORTANCES = [Importance("cells", 42, 0.3, 0.02, 0.1, 0.01), Importance("clock", 3, -0.001, 0.002, 0.0, 0.0)]
MEANT = Judgement(40, 0.5, 0.5, None, 0.8)
COURSE = [
    Epoch(1, 0.9, Judgement(40, 0.8, 0.7, 0.5, 0.6), 0.01),
    Epoch(2, 0.6, Judgement(40, 0.9, 0.8, 0.4, 0.5), 0.0),
]
ONE_SIDED = report_of(np.array([0]), np.array([[1.0, 0.0, 0.0]]))
DRAWINGS: dict[str, Draw] = {
    "calibration": lambda path: draw_calibration(report(), path),
    "calibration of one": lambda path: draw_calibration(ONE_SIDED, path),
    "importance": lambda path: draw_importance(IMPORTANCES, path),
    "confusion": lambda path: draw_confusion(report(), path),
    "confusion of one": lambda path: draw_confusion(ONE_SIDED, path),
    "learning": lambda path: draw_learning([1, 2, 3], [0.9, 0.5, 0.3], [1.0, 0.7, 0.8], path),
    "course": lambda path: draw_course(COURSE, path, "a network"),
    "course of one epoch": lambda path: draw_course([replace(COURSE[0], held=MEANT)], path, "a network"),
    "learning of one round": lambda path: draw_learning([1], [0.9], [1.0], path),
}


def size(pixels: bytes) -> tuple[int, int]:
    """Width and height, as a PNG file has them in its first part."""
    return int.from_bytes(pixels[16:20]), int.from_bytes(pixels[20:24])


@pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)
def test_each_drawing_is_two_files(draw: Draw, tmp_path: Path) -> None:
    vector, pixels = draw(tmp_path / "model.v1")
    assert sorted(tmp_path.iterdir()) == [pixels, vector], "and nothing else is left behind"
    assert (vector.name, pixels.name) == ("model.v1.svg", "model.v1.png")
    root = ElementTree.fromstring(vector.read_bytes())
    assert root.tag.endswith("svg")
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert size(pixels.read_bytes()) == pytest.approx((width / 72 * 150, height / 72 * 150), abs=1)


def test_the_same_figures_make_the_same_files(tmp_path: Path) -> None:
    for name in ("calibration", "learning"):
        once = [file.read_bytes() for file in DRAWINGS[name](tmp_path / "one.svg")]
        again = [file.read_bytes() for file in DRAWINGS[name](tmp_path / "two.png")]
        assert once == again
    assert b"dc:date" not in once[0]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.png", "one.svg", "two.png", "two.svg"]


def test_other_figures_make_other_files(tmp_path: Path) -> None:
    draw_learning([1, 2], [0.9, 0.5], [1.0, 0.7], tmp_path / "one")
    draw_learning([1, 2], [0.9, 0.5], [1.0, 0.8], tmp_path / "two")
    for ending in ("svg", "png"):
        assert (tmp_path / f"one.{ending}").read_bytes() != (tmp_path / f"two.{ending}").read_bytes()


def test_settings_of_others_stay_as_they_are_and_sway_nothing(tmp_path: Path) -> None:
    mpl = require("matplotlib", "learn")
    plain, _ = draw_importance(IMPORTANCES, tmp_path / "plain")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        swayed, _ = draw_importance(IMPORTANCES, tmp_path / "swayed")
        assert mpl.rcParams["font.size"] == 30
    assert plain.read_bytes() == swayed.read_bytes()


def test_what_cannot_be_drawn_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="there is no group of features to draw"):
        draw_importance([], tmp_path / "none")
    for train, held in (([], []), ([0.5], [0.5, 0.4])):
        with pytest.raises(BadData, match="a learning curve needs as many rounds of both"):
            draw_learning(range(1, len(train) + 1), train, held, tmp_path / "none")
    with pytest.raises(BadData, match="No such file"):
        draw_confusion(ONE_SIDED, tmp_path / "no" / "folder")
    (tmp_path / "file").touch()
    with pytest.raises(BadData, match="Not a directory"):
        draw_confusion(ONE_SIDED, tmp_path / "file" / "drawing")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_what_was_there_stays_if_drawing_fails(tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_text("mine")
    (tmp_path / "x.png").mkdir()  # no file can take this place
    with pytest.raises(BadData):
        draw_confusion(ONE_SIDED, tmp_path / "x")
    assert (tmp_path / "x.svg").read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.png", "x.svg"]
