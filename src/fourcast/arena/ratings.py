"""Ratings of a field from all its games at once, whatever their order.

The model is that of `bradley_terry`. The 95% interval is the rating plus and minus 1.96 times the root of its
entry on the diagonal of

    A * inverse(F / d + 1 / w ** 2) * A'        with F_ii = sum over j of f_ij,  F_ij = -f_ij,
                                                     f_ij = g_ij * p_ij * (1 - p_ij)

F is the Fisher information of g_ij games with the expected share p_ij, w the width of the prior, A takes the
mean of the group (or the anchor's rating) away, and d is the dispersion: how much the points really vary,
beside games that are independent and never drawn. Draws, and a colour that wins most games, make it smaller
than 1. Where it is estimated, Student's quantile stands for the 1.96.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from fourcast.arena.bradley_terry import (
    ELO,
    dispersion_of,
    fit,
    groups_of,
    information,
    prior_information,
)
from fourcast.arena.elo import finite
from fourcast.arena.results import Result, Tally
from fourcast.game.errors import BadResult, UnknownPlayer, shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong one agent is, among those of its group.

    Attributes:
        name: The agent.
        elo: Its rating; the mean of its group is 0, or the anchor is where it was put.
        interval: Where the true rating lies, with 95% confidence, in Elo; infinite for an agent that met no
            other, and without width for the anchor.
        games: How many games it rests on.
        points: The points taken in them.
        group: Which group it is in, 0 being the largest. Ratings of two groups cannot be compared: none of
            the one ever met one of the other, not even by way of others.
        unbounded: "above" if it gave no point away and "below" if it took none: the games alone would put it
            at infinity, and how far it stands there is owed to the prior. None for all others.
    """

    name: str
    elo: float
    interval: tuple[float, float]
    games: int
    points: float
    group: int
    unbounded: str | None

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them; what is infinite becomes None."""
        return {
            "name": self.name,
            "elo": self.elo,
            "interval": [finite(bound) for bound in self.interval],
            "games": self.games,
            "points": self.points,
            "group": self.group,
            "unbounded": self.unbounded,
        }


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a field.

    Attributes:
        agents: Group by group, and in each from the strongest to the weakest.
        groups: How many groups of agents never met, not even by way of others; 1 is as it should be.
        dispersion: The variance of the points, beside that of independent games without draws.
    """

    agents: tuple[Rating, ...]
    groups: int
    dispersion: float

    def __getitem__(self, name: str) -> Rating:
        for rating in self.agents:
            if rating.name == name:
                return rating
        raise UnknownPlayer(f"{shown(name)} is not in the field")

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        return {
            "agents": [rating.to_json() for rating in self.agents],
            "groups": self.groups,
            "dispersion": self.dispersion,
        }


def rate_results(
    results: Iterable[Result] | Tally,
    names: Sequence[str] | None = None,
    anchor: tuple[str, float] | None = None,
) -> Ratings:
    """Rates a field from its games, with the dispersion that they show.

    Args:
        results: The games in any order, or their tally.
        names: The field, with those that have not played yet; by default those that played.
        anchor: An agent, and the rating that it shall have.
    """
    tally = results if isinstance(results, Tally) else Tally.of(results, names)
    return _rate(tally.names, tally.points, tally.games.astype(float), anchor, tally=tally)


def rate(
    names: Sequence[str],
    points: Matrix,
    games: Matrix,
    *,
    dispersion: float = 1.0,
    anchor: tuple[str, float] | None = None,
) -> Ratings:
    """Rates a field from who took how much from whom.

    Args:
        names: The n agents.
        points: Of shape (n, n): what agent i took from agent j, a draw being half a point.
        games: Of shape (n, n), symmetric: how often they met.
        dispersion: The variance of the points, beside that of independent games without draws; 1 makes the
            intervals too wide, rather than too narrow, where there are draws or paired games.
        anchor: An agent, and the rating that it shall have.

    Raises:
        BadResult: The matrices do not fit each other.
        UnknownPlayer: The anchor is not in the field.
    """
    import numpy as np

    points, games = np.asarray(points, dtype=float), np.asarray(games, dtype=float)
    shape = (len(names), len(names))
    if points.shape != shape or games.shape != shape:
        raise BadResult(f"{len(names)} agents need points and games of shape {shape}")
    if len(set(names)) < len(names):
        raise BadResult("a name stands twice in the field")
    if not np.isfinite(points).all() or (points < 0).any() or not np.allclose(points + points.T, games):
        raise BadResult("the points of each two agents must add up to their games")
    if np.diagonal(games).any():
        raise BadResult("an agent cannot play against itself")
    return _rate(names, points, games, anchor, dispersion=dispersion)


def _rate(
    names: Sequence[str],
    points: Matrix,
    games: Matrix,
    anchor: tuple[str, float] | None,
    *,
    dispersion: float = 1.0,
    tally: Tally | None = None,
) -> Ratings:
    """The ratings, with the dispersion of the tally where there is one."""
    import numpy as np
    from scipy.special import stdtrit

    if anchor and anchor[0] not in names:
        raise UnknownPlayer(f"{shown(anchor[0])}, the anchor, is not in the field")
    groups = groups_of(games)
    strengths, shares = fit(points, games)
    spare = math.inf
    if tally:
        dispersion, spare = dispersion_of(tally, shares, len(names) - len(set(groups)))
    quantile = float(stdtrit(spare, 0.975)) if math.isfinite(spare) else 1.959964
    keep = _frame(groups, list(names).index(anchor[0]) if anchor else None)
    elos = ELO * (keep @ strengths)
    covariance = np.linalg.inv(information(games, shares) / dispersion + prior_information(len(names)))
    errors = ELO * np.sqrt(np.einsum("ij,ij->i", keep @ covariance, keep).clip(0))
    errors[games.sum(axis=1) == 0] = math.inf
    if anchor:
        place = list(names).index(anchor[0])
        elos[np.array(groups) == groups[place]] += anchor[1]
        errors[place] = 0.0
    taken, met = points.sum(axis=1), games.sum(axis=1)
    agents = [
        Rating(
            name,
            float(elos[i]),
            (float(elos[i] - quantile * errors[i]), float(elos[i] + quantile * errors[i])),
            round(met[i]),
            float(taken[i]),
            groups[i],
            None if 0 < taken[i] < met[i] or not met[i] else "above" if taken[i] else "below",
        )
        for i, name in enumerate(names)
    ]
    agents.sort(key=lambda rating: (rating.group, -rating.elo, rating.name))
    return Ratings(tuple(agents), len(set(groups)), float(dispersion))


def _frame(groups: Sequence[int], anchor: int | None) -> Matrix:
    """What takes from each rating the mean of its group, or the anchor's in its own: of shape (n, n)."""
    import numpy as np

    origins = np.zeros((len(groups), len(groups)))  # row i: what is taken away from rating i
    for group in set(groups):
        members = np.array(groups) == group
        if anchor is not None and groups[anchor] == group:
            origins[members, anchor] = 1
        else:
            origins[np.ix_(members, members)] = 1 / members.sum()
    frame: Matrix = np.eye(len(groups)) - origins
    return frame
