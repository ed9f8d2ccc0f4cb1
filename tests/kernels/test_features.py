"""The features of positions: every group's kernel against its naive twin, name by name."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import Geometry, Position
from fourcast.evaluators.features import GROUP_NAMES, GROUPS, Features, Group
from fourcast.kernels import features as kernels
from fourcast.kernels.batch import Batch
from tests import naive_features
from tests.boards import play_peacefully, play_some, twin

#: Few, as each takes seconds to compile: 64 bits, 128 bits, one row. The others, filled to the last bit, with
#: one column, very long lines and more columns than letters, are for the slow tests.
QUICK = ["6x7x4", "8x10x5", "1x8x3"]
PLACES = [
    *(pytest.param(Geometry.parse(board), id=board) for board in QUICK),
    *(
        pytest.param(Geometry.parse(board), id=board, marks=pytest.mark.slow)
        for board in ("7x8x4", "15x8x4", "15x8x12", "3x32x4", "8x1x3", "4x4x4", "127x1x100")
    ),
]


def numbers_of(group: Group, positions: list[Position]) -> npt.NDArray[np.int16]:
    """What a group's kernel writes, seen to be every number of every position and nothing else."""
    batch = Batch.of(positions)
    into = np.full((len(batch) + 1, len(group.names(batch.geometry))), 30_000, dtype=np.int16)
    kernel: Any = getattr(kernels, f"{group.name}_into")
    kernel(batch.board, batch.stones, into)
    assert (into[-1] == 30_000).all(), f"{group.name} runs over the end"
    assert (into[:-1] != 30_000).all(), f"{group.name} leaves numbers out"
    return into[:-1]


@pytest.mark.parametrize("geometry", PLACES)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_every_group_is_that_of_the_naive_twin(geometry: Geometry, seed: int) -> None:
    positions = [play_some(geometry, seed + index) for index in range(3)]
    for group in GROUPS:
        names = group.names(geometry)
        for position, numbers in zip(positions, numbers_of(group, positions), strict=True):
            expected = naive_features.GROUPS[group.name](*twin(position))
            assert dict(zip(names, numbers.tolist(), strict=True)) == expected


def test_every_group_has_a_twin() -> None:
    assert tuple(naive_features.GROUPS) == GROUP_NAMES


@pytest.mark.parametrize("line", ["up", "falling", "across", "rising"])
def test_a_line_is_no_window_of_the_game_that_it_ended(line: str) -> None:
    moves = {"up": "1212121", "falling": "76655454424", "across": "1122334", "rising": "12233434464"}[line]
    position = Position.from_moves(moves)
    assert position.outcome is not None
    assert position.outcome.winner == 0
    for group in GROUPS:
        found = numbers_of(group, [position, position])
        expected = naive_features.GROUPS[group.name](*twin(position))
        assert found.tolist() == [[expected[name] for name in group.names(position.geometry)]] * 2


def test_a_full_board_has_nothing_left_to_hope_for() -> None:
    ends = (play_peacefully(Geometry(6, 7, 4), seed, 42) for seed in range(1000))
    full = next(position for position in ends if position.ply == 42)
    found = named(full)
    assert set(named(full, "potential", "threats", "ladders").values()) == {0}
    assert set(named(full, "moves").values()) == {-1}
    assert (found["discs"], found["turn"], found["open_columns"]) == (42, 0, 0)


def named(position: Position, *groups: str) -> dict[str, int]:
    features = Features.of(position.geometry, groups or None)
    row = features.matrix(Batch.of(position))[0]
    return dict(zip(features.names, row.tolist(), strict=True))


def image_of(name: str, geometry: Geometry) -> str:
    """The name of the same feature in a mirror."""
    swapped = {"falling": "rising", "rising": "falling"}
    parts = [swapped.get(part, part) for part in name.split("_")]
    for index, part in enumerate(parts):
        if not re.fullmatch(r"[a-z][0-9]*", part):
            continue
        column, row = geometry.columns - 1 - (ord(part[0]) - ord("a")), part[1:]
        if parts[0] == "window" and parts[1] != "up":  # its last cell is now the one to the left
            column -= geometry.connect - 1
            row = str(int(row) + (geometry.connect - 1) * {"falling": 1, "across": 0, "rising": -1}[parts[1]])
        parts[index] = chr(ord("a") + column) + row
    return "_".join(parts)


@pytest.mark.parametrize("board", ["6x7x4", "8x10x5"])
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_the_mirror_image_has_the_features_in_the_mirror(board: str, seed: int) -> None:
    position = play_some(Geometry.parse(board), seed)
    found, image = named(position), named(position.mirror())
    assert {image_of(name, position.geometry): number for name, number in found.items()} == image


def test_what_a_mirror_does_to_names() -> None:
    geometry = Geometry(6, 7, 4)
    for name, image in (
        ("a1", "g1"),
        ("potential_other_c6", "potential_other_e6"),
        ("window_falling_a4", "window_rising_d1"),
        ("window_across_b2", "window_across_c2"),
        ("window_up_b2", "window_up_f2"),
        ("ladder_b_own_row", "ladder_f_own_row"),
        ("due_rising_own_3", "due_falling_own_3"),
        ("threats_own_timely", "threats_own_timely"),
    ):
        assert image_of(name, geometry) == image
        assert image_of(image, geometry) == name


THREATS = ("reach", "odd", "even", "timely", "untimely", "double", "lowest")


def threats_of(position: Position, side: str) -> dict[str, int]:
    """A side's threats, as far as there are any."""
    found = named(position, "threats")
    return {kind: found[f"threats_{side}_{kind}"] for kind in THREATS if found[f"threats_{side}_{kind}"]}


def test_the_first_player_has_time_for_odd_rows() -> None:
    """Where there are six rows. Whose row of three it is decides whether d3 comes to him in the end."""
    text = "......./......./......./XXX..../XOX...O/OXO..OO".replace("/", "\n")
    mine = Position.from_text(text)
    theirs = Position.from_text(text.translate(str.maketrans("XO", "OX")))
    assert (mine.turn, theirs.turn) == (0, 0)
    assert threats_of(mine, "own") == {"odd": 1, "timely": 1, "lowest": 3}
    assert threats_of(theirs, "other") == {"odd": 1, "untimely": 1}
    assert threats_of(mine, "other") == threats_of(theirs, "own") == {}


def test_of_timely_threats_in_a_column_only_one_counts() -> None:
    """X needs d3 and d5, which both come to it, and O d4, which comes to O."""
    position = Position.from_text("......./XXX..../OOO..../XXX..../XOX..OO/OXO.XOO".replace("/", "\n"))
    assert threats_of(position, "own") == {"odd": 2, "timely": 1, "lowest": 3}
    assert threats_of(position, "other") == {"even": 1, "timely": 1, "lowest": 4}
    found = named(position, "ladders")
    assert {name: number for name, number in found.items() if number} == {
        "ladder_d_own_row": 3,
        "ladder_d_own_above": 3,
        "ladder_d_other_row": 4,
        "ladder_d_other_above": 4,
    }


def test_a_threat_with_another_on_top_is_a_double() -> None:
    """X needs c2 or c3; O, who is to move, wins at once at c1 and at d4."""
    text = "......./......./......./XX.XO../XX.XOO./OO.OXXO".replace("/", "\n")
    position = Position.from_text(text)
    assert position.turn == 1
    assert threats_of(position, "other") == {
        "odd": 1,
        "even": 1,
        "timely": 1,
        "untimely": 1,
        "double": 1,
        "lowest": 3,
    }
    assert threats_of(position, "own") == {"reach": 2}


def test_more_than_four_discs_in_a_window_are_worth_no_more() -> None:
    """Six discs on top of each other where seven win: two windows lead through a7, with six and with five."""
    found = named(Position.from_moves("12" * 6, "8x2x7"), "potential")
    assert (found["potential_own_a7"], found["potential_other_b7"]) == (512, 512)
    assert (found["potential_own_a8"], found["potential_own_b7"]) == (256, 0)


def test_a_full_column_has_no_next_cell() -> None:
    found = named(Position.from_moves("111111"), "moves", "columns", "clock")
    assert {number for name, number in found.items() if name.startswith("move_a_")} == {-1}
    assert (found["height_a"], found["odd_a"], found["open_columns"]) == (6, 0, 6)
    found = named(Position.from_moves("11111"), "moves")
    assert found["move_a_here_own"] > 0
    assert found["move_a_above_own"] == -1


def test_the_empty_board_is_nobodys() -> None:
    found = named(Position())
    assert all(
        number == 0
        for name, number in found.items()
        if not name.startswith(("potential", "move", "due")) and name != "open_columns"
    )
    assert found["open_columns"] == 7
    assert (found["potential_own_a1"], found["potential_own_d3"], found["potential_other_d3"]) == (3, 13, 13)
    assert (found["due_across_own_0"], found["due_across_other_0"]) == (12, 12), "three rows each"
