"""Machine code is compiled once for each board, kept, and never mistaken for another's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fourcast

SCRIPT = """
import json
import sys
from numba.core import event

class Compilations(event.Listener):
    count = 0
    def on_start(self, event): self.count += 1
    def on_end(self, event): pass

compilations = Compilations()
event.register("numba:run_pass", compilations)

from fourcast import Limit, Position, Rules
from fourcast.agents import agent
from fourcast.evaluators.features import Features
from fourcast.evaluators.heuristics import heuristic
from fourcast.interop.vector import Games
from fourcast.kernels.board import KERNELS
from fourcast.kernels.batch import Batch
from fourcast.kernels.frontier import fates_of, next_ply
from fourcast.kernels.moves import drop, legal_columns, lines, mirror_batch, winning_cells
from fourcast.kernels.planes import PLANES, planes_of
from fourcast.kernels.windows import window_counts
from fourcast.kernels.playouts import playouts
from fourcast.kernels.perft import perft
from fourcast.kernels.distinct import distinct_counts
from fourcast.kernels.openings import final_scores, opening_levels, scores_before
from fourcast.search.deepening import Deepening
from fourcast.search.expectimax import Expectimax
from fourcast.search.lookahead import Lookahead
from fourcast.search.puct import NetworkSearch
from fourcast.search.remembering import Remembering
from fourcast.solver import Book, Solver

class Sums:
    mirror = False
    def ask(self, batch):
        planes = planes_of(batch, PLANES)
        return planes.sum(axis=(1, 2)), planes[:, 0].mean(axis=(1, 2))

def said(analysis):
    tree = analysis.tree.to_json()
    return analysis.column, analysis.value, analysis.values, analysis.pv, analysis.nodes, tree

results = []
for board in sys.argv[2:]:
    position = Position(board)
    batch = Batch.of(position)
    for kernel in (legal_columns, lines, winning_cells, window_counts):
        results.append(kernel(batch).tolist())
    results.append(drop(batch, [0]).stones.tolist())
    results.append(mirror_batch(drop(batch, [0])).stones.tolist())
    results.append(playouts(batch, 10, seed=1).tolist())
    results.append(perft(position, 5))
    results.append(list(distinct_counts(position, 7)))
    fates = fates_of(position.geometry, batch.stones)
    results.append([each.tolist() for each in next_ply(position.geometry, batch.stones, fates, 100)])
    games = Games(2, board, slip=0.2, opponent="random", side="either", seed=1)
    results.append([[each.tolist() for each in games.step(games.sample())[:5]] for _ in range(12)])
    if sys.argv[1] == "all" and board == "8x10x5":  # one of them is enough
        geometry, rules = position.geometry, Rules(board, 0.2)
        for name in ("windows", "threats"):
            results.append(heuristic(name).points(batch).tolist())
        results.append(Features.of(geometry).matrix(batch).tolist())
        for prunes in (False, True):
            results.append(said(Lookahead(geometry, 4, prunes=prunes, tree=2).search(position, Limit())))
        found = Remembering(geometry, 4, deepens=True, answers=True, suggests=True).search(position)
        results.append((found.column, found.value, found.pv, found.nodes))
        for whole in (False, True):
            search = Deepening(geometry, whole=whole, tree=2)
            results.append(said(search.search(position, Limit(nodes=5000))))
            search = Expectimax(rules, 3, whole=whole, tree=2)
            results.append(said(search.search(position, Limit())))
    if sys.argv[1] == "all" and board != "8x10x5":
        results.append(Solver(board, table_mb=8).solve(position, limit=Limit(nodes=5000)).bounds)
        many = Solver(board, table_mb=8).solve_many([position], limit=Limit(nodes=5000))
        results.append(many.lower.tolist())
        Solver(board, table_mb=8, threads=2).solve(position, limit=Limit(nodes=60_000))
        geometry = position.geometry
        levels = opening_levels(geometry, 3)
        scores = scores_before(geometry, levels[2], levels[3], final_scores(geometry, levels[3]))
        results.append(scores.tolist())
        results.append(Book.of_levels(geometry, levels[:1], scores[:1]).score(position))
        for slip in (0.0, 0.2):
            player = agent("mcts:300", Rules(board, slip), seed=1)
            for place in (position, position.play(1)):
                results.append(player.analyze(place, Limit()).values)
            search = NetworkSearch(Rules(board, slip), Sums(), simulations=50)
            results.append([search.search(place, Limit()).values for place in (position, position.play(1))])
print(json.dumps({
    "hits": sum(sum(kernel.stats.cache_hits.values()) for kernel in KERNELS),
    "misses": sum(sum(kernel.stats.cache_misses.values()) for kernel in KERNELS),
    "passes": compilations.count,
    "results": results,
}))
"""


def run(cache: Path, what: str, *boards: str, source: Path | None = None) -> dict[str, object]:
    """Run the script, with searches or without: where has_line is broken, they would not end."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    if source:
        environment["PYTHONPATH"] = str(source)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, what, *boards],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, object] = json.loads(done.stdout)
    return report


@pytest.mark.slow
def test_a_second_start_compiles_nothing(tmp_path: Path) -> None:
    first, second = (run(tmp_path, "all", "5x4x3", "8x10x5") for _ in range(2))
    assert first["misses"] != 0
    assert first["passes"] != 0
    assert second["misses"] == 0
    assert second["passes"] == 0, "no compiler pass is run"
    assert second["hits"] != 0
    assert second["results"] == first["results"]


@pytest.mark.slow
def test_without_a_folder_to_write_to_it_compiles_and_says_so(tmp_path: Path) -> None:
    """Numba itself would refuse to start."""
    source = tmp_path / "source"
    package = Path(fourcast.__file__).parent
    shutil.copytree(package, source / "fourcast", ignore=shutil.ignore_patterns("__pycache__"))
    script = "from numba.core import caching\ncaching.CacheImpl._locator_classes = []\n" + SCRIPT
    done = subprocess.run(
        [sys.executable, "-c", script, "kernels", "5x4x3"],
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["hits"] == 0
    assert done.stderr.count("set NUMBA_CACHE_DIR") == 1


@pytest.mark.slow
def test_a_change_in_any_source_of_machine_code_is_noticed(tmp_path: Path) -> None:
    """Numba itself would only notice changes in the file that holds the kernel."""
    source = tmp_path / "source"
    shutil.copytree(
        Path(fourcast.__file__).parent, source / "fourcast", ignore=shutil.ignore_patterns("__pycache__")
    )
    before = run(tmp_path / "cache", "kernels", "5x4x3", source=source)
    bitboard = source / "fourcast" / "game" / "bitboard.py"
    text = bitboard.read_text()
    changed = text.replace("if starts:\n            return True", "if starts:\n            return False")
    assert changed != text
    bitboard.write_text(changed)
    after = run(tmp_path / "cache", "kernels", "5x4x3", source=source)
    assert after["results"] != before["results"]


def test_a_solver_that_is_prepared_loads_nothing_more() -> None:
    script = """
from fourcast import Limit, Position
from fourcast.kernels.board import KERNELS
from fourcast.solver import Solver

def loaded():
    return sum(sum((kernel.stats.cache_hits + kernel.stats.cache_misses).values()) for kernel in KERNELS)

solver = Solver("5x5x4", table_mb=8, threads=2)
solver.prepare()
before = loaded()
position, limit = Position("5x5x4"), Limit(nodes=60_000)
assert solver.solve(position, limit=limit).nodes > 30_000, "that is enough for two threads"
solver.analyze(position, limit=limit)
solver.solve(position, weak=True, limit=limit)
solver.solve_many([position, position], limit=limit)
print(before > 0, loaded() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.stdout, done.stderr) == ("True 0\n", "")
