"""The bench of networks: what it measures is so, on positions that were held out, beside the solver."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fourcast import BadModel, Geometry, Limit, Position, Rules
from fourcast.agents import agent
from fourcast.bench import network_speed as speeds
from fourcast.bench.contest import Contest
from fourcast.bench.network_quality import HeldGrade, HeldOut, Stage, grade_network, graded, stages_of
from fourcast.bench.network_speed import BEGINNING, MIDDLE, NetworkSpeed, SolverSpeed, scaled, solver_speed
from fourcast.bench.networks import NetworksReport, find_networks, measure
from fourcast.kernels.batch import Batch
from fourcast.learning.examples import held_out
from fourcast.learning.grading_moves import SolvedMoves
from fourcast.models import shelf
from fourcast.models.files import load_card
from tests.cli.command import fourcast
from tests.models.networks import save_network

pytestmark = pytest.mark.slow

SMALL = Geometry.parse("4x5x4")


def quietly(_what: str, _done: int, _total: int) -> None:
    """Nobody watches."""


def test_where_no_network_is_shipped_the_bench_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "SHELF", tmp_path)
    with pytest.raises(BadModel, match=r"^no network is shipped: train one .* give the path of its card$"):
        find_networks([])
    save_network(tmp_path, "cnn", SMALL)
    assert [each.card.name for each in find_networks([])] == ["cnn-4x5x4"]


def test_plies_are_as_much_of_every_game() -> None:
    assert scaled(MIDDLE, Geometry()) == (10, 16)
    assert scaled(BEGINNING, Geometry()) == (2, 8)
    assert scaled(MIDDLE, Geometry(8, 10, 5)) == (19, 30)
    assert scaled(speeds.LATE, Geometry(1, 3, 3)) == (2, 2), "never a full board"
    assert stages_of((10, 16)) == [(10, 12), (13, 14), (15, 16)]
    assert stages_of((3, 4)) == [(3, 3), (4, 4)]


def test_moves_are_good_perfect_or_errors_of_their_stage(tmp_path: Path) -> None:
    card = load_card(save_network(tmp_path))
    moves = ["1234567123", "12345671234567", "1234567123456", "123456712345", "1234567124"]
    batch = Batch.of([Position.from_moves(each) for each in moves])
    no = np.nan
    scores = np.array(
        [
            [3, 1, -1, no, 0, 0, 0],  # won: the first column is perfect, the second good
            [3, 1, -1, no, 0, 0, 0],
            [0, 0, -1, -1, -1, -1, -1],
            [-1, -2, -3, -4, -5, -6, no],  # lost anyway: nothing is hard
            [2, 2, 2, 2, 2, 2, 1],
        ]
    )
    solved = SolvedMoves(Geometry(), batch.stones, scores)
    found = graded(card, "alone", MIDDLE, solved, [1, 2, 2, 5, 0], [0.1, 0.2, 0.3, 0.4, 0.5], (0.6, 0.3))
    assert (found.positions, found.good, found.perfect) == (5, 0.6, 0.2)
    assert found.hard == 3
    assert found.hard_good == pytest.approx(1 / 3)
    assert found.stages == (Stage((10, 12), 3, 0), Stage((13, 14), 2, 2), Stage((15, 16), 0, 0))
    assert found.seconds == pytest.approx(0.3)
    assert found.slowest == 0.5
    assert found.passed is False, "there are too few perfect moves"
    assert graded(card, "alone", MIDDLE, solved, [0, 1, 1, 5, 0], [1.0] * 5, (0.6, 0.3)).passed is True
    assert graded(card, "alone", MIDDLE, solved, [0, 1, 1, 5, 0], [1.0] * 5).passed is None


def test_what_is_graded_was_held_out_and_is_solved_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = [load_card(save_network(tmp_path, kind, SMALL)) for kind in ("cnn", "network")]
    held = HeldOut(40)
    solved = held.of(cards[0], (5, 8), quietly)
    assert 20 < len(solved) < 80
    assert held_out(solved.batch, 0.2, 1).all(), "by the seed and the share of the card"
    assert all(5 <= position.ply <= 8 for position in solved.batch)
    assert held.of(cards[1], (5, 8), quietly) is solved
    assert held.of(cards[1], (1, 4), quietly) is not solved
    other = load_card(
        save_network(tmp_path, "cnn", SMALL, data={"share_held_out": 0.3, "seed": 2}, name="other")
    )
    assert held_out(held.of(other, (5, 8), quietly).batch, 0.3, 2).all()
    monkeypatch.setattr("fourcast.bench.network_quality._OTHER_BOARDS", Limit(nodes=1))
    report = NetworksReport()
    measure(
        report,
        find_networks([other.path]),
        parts=["quality"],
        positions=40,
        games=2,
        repeat=1,
        advance=quietly,
    )
    assert report.quality == []
    assert report.notes == [
        "other, 5-8 plies: not graded, too hard to solve",
        "other, 1-4 plies: not graded, too hard to solve",
    ]


def test_every_way_to_ask_a_network_is_graded_by_its_own_moves(tmp_path: Path) -> None:
    folder = tmp_path / "a, b"  # which a spec could not name
    for kind, players in (
        ("cnn", {"alone": "cnn:guard=0", "guard=2": "cnn"}),
        ("network", {"alone": "network", "guard=2": "network:guard=2"}),
    ):
        card = load_card(save_network(folder, kind, SMALL))
        solved = HeldOut(40).of(card, (5, 8), quietly)
        grades = list(grade_network(card, MIDDLE, solved, quietly))
        names = [each.player for each in grades]
        assert names == [*players, "mcts:net, 0.1s"][: 2 + (kind == "network")]
        for grade, spec in zip(grades, players.values(), strict=False):
            player = agent(spec, SMALL, model=str(card.path))
            columns = [player.analyze(position, Limit()).column for position in solved.batch]
            expected = graded(card, grade.player, MIDDLE, solved, columns, [1.0])
            assert (grade.good, grade.perfect, grade.stages) == (
                expected.good,
                expected.perfect,
                expected.stages,
            )
            assert grade.bar is None, "bars are of the standard board"
        assert grades[1].good > grades[0].good


def test_bars_are_of_networks_on_the_standard_board(tmp_path: Path) -> None:
    card = load_card(save_network(tmp_path))
    solved = HeldOut(3).of(card, (28, 30), quietly)
    bars = {
        span: [(each.bar, each.perfect_bar) for each in grade_network(card, span, solved, quietly)]
        for span in (MIDDLE, BEGINNING)
    }
    assert bars[MIDDLE] == [(0.97, 0.85), (None, None), (0.99, None)]
    assert bars[BEGINNING] == [(None, None), (None, None), (0.96, None)]


def test_the_solver_is_not_given_rates_for_what_it_did_not_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solver_speed(SMALL, (5, 8), 20, 1, quietly)
    assert found is not None
    assert (found.positions, found.solved) == (20, 20)
    assert found.rate > 0
    assert found.median is not None
    assert found.p99 is not None
    assert found.median <= found.p99
    monkeypatch.setattr(speeds, "_SOLVING", 0.0)
    late = solver_speed(SMALL, (5, 8), 20, 1, quietly)
    assert late == SolverSpeed("4x5x4", (5, 8), 20, 0, 0.0)


@pytest.mark.parametrize(
    ("wins", "losses", "low", "high"),
    [(200, 0, 0.9812, 1.0), (0, 10, 0.0, 0.2775), (194, 6, 0.9361, 0.9862)],
)
def test_the_interval_of_a_share_of_wins_is_wilsons(wins: int, losses: int, low: float, high: float) -> None:
    one = Contest("net", "random", str(Rules()), wins, 0, losses, 0.001, 0.97)
    assert one.interval == pytest.approx((low, high), abs=1e-4)
    assert one.to_json()["interval"] == list(one.interval)


def test_lines_fit_the_screen_and_what_misses_its_bar_is_marked() -> None:
    name = "a-network-with-a-long-name-8x10x5"
    stages = tuple(Stage((first, first + 3), 300, 3) for first in (19, 23, 27))
    rates = dict.fromkeys(speeds.BATCHES, 123_456.0)
    report = NetworksReport(
        speed=[NetworkSpeed(name, "8x10x5", 10**6, rates, 1000, 312e-6, 0.0123)],
        solver=[
            SolverSpeed("8x10x5", (19, 30), 1000, 999, 0.0333),
            SolverSpeed("8x10x5", (53, 72), 1000, 1000, 123_456.0, 312e-6, 0.0123),
        ],
        quality=[
            HeldGrade(
                *(name, "mcts:net, 0.1s", "8x10x5", (19, 30), 1000, 1.0, 0.8, 400, 1.0, stages, 0.1, 0.1),
                bar=0.97,
                perfect_bar=0.85,
            )
        ],
        random=[Contest(name, "random", "8x10x5 with slip 0.2", 190, 5, 5, 0.001, 0.97)],
        notes=[f"{name}, 5-15 plies: not graded, too hard to solve"],
        complete=True,
    )
    lines = report.to_text().splitlines()
    assert max(map(len, lines)) <= 80
    marked = [line for line in lines if line.endswith(" !")]
    assert [line[:8] for line in marked] == ["mcts:net", "a-networ"]
    assert lines[-1] == "! below its bar"
    assert "999 of 1,000" in report.to_text()
    assert json.loads(json.dumps(report.to_json()))["quality"][0]["passed"] is False


def test_what_is_measured_stays_when_the_rest_is_stopped(tmp_path: Path) -> None:
    networks = find_networks([save_network(tmp_path, "cnn", SMALL)])
    report = NetworksReport()

    def stop_at_games(what: str, done: int, _total: int) -> None:
        if "against random" in what and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(
            report,
            networks,
            parts=["speed", "random"],
            positions=5,
            games=4,
            repeat=1,
            advance=stop_at_games,
        )
    assert len(report.speed) == 1
    assert report.random == []
    assert report.to_text().endswith("stopped before everything was measured")


def test_the_command_measures_networks_by_their_paths(tmp_path: Path) -> None:
    paths = [str(save_network(tmp_path, kind, SMALL)) for kind in ("cnn", "network")]
    done = fourcast(
        "bench", "networks", *paths, "--positions", "8", "--games", "4", "--repeat", "1", "--json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["complete"] is True
    assert [each["name"] for each in report["speed"]] == ["cnn-4x5x4", "network-4x5x4"]
    for each in report["speed"]:
        assert list(each["rates"]) == ["1", "8", "64", "512"]
        assert each["asked"] == 8
        assert 0 < each["median"] <= each["p99"]
    assert [each["plies"] for each in report["solver"]] == [[5, 8], [13, 18]], "once for a board"
    assert len(report["quality"]) == 2 * (2 + 3)
    assert [(each["rules"], each["games"], each["bar"]) for each in report["random"]] == [
        ("4x5x4 with slip 0.2", 4, 0.97),
        ("4x5x4", 4, 0.995),
    ] * 2


def test_a_network_that_will_not_do_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    good, bad = (save_network(tmp_path, "cnn", SMALL, name=name) for name in ("good", "bad"))
    bad.with_suffix(".onnx").write_bytes(b"x")
    for arguments, words in (
        ((str(good), str(bad)), "bad.onnx: it is damaged"),
        ((str(good), "uci"), "it is of the kind boosted, not cnn or network"),
        ((str(good), "nobody"), "there is no model 'nobody'"),
        ((str(good), "--part", "luck"), "there is no part 'luck'; known: speed, quality, random"),
    ):
        done = fourcast("bench", "networks", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
