"""A match that stops when it is decided: the sequential probability ratio test on game pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fourcast.arena.elo import share_of_elo
from fourcast.arena.likelihood import log_likelihood_drop
from fourcast.arena.pairs import PairCounts
from fourcast.game.errors import BadTest, shown


@dataclass(frozen=True, slots=True)
class Sprt:
    """Two hypotheses on the Elo difference, seen from the first named agent, and the errors allowed.

    Attributes:
        elo0: The difference of H0: no better than this.
        elo1: The difference of H1: at least this much better; above elo0.
        alpha: The chance of accepting H1 when H0 is true, 0 to 0.5.
        beta: The chance of accepting H0 when H1 is true, 0 to 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for elo in (self.elo0, self.elo1):
            if not math.isfinite(elo):
                raise BadTest(f"an Elo difference is a finite number, not {elo}")
        if self.elo0 >= self.elo1:
            raise BadTest(
                f"the first Elo difference must be below the second, not {self.elo0:g},{self.elo1:g}"
            )
        if not 0 < share_of_elo(self.elo0) < share_of_elo(self.elo1) < 1:
            raise BadTest(f"no match can tell such Elo differences apart: {self.elo0:g},{self.elo1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise BadTest(f"{name} is a chance of error between 0 and 0.5, not {shown(chance)}")

    @classmethod
    def parse(cls, text: str, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
        """Reads `elo0,elo1`, such as `0,30`.

        Raises:
            BadTest: There are not two numbers, or not in that order.
        """
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise BadTest(f"a test is two Elo differences, such as 0,30, not {shown(text)}") from None
        return cls(elo0, elo1, alpha, beta)

    def __str__(self) -> str:
        return f"{self.elo0:g},{self.elo1:g}"

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted (Wald's bound), in nats."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted (Wald's bound), in nats."""
        return math.log((1 - self.beta) / self.alpha)

    def judge(self, counts: PairCounts) -> SprtState:
        """What the test says after these results.

        The probabilities of the pair results are unknown, so each hypothesis speaks through those that suit
        it best (the generalised test). They are fitted to the results, which makes few results look more
        decisive than they are; the factor (n - 1) / n for n observations makes up for that, as it does for a
        variance. No counts are made up: they would pull the share towards one half.
        """
        n = counts.observations
        against0 = log_likelihood_drop(counts, share_of_elo(self.elo0))
        against1 = log_likelihood_drop(counts, share_of_elo(self.elo1))
        llr = (against0 - against1) * (n - 1) / n if n else 0.0
        verdict = "H1" if llr >= self.upper else "H0" if llr <= self.lower else None
        return SprtState(self, llr, verdict)


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a sequential test stands.

    Attributes:
        test: The test.
        llr: The log-likelihood ratio of H1 to H0, in nats.
        verdict: The hypothesis that is accepted, "H0" or "H1"; None while it is open.
    """

    test: Sprt
    llr: float
    verdict: str | None

    @property
    def progress(self) -> float:
        """How far it has come: 1 where H1 is accepted, -1 where H0 is, 0 where nothing speaks for either."""
        bound = self.test.upper if self.llr >= 0 else -self.test.lower
        return max(-1.0, min(1.0, self.llr / bound))

    def to_json(self) -> dict[str, Any]:
        """The test, its bounds and where it stands."""
        return {
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "alpha": self.test.alpha,
            "beta": self.test.beta,
            "llr": self.llr,
            "lower": self.test.lower,
            "upper": self.test.upper,
            "verdict": self.verdict,
        }
