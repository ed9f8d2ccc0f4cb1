"""Learning from games against oneself: the games, what is kept, and that nothing depends on who played."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fourcast import BadData, BadOption, Geometry, Position
from fourcast.evaluators.network import NetworkEvaluator
from fourcast.kernels.batch import Batch
from fourcast.learning.examples import held_out
from fourcast.learning.networks import Shape
from fourcast.learning.selfplay import table
from fourcast.learning.selfplay.chart import draw_strength
from fourcast.learning.selfplay.folder import Folder
from fourcast.learning.selfplay.gate import hold_gate
from fourcast.learning.selfplay.generation import STAGES, Generation, StageGrades, stage_of
from fourcast.learning.selfplay.grader import grade, solve_positions
from fourcast.learning.selfplay.learner import Learner
from fourcast.learning.selfplay.run import Budget, Run
from fourcast.learning.selfplay.settings import SHARE, Settings, usual_games, usual_simulations
from fourcast.learning.selfplay.table import GateTask, Harvest, PlayTask, evaluator_of, sit_down
from fourcast.solver import Solver
from fourcast.workers import HereWorkers, LocalWorkers, Work, Workers
from tests.learning.nets import needs_training

needs_training()

BOARD = Geometry.parse("3x4x3")
TINY = Settings(BOARD, 0.0, 12, 16, Shape(4, 1), batch=16, gate=8, grade=30, seed=7)


@pytest.fixture(scope="module")
def graph() -> bytes:
    return Learner(TINY).graph()


def lessons_of(settings: Settings, graph: bytes, games: range) -> list[table.Lesson]:
    network = evaluator_of(settings.geometry, graph)
    played = table.side_by_side([table._game(settings, network, 1, number) for number in games], [network])
    return [lesson for lessons, _, _ in played for lesson in lessons]


class TestGames:
    def test_lessons_are_of_positions_that_go_on_and_like_open_columns(self, graph: bytes) -> None:
        found = lessons_of(TINY, graph, range(30))
        assert len(found) > 60
        for position, policy, value, _ in found:
            assert not position.is_over
            assert policy.sum() == pytest.approx(1)
            assert set(np.flatnonzero(policy).tolist()) <= set(position.legal)
            assert -1 <= value <= 1

    def test_what_is_called_proven_is_what_the_solver_says(self, graph: bytes) -> None:
        solver, proven = Solver(BOARD), 0
        for position, policy, value, is_proven in lessons_of(TINY, graph, range(30)):
            if is_proven:
                exact = solver.analyze(position)
                assert exact.scores is not None
                assert np.sign(exact.score or 0) == value
                assert np.sign(exact.scores[int(policy.argmax())] or 0) == value
                proven += 1
        assert proven > 50

    def test_the_harvest_has_how_games_ended_and_nothing_that_is_held_out(self, graph: bytes) -> None:
        found = sit_down(PlayTask(TINY, 1, range(30), graph))
        assert isinstance(found, Harvest)
        games, plies, first_wins, draws = found.counts.tolist()
        assert games == 30
        assert 0 <= plies <= 30 * BOARD.cells
        assert 0 <= first_wins + draws <= 30
        assert not held_out(Batch(BOARD, found.stones), SHARE, TINY.seed).any()
        assert len(found) < len(lessons_of(TINY, graph, range(30)))

    def test_a_game_is_the_same_at_any_table_of_its_size_and_others_differ(self, graph: bytes) -> None:
        one, same, other = (sit_down(PlayTask(TINY, generation, range(4), graph)) for generation in (1, 1, 2))
        assert isinstance(one, Harvest)
        assert isinstance(same, Harvest)
        assert isinstance(other, Harvest)
        assert one.stones.tobytes() == same.stones.tobytes()
        assert one.policy.tobytes() == same.policy.tobytes()
        assert one.stones.tobytes() != other.stones.tobytes()

    def test_a_position_is_learnt_once_with_the_mean_of_what_was_found(self, graph: bytes) -> None:
        found = sit_down(PlayTask(TINY, 1, range(60), graph))
        assert isinstance(found, Harvest)
        plain: dict[int, list[tuple[list[float], float]]] = {}
        for position, policy, value in zip(
            Batch(BOARD, found.stones), found.policy.tolist(), found.value.tolist(), strict=True
        ):
            turned = position.canonical_key != position.key
            plain.setdefault(position.canonical_key, []).append((policy[:: -1 if turned else 1], value))
        once = table.distinct(BOARD, found)
        assert len(once) == len(plain) < len(found)
        assert once.counts.tolist() == found.counts.tolist()
        for position, policy, value in zip(
            Batch(BOARD, once.stones), once.policy.tolist(), once.value.tolist(), strict=True
        ):
            turned = position.canonical_key != position.key
            wanted = plain[position.canonical_key]
            assert value == pytest.approx(np.mean([each for _, each in wanted]), abs=1e-6)
            if position.mirror().key != position.key:
                mean = np.mean([each for each, _ in wanted], axis=0)
                assert policy[:: -1 if turned else 1] == pytest.approx(mean, abs=1e-6)

    def test_games_with_slip_are_learnt_from_too(self, graph: bytes) -> None:
        found = sit_down(PlayTask(replace(TINY, slip=0.3), 1, range(6), graph))
        assert isinstance(found, Harvest)
        assert len(found)
        assert found.counts[0] == 6

    def test_a_large_board_is_played_on(self) -> None:
        large = replace(TINY, geometry=Geometry.parse("8x10x5"), simulations=8)
        found = sit_down(PlayTask(large, 1, range(2), Learner(large).graph()))
        assert isinstance(found, Harvest)
        assert found.stones.shape[1:] == (2, 2)

    def test_pairs_against_oneself_bring_as_much_as_they_cost(self, graph: bytes) -> None:
        points = sit_down(GateTask(TINY, 1, range(6), graph, graph))
        assert points == [1.0] * 6

    def test_openings_go_on_and_are_no_deeper_than_asked(self) -> None:
        chance = np.random.default_rng(1)
        plies = [table.opening(BOARD, chance, 0.5).ply for _ in range(200)]
        assert min(plies) == 0
        assert max(plies) == 6


class Canned:
    """Workers who have played already, and come home in an order of their own."""

    def __init__(self, points: Sequence[float], order: Sequence[int]) -> None:
        self.points, self.order = points, order

    def map(self, work: Work[Any, Any], items: Iterable[Any]) -> Iterator[Any]:
        assert work.most == 1
        tasks = dict(items)
        for index in self.order[: len(tasks)]:
            task = tasks[index]
            assert isinstance(task, GateTask)
            yield index, [self.points[index]] * len(task.pairs)


class TestGate:
    SETTINGS = replace(TINY, gate=128)

    def verdict(self, points: Sequence[float], order: Sequence[int] = (0, 1, 2, 3)) -> tuple[int, bool]:
        found = hold_gate(self.SETTINGS, 1, b"", b"", Canned(points, order), lambda *_: None)
        return found.pairs, found.accepted

    def test_the_better_one_passes_and_the_worse_one_does_not_before_all_is_played(self) -> None:
        assert self.verdict([2, 2, 2, 2]) == (16, True)
        assert self.verdict([0, 0, 0, 0]) == (16, False)

    def test_an_equal_one_passes_and_a_slightly_worse_one_does_not(self) -> None:
        assert self.verdict([1, 1, 1, 1]) == (64, True)
        assert self.verdict([1, 1, 1, 0.5]) == (64, False)

    def test_who_is_done_first_does_not_matter(self) -> None:
        for points in ([2, 0, 0, 0], [1, 2, 2, 2], [1, 1, 0, 2]):
            assert len({self.verdict(points, order) for order in ((0, 1, 2, 3), (3, 2, 1, 0))}) == 1

    def test_without_a_gate_everybody_passes(self) -> None:
        found = hold_gate(replace(TINY, gate=0), 1, b"", b"", HereWorkers(), lambda *_: None)
        assert (found.pairs, found.share, found.accepted) == (0, None, True)


class TestGrades:
    def test_stages_are_thirds(self) -> None:
        assert [stage_of(ply, Geometry()) for ply in (0, 13, 14, 27, 28, 41)] == [
            stage for stage in STAGES for _ in range(2)
        ]

    def test_grades_are_those_of_a_plain_count(self, graph: bytes) -> None:
        solved = solve_positions(replace(TINY, grade=60), lambda *_: None)
        evaluator = evaluator_of(BOARD, graph)
        values, priors = evaluator.judge(solved.batch)
        solver = Solver(BOARD)
        rows: dict[str, list[tuple[bool, bool, float]]] = {}
        for position, value, likely in zip(solved.batch, values, priors, strict=True):
            exact = solver.analyze(position)
            assert exact.scores is not None
            column = max(position.legal, key=lambda each, likely=likely: likely[each])  # type: ignore[misc]
            got, best = exact.scores[column] or 0, exact.score or 0
            row = np.sign(got) == np.sign(best), got == best, (value - np.sign(best)) ** 2
            for name in (stage_of(position.ply, BOARD), "all"):
                rows.setdefault(name, []).append(row)
        found = grade(evaluator, solved)
        assert set(found) == set(rows)
        for name, each in rows.items():
            good, perfect, square = np.array(each, dtype=np.float64).mean(axis=0)
            grades = found[name]
            assert grades.positions == len(each)
            assert (grades.good, grades.perfect) == pytest.approx((good, perfect))
            assert grades.error == pytest.approx(np.sqrt(square))

    def test_what_is_graded_is_never_learnt_from(self) -> None:
        solved = solve_positions(TINY, lambda *_: None)
        assert len(solved)
        assert held_out(solved.batch, SHARE, TINY.seed).all()

    @pytest.mark.parametrize("settings", [replace(TINY, grade=0), replace(TINY, slip=0.1)])
    def test_nothing_is_graded_where_that_is_asked_for_or_discs_slip(self, settings: Settings) -> None:
        assert not len(solve_positions(settings, lambda *_: None))


def run_in(
    folder: Path,
    settings: Settings = TINY,
    generations: int = 2,
    workers: Workers | None = None,
    advance: Callable[[str, int, int], None] = lambda *_: None,
) -> Run:
    run = Run(Folder(folder, settings), workers or HereWorkers(), advance)
    run.go_on(Budget(generations=generations), lambda _: None)
    return run


def figures(run: Run) -> list[dict[str, Any]]:
    """All that is known of its generations but how long they took."""
    return [each.to_json() | {"seconds": None} for each in run.done]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    path = tmp_path_factory.mktemp("runs") / "whole"
    return path, run_in(path)


class Enough(KeyboardInterrupt):
    """Somebody presses Ctrl-C."""


class TestRun:
    def test_a_run_leaves_what_it_needs_to_go_on(self, whole: tuple[Path, Run]) -> None:
        path, run = whole
        assert [each.number for each in run.done] == [1, 2]
        for each in run.done:
            assert each.games == TINY.games
            assert each.positions > 0
            assert set(each.seconds) == {"games", "training", "gate", "grading"}
            assert "all" in each.grades
        champion = run.done[-1].champion
        learners = {"learner-0002.npz"} | ({f"learner-{champion:04d}.npz"} if champion else set())
        assert {each.name for each in path.iterdir()} == learners | {
            *("settings.json", "graded.npz", "generations.jsonl", "games-0001.npz", "games-0002.npz"),
        }

    @pytest.mark.parametrize(
        ("what", "times"),
        [
            ("generation 1, games", 2),
            ("generation 1, training", 1),
            ("generation 2, games", 1),
            ("generation 2, training", 2),
            ("generation 2, gate", 1),
        ],
    )
    def test_what_was_stopped_goes_on_to_the_same_network(
        self, what: str, times: int, whole: tuple[Path, Run], tmp_path: Path
    ) -> None:
        seen = 0

        def stop(doing: str, _done: int, _total: int) -> None:
            nonlocal seen
            seen += doing.startswith(what)
            if seen >= times:
                raise Enough

        with pytest.raises(Enough):
            run_in(tmp_path, advance=stop)
        again = run_in(tmp_path)
        assert figures(again) == figures(whole[1])
        name = "learner-0002.npz"
        with np.load(tmp_path / name) as one, np.load(whole[0] / name) as other:
            assert one.files == other.files
            assert all(one[each].tobytes() == other[each].tobytes() for each in one.files)

    def test_tables_that_were_played_are_not_played_again(self, tmp_path: Path) -> None:
        class Counting(HereWorkers):
            played = 0

            def map(self, work: Work[Any, Any], items: Iterable[Any]) -> Iterator[Any]:
                for each in super().map(work, items):
                    Counting.played += 1
                    yield each
                    if Counting.played == 3:
                        raise Enough

        with pytest.raises(Enough):
            run_in(tmp_path, generations=1, workers=Counting())
        assert len(list(tmp_path.glob("games-0001-*.npz"))) == 3
        tables = len(TINY.tables) + len(TINY.gate_tables)
        run_in(tmp_path, generations=1, workers=Counting())
        assert Counting.played <= tables

    def test_more_generations_go_on_from_what_is_there(self, whole: tuple[Path, Run], tmp_path: Path) -> None:
        run_in(tmp_path, generations=1)
        assert figures(run_in(tmp_path, generations=2)) == figures(whole[1])

    @pytest.mark.slow
    def test_processes_play_the_same_games(self, whole: tuple[Path, Run], tmp_path: Path) -> None:
        with LocalWorkers(2) as workers:
            run = run_in(tmp_path, workers=workers)
        assert figures(run) == figures(whole[1])

    def test_old_games_and_learners_are_removed(self, tmp_path: Path) -> None:
        run = run_in(tmp_path, replace(TINY, window=60, gate=0, grade=0), generations=4)
        assert run.done[-1].window <= 60
        kept = sorted(each.name for each in tmp_path.glob("*-*.npz"))
        assert "games-0001.npz" not in kept
        assert "games-0004.npz" in kept
        assert [each for each in kept if each.startswith("learner")] == ["learner-0004.npz"]

    def test_it_learns(self, tmp_path: Path) -> None:
        settings = Settings(
            BOARD, 0.0, 96, 24, Shape(16, 1), batch=32, learning_rate=5e-3, gate=0, grade=300, seed=3
        )
        run = run_in(tmp_path, settings, generations=5)
        first, last = (run.done[index].grades["all"] for index in (0, -1))
        assert last.good > first.good
        assert last.perfect > first.perfect
        assert last.error < first.error

    def test_the_model_says_where_it_comes_from(self, whole: tuple[Path, Run], tmp_path: Path) -> None:
        card = whole[1].save(tmp_path / "mine", "a test", half=True, fresh=20, players={"jobs": 1})
        said = json.loads(card.read_text())
        assert said["data"]["games"] == 24
        assert said["data"]["sources"] == ["24 games against itself"]
        assert said["metrics"]["fresh"]["positions"] > 0
        position = Position(BOARD)
        values, priors = NetworkEvaluator(card, BOARD).judge(Batch.of(position))
        assert priors.sum() == pytest.approx(1)
        assert -1 <= values[0] <= 1

    def test_the_chart_shows_grades_or_losses(self, whole: tuple[Path, Run], tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        for name, done in (
            ("graded", whole[1].done),
            ("losses", [replace(each, grades={}, share=None) for each in whole[1].done]),
        ):
            vector, pixels = draw_strength(done, tmp_path / name, name)
            assert b"generation" in vector.read_bytes() or b"svg" in vector.read_bytes()
            assert pixels.read_bytes().startswith(b"\x89PNG")
        with pytest.raises(BadData, match="needs a generation"):
            draw_strength([], tmp_path / "none", "none")


def spoil_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    with np.load(path) as found:
        kept = {name: found[name] for name in found.files}
    np.savez(path, **(kept | arrays))


def shift_policy(path: Path) -> None:
    with np.load(path / "games-0002.npz") as found:
        policy = found["policy"]
    spoil_arrays(path / "games-0002.npz", policy=policy * np.float32(2))


def fill_board(path: Path) -> None:
    with np.load(path / "games-0002.npz") as found:
        stones = np.full_like(found["stones"], 2**64 - 1)
    spoil_arrays(path / "games-0002.npz", stones=stones)


class TestFolder:
    @pytest.mark.parametrize(
        ("spoil", "words"),
        [
            (lambda path: (path / "games-0002.npz").write_bytes(b"PK"), "games-0002.npz is damaged"),
            (lambda path: (path / "games-0002.npz").unlink(), "games-0002.npz is missing"),
            (lambda path: (path / "learner-0002.npz").unlink(), "learner-0002.npz is missing"),
            (lambda path: (path / "learner-0002.npz").write_bytes(b""), "learner-0002.npz is damaged"),
            (lambda path: (path / "generations.jsonl").write_text("{}\n"), "generations.jsonl is damaged"),
            (lambda path: (path / "generations.jsonl").write_text("[\n"), "generations.jsonl is damaged"),
            (lambda path: (path / "settings.json").write_text("?"), "other settings"),
            (lambda path: (path / "settings.json").unlink(), "not the folder of a run"),
            (lambda path: (path / "graded.npz").write_bytes(b"no"), "graded.npz is damaged"),
            (shift_policy, "games-0002.npz is damaged"),
            (fill_board, "games-0002.npz is damaged"),
            (
                lambda path: spoil_arrays(path / "games-0002.npz", request=np.zeros(3, np.uint8)),
                "of another run",
            ),
        ],
    )
    def test_what_is_damaged_is_refused(
        self, spoil: Callable[[Path], object], words: str, whole: tuple[Path, Run], tmp_path: Path
    ) -> None:
        path = tmp_path / "copy"
        shutil.copytree(whole[0], path)
        spoil(path)
        with pytest.raises(BadData, match=words):
            run_in(path, generations=3)

    def test_other_settings_are_refused_and_named(self, whole: tuple[Path, Run]) -> None:
        with pytest.raises(BadData, match=r"other settings \(games, seed\)"):
            Folder(whole[0], replace(TINY, games=13, seed=8))

    def test_a_line_that_was_being_written_is_done_again(
        self, whole: tuple[Path, Run], tmp_path: Path
    ) -> None:
        path = tmp_path / "copy"
        shutil.copytree(whole[0], path)
        with (path / "generations.jsonl").open("a") as file:
            file.write('{"number": 3, "ga')
        assert len(Folder(path, TINY).generations()) == 2

    def test_two_cannot_go_on_with_the_same_run(self, tmp_path: Path) -> None:
        first, second = (Folder(tmp_path / "run", TINY) for _ in range(2))
        with (
            first.claimed(),
            pytest.raises(BadData, match="run: another process is at work on it"),
            second.claimed(),
        ):
            pass
        with second.claimed():
            pass

    def test_a_file_in_its_place_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "run").write_text("")
        with pytest.raises(BadData):
            Folder(tmp_path / "run", TINY)


class TestSettings:
    @pytest.mark.parametrize(
        "wrong",
        [{"games": 0}, {"simulations": 1}, {"batch": 0}, {"learning_rate": 0.0}, {"window": 0}, {"gate": -1}],
    )
    def test_what_is_out_of_range_is_refused(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(Exception, match=next(iter(wrong))):
            replace(TINY, **wrong)

    @pytest.mark.parametrize("games", [1, 2, 5, 63, 64, 1000])
    def test_every_game_is_at_one_table(self, games: int) -> None:
        tables = replace(TINY, games=games).tables
        assert [number for each in tables for number in each] == list(range(games))

    @pytest.mark.parametrize("board", ["1x3x3", "4x5x4", "6x7x4", "8x10x5", "3x31x3"])
    def test_there_are_usual_settings_for_every_board(self, board: str) -> None:
        geometry = Geometry.parse(board)
        made = Settings(geometry, 0.0, usual_games(geometry), usual_simulations(geometry), Shape(4, 1))
        assert made.quick <= made.simulations


def generation(number: int, seconds: float) -> Generation:
    grades = {"all": StageGrades(1, 1.0, 1.0, 0.0)}
    counts = (1, 1, 0, 0, 1, 1, 1, 0.1, 0.1, 1)
    return Generation(
        number, *counts, 0.5, accepted=True, champion=number, seconds={"games": seconds}, grades=grades
    )


class TestBudget:
    def test_it_ends_with_whichever_comes_first(self) -> None:
        done = [generation(1, 30), generation(2, 30)]
        assert not Budget(minutes=2, generations=3).ends(done)
        assert Budget(minutes=2, generations=2).ends(done)
        assert Budget(minutes=1.2).ends(done)
        assert not Budget(minutes=1.3).ends(done)
        assert not Budget(minutes=0.01).ends([]), "there is always one"

    def test_it_says_how_much_is_left(self) -> None:
        done = [generation(1, 30), generation(2, 30)]
        assert Budget(minutes=2).left(done) == 60
        assert Budget(generations=5).left(done) == 90
        assert Budget(minutes=2, generations=5).left(done) == 60
        assert Budget(generations=5).left([]) is None

    @pytest.mark.parametrize("wrong", [{}, {"minutes": 0}, {"generations": 0}, {"generations": 10_000}])
    def test_a_run_needs_an_end(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(BadOption):
            Budget(**wrong)

    def test_a_generation_is_what_was_written(self) -> None:
        each = generation(3, 1.5)
        assert Generation.from_json(json.loads(json.dumps(each.to_json()))) == each
