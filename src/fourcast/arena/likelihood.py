"""How well results agree with a true share: what intervals and the sequential test rest on.

Nothing is assumed of how draws, colours and openings come about: the results of a pair have any five
probabilities, and those that agree best with the counts are sought among those with the mean in question.
That is a concave problem with one multiplier. With n_k observations of x_k points in m_k games, and
g_k = x_k - m_k * share, the probabilities

    p_k = n_k / (n * (1 + t * g_k)),   with t such that   sum of n_k * g_k / (1 + t * g_k) = 0

maximise the likelihood under the mean; it is below the unconstrained maximum by the sum of
n_k * log(1 + t * g_k). Results that never came up may need some probability too: t stays where 1 + t * g_k
is not negative for any of them, and at that limit the missing probability is theirs. That keeps the
likelihood of every share positive, even after twenty wins out of twenty. See Owen, Empirical Likelihood
(2001), chapter 2.
"""

from __future__ import annotations

import math

from fourcast.arena.pairs import PairCounts


def log_likelihood_drop(counts: PairCounts, share: float) -> float:
    """How far the log-likelihood falls, from its maximum, if the true share is this one.

    Args:
        counts: The results.
        share: The supposed true share of the points, 0 to 1.

    Returns:
        Nats, 0 or more: 0 at the share that was observed, infinite where the results are impossible.
    """
    units = counts.units
    if not units:
        return 0.0
    if not 0 < share < 1:
        certain = share * counts.games
        return 0.0 if counts.points == certain else math.inf
    seen = [(points - games * share, count) for points, games, count in units if count]
    all_excess = [points - games * share for points, games, _ in units]
    multiplier = _multiplier(seen, -1 / max(all_excess), -1 / min(all_excess))
    return max(0.0, sum(count * math.log1p(multiplier * excess) for excess, count in seen))


def _multiplier(seen: list[tuple[float, int]], low: float, high: float) -> float:
    """The t of the module's docstring, within its limits low < 0 < high.

    The sum falls as t grows. Where an extreme result came up, the sum is infinite at that limit; where none
    did, the sum may keep its sign, and then t comes as near to the limit as floats allow.
    """
    t = 0.0
    for _ in range(200):  # Newton's steps, halving the bracket where they leave it; ten are usual
        pull, slope = _pull(seen, t)
        if pull > 0:
            low = t
        else:
            high = t
        step = t - pull / slope if slope else t
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - t) <= 1e-14 * (1 + abs(t)):
            break
        t = step
    return t


def _pull(seen: list[tuple[float, int]], t: float) -> tuple[float, float]:
    """The sum of n_k * g_k / (1 + t * g_k), and its derivative by t."""
    pull = slope = 0.0
    for excess, count in seen:
        part = excess / (1 + t * excess)
        pull += count * part
        slope -= count * part * part
    return pull, slope
