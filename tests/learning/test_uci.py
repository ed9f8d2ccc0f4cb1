"""UCI's Connect-4 set, rebuilt."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from pyarrow import parquet

from fourcast import BadData, Position
from fourcast.learning.files import write_uci
from fourcast.learning.uci import COLUMNS, UciSet, compare, make_uci, read_uci
from fourcast.solver import Solver
from tests.cli.command import fourcast


@cache
def made() -> UciSet:
    return make_uci()


def position_of(cells: npt.NDArray[np.int8]) -> Position:
    """The position that the cells show."""
    rows = [["XO."[{1: 0, -1: 1, 0: 2}[int(cells[column, row])]] for column in range(7)] for row in range(6)]
    return Position.from_text("\n".join("".join(row) for row in reversed(rows)))


def test_it_has_the_published_counts() -> None:
    assert len(made()) == 67_557
    assert made().counts == {"win": 44_473, "loss": 16_635, "draw": 6_449}


@pytest.mark.slow
def test_positions_are_open_and_labelled_by_best_play() -> None:
    solver = Solver()
    for index in range(0, len(made()), 997):
        position = position_of(made().cells[index])
        assert (position.ply, position.turn) == (8, 0)
        assert not position.is_over
        assert not position.winning_columns(0)
        assert not position.winning_columns(1)
        score = solver.solve(position).score
        assert score is not None
        assert (score > 0) - (score < 0) == made().labels[index]


def test_no_position_is_there_twice_nor_its_mirror_image() -> None:
    assert compare(made(), made()).same
    twice = UciSet(
        np.concatenate([made().cells, made().cells[:3, ::-1]]),
        np.concatenate([made().labels, made().labels[:3]]),
    )
    assert compare(twice, made()).repeated == 3


def test_other_sets_are_told_apart() -> None:
    cells, labels = made().cells[1:].copy(), made().labels[1:].copy()
    labels[5] = -labels[5] or 1
    cells[7, 0, 5] = 1 - cells[7, 0, 5]
    found = compare(UciSet(cells, labels), made())
    assert (found.positions, found.missing, found.strange, found.mislabelled) == (67_556, 2, 1, 1)
    assert not found.same
    assert compare(UciSet(made().cells[:, ::-1], made().labels), made()).same, "mirror images will do"


@pytest.mark.slow
def test_files_come_back(tmp_path: Path) -> None:
    for form in ("csv", "uci"):
        path = tmp_path / f"set.{form}"
        done = fourcast("data", "uci", "-o", str(path), "--format", form, "--json")
        report = json.loads(done.stdout)
        assert (report["positions"], report["win"], report["loss"], report["draw"]) == (
            67_557,
            44_473,
            16_635,
            6_449,
        )
        found = read_uci(path.read_text().splitlines())
        assert (found.cells == made().cells).all()
        assert (found.labels == made().labels).all()
        with path.open() as file:
            first = next(csv.reader(file))
        assert (first == [*COLUMNS, "class"]) == (form == "csv")
        checked = fourcast("data", "uci", "--check", str(path))
        assert (checked.returncode, "is the same set" in checked.stdout) == (0, True)
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize(
    ("name", "form", "written"),
    [
        ("set.parquet", None, "parquet"),
        ("set.PARQUET", None, "parquet"),
        ("set.csv", "parquet", "parquet"),
        ("set.data", None, "csv"),
        ("set.parquet", "csv", "csv"),
        ("set.parquet", "uci", "uci"),
    ],
)
def test_the_format_follows_the_files_name_unless_it_is_given(
    tmp_path: Path, name: str, form: str | None, written: str
) -> None:
    few, path = UciSet(made().cells[:20], made().labels[:20]), tmp_path / name
    write_uci(few, path, form)
    if written == "parquet":
        table = parquet.read_table(path).to_pydict()
        rows = [list(table), *map(list, zip(*table.values(), strict=True))]
    else:
        rows = [line.split(",") for line in path.read_text().splitlines()]
    assert rows == [*([] if written == "uci" else [[*COLUMNS, "class"]]), *few.rows()]


def test_the_command_writes_what_the_name_says(tmp_path: Path) -> None:
    done = fourcast("data", "uci", "-o", str(tmp_path / "set.parquet"))
    assert (done.returncode, done.stderr) == (0, "")
    assert parquet.read_metadata(tmp_path / "set.parquet").num_rows == 67_557


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b," * 41 + "win", "line 2: 42 fields, not 42 cells and a label"),
        ("q," + "b," * 41 + "win", "line 2: cell 'q' is none of x, o, b"),
        ("b," * 42 + "won", "line 2: label 'won' is none of loss, draw, win"),
    ],
)
def test_lines_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(BadData, match=message):
        read_uci([",".join([*COLUMNS, "class"]), line])
    with pytest.raises(BadData, match="there is no position in it"):
        read_uci([",".join([*COLUMNS, "class"])])


@pytest.mark.slow
def test_wrong_use_is_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n")
    for arguments, message in {
        (): "say where to write the set",
        ("-o", str(tmp_path / "x"), "--format", "xls"): "--format 'xls': it is one of csv, uci, parquet",
        ("-o", str(tmp_path / "no" / "folder.csv")): "No such file",
        ("-o", str(tmp_path)): "it is a folder",
        ("-o", str(bad / "x.csv")): "Not a directory",
        ("--check", str(bad), "--format", "csv"): "--format goes with -o FILE",
        ("--check", str(tmp_path / "nowhere.csv")): "No such file",
        ("--check", str(bad)): "bad.csv, line 1: 2 fields",
    }.items():
        done = fourcast("data", "uci", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert message in done.stderr
    other = tmp_path / "other.data"
    other.write_text("b," * 42 + "win\n")
    done = fourcast("data", "uci", "--check", str(other))
    assert done.returncode == 1
    assert "67,557 missing, 1 strange" in done.stdout
