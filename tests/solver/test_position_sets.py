"""The sets of positions that the solver is measured on."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from fourcast import FourcastError, Limit, Position
from fourcast.solver import Solver, position_sets
from fourcast.solver.position_sets import EMPTY, KINDS, Kind, PositionSet, made_sets, read_sets


def quiet(_what: str, _done: int, _total: int) -> None:
    """Nobody watches."""


def make(limit: int, seed: int = 1) -> list[PositionSet]:
    return list(islice(made_sets(limit, seed=seed, advance=quiet), 5))  # the last one takes long


def test_every_file_is_a_set_by_name(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("44 -2\n\n4453\n")
    (tmp_path / "a").write_text("1 2")
    (tmp_path / ".hidden").write_text("nonsense")
    (tmp_path / "folder").mkdir()
    first, second = read_sets(tmp_path)
    assert (first.name, second.name) == ("a", "b")
    assert second.positions == (Position.from_moves("44"), Position.from_moves("4453"))
    assert second.scores == (-2, None)
    assert len(second) == 2


def test_the_limit_takes_the_first_of_each_set(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n3\n")
    (tmp_path / "b").write_text("4\n")
    first, second = read_sets(tmp_path, limit=2)
    assert [position.moves for position in first.positions] == ["1", "2"]
    assert len(second) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"44 1\n4? 1\n", "set, line 2: move 2: '?' is not a column (1-9, then a-z)"),
        (b"48", "set, line 1: move 2: column '8' is off the board, which has 7 columns"),
        (b"\n4444444", "set, line 2: move 7: column 4 is full"),
        (b"1212121 5", "set, line 1: the game is over, first player (X) wins on move 7"),
        (b"44 one", "set, line 1: 'one' is not a score"),
        (b"44 1.5", "set, line 1: '1.5' is not a score"),
        (b"44 1 1", "set, line 1: '44 1 1' is more than MOVES and SCORE"),
        (b"\n \n", "cannot read set: there is no position in it"),
        (b"\xff\xfe", "cannot read set: it is not UTF-8 text"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: bytes, message: str) -> None:
    (tmp_path / "set").write_bytes(text)
    with pytest.raises(FourcastError) as raised:
        read_sets(tmp_path, limit=1)
    assert str(raised.value) == message


def test_a_folder_must_be_there_and_hold_something(tmp_path: Path) -> None:
    with pytest.raises(FourcastError, match="there is no file in it"):
        read_sets(tmp_path)
    with pytest.raises(FourcastError, match="No such file or directory"):
        read_sets(tmp_path / "none")
    (tmp_path / "file").write_text("44")
    with pytest.raises(FourcastError, match="Not a directory"):
        read_sets(tmp_path / "file")


def test_sets_that_are_made_are_what_they_say() -> None:
    solver = Solver(book=False)
    for made, kind in zip(make(4), KINDS[:5], strict=True):
        least, most = kind.nodes
        assert made.name == kind.name
        assert len(made) == 4
        assert made.scores == (None,) * 4
        for position in made.positions:
            assert kind.plies[0] <= position.ply <= kind.plies[1]
            assert not position.is_over
            assert not position.winning_columns(position.turn)
            nodes = solver.solve_many([position], fresh=True).nodes[0]
            assert least <= nodes
            assert most is None or nodes < most


def test_hard_positions_are_not_solved_with_the_nodes_of_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_sets, "KINDS", (Kind("hard", (2, 8), (50_000, None), 3),))
    (made,) = made_sets(advance=quiet)
    assert len(made) == 3
    for position in made.positions:
        found = Solver(book=False).solve_many([position], limit=Limit(nodes=50_000))
        assert not found.exact[0]


@pytest.mark.slow
def test_a_seed_gives_the_same_sets_and_a_limit_their_beginning() -> None:
    some = make(3)
    assert some == make(3)
    assert some != make(3, seed=2)
    for fewer, more in zip(make(2), some, strict=True):
        assert fewer.positions == more.positions[:2]


def test_no_position_is_in_a_set_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_sets, "KINDS", (Kind("few", (1, 1), (1, None), 4),))
    (made,) = made_sets(advance=quiet)
    columns = [position.columns_played[0] for position in made.positions]
    assert {min(column, 6 - column) for column in columns} == {0, 1, 2, 3}  # of images, one


def test_the_empty_board_is_won_with_the_last_disc() -> None:
    assert EMPTY.positions == (Position(),)
    assert EMPTY.scores == (1,)
