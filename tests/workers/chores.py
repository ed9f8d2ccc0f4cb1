"""Work for workers, which they find by its name."""

from __future__ import annotations

import os
import time
from pathlib import Path

from fourcast.game.errors import BadOption


def squares(plus: int, numbers: list[int]) -> list[tuple[int, int]]:
    """Each number, and its square and something."""
    return [(number, number * number + plus) for number in numbers]


def process_of(_: None, numbers: list[int]) -> list[tuple[int, int]]:
    """Each number, and the process that had it."""
    time.sleep(0.05)
    return [(number, os.getpid()) for number in numbers]


def die_once(folder: Path, numbers: list[int]) -> list[int]:
    """The numbers; the first process that has a 7 dies of it."""
    for number in numbers:
        if number == 7 and not (folder / "died").exists():
            (folder / "died").touch()
            os._exit(9)
    return numbers


def die_of(victims: set[int], numbers: list[int]) -> list[int]:
    """The numbers; a process that has one of the victims dies of it."""
    if victims & set(numbers):
        os._exit(9)
    return numbers


def refuse(_: None, numbers: list[int]) -> list[int]:
    """Something is wrong with 3."""
    if 3 in numbers:
        raise BadOption("3: it must be another number")
    return numbers
