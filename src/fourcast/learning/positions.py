"""Sets of positions with labels, made to order: drawn from games, then labelled by the solver or an agent."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from fourcast.agents.registry import read_spec
from fourcast.game.errors import BadData, BadLimit, BadOption
from fourcast.game.geometry import Geometry
from fourcast.game.limit import Limit, check_count
from fourcast.kernels.batch import Batch
from fourcast.kernels.tricks import Stones
from fourcast.learning.labelled import (
    LabelledSet,
    check_labels,
    columns_texts,
    flags_of,
    worths_of,
    worths_texts,
)
from fourcast.learning.labelling import (
    AGENT_LIMIT,
    SOLVER,
    SOLVER_LIMIT,
    Labels,
    agent_labels,
    exact_labels,
)
from fourcast.learning.part import Part
from fourcast.learning.sampling import RANDOM, Sampling, Watch, find_agent

PERFECT = "perfect"  # the agent


def make_positions(
    geometry: Geometry | str,
    count: int,
    plies: tuple[int, int],
    *,
    policies: Sequence[str] = (RANDOM,),
    noise: float = 0.0,
    slip: float = 0.0,
    seed: int = 0,
    labels: str = SOLVER,
    moves: bool = True,
    threads: int = 1,
    limit: Limit | None = None,
    part: Path | None = None,
    watch: Watch = lambda _what, _done, _total: None,
) -> LabelledSet:
    """Make a set of positions, all different, mirror images counting as the same, with labels.

    The same arguments give the same set (agents that look at the clock aside), whatever `threads` and `part`.

    Args:
        geometry: The board.
        count: How many positions.
        plies: The least and the most discs that have been dropped in a position.
        policies: Who plays the games: `random`, or specs of agents; they take turns, game by game.
        noise: The share of an agent's discs that are dropped at random instead, 0 to 1.
        slip: The chance that a disc lands in another column: in the games, and for the agent that gives the
            labels.
        seed: Where chance starts.
        labels: `solver` for exact scores, or the spec of an agent whose values are taken.
        moves: Whether the columns are wanted, too: the best ones, and what each is worth.
        threads: How many threads solve.
        limit: What a position's labels may take: 60 seconds of the solver by default; an agent's own.
        part: A file in which to keep what is done, and from which to go on. It stays when all is done.
        watch: Called now and then with what is being done, how much of it is done, and how much there is.

    Raises:
        BadData: There are fewer such positions, or what is done cannot be kept, or is of another set.
        BadLimit: A number is not in its range, or the solver needs more than the limit.
        BadOption: Something cannot be asked for.
        FourcastError: An agent cannot be had, or fails.
    """
    geometry = Geometry.of(geometry)
    sampling = Sampling(geometry, count, plies, tuple(policies), noise, seed, slip)
    check_count("threads", threads)
    limit = limit or (SOLVER_LIMIT if labels == SOLVER else AGENT_LIMIT)
    if labels == SOLVER and (limit.depth or limit.simulations):
        raise BadLimit(f"limit {limit}: exact solving takes a time or nodes=, nothing else")
    if labels == SOLVER and slip:
        raise BadOption(f"slip {slip:g}: the solver knows no slip; have an agent give the labels")
    if slip and labels != SOLVER and read_spec(labels)[0].name == PERFECT:
        raise BadOption(
            f"slip {slip:g}: perfect is the solver, which knows no slip; have another agent give the labels, "
            "like expectimax:values=all"
        )
    with ExitStack() as stack:
        player = None if labels == SOLVER else find_agent(labels, sampling.rules, stack)
        kept = stack.enter_context(Part(part, _request(sampling, labels, moves, limit)))
        texts, stones = sampling.draw(kept, watch)
        done = _labels_before(kept, moves, geometry)
        known = sum(len(each.labels) for each in done)
        if known > count:
            raise BadData(kept.place(count))
        watch("labels", known, count)
        left = Batch(geometry, stones[known:])
        if player is None:
            rest = exact_labels(left, moves=moves, threads=threads, limit=limit)
        else:
            rest = agent_labels(left, player, labels, moves=moves, seed=seed, limit=limit)
        try:
            for some in rest:
                kept.add(_write_labels(some))
                done.append(some)
                known += len(some.labels)
                watch("labels", known, count)
        except (BadLimit, BadOption):
            if not done:  # then another agent will be asked, and a part of this set would be in the way
                kept.forget()
            raise
        made = _together(sampling, stones, texts, done, exact=labels == SOLVER)
        check_labels(made, kept.place)
    return made


def _request(sampling: Sampling, labels: str, moves: bool, limit: Limit) -> dict[str, object]:
    """What makes a set what it is; the solver's limit does not, so that it can be raised."""
    return {
        "board": str(sampling.geometry),
        "count": sampling.count,
        "plies": list(sampling.plies),
        "policies": list(sampling.policies),
        "noise": sampling.noise,
        "slip": sampling.slip,
        "seed": sampling.seed,
        "labels": labels,
        "moves": moves,
        "limit": None if labels == SOLVER else str(limit),
    }


def _write_labels(some: Labels) -> dict[str, Any]:
    """Labels as a step of a part."""
    step: dict[str, Any] = {"labels": some.labels.tolist()}
    if some.best is not None and some.columns is not None:
        step |= {"best": columns_texts(some.best), "columns": worths_texts(some.columns)}
    return step


def _labels_before(kept: Part, moves: bool, geometry: Geometry) -> list[Labels]:
    """The labels that a part has; whether they can be right is looked at in the end."""
    found = []
    try:
        for step in kept.take("labels"):
            labels = np.array(step["labels"], dtype=np.float64)
            if labels.ndim != 1:
                raise ValueError("labels within labels")
            if not moves:
                found.append(Labels(labels))
                continue
            best = flags_of(step["best"], geometry, kept.place)
            columns = worths_of(step["columns"], geometry, "columns", kept.place)
            if not len(labels) == len(best) == len(columns):
                raise ValueError("not as many labels as columns")
            found.append(Labels(labels, best, columns))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadData(kept.place(len(found))) from None
    return found


def _together(
    sampling: Sampling, stones: Stones, texts: tuple[str, ...], done: list[Labels], *, exact: bool
) -> LabelledSet:
    labels = np.concatenate([each.labels for each in done])
    best = [each.best for each in done if each.best is not None]
    columns = [each.columns for each in done if each.columns is not None]
    told = any(not np.isnan(each).all() for each in columns)  # not all agents say what columns are worth
    return LabelledSet(
        sampling.geometry,
        stones,
        texts,
        scores=labels.astype(np.int16) if exact else None,
        values=None if exact else labels,
        best=np.concatenate(best) if best else None,
        columns=np.concatenate(columns) if told else None,
        slip=sampling.slip,
    )
