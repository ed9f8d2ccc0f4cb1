"""What a search may spend."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from fourcast.game.errors import BadLimit, shown

MOST_SECONDS = 1e9
MOST_COUNT = 2**63 - 1
MOST_SEED = 2**32 - 1

_AMOUNT = re.compile(r"(?P<amount>[0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)(?P<unit>ms|s|min)", re.IGNORECASE)
_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0}


@dataclass(frozen=True, slots=True)
class Limit:
    """What a search may spend, in any combination; None means as much as it likes.

    Attributes:
        seconds: Wall-clock time.
        depth: Plies to look ahead.
        nodes: Positions to visit.
        simulations: Games to play out.

    Raises:
        BadLimit: One of them is not a positive amount.
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        for each in fields(self):
            amount = getattr(self, each.name)
            if amount is None:
                continue
            most = MOST_SECONDS if each.name == "seconds" else MOST_COUNT
            kind = "number" if each.name == "seconds" else "whole number"
            fits = isinstance(amount, Real if each.name == "seconds" else Integral)
            if isinstance(amount, bool) or not fits or not 0 < amount <= most:
                raise BadLimit(
                    f"limit {each.name}={shown(amount)}: it must be a {kind} over 0, {most:g} at most"
                )
            object.__setattr__(self, each.name, float(amount) if each.name == "seconds" else int(amount))

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Read a limit as it is typed: "0.5s", "200ms", "depth=6", "1s,nodes=100000".

        Raises:
            BadLimit: A part of the text cannot be read or is not a positive amount.
        """
        amounts: dict[str, float | int] = {}
        for part in text.split(","):
            if not part.strip():
                raise BadLimit(f"limit {shown(text)}: there is nothing between two commas")
            name, equals, amount = (piece.strip() for piece in part.partition("="))
            timed = _AMOUNT.fullmatch(name)
            try:
                if not equals and timed:
                    name, value = "seconds", float(timed["amount"]) * _UNITS[timed["unit"].lower()]
                elif equals and name == "seconds":
                    value = float(amount)
                elif equals and name in ("depth", "nodes", "simulations"):
                    value = int(amount)
                else:
                    raise ValueError
            except ValueError:
                raise BadLimit(
                    f"limit {shown(part.strip())}: write a time (0.5s, 200ms, 2min) or one of "
                    f"depth=, nodes=, simulations= with a whole number"
                ) from None
            if name in amounts:
                raise BadLimit(f"limit {shown(text)}: {name} is given twice")
            amounts[name] = value
        return cls(**amounts)  # type: ignore[arg-type]  # whole numbers where the fields want them, see above

    @classmethod
    def of(cls, limit: Limit | str | None) -> Limit:
        """The limit itself, or the one that the text describes; without any, as much as it likes.

        Raises:
            BadLimit: It is none of these, or the text cannot be read.
        """
        if limit is None:
            return cls()
        if isinstance(limit, str):
            return cls.parse(limit)
        if not isinstance(limit, Limit):
            raise BadLimit(f"limit {shown(limit)}: it must be a Limit, or a text like '2s'")
        return limit

    def within(self, other: Limit) -> Limit:
        """The limit that keeps both: the lesser of each amount."""
        lesser = {}
        for each in fields(self):
            amounts = [getattr(limit, each.name) for limit in (self, other)]
            lesser[each.name] = min((amount for amount in amounts if amount is not None), default=None)
        return Limit(**lesser)

    @property
    def is_open(self) -> bool:
        """Whether it limits nothing."""
        return all(getattr(self, each.name) is None for each in fields(self))

    def __str__(self) -> str:
        """The text that `parse` reads back."""
        given = [(each.name, getattr(self, each.name)) for each in fields(self)]
        parts = [
            f"{amount!r}s" if name == "seconds" else f"{name}={amount}" for name, amount in given if amount
        ]
        return ",".join(parts) or "no limit"


def check_seed(seed: int) -> int:
    """A seed of a match, as a plain integer.

    Raises:
        BadLimit: It is not a whole number from 0 to `MOST_SEED`.
    """
    if check_count("seed", seed, least=0) > MOST_SEED:
        raise BadLimit(f"seed {shown(seed)}: {MOST_SEED:,} is the most")
    return int(seed)


def check_count(name: str, count: int, least: int = 1) -> int:
    """A number of things, as a plain integer.

    Raises:
        BadLimit: It is not a whole number, or less than `least`, or beyond what 64 bits hold.
    """
    number: Any = count  # whatever it was said to be
    if isinstance(number, bool) or not isinstance(number, Integral) or not least <= count <= MOST_COUNT:
        raise BadLimit(f"{name} {shown(count)}: it must be a whole number, {least} or more")
    return int(count)
