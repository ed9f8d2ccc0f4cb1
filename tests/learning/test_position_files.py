"""Files of labelled positions."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadData, Position, Unreadable
from fourcast.learning.labelled import LabelledSet
from fourcast.learning.position_files import read_positions, write_positions
from fourcast.learning.positions import make_positions

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@cache
def made(labels: str = "solver", moves: bool = True, board: str = "5x5x4") -> LabelledSet:
    return make_positions(board, 40, (6, 20), seed=8, labels=labels, moves=moves)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["set.csv", "set.parquet"])
@pytest.mark.parametrize(
    ("labels", "moves", "board"),
    [
        ("solver", True, "5x5x4"),
        ("solver", False, "5x5x4"),
        ("mcts:30", True, "5x5x4"),
        ("mcts:30", False, "3x32x4"),
    ],
)
def test_a_set_comes_back_as_it_was(name: str, labels: str, moves: bool, board: str, tmp_path: Path) -> None:
    ours = made(labels, moves, board)
    write_positions(ours, tmp_path / name)
    found = read_positions(tmp_path / name)
    assert (found.geometry, found.moves) == (ours.geometry, ours.moves)
    assert np.array_equal(found.stones, ours.stones)
    for attribute in ("scores", "values", "best", "columns"):
        before, after = getattr(ours, attribute), getattr(found, attribute)
        assert (before is None) == (after is None)
        if before is not None:
            assert before.dtype == after.dtype
            assert np.array_equal(before, after, equal_nan=before.dtype.kind == "f")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_line_shows_its_position(tmp_path: Path) -> None:
    write_positions(made(), tmp_path / "set.csv")
    with (tmp_path / "set.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["board", "moves", "ply", "cells", "score", "best", "scores"]
    for index, row in enumerate(rows):
        position = Position.from_moves(row["moves"], row["board"])
        drawn = position.to_text().splitlines()[::-1]
        cells = "".join(drawn[each][column] for column in range(5) for each in range(5))
        assert row["cells"] == cells.translate(str.maketrans(".XO", "bxo"))
        assert int(row["ply"]) == position.ply
        assert int(row["score"]) == made().scores[index]  # type: ignore[index]
        assert [int(name) - 1 for name in row["best"]] == np.flatnonzero(made().best[index]).tolist()  # type: ignore[index]
        by_column = row["scores"].split(" ")
        assert [name == "." for name in by_column] == [column not in position.legal for column in range(5)]
        assert max(int(name) for name in by_column if name != ".") == int(row["score"])


def test_best_columns_follow_from_the_scores_of_all(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("board,moves,score,scores\n6x7x4,444444,-2,-4 -2 -2 . -3 -2 -4\n")
    found = read_positions(path)
    assert found.best is not None
    assert found.columns is not None
    assert np.flatnonzero(found.best[0]).tolist() == [1, 2, 5]
    assert found.columns[0, [0, 4]].tolist() == [-4, -3]
    assert np.isnan(found.columns[0, 3])


@pytest.mark.slow
def test_values_of_columns_and_slip_come_back_to_the_last_digit(tmp_path: Path) -> None:
    ours = make_positions("4x5x4", 8, (3, 6), labels="expectimax:depth=2,values=all", slip=0.2)
    assert ours.columns is not None
    for name in ("set.csv", "set.parquet"):
        write_positions(ours, tmp_path / name)
        found = read_positions(tmp_path / name)
        assert found.slip == 0.2
        assert np.array_equal(found.columns, ours.columns, equal_nan=True)  # type: ignore[arg-type]


def test_a_file_of_ones_own_needs_few_columns(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("score,moves,board\r\n-2,4453,6x7x4\r\n18,444,6x7x4\r\n")
    found = read_positions(path)
    assert found.scores is not None
    assert found.scores.tolist() == [-2, 18]
    assert list(found.batch) == [Position.from_moves("4453"), Position.from_moves("444")]


HEADER = "board,moves,ply,cells,score,best"
EMPTY = "b" * 42
SCORES = "board,moves,score,scores"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "its columns need board"),
        ("a1,a2,class\nx,o,win\n", "its columns need board"),
        ("board,moves\n6x7x4,44\n", "its columns need either score or value"),
        ("board,moves,score,value\n6x7x4,44,1,1\n", "its columns need either score or value"),
        ("board,moves,score,colour\n6x7x4,44,1,red\n", "column 'colour' is none of board, moves"),
        ("board,moves,score,moves\n6x7x4,44,1,44\n", "column 'moves' is none of"),
        (f"{HEADER}\n", "there is no position in it"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},1\n", "line 2: 5 fields, not 6"),
        (f"{HEADER}\n\n6x7x4,,0,{EMPTY},1,4\n", "line 2: 0 fields, not 6"),
        (f"{HEADER}\n6x7,,0,{EMPTY},1,4\n", "line 2: board '6x7'"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},1,4\n5x5x4,,0,{EMPTY},1,4\n", "line 3: board '5x5x4', and 6x7x4"),
        (f"{HEADER}\n6x7x4,48,2,{EMPTY},1,4\n", "line 2: move 2: column '8' is off the board"),
        (f"{HEADER}\n6x7x4,4?,2,{EMPTY},1,4\n", r"line 2: move 2: '\?' is not a column"),
        (f"{HEADER}\n6x7x4, 4,2,{EMPTY},1,4\n", "line 2: moves ' 4'"),
        (f"{HEADER}\n6x7x4,4444444,7,{EMPTY},1,4\n", "line 2: move 7: column 4 is full"),
        (f"{HEADER}\n6x7x4,1212121,7,{EMPTY},1,4\n", "line 2: the game is over"),
        (f"{HEADER}\n6x7x4,12121213,8,{EMPTY},1,4\n", "line 2: move 8: the game is over"),
        (f"{HEADER}\n6x7x4,{'1' * 99},9,{EMPTY},1,4\n", "line 2: 99 moves, and board 6x7x4 has 42 cells"),
        (f"{HEADER}\n6x7x4,,one,{EMPTY},1,4\n", "line 2: ply 'one' is not a whole number"),
        (f"{HEADER}\n6x7x4,,1,{EMPTY},1,4\n", "line 2: ply 1 is not that of the moves"),
        (f"{HEADER}\n6x7x4,,0,{'x' * 42},1,4\n", "line 2: cells 'x+.* is not that of the moves"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},1.5,4\n", "line 2: score '1.5' is not a whole number"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},{'9' * 5000},4\n", "line 2: it has 2,000 characters or more"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},{'9' * 50},4\n", "line 2: score '9+.* or far too large"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},22,4\n", "line 2: score 22 cannot be; it is -21 to 21 after 0 plies"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},1,\n", "line 2: best '' does not name columns"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},1,8\n", "line 2: best '8' does not name columns"),
        (f"{HEADER}\n6x7x4,,0,{EMPTY},1,44\n", "line 2: best '44' does not name columns"),
        ("board,moves,score,best\n6x7x4,444444,0,4\n", "line 2: a column of best is full"),
        ("board,moves,value\n6x7x4,44,much\n", "line 2: value 'much' is not a number"),
        ("board,moves,value\n6x7x4,44,1.01\n", r"line 2: value 1.01 is not in \[-1, 1\]"),
        ("board,moves,value\n6x7x4,44,nan\n", r"line 2: value nan is not in \[-1, 1\]"),
        ("board,moves,value\n6x7x4,4\0,0\n", "line 2"),
        ("board,moves,value,scores\n6x7x4,44,1,1\n", "column scores goes with score"),
        ("board,moves,score,values\n6x7x4,44,1,1\n", "column values goes with value"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4\n", "line 2: scores '1 2 3 4': it needs a number or '.' for each"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4 3 2 x\n", "line 2: scores .* it needs a number or"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4 3 2 nan\n", "line 2: scores .* it needs a number or"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4 3 2 1e99\n", "line 2: scores .* it needs a number or"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4 3 2 .\n", "line 2: scores .*: an open column has none"),
        (f"{SCORES}\n6x7x4,444444,4,1 2 3 4 3 2 1\n", "line 2: scores .*: a full column is worth something"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4 3 2 1.5\n", "line 2: scores .*: one is not a whole number"),
        (f"{SCORES}\n6x7x4,44,4,1 2 3 4 3 2 -21\n", "line 2: scores .*: one cannot be"),
        (f"{SCORES}\n6x7x4,44,5,1 2 3 4 3 2 1\n", "line 2: scores .*: the highest is not the position's"),
        (f"{SCORES},best\n6x7x4,44,4,1 2 3 4 3 4 1,4\n", "line 2: .*: best does not name the highest"),
        ("board,moves,value,values\n6x7x4,,0,. . . 2 . . .\n", "line 2: values .*: one is not in"),
        ("board,moves,value,slip\n6x7x4,,0,much\n", "line 2: slip 'much' is not a number"),
        ("board,moves,value,slip\n6x7x4,,0,0.1\n6x7x4,4,0,0.2\n", "line 3: slip 0.2, and 0.1 before"),
        ("board,moves,value,slip\n6x7x4,,0,1.5\n", "line 2: slip 1.5: it is a number in"),
        ("board,moves,score,slip\n6x7x4,,0,0.5\n", "line 2: .* exact scores know none"),
    ],
)
def test_what_is_no_set_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, newline="")
    with pytest.raises(BadData, match=message) as caught:
        read_positions(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        read_positions(tmp_path / "nowhere.csv")
    with pytest.raises(Unreadable, match="Is a directory"):
        read_positions(tmp_path)
    (tmp_path / "latin.csv").write_bytes(b"board,moves,score\n6x7x4,\xe9,1\n")
    with pytest.raises(Unreadable, match="it is not UTF-8 text"):
        read_positions(tmp_path / "latin.csv")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"board": ["6x7x4"], "moves": [44], "score": [1]}, "row 1: moves 44 is not a text"),
        ({"board": ["6x7x4"], "moves": [None], "score": [1]}, "row 1: moves None is not a text"),
        ({"board": ["6x7x4"], "moves": ["44"], "score": [None]}, "row 1: score None is not a whole number"),
        ({"board": ["6x7x4"], "moves": ["44"], "score": [True]}, "row 1: score True is not a whole number"),
        ({"board": ["6x7x4"], "moves": ["44"], "score": [0.5]}, "row 1: score 0.5 is not a whole number"),
        ({"board": ["6x7x4"], "moves": ["44"], "value": [None]}, "row 1: value None is not a number"),
        ({"moves": ["44"], "score": [1]}, "its columns need board"),
    ],
)
def test_tables_that_are_no_set(columns: dict[str, list[object]], message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    with pytest.raises(BadData, match=message):
        read_positions(path)


def test_a_damaged_table_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    write_positions(made(), path)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], b"PAR1", whole[:200] + bytes(400) + whole[600:]):
        path.write_bytes(data)
        with pytest.raises(BadData, match=r"set\.parquet: it is damaged") as caught:
            read_positions(path)
        assert "\n" not in str(caught.value)


def test_many_positions_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcast.learning.position_files.MOST_POSITIONS", 39)
    for name in ("set.csv", "set.parquet"):
        write_positions(made(), tmp_path / name)
        with pytest.raises(BadData, match="there are more than 39 positions"):
            read_positions(tmp_path / name)


def test_a_set_has_one_kind_of_label() -> None:
    ours = made()
    with pytest.raises(BadData, match="either exact scores or an agent's values"):
        LabelledSet(ours.geometry, ours.stones, ours.moves)
    with pytest.raises(BadData, match="as many moves and labels"):
        LabelledSet(ours.geometry, ours.stones, ours.moves[1:], scores=ours.scores)
