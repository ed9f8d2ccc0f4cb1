"""How much memory one more agent takes.

Each is asked in a process of its own, `python -m fourcast.bench.memory SPEC SLIP`: one that is like it goes
before, so that everything is loaded and compiled, and only then is it made, asked, and looked at while it is
alive.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Any

from fourcast.agents import agent
from fourcast.game.errors import FourcastError
from fourcast.game.limit import Limit
from fourcast.game.position import Position
from fourcast.game.rules import Rules

MEGABYTE = 1_000_000
BAR = 100 * MEGABYTE
_LIMIT = Limit(seconds=1.0)
_POSITION = "44"  # within reach of no agent's end of the game


@dataclass(frozen=True, slots=True)
class Memory:
    """What an agent takes.

    Attributes:
        agent: Who it is.
        resident: Bytes by which the process has grown.
        bar: What it should not pass.
    """

    agent: str
    resident: int
    bar: int = BAR

    @property
    def passed(self) -> bool:
        """Whether it stays within the bar."""
        return self.resident <= self.bar

    def to_json(self) -> dict[str, Any]:
        """The fields, and what follows from them."""
        return asdict(self) | {"passed": self.passed}


def memory_of(spec: str, slip: float = 0.0) -> Memory:
    """Measure one agent, which thinks for a second about the standard board.

    Raises:
        FourcastError: The process has failed.
    """
    done = subprocess.run(
        [sys.executable, "-m", "fourcast.bench.memory", spec, str(slip)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise FourcastError(f"the memory of {spec} was not measured: {reason}")
    return Memory(spec, int(done.stdout))


def growth(spec: str, slip: float) -> int:
    """Bytes by which this process grows while it has the agent."""
    import psutil

    rules = Rules(slip=slip)
    agent(spec, rules, seed=1).analyze(Position.from_moves(_POSITION), _LIMIT)
    gc.collect()
    process = psutil.Process()
    before: int = process.memory_info().rss
    player = agent(spec, rules, seed=1)
    player.analyze(Position.from_moves(_POSITION), _LIMIT)
    after: int = process.memory_info().rss
    return max(after - before, 0)


if __name__ == "__main__":
    print(growth(sys.argv[1], float(sys.argv[2])))
