"""What a search may spend."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields

from fourcast.game.errors import BadLimit

_AMOUNT = re.compile(r"(?P<amount>[0-9]*\.?[0-9]+(?:e[0-9]+)?)(?P<unit>ms|s|min)", re.IGNORECASE)
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
            kind = int | float if each.name == "seconds" else int
            if isinstance(amount, bool) or not isinstance(amount, kind):
                wanted = "a number" if each.name == "seconds" else "a whole number"
                raise BadLimit(f"limit {each.name}={amount!r}: it must be {wanted}")
            if not amount > 0 or not math.isfinite(amount):
                raise BadLimit(f"limit {each.name}={amount!r}: it must be more than 0 and finite")

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Read a limit as it is typed: "0.5s", "200ms", "depth=6", "1s,nodes=100000".

        Raises:
            BadLimit: A part of the text cannot be read or is not a positive amount.
        """
        amounts: dict[str, float | int] = {}
        for part in text.split(","):
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
                    f"limit {part.strip()!r}: write a time (0.5s, 200ms, 2min) or one of "
                    f"depth=, nodes=, simulations= with a whole number"
                ) from None
            if name in amounts:
                raise BadLimit(f"limit {text!r}: {name} is given twice")
            amounts[name] = value
        return cls(**amounts)  # type: ignore[arg-type]  # whole numbers where the fields want them, see above

    def __str__(self) -> str:
        given = [(each.name, getattr(self, each.name)) for each in fields(self)]
        parts = [
            f"{amount:g}s" if name == "seconds" else f"{name}={amount}" for name, amount in given if amount
        ]
        return ",".join(parts) or "no limit"
