"""Another solver beside ours: BitBully, in a process of its own.

Its native calls hear no Ctrl-C and let no other thread of their process run, so they are made elsewhere. The
process, `python -m fourcast.bench.peer`, reads a move string a line and answers each with a line: score,
nodes, CPU seconds.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from fourcast.extras import require
from fourcast.game.errors import FourcastError
from fourcast.game.position import Position


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """What the peer says of a position.

    Attributes:
        score: From the side to move, as ours.
        nodes: Positions visited, by its own count.
        seconds: CPU time of the native call alone, with an empty table.
    """

    score: int
    nodes: int
    seconds: float


class Peer:
    """BitBully, ready to be asked; to be used in a `with`.

    Raises:
        MissingExtra: It is not installed.
    """

    name = "BitBully"

    def __init__(self) -> None:
        require("bitbully", "bench")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fourcast.bench.peer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a terminal's Ctrl-C is for us, who then end it
        )

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, position: Position) -> PeerAnswer:
        """The position's score, with an empty table.

        Raises:
            FourcastError: The process has ended.
        """
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):  # then there is no answer either
            print(position.moves, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().split()
        if len(answer) != 3:
            raise FourcastError(f"{self.name} has given no answer to {position.moves or 'the empty board'}")
        return PeerAnswer(int(answer[0]), int(answer[1]), float(answer[2]))


def serve() -> None:
    """Answer what is asked on stdin until it ends."""
    bitbully: Any = require("bitbully", "bench")
    core = bitbully.bitbully_core.BitBullyCore()
    for line in sys.stdin:
        board = bitbully.Board()
        for move in line.strip():
            board.play(int(move) - 1)
        native = board.native
        core.resetTranspositionTable()
        core.resetNodeCounter()
        start = time.process_time()
        score = core.mtdf(native, 0)
        seconds = time.process_time() - start
        print(score, core.getNodeCounter(), seconds, flush=True)


if __name__ == "__main__":
    serve()
