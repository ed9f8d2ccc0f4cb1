"""What an exported file takes and how well it plays, alone in a process, with Numba and without."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fourcast.arena.quality import Grade, Graded, grade, graded_positions
from fourcast.game.position import Position
from fourcast.interop.export import write_agent
from fourcast.machine import machine
from fourcast.solver import Solver
from fourcast.solver.recall import recall

MOST_SECONDS = 1.0  # for a move
PERFECT, GOOD = 1.0, 0.95  # shares of good moves, with Numba and without
OPENINGS = (8, 12)  # plies of the positions where the solver has most to do
_BEST = 0.85  # how often their openings go on with a best move

Advance = Callable[[str, int, int], None]

# Loads the file as Kaggle does, tells what that took, and answers with columns.
_SCRIPT = """
import json, sys, time
path, numba = sys.argv[1:]
sys.modules["fourcast"] = None
if numba == "no":
    sys.modules["numba"] = sys.modules["llvmlite"] = None
start = time.perf_counter()
env = {}
exec(compile(open(path).read(), path, "exec"), env)
loaded = time.perf_counter() - start
env["_standard"].wait(600)
print(json.dumps([loaded, time.perf_counter() - start, time.process_time()]), flush=True)
configuration = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2}
for line in sys.stdin:
    print(env["agent"](json.loads(line), configuration), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Start:
    """What it took until a file could play.

    Attributes:
        name: Under what conditions.
        loaded: Seconds until the file was loaded.
        ready: Seconds until everything was prepared, that included.
        processor: Seconds of the processor that this took; less, where the machine is busy otherwise.
    """

    name: str
    loaded: float
    ready: float
    processor: float


@dataclass(slots=True)
class ExportReport:
    """Everything that was measured; what was not reached is empty."""

    size: int = 0
    starts: list[Start] = field(default_factory=list)
    grades: list[Grade] = field(default_factory=list)
    complete: bool = False

    def to_json(self) -> dict[str, Any]:
        """The machine, the versions and the figures."""
        return machine() | {
            "complete": self.complete,
            "bytes": self.size,
            "starts": [asdict(each) for each in self.starts],
            "grades": [each.to_json() | {"in_time": each.slowest <= MOST_SECONDS} for each in self.grades],
        }

    def to_text(self) -> str:
        """Tables of at most 80 columns."""
        here = machine()
        lines = [
            f"Fourcast {here['fourcast']}, Python {here['python']}, Numba {here['numba']}, one core of",
            here["processor"][:80],
            "",
            f"a file of {self.size:,} bytes",
            "",
            f"{'start':<38}{'loaded':>12}{'ready':>12}{'processor':>12}",
        ]
        for start in self.starts:
            times = "".join(f"{each:>10.1f} s" for each in (start.loaded, start.ready, start.processor))
            lines.append(f"{start.name:<38}{times}")
        lines += ["", f"{'moves':<38}{'good':>7}{'perfect':>9}{'bar':>6}{'mean':>9}{'slowest':>9}"]
        for each in self.grades:
            late = each.slowest > MOST_SECONDS
            mark = " !" if late or each.passed is False else ""
            bar = "" if each.bar is None else f"{each.bar:.0%}"
            lines.append(
                f"{each.agent:<38}{each.good:>7.1%}{each.perfect:>9.1%}{bar:>6}"
                f"{each.seconds:>7.2f} s{each.slowest:>7.2f} s{mark}"
            )
        if not self.complete:
            lines.append("stopped before everything was measured")
        return "\n".join(lines)


def measure(report: ExportReport, *, positions: int, openings: int, advance: Advance) -> None:
    """Fill a report; what is done stays in it if the rest is stopped.

    Args:
        report: What to fill.
        positions: How many random positions are graded.
        openings: How many positions after good openings are.
        advance: Told what is being done, how much of it is done, and how much there is.
    """
    middle = graded_positions(positions, 1, advance)
    early = _after_openings(openings, advance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent.py"
        report.size = write_agent(path).size
        advance("compiling", 0, 1)
        with _alone(path, numba=True) as (start, _):
            report.starts.append(Start("with Numba, nothing compiled yet", *start))
        with _alone(path, numba=True) as (start, choose):
            report.starts.append(Start("with Numba, compiled before", *start))
            for name, graded in (("random, 10-16 plies", middle), ("good openings, 8-12 plies", early)):
                report.grades.append(grade(f"Numba: {name}", choose, graded, PERFECT, advance))
        with _alone(path, numba=False) as (start, choose):
            report.starts.append(Start("without Numba", *start))
            for name, graded in (("random, 10-16 plies", middle), ("good openings, 8-12 plies", early)):
                bar = GOOD if graded is middle else None
                report.grades.append(grade(f"without: {name}", choose, graded, bar, advance))
    report.complete = True


def _after_openings(count: int, advance: Advance) -> list[Graded]:
    """Positions after openings that are good for the most part, with the exact scores of their columns."""
    chance = random.Random(1)
    solver = Solver()
    graded: list[Graded] = []
    while len(graded) < count:
        advance("solving the openings", len(graded), count)
        position = Position()
        wanted = chance.randint(*OPENINGS)
        while not position.is_over and position.ply < wanted:
            known = recall(solver.book, position) if solver.book else None
            if known is not None and chance.random() < _BEST:
                scores = known.scores or ()
                columns = [column for column, score in enumerate(scores) if score == known.score]
            else:
                columns = list(position.legal)
            position = position.play(chance.choice(columns))
        if not position.is_over and not position.winning_columns(position.turn):
            graded.append(Graded(position, solver.analyze(position).scores or ()))
    return graded


@contextmanager
def _alone(path: Path, *, numba: bool) -> Iterator[tuple[Sequence[float], Callable[[Position], int]]]:
    """The file in a process of its own: what its start took, and how to ask it for a column."""
    command = [sys.executable, "-c", _SCRIPT, str(path), "yes" if numba else "no"]
    environment = os.environ | {"XDG_CACHE_HOME": str(path.parent / "cache")}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        questions, answers = process.stdin, process.stdout

        def choose(position: Position) -> int:
            asked = {"board": position.to_flat(), "mark": position.turn + 1}
            questions.write(json.dumps(asked) + "\n")
            questions.flush()
            return int(answers.readline())

        try:
            yield json.loads(answers.readline()), choose
        finally:
            process.kill()
