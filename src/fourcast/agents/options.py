"""The options of agents: what they are called, what they take, and how they are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fourcast.game.errors import BadOption, shown

MOST = 10**12


@dataclass(frozen=True, slots=True)
class Option:
    """One option of an agent.

    Attributes:
        name: What it is called in a spec.
        default: What it is when it is not given; None leaves the choice to the agent.
        help: What it does, in a few words.
        takes: What may be given, in words: "1 to 42".
        read: Makes a text what the agent takes; raises ValueError for what it does not.
    """

    name: str
    default: Any
    help: str
    takes: str
    read: Callable[[str], Any]

    def parse(self, text: str, agent: str) -> Any:
        """What the agent takes, from a text.

        Raises:
            BadOption: It is not one of the things that may be given.
        """
        try:
            return self.read(text.strip())
        except ValueError:
            raise BadOption(
                f"agent {agent}: {self.name}={shown(text)[1:-1]}: it takes {self.takes}"
            ) from None


def whole(name: str, default: int | None, meaning: str, *, least: int = 1, most: int = MOST) -> Option:
    """An option that is a whole number."""

    def read(text: str) -> int:
        if len(text) > 20 or not _is_plain(text):
            raise ValueError
        number = int(text)
        if not least <= number <= most:
            raise ValueError
        return number

    return Option(name, default, meaning, _range(least, most), read)


def number(
    name: str, default: float | None, meaning: str, *, least: float = 0.0, most: float = MOST
) -> Option:
    """An option that is a number; the least one is not included."""

    def read(text: str) -> float:
        value = float(text) if _is_plain(text) else math.nan
        if not least < value <= most:
            raise ValueError
        return value

    takes = f"a number over {least:g}" + ("" if most == MOST else f", {most:g} at most")
    return Option(name, default, meaning, takes, read)


def one_of(name: str, default: str | None, choices: Sequence[str], meaning: str) -> Option:
    """An option that is one of several words."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError
        return text

    return Option(name, default, meaning, ", ".join(choices[:-1]) + f" or {choices[-1]}", read)


def text(name: str, meaning: str, takes: str) -> Option:
    """An option that is any text; what becomes of it without is up to the agent."""

    def read(given: str) -> str:
        if not given or "\0" in given:
            raise ValueError
        return given

    return Option(name, None, meaning, takes, read)


def plies_or_auto(name: str, default: int | str, meaning: str, *, most: int = 128) -> Option:
    """An option that is a number of plies, 0 for all, or "auto" for what suits the board."""
    plies = whole(name, None, meaning, least=0, most=most)

    def read(text: str) -> int | str:
        return text if text == "auto" else int(plies.read(text))

    return Option(name, default, meaning, f"auto, or {plies.takes}", read)


def _is_plain(text: str) -> bool:
    """Whether it is written with plain digits: Python would also read 1_000, and digits of other scripts."""
    return text.isascii() and "_" not in text


def _range(least: int, most: int) -> str:
    return f"a whole number, {least} to {'10^12' if most == MOST else most}"
