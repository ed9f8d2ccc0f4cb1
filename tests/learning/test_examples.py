"""What models learn from: where it comes from, and what of it is held out."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadData, BadOption, FourcastError, Geometry, Unreadable
from fourcast.kernels.batch import Batch
from fourcast.kernels.moves import mirror_batch
from fourcast.learning.examples import held_out, load_examples, split_by_hash
from fourcast.learning.position_files import read_positions, write_positions
from fourcast.learning.positions import make_positions
from fourcast.learning.uci import CLASS, COLUMNS
from tests.learning.sets import BOARD, keys_of, small_examples, small_file, small_set, uci_rows


def write_rows(path: Path, *rows: str) -> Path:
    path.write_text("".join(f"{row}\n" for row in rows))
    return path


@pytest.mark.parametrize("name", ["small.csv", "small.parquet", "no-ending"])
def test_a_set_of_positions_is_read_whatever_its_form(tmp_path: Path, name: str) -> None:
    path = small_file(tmp_path, "small.parquet" if name == "no-ending" else name)
    path = path.rename(tmp_path / name)
    found, made = load_examples([str(path)]), small_set()
    assert found.geometry == Geometry.parse(BOARD)
    assert np.array_equal(found.stones, made.stones)
    assert made.scores is not None
    assert found.classes.tolist() == [(score > 0) - (score < 0) + 1 for score in made.scores.tolist()]
    assert found.sources == (f"file {name}",)
    assert found.counts == {each: made.counts[each] for each in ("loss", "draw", "win")}
    assert found.plies == (made.plies.min(), made.plies.max())


@pytest.mark.parametrize("names", [True, False])
def test_a_file_like_ucis_is_read_with_and_without_names(tmp_path: Path, names: bool) -> None:
    head = [",".join([*COLUMNS, CLASS])] if names else []
    found = load_examples([str(write_rows(tmp_path / "connect-4.data", *head, *uci_rows()))])
    assert (str(found.geometry), found.plies, len(found)) == ("6x7x4", (8, 8), 150)
    words = [row.rpartition(",")[2] for row in uci_rows()]
    assert [("loss", "draw", "win")[each] for each in found.classes] == words
    for position, row in zip(found.batch, uci_rows(), strict=True):
        discs = "".join(row.split(",")[:-1])
        assert (position.ply, discs.count("x"), discs.count("o")) == (8, 4, 4)
        assert all(
            (cell == "b") == (column[row] == ".") for cell, column, row in by_cell(discs, str(position))
        )


def by_cell(discs: str, drawing: str) -> list[tuple[str, str, int]]:
    """Each letter of a row beside the drawing's column and row."""
    lines = [
        line.replace(" ", "").strip("|") for line in drawing.splitlines() if line.strip().startswith("|")
    ]
    columns = ["".join(line[column] for line in reversed(lines)) for column in range(7)]
    return [(discs[column * 6 + row], columns[column], row) for column in range(7) for row in range(6)]


def test_several_sets_of_a_board_add_up(tmp_path: Path) -> None:
    other = make_positions(BOARD, 50, (5, 9), seed=9, moves=False)
    write_positions(other, tmp_path / "other.csv")
    found = load_examples([str(small_file(tmp_path)), str(tmp_path / "other.csv")])
    assert len(found) == 650
    assert found.sources == ("file small.csv", "file other.csv")
    assert np.array_equal(found.stones[600:], other.stones)


def test_sets_of_different_boards_are_refused(tmp_path: Path) -> None:
    small = str(small_file(tmp_path))
    uci = str(write_rows(tmp_path / "uci.csv", *uci_rows()))
    with pytest.raises(BadOption, match=r"uci\.csv is of board 6x7x4, not 4x5x4"):
        load_examples([small, uci])
    with pytest.raises(BadOption, match=r"small\.csv is of board 4x5x4, not 6x7x4"):
        load_examples([small], Geometry.parse("6x7x4"))
    with pytest.raises(BadOption, match="name a set"):
        load_examples([])


def test_an_agents_values_count_beyond_a_third(tmp_path: Path) -> None:
    values = {"1": -1, "2": -0.34, "3": -0.33, "12": 0.33, "13": 0.34}
    lines = ["board,moves,value", *(f"{BOARD},{moves},{value}" for moves, value in values.items())]
    path = write_rows(tmp_path / "set.csv", *lines)
    found = load_examples([str(path)])
    assert found.classes.tolist() == [0, 0, 1, 1, 2]
    assert read_positions(path).counts == {"win": 1, "draw": 2, "loss": 2}, "one rule for both"


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ((), BadData, "its columns need board"),
        (("a,b,c", "1,2,3"), BadData, "its columns need board"),
        (("board,moves", "4x5x4,1"), BadData, "its columns need either score or value"),
        (("board,moves,score,luck", "4x5x4,1,0,7"), BadData, "column 'luck' is none of"),
        (("board,moves,score", "4x5x4,1,win"), BadData, "line 2: score 'win' is not a whole number"),
        (("board,moves,score", "4x5x4,1,0", "4x5x4,2"), BadData, "line 3: 2 fields, not 3"),
        (
            ("board,moves,score", "4x5x4,1,0", "4x5x4,2,1"),
            BadData,
            "no loss in file set.csv: too few classes",
        ),
        (("board,moves,score", "4x5x4,1,0"), BadData, "no loss and no win in file set.csv: too few classes"),
        (uci_rows()[:1], BadData, "in file set.csv: too few classes"),
        (
            (uci_rows()[0].rpartition(",")[0] + ",lost",),
            BadData,
            "line 1: label 'lost' is none of loss, draw",
        ),
        ((uci_rows()[0], uci_rows()[1][2:]), BadData, "line 2: 42 fields, not 42 cells and a label"),
        ((uci_rows()[0], "z" + uci_rows()[1][1:]), BadData, "line 2: cell 'z' is none of x, o, b"),
        ((",".join(["b", "x", "o"] + 39 * ["b"] + ["win"]),), BadData, "position 1: a disc hangs in the air"),
        ((uci_rows()[0], ",".join(["x"] + 41 * ["b"] + ["win"])), BadData, "position 2: both players must"),
    ],
)
def test_what_is_no_set_is_one_line_that_says_where(
    tmp_path: Path, rows: tuple[str, ...], error: type[FourcastError], message: str
) -> None:
    with pytest.raises(error) as caught:
        load_examples([str(write_rows(tmp_path / "set.csv", *rows))])
    assert message in str(caught.value)
    assert "set.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "odd.data").write_bytes(f"{uci_rows()[0]}\n".encode() + b"\xff\xfe\n")
    for name, message in {
        "lost.csv": "No such file",
        "odd.csv": "not UTF-8",
        "odd.data": "not UTF-8",
        "": "Is a directory",
    }.items():
        with pytest.raises((Unreadable, BadData), match=message):
            load_examples([str(tmp_path / name)])


def test_quiet_examples_cannot_be_won_at_once() -> None:
    examples = small_examples()
    quiet = keys_of(examples.quiet().batch)
    assert quiet == {
        position.canonical_key for position in examples.batch if not position.winning_columns(position.turn)
    }
    assert 0 < len(quiet) < len(examples)


# --- what is held out ---


def test_about_the_share_that_is_asked_for_is_held_out() -> None:
    batch = small_examples().batch
    for share in (0.1, 0.5, 0.8):
        held = held_out(batch, share, 229)
        assert held.dtype == np.bool_
        assert abs(held.mean() - share) < 4 * np.sqrt(share * (1 - share) / len(batch))


def test_more_is_held_out_by_a_larger_share_never_something_else() -> None:
    batch = small_examples().batch
    assert not (held_out(batch, 0.2, 5) & ~held_out(batch, 0.3, 5)).any()


def test_mirror_images_are_held_out_together() -> None:
    batch = small_examples().batch
    assert (held_out(batch, 0.3, 229) == held_out(mirror_batch(batch), 0.3, 229)).all()


def test_a_position_is_held_out_or_not_whatever_set_it_is_in() -> None:
    batch = small_examples().batch
    held, order = held_out(batch, 0.3, 229), np.random.default_rng(1).permutation(len(batch))[:100]
    assert (held_out(Batch(batch.geometry, batch.stones[order]), 0.3, 229) == held[order]).all()


def test_another_seed_holds_out_others() -> None:
    batch = small_examples().batch
    one, other = held_out(batch, 0.5, 1), held_out(batch, 0.5, 2)
    assert abs((one == other).mean() - 0.5) < 0.1, "as if by tossing a coin"
    assert held_out(batch, 0.5, 2**32 - 1).any()


@pytest.mark.parametrize("share", [0, 1, -0.1, float("nan")])
def test_all_and_nothing_cannot_be_held_out(share: float) -> None:
    with pytest.raises(BadOption, match="share"):
        held_out(small_examples().batch, share, 1)


def test_a_split_by_hash_has_every_row_once_and_no_position_on_both_sides() -> None:
    examples = small_examples()
    split = split_by_hash(examples, 0.2, 229)
    assert sorted([*split.train, *split.held]) == list(range(len(examples)))
    assert not keys_of(examples.batch, split.train) & keys_of(examples.batch, split.held)


def test_too_few_positions_to_hold_some_of_each_class_out_are_refused() -> None:
    examples = small_examples()
    one_each = np.array([int(np.argmax(examples.classes == each)) for each in range(3)])
    with pytest.raises(BadData, match="3 positions are too few: some class has none to"):
        split_by_hash(examples.only(one_each), 0.2, 229)


def test_a_pipe_is_refused_as_it_can_be_read_only_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="it is a pipe; write it to a file first"):
        load_examples([str(tmp_path / "pipe")])
