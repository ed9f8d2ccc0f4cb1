"""Positions that are drawn from games and labelled."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcast import (
    BadData,
    BadLimit,
    BadOption,
    BadSlip,
    Geometry,
    Limit,
    Position,
    Rules,
    UnknownPlayer,
    agent,
)
from fourcast.learning import labelling, positions
from fourcast.learning.cells import batch_of, cells_of, image_is_lesser
from fourcast.learning.labelled import LabelledSet
from fourcast.learning.part import Part, part_of
from fourcast.learning.position_files import write_positions
from fourcast.learning.positions import make_positions
from fourcast.workers import LocalWorkers, Work, Workers
from tests import naive
from tests.boards import BOARDS, play_some, twin
from tests.learning.sets import Endless


def positions_of(made: LabelledSet) -> list[Position]:
    return [Position.from_moves(moves, made.geometry) for moves in made.moves]


def same(one: LabelledSet, other: LabelledSet) -> bool:
    return (
        one.moves == other.moves
        and np.array_equal(one.stones, other.stones)
        and np.array_equal(one.scores, other.scores)  # type: ignore[arg-type]  # None equals None
        and np.array_equal(one.values, other.values)  # type: ignore[arg-type]
        and np.array_equal(one.best, other.best)  # type: ignore[arg-type]
        and (one.columns is None) == (other.columns is None)
        and (one.columns is None or np.array_equal(one.columns, other.columns, equal_nan=True))  # type: ignore[arg-type]
    )


@pytest.mark.slow
@pytest.mark.parametrize("board", ["4x4x3", "4x4x4", "3x5x3", "1x8x3", "8x1x3"])
def test_labels_are_those_of_plain_minimax(board: str) -> None:
    geometry = Geometry.parse(board)
    count, last = {"1x8x3": (60, 7), "8x1x3": (8, 7)}.get(board, (60, geometry.cells - 1))
    least = 0 if geometry.cells < 12 else 5
    made = make_positions(geometry, count, (least, last), seed=1)
    assert made.scores is not None
    assert made.best is not None
    for index, position in enumerate(positions_of(made)):
        where, grid = twin(position)
        assert made.scores[index] == naive.score(where, grid)
        moves = {column: -naive.score(where, naive.drop(grid, column)) for column in naive.legal(where, grid)}
        best = [column for column, score in moves.items() if score == max(moves.values())]
        assert np.flatnonzero(made.best[index]).tolist() == best
        assert made.columns is not None
        known = {column: score for column, score in enumerate(made.columns[index]) if not np.isnan(score)}
        assert known == moves, "the score of every column is kept"


@pytest.mark.parametrize("board", ["6x7x4", "5x5x3", "15x8x4", "3x32x4"])
def test_every_position_is_there_once_and_its_mirror_image_is_not(board: str) -> None:
    made = make_positions(board, 300, (3, 12), labels="montecarlo:1", moves=False, seed=7)
    positions = positions_of(made)
    assert len({position.canonical_key for position in positions}) == 300
    for position, stones in zip(positions, made.batch, strict=True):
        assert position == stones, "the moves lead to the stones"
        assert position.key == position.canonical_key
        assert 3 <= position.ply <= 12
        assert not position.is_over
    assert made.plies.tolist() == [position.ply for position in positions]
    assert {3, 12} <= set(made.plies.tolist())


@given(st.sampled_from(BOARDS), st.integers(0, 2**32))
@settings(max_examples=60)
def test_of_a_position_and_its_image_the_lesser_key_is_known(geometry: Geometry, seed: int) -> None:
    position = play_some(geometry, seed)
    cells = np.array(
        [
            [
                [disc(position, row, column) for row in range(geometry.rows)]
                for column in range(geometry.columns)
            ]
        ],
        dtype=np.int8,
    )
    batch = batch_of(geometry, cells)
    assert next(iter(batch)) == position
    assert (cells_of(batch) == cells).all()
    assert image_is_lesser(cells)[0] == (position.mirror().key < position.key)


def disc(position: Position, row: int, column: int) -> int:
    _, grid = twin(position)
    owner = naive.disc(grid, (row, column))
    return 0 if owner is None else 1 if owner == position.turn else -1


@pytest.mark.slow
def test_late_plies_are_drawn_as_often_as_early_ones() -> None:
    plies = make_positions("5x6x3", 400, (8, 15), moves=False, seed=3).plies
    each = np.bincount(plies, minlength=16)[8:]
    assert each.min() > 25, "50 are expected of each, though few games are that long"


def test_the_same_seed_gives_the_same_set_and_another_one_does_not() -> None:
    def make(seed: int, threads: int = 1, policies: tuple[str, ...] = ("random",)) -> LabelledSet:
        return make_positions("5x5x4", 40, (8, 20), seed=seed, threads=threads, policies=policies, noise=0.3)

    assert same(make(5), make(5))
    assert same(make(5), make(5, threads=2))
    assert make(5).moves != make(6).moves
    agents = ("mcts:50", "random", "greedy")
    assert same(make(5, policies=agents), make(5, policies=agents))


def test_without_moves_the_scores_are_the_same() -> None:
    whole, scores = (make_positions("5x5x4", 50, (6, 20), seed=2, moves=moves) for moves in (True, False))
    assert scores.best is None
    assert scores.columns is None
    assert np.array_equal(whole.scores, scores.scores)  # type: ignore[arg-type]


def game_of(spec: str) -> list[str]:
    """An agent's game against itself, ply by ply, and its mirror image."""
    player, position, found = agent(spec), Position(), []
    while position.ply < 6:
        position = position.play(player.analyze(position, Limit()).column)
        found += [position.moves, position.mirror().moves]
    return found


def test_policies_take_turns() -> None:
    vertical, horizontal = set(game_of("vertical")), set(game_of("horizontal"))
    assert set(make_positions("6x7x4", 4, (3, 6), policies=("vertical",), moves=False).moves) <= vertical
    made = make_positions(
        "6x7x4", 40, (5, 6), policies=("vertical", "horizontal", "random"), labels="montecarlo:1"
    )
    assert set(made.moves) & vertical
    assert set(made.moves) & horizontal
    assert len(set(made.moves) - vertical - horizontal) == 36


def test_noise_makes_other_games() -> None:
    with pytest.raises(BadData, match=r"only 4 different .* more noise or other policies may bring more"):
        make_positions("6x7x4", 10, (1, 4), policies=("greedy",), moves=False)
    assert len(make_positions("6x7x4", 10, (1, 4), policies=("greedy",), noise=0.5, moves=False)) == 10


def test_an_agent_may_give_the_labels() -> None:
    made = make_positions("8x10x5", 5, (6, 10), labels="mcts:40", seed=1)
    assert made.scores is None
    assert made.values is not None
    assert made.best is not None
    assert (np.abs(made.values) <= 1).all()
    assert (made.best.sum(axis=1) == 1).all()
    exact = make_positions("4x4x3", 20, (4, 9), seed=1)
    perfect = make_positions("4x4x3", 20, (4, 9), seed=1, labels="perfect")
    assert exact.scores is not None
    assert perfect.values is not None
    assert exact.best is not None
    assert perfect.best is not None
    assert (np.sign(exact.scores) == perfect.values).all()
    assert (exact.best | ~perfect.best).all(), "what it plays is one of the best"


def test_an_agent_sees_each_position_for_itself() -> None:
    made = make_positions("5x5x4", 10, (3, 9), labels="mcts:30", seed=4)
    assert made.values is not None
    assert made.best is not None
    for index, position in enumerate(positions_of(made)):
        found = agent("mcts:30", "5x5x4", seed=4).analyze(position, Limit())
        assert (made.values[index], made.best[index].argmax()) == (found.value, found.column)
        assert made.columns is not None
        assert found.values is not None
        told = [np.nan if value is None else value for value in found.values]
        assert np.array_equal(made.columns[index], told, equal_nan=True)


def test_what_perfect_cannot_solve_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / "set.part"
    monkeypatch.setattr(labelling, "PERFECT_SECONDS", 0.01)
    monkeypatch.setattr(positions, "find_agent", lambda *_: Endless())
    with pytest.raises(BadLimit, match=r"ply 4 was not solved by perfect within 0.01s: have another agent"):
        make_positions("4x4x3", 6, (4, 4), labels="perfect", part=part)
    assert not part.exists()


def test_an_agent_that_says_nothing_of_columns_leaves_them_out() -> None:
    made = make_positions("4x4x3", 6, (4, 6), labels="perfect")
    assert made.columns is None
    assert made.best is not None


@pytest.mark.slow
def test_with_slip_discs_land_elsewhere_and_the_agent_reckons_with_it() -> None:
    teacher = "expectimax:depth=2,values=all"

    def make(slip: float) -> LabelledSet:
        return make_positions(
            "5x5x4", 12, (5, 5), policies=("vertical",), noise=0.3, slip=slip, labels=teacher
        )

    steady, slippery = make(0.0), make(0.4)
    assert steady.moves != slippery.moves
    assert (steady.slip, slippery.slip) == (0.0, 0.4)
    assert slippery.values is not None
    position = positions_of(slippery)[0]
    told = agent(teacher, Rules("5x5x4", 0.4)).analyze(position, Limit())
    assert slippery.values[0] == told.value


def test_a_board_that_is_too_hard_is_one_line() -> None:
    with pytest.raises(
        BadLimit, match=r"of ply 2 was not solved within nodes=1000: .* an agent give the labels"
    ):
        make_positions("8x10x5", 3, (2, 2), limit=Limit(nodes=1000))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"count": 0}, BadLimit, "count 0"),
        ({"count": 10**9}, BadOption, "5,000,000 positions is the most"),
        ({"plies": (5, 4)}, BadOption, "plies 5-4: on board 4x4x3 they are from 0 to 15"),
        ({"plies": (0, 16)}, BadOption, "plies 0-16"),
        ({"plies": (-1, 3)}, BadLimit, "plies -1"),
        ({"policies": ()}, BadOption, "0 policies"),
        ({"policies": ("nobody",)}, UnknownPlayer, "there is no agent 'nobody'"),
        ({"policies": ("human",)}, BadOption, "people play with fourcast play"),
        ({"labels": "human"}, BadOption, "people play with fourcast play"),
        ({"labels": "nobody"}, UnknownPlayer, "there is no agent 'nobody'"),
        ({"labels": "greedy"}, BadOption, "agent greedy does not say what a position is worth"),
        ({"noise": 1.5}, BadOption, "noise 1.5"),
        ({"noise": float("nan")}, BadOption, "noise nan"),
        ({"seed": -1}, BadLimit, "seed -1"),
        ({"threads": 0}, BadLimit, "threads 0"),
        ({"limit": Limit(depth=3)}, BadLimit, "exact solving takes a time or nodes="),
        ({"slip": 0.2}, BadOption, "the solver knows no slip"),
        ({"slip": 0.2, "labels": "perfect:level=9"}, BadOption, "perfect is the solver, which knows no slip"),
        ({"slip": 1.0, "labels": "mcts:10"}, BadSlip, "slip 1.0"),
        ({"count": 6, "plies": (0, 1)}, BadData, "only 3 different positions of plies 0-1"),
    ],
)
def test_what_cannot_be_made_is_refused_and_leaves_nothing(
    changes: dict[str, object], error: type[Exception], message: str, tmp_path: Path
) -> None:
    wanted: dict[str, object] = {"count": 3, "plies": (4, 6)} | changes
    wanted["part"] = tmp_path / "set.part"
    with pytest.raises(error, match=message):
        make_positions("4x4x3", **wanted)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


# --- going on ---


def steps(part: Path, name: str) -> list[dict[str, Any]]:
    """The steps of that name, all lines of the file being whole."""
    return [step for line in part.read_bytes().splitlines() if name in (step := json.loads(line))]


class Enough(Exception):
    """Somebody pulls the plug."""


@pytest.mark.parametrize(
    ("what", "labels"), [("labels", "solver"), ("positions", "solver"), ("labels", "mcts:30")]
)
def test_what_was_stopped_goes_on_where_it_was(what: str, labels: str, tmp_path: Path) -> None:
    def make(stop_at: int, part: Path | None) -> tuple[LabelledSet, list[tuple[str, int]]]:
        seen: list[tuple[str, int]] = []

        def watch(doing: str, done: int, _: int) -> None:
            seen.append((doing, done))
            if doing == what and done >= stop_at:
                raise Enough

        made = make_positions(
            "5x5x4",
            40,
            (6, 20),
            seed=4,
            policies=("greedy",),
            noise=0.4,
            labels=labels,
            part=part,
            watch=watch,
        )
        return made, seen

    part = tmp_path / "set.part"
    with pytest.raises(Enough):
        make(10, part)
    kept = part.read_bytes()
    part.write_bytes(kept + b'{"labels":[' + b"1," * 10_000)  # a line that was cut short
    whole, unstopped = make(1000, tmp_path / "whole.part")
    made, seen = make(1000, part)
    assert same(made, whole)
    first = next(done for doing, done in seen if doing == what)
    assert first >= 10, "what was done is not done again"
    drawing = [each for each in seen if each[0] == "positions"]
    assert drawing == [each for each in unstopped if each in drawing], "nor are games played again"
    assert part.read_bytes().startswith(kept)
    assert steps(part, "found") == steps(tmp_path / "whole.part", "found"), "game for game"


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    with LocalWorkers(2) as workers:
        yield workers


@pytest.mark.parametrize(
    ("labels", "policies"),
    [("solver", ("random",)), ("solver", ("greedy", "random")), ("mcts:30", ("greedy",))],
)
def test_workers_make_the_same_set_and_one_alone_goes_on_with_what_they_did(
    labels: str, policies: tuple[str, ...], two: Workers, tmp_path: Path
) -> None:
    def make(part: Path | None = None, workers: Workers | None = None, stop_at: int = 1000) -> LabelledSet:
        def watch(doing: str, done: int, _: int) -> None:
            if doing == "labels" and done >= stop_at:
                raise Enough

        return make_positions(
            "5x5x4",
            60,
            (6, 20),
            seed=5,
            policies=policies,
            noise=0.4,
            labels=labels,
            workers=workers,
            part=part,
            watch=watch,
        )

    alone, part = make(), tmp_path / "set.part"
    assert same(make(workers=two), alone)
    with pytest.raises(Enough):
        make(part, Backwards(), 25)
    kept = part.read_bytes()
    assert any("at" in step for step in steps(part, "labels")), "the last ones came first"
    assert same(make(part), alone)
    assert part.read_bytes().startswith(kept)
    part.write_bytes(kept)
    assert same(make(part, two), alone)


class Backwards:
    """Workers who are done with the last item first, as far as there is a last one."""

    def map(self, work: Work[Any, Any], items: Iterable[Any]) -> Iterator[Any]:
        some = list(islice(items, 400))
        for item in some if isinstance(some[0], int) else reversed(some):
            yield work.do([item])


def test_two_cannot_make_the_same_set_at_once(tmp_path: Path) -> None:
    path = tmp_path / "set.part"
    with Part(path, {"what": "a set"}) as part:
        part.add({"step": 1})
        with pytest.raises(BadData, match="another process is at work on it"):
            Part(path, {"what": "a set"})
    with Part(path, {"what": "a set"}) as part:
        assert list(part.take("step")) == [{"step": 1}]


def test_a_part_of_another_set_is_refused_and_stays(tmp_path: Path) -> None:
    part = tmp_path / "set.part"
    make_positions("4x4x3", 5, (4, 6), part=part)
    kept = part.read_bytes()
    with pytest.raises(BadData, match="was begun for another set"):
        make_positions("4x4x3", 5, (4, 6), seed=1, part=part)
    assert part.read_bytes() == kept
    assert same(make_positions("4x4x3", 5, (4, 6), part=part), make_positions("4x4x3", 5, (4, 6)))


@pytest.mark.parametrize(
    "line",
    [
        b"{]",
        b"7",
        b'{"games":9,"found":["4q"]}',
        b'{"games":9,"found":5}',
        b'{"found":["1234"]}',
        b'{"labels":[99],"best":["1"],"columns":["99 0 0 0"]}',
        b'{"labels":["x"],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1]}',
        b'{"labels":[1],"best":["1"]}',
        b'{"labels":[1],"best":["1"],"columns":["1 0"]}',
        b'{"labels":[1],"best":["1"],"columns":[7]}',
        b'{"labels":[1],"best":["1"],"columns":["1 2 3 4"]}',
        b'{"labels":[1],"best":["9"]}',
        b'{"labels":[1,1],"best":["1"]}',
        b'{"labels":[1,1,1,1,1,1],"best":["1","1","1","1","1","1"]}',
        b'{"labels":[1],"at":[5],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1],"at":[-1],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1],"at":[0.5],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1],"at":["0"],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1],"at":[true],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1],"at":0,"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1],"at":[0,1],"best":["1"],"columns":["1 0 0 0"]}',
        b'{"labels":[1,1],"at":[2,2],"best":["1","1"],"columns":["1 0 0 0","1 0 0 0"]}',
    ],
)
def test_a_damaged_part_is_one_line(line: bytes, tmp_path: Path) -> None:
    part = tmp_path / "set.part"
    make_positions("4x4x3", 5, (4, 6), part=part)
    lines = part.read_bytes().splitlines(keepends=True)
    found = lines[:1] if b"found" in line else lines[:2]
    part.write_bytes(b"".join(found) + line + b"\n")
    with pytest.raises(BadData, match=r"set\.part"):
        make_positions("4x4x3", 5, (4, 6), part=part)


KILLED = """
import sys
from pathlib import Path
from fourcast.learning.part import Part
from fourcast.learning.positions import make_positions
make_positions("6x7x4", 2000, (10, 16), seed=1, part=Path(sys.argv[1]))
"""


def test_a_process_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    part = tmp_path / "set.part"

    def labelled() -> int:
        return part.read_bytes().count(b'{"labels"') if part.exists() else 0

    process = subprocess.Popen([sys.executable, "-c", KILLED, str(part)])
    until = time.monotonic() + 120
    while labelled() < 5 and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    seen: list[int] = []

    def watch(doing: str, done: int, _: int) -> None:
        assert doing == "labels", "the positions are there"
        seen.append(done)
        raise Enough

    with pytest.raises(Enough):
        make_positions("6x7x4", 2000, (10, 16), seed=1, part=part, watch=watch)
    assert seen[0] >= 5


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond that many bytes, as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_fills_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    part, path = part_of(tmp_path / "set.csv"), tmp_path / "set.csv"
    whole = make_positions("4x4x3", 200, (4, 9))
    for size in (100, 1000, 4000):
        with room_for(size), pytest.raises(BadData, match=r"set\.csv\.part"):
            make_positions("4x4x3", 200, (4, 9), part=part)
        assert part.exists() == (size == 4000), "a file that holds nothing is not left behind"
    assert same(make_positions("4x4x3", 200, (4, 9), part=part), whole)
    path.write_text("what was there")
    with room_for(1000), pytest.raises(BadData, match=r"set\.csv: File too large"):
        write_positions(whole, path)
    assert path.read_text() == "what was there"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["set.csv", "set.csv.part"]


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="No such file"):
        make_positions("4x4x3", 5, (4, 6), part=tmp_path / "no" / "folder.part")
