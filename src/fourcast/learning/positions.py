"""Sets of positions with labels, made to order: drawn from games, then labelled by the solver or an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

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
    PERFECT,
    SOLVER,
    SOLVER_LIMIT,
    Labelling,
    Labels,
    agent_labels,
    exact_labels,
    labels_by,
)
from fourcast.learning.part import Part
from fourcast.learning.sampling import RANDOM, Sampling, Watch, find_agent
from fourcast.workers import Workers

Places = npt.NDArray[np.int64]  # of positions in the set
_NONE: Places = np.zeros(0, dtype=np.int64)


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
    workers: Workers | None = None,
    limit: Limit | None = None,
    part: Path | None = None,
    watch: Watch = lambda _what, _done, _total: None,
) -> LabelledSet:
    """Make a set of positions, all different, mirror images counting as the same, with labels.

    The same arguments give the same set (agents that look at the clock aside), whatever `threads`, `workers`
    and `part`.

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
        workers: Who plays agents' games and gives the labels instead of this process.
        limit: What a position's labels may take: 60 seconds of the solver by default; an agent's own.
        part: A file in which to keep what is done, and from which to go on. It stays when all is done.
        watch: Called now and then with what is being done, how much of it is done, and how much there is.

    Raises:
        BadData: There are fewer such positions, or what is done cannot be kept, or is of another set.
        BadLimit: A number is not in its range, or the solver, or `perfect`, needs more than the limit.
        BadOption: Something cannot be asked for.
        FourcastError: An agent cannot be had, or fails.
        WorkersLost: Those who work instead are gone, or a position takes its process with it each time.
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
        texts, stones = sampling.draw(kept, watch, workers=workers)
        done = _labels_before(kept, moves, geometry, count)
        known = sum(len(places) for places, _ in done)
        watch("labels", known, count)
        missing = np.setdiff1d(np.arange(count), np.concatenate([_NONE, *(places for places, _ in done)]))
        left = Batch(geometry, stones[missing])
        if workers is not None:
            how = Labelling(sampling.rules, labels, moves, seed, limit)
            rest = labels_by(workers, how, left)
        elif player is None:
            rest = _counted(exact_labels(left, moves=moves, threads=threads, limit=limit))
        else:
            rest = _counted(agent_labels(left, player, labels, moves=moves, seed=seed, limit=limit))
        try:
            for where, some in rest:
                places = missing[where]
                kept.add(_write_labels(places, some, known))
                done.append((places, some))
                known += len(places)
                watch("labels", known, count)
        except (BadLimit, BadOption):
            if not done:  # then another agent will be asked, and a part of this set would be in the way
                kept.forget()
            raise
        made = _together(sampling, stones, texts, done, exact=labels == SOLVER)
        check_labels(made, kept.place)
    return made


def _counted(labels: Iterator[Labels]) -> Iterator[tuple[Places, Labels]]:
    """Labels that come in order, and of which positions they are."""
    start = 0
    for some in labels:
        yield np.arange(start, start + len(some.labels)), some
        start += len(some.labels)


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


def _write_labels(places: Places, some: Labels, known: int) -> dict[str, Any]:
    """Labels as a step of a part; which positions they are of is said if it is not the next after `known`."""
    step: dict[str, Any] = {"labels": some.labels.tolist()}
    if not np.array_equal(places, np.arange(known, known + len(places))):
        step["at"] = places.tolist()
    if some.best is not None and some.columns is not None:
        step |= {"best": columns_texts(some.best), "columns": worths_texts(some.columns)}
    return step


def _labels_before(kept: Part, moves: bool, geometry: Geometry, count: int) -> list[tuple[Places, Labels]]:
    """The labels that a part has, and of which positions; whether they can be right is looked at later."""
    found: list[tuple[Places, Labels]] = []
    has_label = np.zeros(count, dtype=np.bool_)
    known = 0
    try:
        for step in kept.take("labels"):
            labels = np.array(step["labels"], dtype=np.float64)
            if labels.ndim != 1:
                raise ValueError("labels within labels")
            places = np.array(step.get("at", range(known, known + len(labels))))
            if places.shape != labels.shape or (len(places) and places.dtype.kind != "i"):
                raise ValueError("not as many places as labels")
            if known + len(places) > count or (places < 0).any() or (places >= count).any():
                raise BadData(kept.place(count))
            if has_label[places].any() or len(np.unique(places)) != len(places):
                raise ValueError("a position that has its label already")
            has_label[places] = True
            known += len(places)
            if not moves:
                found.append((places, Labels(labels)))
                continue
            best = flags_of(step["best"], geometry, kept.place)
            columns = worths_of(step["columns"], geometry, "columns", kept.place)
            if not len(labels) == len(best) == len(columns):
                raise ValueError("not as many labels as columns")
            found.append((places, Labels(labels, best, columns)))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadData(kept.place(known)) from None
    return found


def _together(
    sampling: Sampling,
    stones: Stones,
    texts: tuple[str, ...],
    done: list[tuple[Places, Labels]],
    *,
    exact: bool,
) -> LabelledSet:
    order = np.argsort(np.concatenate([places for places, _ in done]))
    whole = Labels.together([some for _, some in done])
    labels, columns = whole.labels[order], whole.columns
    if columns is not None:  # not all agents say what columns are worth
        columns = None if np.isnan(columns).all() else columns[order]
    return LabelledSet(
        sampling.geometry,
        stones,
        texts,
        scores=labels.astype(np.int16) if exact else None,
        values=None if exact else labels,
        best=None if whole.best is None else whole.best[order],
        columns=columns,
        slip=sampling.slip,
    )
