"""What a match proves: share of points, Elo difference, 95% interval, likelihood of superiority."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fourcast.arena.likelihood import log_likelihood_drop
from fourcast.arena.pairs import PairCounts

TAIL = 0.025  # on either side of the 95% interval


def elo_of_share(share: float) -> float:
    """The Elo difference at which this share of the points is expected; infinite at 0 and 1."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))


def share_of_elo(elo: float) -> float:
    """The share of the points, 0 to 1, that is expected at this Elo difference."""
    return 0.5 * (1 + math.tanh(elo * math.log(10) / 800))  # the logistic function, and it cannot overflow


@dataclass(frozen=True, slots=True)
class Estimate:
    """How much stronger the first named agent is than the other, and how sure that is.

    Attributes:
        counts: The results that it rests on.
        share: The share of the points that was taken, 0 to 1; None before the first game.
        share_interval: Where the true share lies, with 95% confidence.
        los: The likelihood of superiority, 0 to 1: how sure it is that the true share is above one half.
    """

    counts: PairCounts
    share: float | None
    share_interval: tuple[float, float]
    los: float

    @property
    def elo(self) -> float | None:
        """The Elo difference; infinite where one side took all points, None before the first game."""
        return None if self.share is None else elo_of_share(self.share)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true Elo difference lies, with 95% confidence; infinite where there is no bound."""
        low, high = self.share_interval
        return elo_of_share(low), elo_of_share(high)

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them; what is infinite becomes None."""
        return {
            "games": self.counts.games,
            "points": self.counts.points,
            "share": self.share,
            "share_interval": list(self.share_interval),
            "elo": finite(self.elo),
            "interval": [finite(bound) for bound in self.interval],
            "los": self.los,
            "pairs": list(self.counts.pairs),
            "singles": list(self.counts.singles),
        }


def finite(number: float | None) -> float | None:
    """The number, or None where JSON has none for it."""
    return number if number is not None and math.isfinite(number) else None


def estimate(counts: PairCounts) -> Estimate:
    """What these results say of the two agents' strength.

    The interval holds every share at which the profile likelihood of the results is not too small. The usual
    measure of that is the normal quantile; with few observations Student's, with one degree of freedom fewer
    than observations, comes closer to 95%. Where all observations are equal the spread is unknown, and the
    bound is exact instead: the share at which, whatever the distribution, that happens at most once in 40
    times. So 20 single games won out of 20 say "above 83%" (86% if only that side were asked), and 10 pairs
    say "above 69%", as the two games of a pair may have been decided by one opening. No other result of as
    many games says more.

    The observations have to be independent: a deterministic game that is played again proves nothing.
    """
    share = counts.share
    if share is None:
        return Estimate(counts, None, (0.0, 1.0), 0.5)
    low, high = _lower_bound(counts), 1 - _lower_bound(counts.swapped())
    return Estimate(counts, share, (low, high), _superiority(counts, share))


def _lower_bound(counts: PairCounts) -> float:
    """The least true share that agrees with the results."""
    share = counts.share
    if not share:
        return 0.0
    bound = _crossing(counts, share, 0.0, _quantile(counts))
    # A point lost must not prove more than none: with one or two results that differ, the spread is hardly
    # better known than with none.
    all_won = PairCounts((0, 0, 0, 0, sum(counts.pairs)), (0, 0, sum(counts.singles)))
    if share < 1 and log_likelihood_drop(all_won, bound) < -math.log(TAIL):
        return _lower_bound(all_won)
    return bound


def _all_equal(counts: PairCounts) -> bool:
    """Whether the observations show no spread."""
    return len({points / games for points, games, count in counts.units if count}) == 1


def _quantile(counts: PairCounts) -> float:
    """How large the signed root of twice the fall in log-likelihood may be, within the interval."""
    if _all_equal(counts):
        return math.sqrt(-2 * math.log(TAIL))
    from scipy.special import stdtrit

    return float(stdtrit(counts.observations - 1, 1 - TAIL))


def _superiority(counts: PairCounts, share: float) -> float:
    """The confidence that the true share is above one half, on the interval's own scale."""
    drop = log_likelihood_drop(counts, 0.5)
    if _all_equal(counts):
        against = math.exp(-drop) / 2  # half of what is as likely counts: 0.5 before and at equality
        return 1 - against if share >= 0.5 else against
    from scipy.special import stdtr

    root = math.copysign(math.sqrt(2 * drop), share - 0.5)
    return float(stdtr(counts.observations - 1, root))


def _crossing(counts: PairCounts, inside: float, outside: float, target: float) -> float:
    """The share between the observed one and a limit where the root of the fall reaches the target.

    The root is nearly straight in the share, so false position finds it in a few steps; it is infinite at
    the limit, and while an end is infinite the bracket is halved.
    """
    at_inside, at_outside = -target, math.inf
    side = 0
    for _ in range(200):
        width = outside - inside
        if abs(width) < 1e-12:
            break
        straight = -at_inside / (at_outside - at_inside) if math.isfinite(at_outside) else 0.5
        middle = inside + width * straight
        height = math.sqrt(2 * log_likelihood_drop(counts, middle)) - target
        if abs(height) < 1e-9:
            return middle
        if height < 0:
            inside, at_inside = middle, height
            if side < 0:  # the same end moved twice: weigh the other less, or it would never move (Illinois)
                at_outside /= 2
            side = -1
        else:
            outside, at_outside = middle, height
            if side > 0:
                at_inside /= 2
            side = 1
    return (inside + outside) / 2
