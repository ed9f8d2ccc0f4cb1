"""Bradley and Terry's model of a field: who is how strong, given who took how many points from whom.

An agent of rating a takes from one of rating b the share 1 / (1 + 10 ** ((b - a) / 400)) of the points. With
s_ij the points that i took from j in g_ij games (a draw is half a point each), and p_ij that share, the
strengths r (ratings in units of 400 / ln 10 Elo) are the maximum of

    sum over i, j of  s_ij * log p_ij   -   sum over i of  r_i ** 2 / (2 * w ** 2)

The second term is a normal prior, 1000 Elo wide (w). It is worth a fraction of a game, so that it hardly
moves a rating that results speak for, but it keeps agents that won or lost everything finite, and the mean of
each group of agents that met at 0. Newton's method finds the maximum in some ten steps, at any spread of
strengths.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from fourcast.arena.results import Tally

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix: TypeAlias = npt.NDArray[np.float64]

ELO = 400 / math.log(10)  # Elo in one unit of the logistic scale
PRIOR_ELO = 1000.0
#: With fewer spare observations the dispersion is not worth estimating.
FEWEST_SPARE = 20


def fit(points: Matrix, games: Matrix) -> tuple[Matrix, Matrix]:
    """The strengths, of shape (n,), at the maximum, and the shares p_ij that follow, of shape (n, n).

    The function is strictly concave; a Newton step that does not raise it is halved until it does.
    """
    import numpy as np

    taken, prior = points.sum(axis=1), prior_information(len(points))

    def worth(strengths: Matrix) -> tuple[float, Matrix]:
        gaps = strengths[:, None] - strengths
        log_shares = -np.logaddexp(0, -gaps)
        penalty = 0.5 * float(strengths @ prior @ strengths)
        return float((points * log_shares).sum()) - penalty, np.exp(log_shares)

    strengths = np.zeros(len(points))
    height, shares = worth(strengths)
    for _ in range(100):
        slope = taken - (games * shares).sum(axis=1) - prior @ strengths
        step = np.linalg.solve(information(games, shares) + prior, slope)
        gain = float(slope @ step) / 2  # what a quadratic would rise by
        length = 1.0
        while gain > 1e-6 and worth(strengths + length * step)[0] < height:
            length /= 2
        strengths = strengths + length * step
        height, shares = worth(strengths)
        if gain < 1e-10:  # the error falls by squares: after this step nothing is left of it
            break
    return strengths, shares


def prior_information(agents: int) -> Matrix:
    """What the prior adds to the information: of shape (n, n)."""
    import numpy as np

    return np.eye(agents) * (ELO / PRIOR_ELO) ** 2


def information(games: Matrix, shares: Matrix) -> Matrix:
    """The Fisher information of independent games without draws: of shape (n, n)."""
    import numpy as np

    weights = games * shares * shares.T
    matrix: Matrix = np.diag(weights.sum(axis=1)) - weights
    return matrix


def groups_of(games: Matrix) -> list[int]:
    """For each agent the number of its group, 0 being the largest, then by the first of their members."""
    from scipy.sparse.csgraph import connected_components

    labels = connected_components(games > 0, directed=False)[1].tolist() if len(games) else []
    order = sorted(set(labels), key=lambda label: (-labels.count(label), labels.index(label)))
    return [order.index(label) for label in labels]


def dispersion_of(tally: Tally, shares: Matrix, parameters: int) -> tuple[float, float]:
    """How much the points vary, beside independent games without draws; and the degrees of freedom of that.

    Two agents' games with one colour are paired with those with the other, each with each alike, as the order
    must not matter: what a pair brings varies far less than two games where the first player mostly wins. Of
    k and l games with the two colours, with errors (points less share) of sums of squares S and T and of
    means u and v, the squared errors of all pairs and unpaired games add up to S + T + 2 * min(k, l) * u * v.
    One pair as it would be by the model is added, so that no field seems to have no spread at all.

    Args:
        tally: The results.
        shares: Of shape (n, n): what agent i is expected to take from agent j, of 1.
        parameters: How many strengths were fitted.

    Returns:
        1 and infinity where there are too few observations to tell.
    """
    import numpy as np

    worths = np.array([0.0, 0.5, 1.0])
    errors = worths - shares[:, :, None]  # of agent i as first player, if it loses, draws, wins
    played = tally.counts.sum(axis=2)
    squares = (tally.counts * errors**2).sum()
    means = (tally.counts * errors).sum(axis=2) / np.maximum(played, 1)
    # The other colour's errors are those of agent j, the negative of agent i's; each meeting stands twice.
    paired = -(np.minimum(played, played.T) * means * means.T).sum()
    expected = (played * shares * shares.T).sum()
    observations = np.maximum(played, played.T).sum() / 2
    spare = float(observations - parameters)
    if spare < FEWEST_SPARE:
        return 1.0, math.inf
    raw = (squares + paired) * observations / spare
    return float((raw + 0.5) / (expected + 0.5)), spare
