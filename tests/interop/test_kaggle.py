"""Any agent is a Kaggle agent in memory, and any Kaggle agent plays here."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import fourcast as fc
from fourcast.interop.kaggle import as_agent
from fourcast.interop.observation import contest_position

# As people write them: items and attributes by turns, other names, helpers, a board of any size.
SUBMISSION = """
import random
import numpy as np


def drop(grid, column, mark):
    after = grid.copy()
    after[np.flatnonzero(after[:, column] == 0)[-1], column] = mark
    return after


def wins(grid, mark, config):
    rows, columns, line = config["rows"], config.columns, config.inarow
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = row + down * (line - 1), column + right * (line - 1)
                if ends[0] < rows and 0 <= ends[1] < columns:
                    if all(grid[row + down * i, column + right * i] == mark for i in range(line)):
                        return True
    return False


def my_agent(obs, config):
    grid = np.asarray(obs["board"]).reshape(config.rows, config["columns"])
    valid = [c for c in range(config.columns) if obs.board[c] == 0]
    for mark in (obs.mark, obs["mark"] % 2 + 1):
        for column in valid:
            if wins(drop(grid, column, mark), mark, config):
                return column
    assert config.actTimeout == config.timeout and obs.step == np.count_nonzero(grid)
    return random.choice(valid)
"""


class Struct(dict[str, Any]):
    """What Kaggle hands over."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def asked(position: fc.Position) -> tuple[Struct, Struct]:
    board = position.geometry
    return (
        Struct(board=position.to_flat(), mark=position.turn + 1, step=position.ply, remainingOverageTime=60),
        Struct(rows=board.rows, columns=board.columns, inarow=board.connect, actTimeout=2, timeout=2),
    )


@pytest.mark.parametrize("board", ["6x7x4", "5x5x3"])
def test_a_submission_plays_in_the_arena(board: str, tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(SUBMISSION)
    report = fc.match(f"file:{path}", "random", games=6, rules=board, limit="1s", plies=(0, 0))
    assert [side.failures for side in report.sides] == [{}, {}]
    assert report.points > 3


@pytest.mark.parametrize("spec", ["greedy", "mcts:simulations=200"])
def test_any_agent_is_a_kaggle_agent(spec: str) -> None:
    play = as_agent(spec, limit="1s", seed=3)
    position = fc.Position()
    while not position.is_over:
        position = position.play(play(*asked(position)))
    assert position.outcome is not None


def test_it_plays_each_board_that_it_is_asked_about() -> None:
    play = as_agent("greedy")
    assert play(*asked(fc.Position.from_moves("1122", "4x4x3"))) == 2
    assert play(*asked(fc.Position.from_moves("112233"))) == 3


def test_observations_may_be_objects() -> None:
    observation, configuration = (SimpleNamespace(**each) for each in asked(fc.Position.from_moves("112233")))
    assert as_agent("greedy")(observation, configuration) == 3


def test_what_cannot_be_played_is_a_named_error() -> None:
    play = as_agent("greedy")
    with pytest.raises(fc.GameOver, match="the game is over"):
        play(*asked(fc.Position.from_moves("1213141")))
    observation, configuration = asked(fc.Position())
    with pytest.raises(fc.BadShape, match="42 cells, but board 5x7x4 has 35"):
        play(observation, configuration | {"rows": 5})
    with pytest.raises(fc.BadGeometry, match="rows, columns and inarow"):
        play(observation, {})
    with pytest.raises(fc.BadShape, match="no board"):
        play({"mark": 1}, configuration)
    with pytest.raises(fc.UnknownPlayer, match="no agent 'gready'"):
        as_agent("gready")
    with pytest.raises(fc.BadLimit):
        as_agent("greedy", limit="soon")
    with pytest.raises(fc.BadOption, match="person"):
        as_agent("human")


def test_a_state_is_an_array_of_the_standard_size() -> None:
    position = fc.Position.from_moves("4453")
    assert contest_position(position.to_array(), 1) == position
    assert contest_position(list(position.to_array()), 1) == position  # a list of rows
    assert contest_position([[0] * 7] * 6, 2) == fc.Position()  # whoever begins
    for state, message in (
        ([0] * 42, "an array of 6 rows"),
        ("nothing", "not 'nothing'"),
        ([[0] * 7] * 5, "5x7"),
        ([[0] * 6] * 6, "6x6"),
        ([[0, 0, 5, 0, 0, 0, 0], *[[0] * 7] * 5], "cell 3: 5 is neither"),
    ):
        with pytest.raises(fc.BadBoard, match=message):
            contest_position(state, 1)


@pytest.mark.parametrize("wrong", [{"limit": 3}, {"limit": "soon"}, {"seed": "x"}, {"seed": -1}])
def test_a_limit_or_seed_that_is_none_is_refused_at_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(fc.BadLimit):
        as_agent("negamax", **wrong)
