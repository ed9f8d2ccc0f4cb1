"""What the leader of a team of threads does, and what its helpers do (see `kernels.teams`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fourcast.kernels.board import Board, kernel
from fourcast.kernels.exact import ASKED, LEAVE, TEAM, ask, next_question, score_range
from fourcast.kernels.memory import fence, load, store, watch
from fourcast.kernels.teams import ANSWER, DONE, QUESTION, ROUND
from fourcast.kernels.tricks import Stones, read
from fourcast.kernels.words import popcount

_SHIFT = 128  # what makes a score a uint64


@kernel
def bound_of(word: np.uint64) -> int:
    """The score in the lowest byte of a word."""
    return np.int64(word & np.uint64(255)) - _SHIFT  # type: ignore[return-value]


@kernel
def asked(number: np.uint64, middle: int) -> np.uint64:
    """A round and its question in one word, so that an answer cannot be taken for another's."""
    return number << np.uint64(8) | np.uint64(middle + _SHIFT)


@kernel
def lead(
    board: Board,
    states: npt.NDArray[np.uint64],
    team: np.uint64,
    stones: Stones,
    bounds: npt.NDArray[np.int64],
) -> None:
    """As `exact.bisect`, with the help of others, who are told to leave at the end.

    `states` are the addresses of all threads' states, the leader's first.
    """
    state = states[0]
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    least, most = score_range(board, mine, theirs)
    lower, upper = max(bounds[0], min(least, bounds[1])), min(bounds[1], max(most, bounds[0]))
    store(state, TEAM, team)
    while lower < upper and not load(state, ASKED):
        middle = next_question(lower, upper)
        number = load(team, ROUND) + np.uint64(1)
        store(team, QUESTION, np.uint64(middle + _SHIFT))
        store(team, ROUND, number)
        for helper in states[1:]:
            store(helper, LEAVE, np.uint64(1))
        score = ask(board, state, mine, theirs, middle, popcount(mine | theirs))
        if load(state, ASKED):
            break
        if load(state, LEAVE):
            store(state, LEAVE, np.uint64(0))
            answer = watch(team, ANSWER)
            if answer >> np.uint64(8) != asked(number, middle):
                continue  # that was meant for the round before
            score = bound_of(answer)
        if score <= middle:
            upper = max(score, lower)
        else:
            lower = min(score, upper)
    bounds[0], bounds[1] = lower, upper
    store(team, DONE, np.uint64(1))
    for each in states:
        store(each, TEAM, np.uint64(0))
    for helper in states[1:]:
        store(helper, LEAVE, np.uint64(1))


@kernel
def help_out(board: Board, state: np.uint64, leader: np.uint64, team: np.uint64, stones: Stones) -> None:
    """Work on the leader's questions until it is done."""
    mine, theirs = read(board, stones[0]), read(board, stones[1])
    store(state, TEAM, team)
    while not watch(team, DONE) and not watch(state, ASKED):
        store(state, LEAVE, np.uint64(0))
        fence()
        number = watch(team, ROUND)
        if not number:
            continue
        middle = bound_of(watch(team, QUESTION))
        score = ask(board, state, mine, theirs, middle, popcount(mine | theirs))
        if load(state, LEAVE) or load(state, ASKED) or watch(team, ROUND) != number:
            continue
        store(team, ANSWER, asked(number, middle) << np.uint64(8) | np.uint64(score + _SHIFT))
        store(leader, LEAVE, np.uint64(1))
        while watch(team, ROUND) == number and not watch(team, DONE):
            pass
