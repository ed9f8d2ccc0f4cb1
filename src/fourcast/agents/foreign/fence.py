"""What a foreign agent may use."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fence:
    """What a foreign agent may use; beyond it, it has failed.

    Attributes:
        seconds: Time for a move where the limit of the question names none.
        margin: Seconds on top of the time for a move, for the way there and back.
        startup: Seconds until it is ready, when it is started and again when a game begins.
        farewell: Seconds that it has to end by itself once it was told to quit.
        memory: Bytes that all its processes together may have in memory.
        processes: How many processes it may have at once; threads do not count.
        reply: Bytes of an answer.
        chatter: Bytes that it may write to its standard error in a game.
    """

    seconds: float = 10.0
    margin: float = 0.25
    startup: float = 10.0
    farewell: float = 0.25
    memory: int = 1024 * MB
    processes: int = 4
    reply: int = 4096
    chatter: int = MB
